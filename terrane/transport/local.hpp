// SPDX-License-Identifier: Apache-2.0
// local.hpp: the world in which nodes are groups of threads of this process.
//
// Purpose     Messages go through rings (rings.hpp). Notes and tokens between nodes are handed over
//             by a direct call in the sender's thread, so tokens can be taken from a node without
//             its help.
#pragma once

#include "terrane/transport/rings.hpp"

namespace terrane {

class local_world final : public world, private rings, private neighbours {
 public:
  local_world(std::uint32_t processors, crew_options options);
  ~local_world() override;

  /// Adds a further source of news for the processors of this process. Call it before the run.
  void add(poller& source) { crew_.add(source); }

  void attach(std::span<node* const> nodes) override { nodes_ = nodes; }
  void describe(world_statistics& to) const override { to.probes = crew_.probes(); }

 private:
  local_world(std::uint32_t processors, crew_options options, own_places memory);

  // wire
  void post_note(processor* mover, node& from, node_id to, const note& what, int load) override;
  void post_token(processor* mover, node& from, node_id to, const terrane_token& token,
                  const load_hint& hint) override;
  // neighbours
  bool is_seen_by_all(const void*) const override { return true; }
  std::optional<int> look(node_id other) override;
  bool take_oldest(processor* mover, node_id from, terrane_token& token) override;
  bool fetch(processor_id owner, const void* from, void* to, std::size_t bytes) override;
  std::size_t fetch_bytes_min() const override { return small_bytes_max; }
  bool stacks_are_shared() const override { return true; }
  // rings
  void rouse(processor_id to) override;
  void begin(std::span<processor* const> processors) override;

  const own_places memory_;
  std::span<node* const> nodes_;
  std::span<processor* const> all_;
  thread_crew crew_;
};

}  // namespace terrane
