// SPDX-License-Identifier: Apache-2.0
// converters.hpp: what other tools read, made from a trace.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "dashboard/text_sink.hpp"
#include "terrane/base/result.hpp"
#include "terrane/trace/reader.hpp"

namespace terrane {

struct converter {
  std::string_view name;
  std::string_view suffix;  // of what it makes
  std::string_view about;
  // One of them is null. What is a folder has a path that does not exist yet.
  result<void> (*write)(const trace_file& file, const text_sink& to);
  result<void> (*write_folder)(const trace_file& file, const std::string& path) = nullptr;
};

std::span<const converter> converters();
/// Null: there is none of that name.
const converter* find_converter(std::string_view name);

// Each is in a file of its own.
result<void> write_perfetto(const trace_file& file, const text_sink& to);
result<void> write_chrome(const trace_file& file, const text_sink& to);
result<void> write_csv(const trace_file& file, const text_sink& to);
result<void> write_openmetrics(const trace_file& file, const text_sink& to);
result<void> write_otf2(const trace_file& file, const std::string& path);

/// One event as a line of text, for people.
std::string line_of(const trace_file& file, const trace_event& event);
/// Which run it is and how it ended, in lines.
std::string describe_run(const trace_file& file);

}  // namespace terrane
