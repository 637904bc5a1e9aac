// SPDX-License-Identifier: Apache-2.0
// graph_probes.hpp: what the class `graph` records: who made, signalled and asked what.
//
// Purpose     A trace with these events holds the program's graph, which `terrane replay` runs on
//             other machines. All are called behind a test for the class, where time has been spent
//             already: none lies on an inline path.
// Names       A token gets a number that it carries in the last 8 bytes of its line, where its
//             arguments leave them free. If they do not, its number is made from the arguments:
//             tokens that are alike do the same.
// Causes      What happens while a message is handled is the answer to what a fiber asked, which
//             was told there. So these events belong to the fiber that runs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "terrane/core/processor.hpp"

namespace terrane {

/// Why a graph cannot be replayed, where a user can do something about it.
inline constexpr const char* graph_inlined = "tokens that ran at once";
/// The place of the slot that stands for `ready without a signal`.
inline constexpr std::uint64_t graph_no_slot = 1023;

/// A data request: `bytes` go from there to there, and then `done` is signalled.
struct graph_request {
  std::uint64_t bytes;
  terrane_global from, to;
  terrane_slot_ref done;
};

/// The token is about to lie at that place; its arguments come later.
[[gnu::cold]] void graph_token_made(processor& self, terrane_token& place,
                                    const terrane_function& function);
/// Names the token whose arguments were not there before: before anything else happens, and when
/// the turn ends.
[[gnu::cold]] void graph_names_token(processor& self);
[[gnu::cold]] void graph_invoked(processor& self, processor_id to, std::uint64_t bytes);
[[gnu::cold]] void graph_came(processor& self, terrane_token& token);
[[gnu::cold]] void graph_begins(processor& self, const terrane_token& token);
[[gnu::cold]] void graph_work(processor& self, const terrane_operation& operation,
                              std::uint64_t count);
[[gnu::cold]] void graph_sent(processor& self, terrane_slot_ref slot, std::uint64_t bytes);
[[gnu::cold]] void graph_asked(processor& self, entry kind, const graph_request& asked);
[[gnu::cold]] void graph_made_ready(processor& self, const terrane_frame& frame,
                                    const terrane_fiber& fiber);
[[gnu::cold]] void graph_machine(processor& self);
/// The program did something that a replay cannot repeat. what: a literal.
[[gnu::cold]] void graph_unclear(processor& self, const char* what);

/// Tells of an operation if graphs are recorded. While it lives, the signals that the operation is
/// made of are not told.
class graph_told {
 public:
  template <class Tell>
  graph_told(processor& self, Tell&& tell) {
    if (TERRANE_LIKELY(!self.records(event_class::graph))) return;
    tell(self);
    self_ = &self;
    ++self.graph().quiet;
  }
  graph_told(const graph_told&) = delete;
  graph_told& operator=(const graph_told&) = delete;
  ~graph_told() {
    if (TERRANE_UNLIKELY(self_ != nullptr)) --self_->graph().quiet;
  }

 private:
  processor* self_ = nullptr;
};

}  // namespace terrane
