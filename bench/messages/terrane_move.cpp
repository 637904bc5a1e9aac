// SPDX-License-Identifier: Apache-2.0
// terrane_move.cpp: block moves between two nodes: a window of them, from one place to one place.
//
// Method      The receiver asks: it keeps message_window moves under way, and each completed move
//             starts the next. Before that, a few moves whose bytes change each time, one by one.
#include <vector>

#include "bench/messages/terrane_pair.hpp"

using namespace terrane;

namespace {

constexpr const char* library = "terrane_move";

/// The place of the data, and the slot whose fiber writes the next message there.
struct source_address {
  global<unsigned char> place;
  slot_ref write;
};

}  // namespace

template <>
inline constexpr bool terrane::position_independent<source_address> = true;

namespace {

struct source : threaded<source> {
  std::vector<unsigned char> buffer;
  std::uint64_t number;
  slot_ref written, bye;
  slot write = on<&source::write_next>(1);

  step start(int bytes, global<source_address> mine, slot_ref there, slot_ref each_written,
             slot_ref ended) {
    buffer.resize(static_cast<std::size_t>(bytes));
    number = 0;
    written = each_written;
    bye = ended;
    put({to_global(buffer[0]), ref(write)}, mine, there);
    return wait;
  }
  /// Runs once for each message that is checked, once for the messages of the window, and once to
  /// end.
  step write_next() {
    if (number > message_checked) {
      bye.signal();
      return done;
    }
    message_fill(buffer.data(), static_cast<int>(buffer.size()), number++);
    written.signal();
    return wait;
  }
};

struct moves : threaded<moves> {
  message_figure figure;
  source_address from;
  std::vector<unsigned char> buffer;
  std::uint64_t number;  // of the message that is checked
  int asked, arrived_count;
  double begun, seconds;
  slot there = on<&moves::ask>(1, 0), written = on<&moves::move>(1);
  slot moved = on<&moves::compare>(1), arrived = on<&moves::next>(1);
  slot over = on<&moves::report>(1, 0);

  step start(int argc, char** argv) {
    static constexpr const char* known[] = {"bandwidth", nullptr};
    figure = bench::pair_arguments(argc, argv, library, known);
    buffer.resize(static_cast<std::size_t>(figure.bytes));
    number = 0;
    invoke<source>(1, figure.bytes, to_global(from), ref(there), ref(written), ref(over));
    return wait;
  }
  step ask() {
    from.write.signal();
    return wait;
  }
  void move_into(slot& when) {
    block_move(from.place, to_global(buffer[0]), buffer.size(), ref(when));
  }
  step move() {
    if (number == message_checked) return open_window();
    move_into(moved);
    return wait;
  }
  step compare() {
    message_check(library, buffer.data(), figure.bytes, number++);
    return ask();
  }
  step open_window() {
    std::fill(buffer.begin(), buffer.end(), static_cast<unsigned char>(0));
    arrived_count = 0;
    begun = bench_now();
    for (asked = 0; asked < message_window; ++asked) move_into(arrived);
    return wait;
  }
  step next() {
    if (asked < figure.messages) {
      ++asked;
      move_into(arrived);
    }
    if (++arrived_count < figure.messages) return wait;
    seconds = bench_now() - begun;
    message_check(library, buffer.data(), figure.bytes, message_checked);
    return ask();
  }
  step report() {
    message_report(&figure, seconds);
    return done;
  }
};

}  // namespace

int main(int argc, char** argv) { return run<moves>(argc, argv); }
