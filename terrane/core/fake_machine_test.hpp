// SPDX-License-Identifier: Apache-2.0
// fake_machine_test.hpp: one node of a machine, in a fake world. The world keeps what the node
// sends, for inspection. The test sets the clock and itself delivers what arrives.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "terrane/base/bounded_text.hpp"
#include "terrane/core/node.hpp"
#include "terrane/core/processor.hpp"
#include "terrane/core/run_control.hpp"
#include "terrane/core/token.hpp"
#include "terrane/core/world.hpp"

namespace terrane {

/// A token's function that does nothing; its argument is a number.
inline constexpr terrane_function numbered_work{"work",
                                                nullptr,
                                                0,
                                                0,
                                                sizeof(terrane_frame),
                                                sizeof(int),
                                                [](terrane_processor*, const void*) {},
                                                nullptr,
                                                nullptr,
                                                0};
inline terrane_token numbered(int number) { return make_token(numbered_work, &number); }
inline int number_of(const terrane_token& token) {
  int number;
  std::memcpy(&number, token.args, sizeof number);
  return number;
}
inline void push_numbered(processor& self, int number) {
  std::memcpy(terrane_token_push(&self, &numbered_work), &number, sizeof number);
}

class fake_world final : public world, public wire, public crew, public neighbours {
 public:
  fake_world() : world({.wire = *this, .crew = *this, .neighbours = this}), terrane::crew(false) {}

  struct sent_message {
    processor_id from, to;
    entry kind;
    std::string bytes;
  };
  struct sent_note {
    const processor* mover;
    node_id to;
    note what;
  };
  struct sent_token {
    const processor* mover;
    node_id to;
    terrane_token token;
    load_hint hint;
  };

  std::uint64_t clock = 0;
  std::vector<sent_message> messages;
  std::vector<sent_note> notes;
  std::vector<sent_token> tokens;
  std::vector<terrane_token> offered_elsewhere;  // what every other node offers
  std::set<processor_id> sleeping;
  std::vector<processor_id> woken;
  int polls = 0;

  void attach(std::span<node* const>) override {}
  std::uint64_t now() override { return clock; }
  void send(processor& from, processor_id to, entry kind, bytes_view head,
            bytes_view body) override {
    std::string bytes;
    if (head.size != 0) bytes.append(static_cast<const char*>(head.data), head.size);
    if (body.size != 0) bytes.append(static_cast<const char*>(body.data), body.size);
    messages.push_back({from.number, to, kind, std::move(bytes)});
  }
  void poll(processor&) override { ++polls; }
  void post_note(processor* mover, node&, node_id to, const note& what, int) override {
    notes.push_back({mover, to, what});
  }
  void post_token(processor* mover, node&, node_id to, const terrane_token& token,
                  const load_hint& hint) override {
    tokens.push_back({mover, to, token, hint});
  }
  bool take_oldest(processor*, node_id, terrane_token& token) override {
    if (offered_elsewhere.empty()) return false;
    token = offered_elsewhere.front();
    offered_elsewhere.erase(offered_elsewhere.begin());
    return true;
  }
  bool wake(processor& sleeper) override {
    if (sleeping.erase(sleeper.number) == 0) return false;
    woken.push_back(sleeper.number);
    return true;
  }
  void run(std::span<processor* const>) override {}
};

/// Node 0 of `nodes`, with that many processors. as_processor binds this thread to one of them;
/// before the first call this thread is no processor.
class fake_machine : public run_control {
 public:
  explicit fake_machine(std::uint32_t nodes, std::uint32_t processors = 1,
                        std::unique_ptr<balancer> policy = std::make_unique<balancer>())
      : home_({0, nodes, processors, 1, 1, false}, std::move(policy), world) {
    std::vector<processor*> bare;
    for (processor_id p = 0; p < processors; ++p) {
      owned_.push_back(
          processor::make({p, nodes * processors, processors, 1}, home_, world, *this));
      bare_.push_back(owned_.back().get());
    }
    home_.attach(bare_);
    home_.policy().start();
  }
  ~fake_machine() override { terrane_here = TERRANE_NO_PROCESSOR; }

  fake_world world;

  node& home() { return home_; }
  processor& at(processor_id p) { return *bare_[p]; }
  /// Makes this thread that processor from now on.
  processor& as_processor(processor_id p) {
    at(p).bind(std::size_t{1} << 20);
    return at(p);
  }
  /// True if that processor was noticed since the last call.
  bool was_noticed(processor_id p) {
    const int before = world.polls;
    at(p).heed_if_asked();
    return world.polls != before;
  }
  bool ended() const { return ended_; }

  void root_ended(processor&) override { ended_ = true; }
  void quiet(processor&) override { ended_ = true; }
  void told_to_stop(processor& here) override { here.stop(); }
  void set_exit_code(int) override {}
  [[noreturn]] void failed(const char* sentence, int exit_code) override {
    end_with_sentence(sentence, exit_code);
  }

 private:
  node home_;
  std::vector<processor::owner> owned_;
  std::vector<processor*> bare_;
  bool ended_ = false;
};

}  // namespace terrane
