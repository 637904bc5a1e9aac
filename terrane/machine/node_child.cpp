// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/node_child.hpp"

#include <fmt/format.h>

#include <string>

#include "terrane/machine/cpu_budget.hpp"

namespace terrane {

bool node_child::is_stopped() const {
  const auto text = read_system_file(fmt::format("/proc/{}/stat", process));
  const auto after_name = text ? text->rfind(") ") : std::string::npos;
  return after_name != std::string::npos && text->size() > after_name + 2 &&
         ((*text)[after_name + 2] == 'T' || (*text)[after_name + 2] == 't');
}

}  // namespace terrane
