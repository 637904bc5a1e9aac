// SPDX-License-Identifier: Apache-2.0
// faulty.cpp: a balancer that does what none should: `does` says what, when a node is idle.
#include <csignal>
#include <cstdlib>
#include <stdexcept>

#include "terrane/balance/plugin.hpp"

using namespace terrane;

class faulty final : public balancer {
 public:
  enum deed { nothing, throws, throws_a_number, crashes, divides, aborts, leaves, loops, refuses };
  explicit faulty(const balancer_parameters& given)
      : does_(static_cast<deed>(value_or(given, "does", nothing))) {
    if (does_ == refuses) throw std::runtime_error("not today");
  }

  void on_idle(node_view&) override {
    switch (does_) {
      case throws: throw std::runtime_error("no idea");
      case throws_a_number: throw 7;
      case crashes: *nowhere_ = 1; break;
      case divides: std::raise(SIGFPE); break;
      case aborts: std::abort();
      case leaves: std::exit(3);
      case loops:
        for (volatile bool for_ever = true; for_ever;);
        break;
      default: break;
    }
  }

 private:
  const deed does_;
  volatile int* volatile nowhere_ = nullptr;
};

TERRANE_BALANCER_WITH(faulty, "does what none should", "does  what (default: 0, nothing)\n")
