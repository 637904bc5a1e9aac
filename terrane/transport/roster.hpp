// SPDX-License-Identifier: Apache-2.0
// roster.hpp: who the nodes of a run are and how they fare, where each is a process of its own.
//
// Purpose     A launcher, heartbeats and progress know this and nothing of how it is kept: words of
//             shared memory (shm_roster.hpp), or what comes over a connection. What a process
//             prints and how it ends is seen by whoever started it (machine/launch.hpp).
#pragma once

#include <cstdint>
#include <string>

#include "terrane/base/result.hpp"
#include "terrane/core/balancer.hpp"

namespace terrane {

/// What a node is at, for the message about one that is lost.
enum class node_phase : std::uint32_t { starting, running, ending };
constexpr const char* name_of(node_phase phase) {
  switch (phase) {
    case node_phase::starting: return "starting";
    case node_phase::running: return "running";
    case node_phase::ending: return "ending";
  }
  return "unknown";
}

/// What a node shows of itself.
struct life_signs {
  node_phase phase = node_phase::starting;
  std::uint64_t beats = 0;   // of its heart; they grow as long as its process lives
  std::uint64_t tokens = 0;  // generated there, if the run is watched
  int busy = 0;              // processors, likewise
};

/// The launcher's side.
class roster {
 public:
  virtual std::uint32_t nodes() const = 0;
  /// When all nodes were there, by monotonic_ns; 0: they are not yet.
  virtual std::uint64_t began_ns() const = 0;
  virtual life_signs signs_of(node_id) const = 0;
  /// True if nodes are to show how far they are.
  virtual bool is_watched() const = 0;
  /// The process of that node has ended before its time, and others go on: they are told.
  virtual void lose(node_id) = 0;

  /// Descriptors for the one line that a node hands in at the end: the launcher reads the one, the
  /// node's process is to have the other (-1: it has a way of its own).
  struct share_way {
    int read = -1, write = -1;
  };
  virtual result<share_way> open_share(node_id) = 0;

 protected:
  ~roster() = default;
};

/// A node's side, in its own process. Any thread, but hand_in.
class roster_line {
 public:
  virtual void enter(node_phase) = 0;
  virtual void beat() = 0;
  virtual bool is_watched() const = 0;
  virtual void show(std::uint64_t tokens, int busy) = 0;
  /// Some nodes are lost: processors are to look for what was on its way there.
  virtual bool any_lost() const = 0;
  /// The node's share of the run. Once. False: nobody takes it.
  virtual bool hand_in(const std::string& share) = 0;

 protected:
  ~roster_line() = default;
};

}  // namespace terrane
