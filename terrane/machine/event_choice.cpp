// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/event_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>

namespace terrane {

result<event_mask> read_event_classes(std::string_view text) {
  event_mask chosen = text.starts_with('-') ? usual_events : 0;
  while (!text.empty()) {
    std::string_view name = text.substr(0, text.find(','));
    text.remove_prefix(std::min(name.size() + 1, text.size()));
    const bool without = name.starts_with('-');
    if (without) name.remove_prefix(1);
    const auto* const known =
        std::find_if(std::begin(event_classes), std::end(event_classes),
                     [&](const event_class_description& it) { return it.name == name; });
    event_mask mask = name == "all" ? usual_events : 0;
    if (known != std::end(event_classes)) {
      mask = event_mask{1} << (known - std::begin(event_classes));
    } else if (name != "all" && name != "none") {
      std::string names = "all, none";
      for (const event_class_description& each : event_classes)
        names += fmt::format(", {}", each.name);
      return error{fmt::format("takes classes of events ({}), not '{}'", names, name)};
    }
    chosen = without ? chosen & ~mask : chosen | mask;
  }
  return chosen;
}

}  // namespace terrane
