// SPDX-License-Identifier: Apache-2.0
// world_statistics.hpp: what a world reports of a run beyond the counts of processors and nodes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "terrane/base/rare.hpp"

namespace terrane {

/// A report whose contents only one kind of world knows.
class world_report {
 public:
  virtual ~world_report() = default;
  /// Lines for a person; each ends with a newline.
  virtual std::string to_text() const = 0;
  /// A JSON object; its members join those of the run.
  virtual std::string to_json(double elapsed_seconds) const = 0;
};

struct world_statistics {
  bool complete = true;                        // nothing that was to be written is lost
  std::vector<rare_probe> probes;              // of rare branches, by name
  std::shared_ptr<const world_report> report;  // null: there is nothing more to report
};

}  // namespace terrane
