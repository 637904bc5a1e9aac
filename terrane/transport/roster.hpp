// SPDX-License-Identifier: Apache-2.0
// roster.hpp: the nodes of a run and their state, where each node is a process of its own.
//
// Purpose     The launcher, heartbeats and progress use this interface. They do not know how it is
//             implemented: by words of shared memory (shm_roster.hpp), or by what arrives over a
//             connection. The launcher itself reads what a process prints and sees how it ends
//             (machine/launch.hpp).
#pragma once

#include <poll.h>

#include <cstdint>
#include <string>
#include <vector>

#include "terrane/base/result.hpp"
#include "terrane/core/balancer.hpp"

namespace terrane {

/// The phase of a node's run. The message about a lost node names it.
enum class node_phase : std::uint32_t { starting, running, ending };
constexpr const char* name_of(node_phase phase) {
  switch (phase) {
    case node_phase::starting: return "starting";
    case node_phase::running: return "running";
    case node_phase::ending: return "ending";
  }
  return "unknown";
}

/// What a node reports of itself while it runs.
struct life_signs {
  node_phase phase = node_phase::starting;
  std::uint64_t beats = 0;   // heartbeats; the count grows as long as the process lives
  std::uint64_t tokens = 0;  // generated on this node; only if the run is watched
  int busy = 0;              // busy processors; only if the run is watched
};

/// A connection between nodes, or with the launcher, has failed.
struct roster_trouble {
  node_id node, about;    // who reports it, and on whom
  std::string how;        // completes "node N lost touch: ..."
  bool is_cause = false;  // it brought what nobody sends, and did not merely end
};

/// The launcher's side. It reads what nodes report when it is told to look.
class roster {
 public:
  virtual std::uint32_t nodes() const = 0;
  /// The time, by monotonic_ns, at which all nodes had started; 0: some have not yet.
  virtual std::uint64_t began_ns() const = 0;
  virtual life_signs signs_of(node_id) const = 0;
  /// The name of the host where that node is. Empty: all are on the launcher's.
  virtual std::string host_of(node_id) const { return {}; }
  /// The number of the node's process on its host; below 0: it is the launcher's child.
  virtual int process_of(node_id) const { return -1; }
  /// True once the node's process has reported.
  virtual bool has_come(node_id) const { return true; }
  /// People start the nodes: how a child of the launcher ends says nothing.
  virtual bool are_started_by_hand() const { return false; }
  /// True if nodes are to report their progress.
  virtual bool is_watched() const = 0;
  /// The node's process has ended too early and the others continue: tells them that it is lost.
  virtual void lose(node_id) = 0;

  // --- around the fork of a node's process ---

  /// Called before it. Returns a descriptor for the process, to be closed here after the fork; -1:
  /// it needs none.
  virtual result<int> open_share(node_id) { return -1; }
  /// Called in that process: gives up what only the launcher may hold.
  virtual void leave_to_node() = 0;

  // --- news ---

  /// Adds the descriptors that become ready when look() has something to do.
  virtual void add_waits(std::vector<pollfd>&) const = 0;
  /// Takes what nodes have reported. Called whenever a descriptor is ready, and several times a
  /// second.
  virtual void look() = 0;
  /// What the node has handed in so far, and whether more may come.
  virtual const std::string& share_of(node_id) const = 0;
  virtual bool may_say_more(node_id) const = 0;
  /// What has failed since the last call.
  virtual std::vector<roster_trouble> troubles() { return {}; }

  virtual ~roster() = default;
};

/// A node's side, in its own process. Any thread may call all but hand_in.
class roster_line {
 public:
  virtual void enter(node_phase) = 0;
  virtual void beat() = 0;
  virtual bool is_watched() const = 0;
  virtual void show(std::uint64_t tokens, int busy) = 0;
  /// True if some nodes are lost: processors must then look for what was on its way there.
  virtual bool any_lost() const = 0;
  /// Hands the node's share of the run to the launcher. Called once. False: nobody reads it.
  virtual bool hand_in(const std::string& share) = 0;

  virtual ~roster_line() = default;
};

}  // namespace terrane
