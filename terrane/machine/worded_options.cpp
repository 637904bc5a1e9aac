// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/worded_options.hpp"

#include <fmt/format.h>

#include <utility>

#include "terrane/machine/mpi_launch.hpp"
#include "terrane/machine/read_word.hpp"
#include "terrane/machine/rope_balancer_file.hpp"

namespace terrane {

result<void> read_statistics(std::string_view text, run_options& into) {
  constexpr std::string_view file_mark = "json=";
  into.statistics_file.clear();
  if (text == "text") {
    into.statistics = statistics_form::text;
  } else if (text == "none") {
    into.statistics = statistics_form::none;
  } else if (text == "json" || (text.starts_with(file_mark) && text.size() > file_mark.size())) {
    into.statistics = statistics_form::json;
    if (text != "json") into.statistics_file = text.substr(file_mark.size());
  } else {
    return error{fmt::format("takes text, json, json=FILE or none, not '{}'", text)};
  }
  return {};
}

result<void> read_receive_wait(std::string_view text, run_options& into) {
  return read_word(text,
                   {std::pair<std::string_view, receive_wait>{"scheduler", receive_wait::scheduler},
                    {"thread", receive_wait::thread},
                    {"spin", receive_wait::spin}},
                   into.letters.wait);
}

result<void> read_mpi(std::string_view text, run_options& into) {
  into.mpi = text;
  if (find_mpi(text)) return {};
  return error{fmt::format("takes openmpi or mpich, not '{}'", text)};
}

result<void> read_rope_balancer(std::string_view text, run_options& into) {
  into.rope_balancer = text;
  if (const auto found = find_rope_balancer(into.rope_balancer); !found)
    return error{"names no policy: " + found.problem()};
  return {};
}

}  // namespace terrane
