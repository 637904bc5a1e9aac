// SPDX-License-Identifier: Apache-2.0
// terrane_put.cpp: put and signal between two nodes: the data arrives, then a fiber uses it.
//
// Method      one_way: each put signals a slot of the other side, whose fiber compares the data and
//             puts the next message. rate: a fiber puts a burst and makes itself ready again, so
//             that its processor heeds its messages between bursts. The data goes to the places of
//             a row in turn, and one slot counts all puts. At the end the row is compared.
#include <algorithm>
#include <vector>

#include "bench/messages/terrane_pair.hpp"

using namespace terrane;
using bench::rules;

namespace {

constexpr const char* library = "terrane_put";
constexpr std::uint64_t burst = 256, row = 512;  // places

/// The place where one side receives messages, and the slot that each put signals.
struct address {
  terrane_global place;
  slot_ref arrived;
};

}  // namespace

template <>
inline constexpr bool terrane::position_independent<address> = true;

namespace {

struct partner : threaded<partner> {
  std::vector<unsigned char> places;
  rules agreed;
  address other;
  std::uint64_t expected;
  slot_ref bye;
  slot arrived = unarmed<&partner::take>();

  step start(rules told, address asker, global<address> mine, slot_ref there, slot_ref ended) {
    agreed = told;
    other = asker;
    bye = ended;
    expected = 0;
    places.resize((agreed.answers ? 1 : row) * static_cast<std::size_t>(agreed.bytes));
    const int count = agreed.answers ? 1 : static_cast<int>(agreed.last + 1);
    arrived.arm(count, agreed.answers ? 1 : 0);
    put({terrane_to_global(places.data()), ref(arrived)}, mine, there);
    return wait;
  }
  step take() {
    if (!agreed.answers) return compare_row();
    bench::compare_message(library, places.data(), agreed.bytes, expected);
    bench::write_message(places.data(), agreed.bytes, expected + 1);
    terrane_put(places.data(), static_cast<std::size_t>(agreed.bytes), other.place,
                other.arrived.raw);
    if (expected + 1 == agreed.last) return end();
    expected += 2;
    return wait;
  }
  step compare_row() {
    for (std::uint64_t number = agreed.last - std::min(agreed.last, row - 1); number <= agreed.last;
         ++number)
      message_check_number(library, &places[number % row * static_cast<std::size_t>(agreed.bytes)],
                           number);
    return end();
  }
  step end() {
    bye.signal();
    return done;
  }
};

struct putter : threaded<putter> {
  message_figure figure;
  rules agreed;
  address there;
  std::vector<unsigned char> place;
  std::uint64_t number;  // of the last message that was put
  double begun;
  slot ready = on<&putter::begin>(1, 0), arrived = on<&putter::next>(1);
  slot again = on<&putter::put_burst>(1), over = on<&putter::report>(1, 0);

  step start(int argc, char** argv) {
    static constexpr const char* known[] = {"one_way", "rate", nullptr};
    figure = bench::pair_arguments(argc, argv, library, known);
    place.resize(static_cast<std::size_t>(figure.bytes));
    agreed = bench::rules_of(figure);
    number = 0;
    invoke<partner>(1, agreed, address{terrane_to_global(place.data()), ref(arrived)},
                    to_global(there), ref(ready), ref(over));
    return wait;
  }
  step begin() {
    if (!agreed.answers) return put_burst();
    put_number(0, there.place);
    return wait;
  }
  void put_number(std::uint64_t which, terrane_global to) {
    if (which == message_checked) begun = bench_now();
    number = which;
    bench::write_message(place.data(), figure.bytes, number);
    terrane_put(place.data(), place.size(), to, there.arrived.raw);
  }
  step next() {
    bench::compare_message(library, place.data(), figure.bytes, number + 1);
    if (number + 1 != agreed.last) put_number(number + 2, there.place);
    return wait;
  }
  step put_burst() {
    const std::uint64_t end = std::min(number + burst, agreed.last + 1);
    for (; number < end; ++number) put_number(number, there.place + number % row * place.size());
    if (number <= agreed.last) signal(again);
    return wait;
  }
  step report() {
    message_report(&figure, bench_now() - begun);
    return done;
  }
};

}  // namespace

int main(int argc, char** argv) { return run<putter>(argc, argv); }
