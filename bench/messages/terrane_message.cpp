// SPDX-License-Identifier: Apache-2.0
// terrane_message.cpp: active messages between two nodes: the handlers of objects answer.
//
// Method      Each side has a player, an object that the other side asks by its name. one_way and
//             parked: its handler takes the bytes out and sends the next message itself; no fiber
//             runs. rate: a fiber sends a burst and makes itself ready again, so that its processor
//             heeds its messages between bursts; the handler of the other side compares.
#include <cstring>
#include <vector>

#include "bench/messages/terrane_pair.hpp"
#include "terrane/core/object.hpp"

using namespace terrane;
using bench::rules;

namespace {

constexpr const char* library = "terrane_message";
constexpr std::uint64_t burst = 256;

class player : public object {
 public:
  static constexpr char called[] = "player";

  /// over: signalled when this side has sent or received the last message.
  void meet(terrane_slot_ref other, const rules& agreed, std::uint64_t first_expected,
            slot_ref over) {
    other_ = other;
    rules_ = agreed;
    expected_ = first_expected;
    over_ = over;
    buffer_.resize(static_cast<std::size_t>(agreed.bytes));
  }
  void send(std::uint64_t number) {
    if (rules_.pauses) message_pause();
    bench::write_message(buffer_.data(), rules_.bytes, number);
    ask<player>(other_, 0, {buffer_.data(), buffer_.size()});
    if (number == rules_.last) over_.signal();
  }
  void operate(const operation_request& asked) override {
    std::memcpy(buffer_.data(), asked.body.data, asked.body.size);
    const std::uint64_t number = expected_;
    bench::compare_message(library, buffer_.data(), rules_.bytes, number);
    if (number == message_checked - 1) checked_ = bench_now();
    expected_ += rules_.answers ? 2 : 1;
    if (number == rules_.last)
      over_.signal();
    else if (rules_.answers)
      send(number + 1);
  }
  /// The time at which the last message that is compared whole arrived.
  double checked() const { return checked_; }

 private:
  terrane_slot_ref other_ = 0;
  rules rules_{};
  std::uint64_t expected_ = 0;
  slot_ref over_{};
  double checked_ = 0;
  std::vector<unsigned char> buffer_;
};

struct partner : threaded<partner> {
  player& mine = make_object<player>();
  slot_ref bye;
  slot over = on<&partner::end>(1, 0);

  step start(rules agreed, terrane_slot_ref other, global<terrane_slot_ref> name, slot_ref there,
             slot_ref ended) {
    bye = ended;
    mine.meet(other, agreed, 0, ref(over));
    put(mine.name(), name, there);
    return wait;
  }
  step end() {
    free_object(mine);
    bye.signal();
    return done;
  }
};

struct messages : threaded<messages> {
  message_figure figure;
  rules agreed;
  player& mine = make_object<player>();
  terrane_slot_ref there;
  std::uint64_t sent;
  double begun;
  slot ready = on<&messages::begin>(1, 0), again = on<&messages::send_burst>(1);
  slot over = on<&messages::report>(2, 0);  // one signal of each side

  step start(int argc, char** argv) {
    static constexpr const char* known[] = {"one_way", "parked", "rate", nullptr};
    figure = bench::pair_arguments(argc, argv, library, known);
    agreed = bench::rules_of(figure);
    invoke<partner>(1, agreed, mine.name(), to_global(there), ref(ready), ref(over));
    return wait;
  }
  step begin() {
    mine.meet(there, agreed, 1, ref(over));
    sent = 0;
    begun = 0;
    if (!agreed.answers) return send_burst();
    mine.send(0);
    return wait;
  }
  step send_burst() {
    for (std::uint64_t i = 0; i < burst && sent <= agreed.last; ++i, ++sent) {
      if (sent == message_checked) begun = bench_now();
      mine.send(sent);
    }
    if (sent <= agreed.last) signal(again);
    return wait;
  }
  step report() {
    const double pauses = agreed.pauses ? figure.messages * message_pause_s : 0;
    message_report(&figure, bench_now() - (agreed.answers ? mine.checked() : begun) - pauses);
    free_object(mine);
    return done;
  }
};

}  // namespace

int main(int argc, char** argv) { return run<messages>(argc, argv); }
