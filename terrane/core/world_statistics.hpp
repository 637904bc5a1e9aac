// SPDX-License-Identifier: Apache-2.0
// world_statistics.hpp: what a world can say of a run beyond what processors and nodes count.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "terrane/base/rare.hpp"

namespace terrane {

/// What one world alone knows, in its own words.
class world_report {
 public:
  virtual ~world_report() = default;
  /// Lines for a person, each ended.
  virtual std::string to_text() const = 0;
  /// A JSON object; its members join those of the run.
  virtual std::string to_json(double elapsed_seconds) const = 0;
};

struct world_statistics {
  bool complete = true;                        // nothing of what it was to write is lost
  std::vector<rare_probe> probes;              // of rare branches, by name
  std::shared_ptr<const world_report> report;  // null: there is nothing more to say
};

}  // namespace terrane
