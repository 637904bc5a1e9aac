// SPDX-License-Identifier: Apache-2.0
#include "dashboard/run_ends.hpp"

#include <nlohmann/json.hpp>

namespace terrane {

std::vector<run_end> ends_of(const trace_file& file) {
  std::vector<run_end> ends;
  for (const std::string& each : file.ends()) {
    const auto said = nlohmann::json::parse(each, nullptr, false);
    if (!said.is_object()) continue;
    run_end& end = ends.emplace_back();
    for (const char* const name : {"sentence", "failed"})
      if (const auto found = said.find(name); found != said.end() && found->is_string())
        end.sentence = found->get<std::string>();
    const auto statistics = said.find("statistics");
    end.has_statistics = statistics != said.end();
    if (!end.has_statistics || !statistics->is_object()) continue;
    const auto elapsed = statistics->value("elapsed_seconds", nlohmann::json());
    if (elapsed.is_number() && elapsed.get<double>() > 0 && elapsed.get<double>() < 1e9)
      end.elapsed_seconds = elapsed.get<double>();
  }
  return ends;
}

}  // namespace terrane
