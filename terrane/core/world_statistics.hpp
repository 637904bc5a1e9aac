// SPDX-License-Identifier: Apache-2.0
// world_statistics.hpp: what a world reports of a run beyond the counts of processors and nodes.
#pragma once

#include <cstdint>
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

/// What one node has sent to another over a wire of its own, as it saw it.
struct wire_statistics {
  std::uint32_t from = 0, to = 0;                     // nodes
  std::uint64_t messages = 0, frames = 0, bytes = 0;  // frames: messages that travelled together
  std::uint64_t writes = 0;                           // calls of the system
  double blocked_seconds = 0;                         // while the wire took no more
  double round_trip_seconds = 0, round_trip_min_seconds = 0;
  std::uint64_t resent = 0;  // pieces that the system sent again
};

struct world_statistics {
  bool complete = true;                        // nothing that was to be written is lost
  std::vector<rare_probe> probes;              // of rare branches, by name
  std::vector<wire_statistics> wires;          // of this process's nodes; those that were used
  std::shared_ptr<const world_report> report;  // null: there is nothing more to report
};

}  // namespace terrane
