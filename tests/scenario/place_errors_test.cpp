// SPDX-License-Identifier: Apache-2.0
// place_errors_test.cpp: operations on places that do not exist, lie elsewhere or exist no longer
// end the run with one sentence that names the error and the place.
//
// Source  docs/threaded-c-errors.md.
#include <array>
#include <string>

#include "terrane/base/sanitizers.hpp"
#include "terrane/core/processor.hpp"
#include "terrane/core/requests.hpp"
#include "tests/support/run_to_failure.hpp"

namespace terrane {
namespace {

class place_errors : public run_to_failure {};

// --- R-210 ---

struct nothing : threaded<nothing> {
  step start(int) { return done; }
};
struct names_nobody : threaded<names_nobody> {
  global<std::int64_t> got;
  std::int64_t value = 0;
  join back = on<&names_nobody::never>();

  step start(std::string* what) {
    const std::uint32_t nobody = processors();
    const global<std::int64_t> nowhere{terrane_place_on(nobody, &value)};
    if (*what == "invoke") invoke<nothing>(nobody, 0);
    if (*what == "invoke far") invoke<nothing>(0xffffffffu, 0);
    if (*what == "put") put(1, nowhere, back.one());
    if (*what == "get") get(nowhere, value, back.one());
    if (*what == "block_move from") block_move(nowhere, to_global(value), 1, back.one());
    if (*what == "block_move to") block_move(to_global(value), nowhere, 1, back.one());
    if (*what == "put_strided") put_strided(&value, 1, nowhere, 1, 1, back.one());
    if (*what == "get_strided") get_strided(nowhere, 1, &value, 1, 1, back.one());
    if (*what == "atomic_add") atomic_add(1, nowhere, value, back.one());
    if (*what == "allocate") allocate(nobody, 1, got, back.one());
    if (*what == "release") release(nowhere);
    if (*what == "drop_in") drop_in(global<mailbox>{nowhere.raw}, value);
    return done;
  }
  step never() { return done; }
};

TEST_F(place_errors, whatever_names_a_processor_that_is_not_there_is_r210) {
  for (std::string what :
       {"invoke", "invoke far", "put", "get", "block_move from", "block_move to", "put_strided",
        "get_strided", "atomic_add", "allocate", "release", "drop_in"}) {
    SCOPED_TRACE(what);
    expect_failure<names_nobody>(machine_of(2), "R-210: .*of a machine of 2", &what);
  }
}

TEST_F(place_errors, r210_names_the_function_that_was_invoked) {
  std::string what = "invoke";
  expect_failure<names_nobody>(
      machine_of(1, 2), "R-210: .*nothing was invoked on processor 2 of a machine of 2", &what);
}

struct names_no_place : threaded<names_no_place> {
  std::int64_t value = 0;
  join back = on<&names_no_place::never>();
  step start(global<std::int64_t>* place) {
    get(*place, value, back.one());
    return await(back);
  }
  step never() { return done; }
};

TEST_F(place_errors, a_plain_address_or_nothing_taken_for_a_place_is_r210) {
  std::int64_t here = 0;
  global<std::int64_t> place{reinterpret_cast<std::uintptr_t>(&here)};
  expect_failure<names_no_place>(machine_of(2), "R-210: the source of a get is the plain address",
                                 &place);
  place = {};
  expect_failure<names_no_place>(machine_of(2), "R-210: the source of a get is no place", &place);
}

TEST_F(place_errors, a_negative_processor_is_named_as_it_was_written) {
  std::string what = "invoke far";
  expect_failure<names_nobody>(
      machine_of(2), "R-210: .*nothing was invoked on processor -1 of a machine of 2", &what);
}

struct signals_nobody : threaded<signals_nobody> {
  step start(int) {
    terrane_signal(first_frame_name(processors(), 4096));
    return done;
  }
};

struct signals_no_slot : threaded<signals_no_slot> {
  step start(int answers) {
    if (answers != 0)
      reply<long>{}.send(1);
    else
      slot_ref{}.signal();
    return done;
  }
};

TEST_F(place_errors, a_signal_or_an_answer_to_no_slot_is_r202_that_says_so) {
  expect_failure<signals_no_slot>(machine_of(2), "R-202: a signal was sent to no slot", 0);
  expect_failure<signals_no_slot>(machine_of(2), "R-202: an answer was sent to no slot", 1);
}

TEST_F(place_errors, a_signal_to_a_processor_that_is_not_there_is_r210) {
  expect_failure<signals_nobody>(machine_of(2), "R-210: .*processor 2 of a machine of 2", 0);
}

// --- R-213 ---

struct sends_rubbish : threaded<sends_rubbish> {
  join back = on<&sends_rubbish::never>();
  step start(const std::string* what) {
    struct {
      strided_request head{};
      unsigned char elements[64]{};
    } scatter;
    scatter.head = {0, to_global(back).raw, {8, 8, 4, 8}, back.one().raw};
    if (*what == "short") here().send(1, entry::put, {&scatter, 8});
    if (*what == "unknown") here().send(1, static_cast<entry>(999), {&scatter, 8});
    if (*what == "elements") here().send(1, entry::scatter, {&scatter, sizeof scatter.head + 31});
    if (*what == "carried") {
      const carry_request head{0, to_global(back).raw,
                               0};  // the executable begins with no function
      here().send(1, entry::carry, {&head, sizeof head});
    }
    if (*what == "record") {
      const operate_request head{0, 0, 0, 64, false};
      here().send(1, entry::operate, {&head, sizeof head});
    }
    return await(back);
  }
  step never() { return done; }
};

TEST_F(place_errors, a_message_that_does_not_hold_together_is_r213) {
  for (const std::string what : {"short", "unknown", "elements", "record"}) {
    SCOPED_TRACE(what);
    expect_failure<sends_rubbish>(machine_of(2), "R-213: processor 0 sent a message of kind",
                                  &what);
  }
}

// --- R-220, R-221 ---

struct subtracts : threaded<subtracts> {
  step start(global<long> other) {
    long mine = 0;
    const std::ptrdiff_t apart = other - to_global(mine);
    return apart == 0 ? done : wait;
  }
};

TEST_F(place_errors, the_difference_of_places_on_two_nodes_is_r220) {
  expect_failure<invokes_with_a_place<subtracts>>(
      machine_of(3), "R-220: the difference of places on processors 0 and 2", 0);
}

struct reads_through : threaded<reads_through> {
  step start(global<long> other) { return *other.local() == 1 ? done : wait; }
};

TEST_F(place_errors, to_local_of_a_place_on_another_node_is_r221) {
  expect_failure<invokes_with_a_place<reads_through>>(
      machine_of(2, 2),
      "R-221: TO_LOCAL of a place on processor 0, node 0.*on processor 3 of node 1", 0);
}

struct measures : threaded<measures> {
  std::array<long, 10> cells;
  join all = on<&measures::finish>();
  bool right;
  struct sibling : threaded<sibling> {
    step start(global<long> first, global<long> last, reply<bool> to) {
      to.send(last - first == 9 && first.local() + 9 == last.local());
      return done;
    }
  };
  step start(int) {
    invoke<sibling>(1, to_global(cells[0]), to_global(cells[9]), all.into(right));
    return await(all);
  }
  step finish() {
    set_exit_code(right ? 7 : 8);
    return done;
  }
};

struct frees_twice : threaded<frees_twice> {
  global<long> block;
  join made = on<&frees_twice::free_it>();
  step start(int at) {
    allocate(static_cast<std::uint32_t>(at), 1, block, made.one());
    return await(made);
  }
  step free_it() {
    release(block);
    release(block);
    after(2'000'000'000, made.one());
    return await(made);
  }
};

TEST_F(place_errors, a_block_freed_twice_is_r223_at_its_owner) {
  for (const int at : {0, 1})
    expect_failure<frees_twice>(machine_of(2),
                                "R-223: the block at address 0x[0-9a-f]+ was freed twice", at);
}

TEST_F(place_errors, within_a_node_differences_and_to_local_are_fine) {
  EXPECT_EQ(run_machine<measures>(machine_of(1, 2), 0).exit_code, 7);
}

// --- R-230, R-231 ---

struct robs_a_mailbox : threaded<robs_a_mailbox> {
  step start(global<mailbox> box) {
    long item;
    box.local()->retrieve(item);
    return done;
  }
};
struct keeps_a_mailbox : threaded<keeps_a_mailbox> {
  slot arrived = on<&keeps_a_mailbox::never>(1);
  mailbox box{ref(arrived)};
  slot given_up = on<&keeps_a_mailbox::finish>(1, 0);
  step start(int) {
    invoke<robs_a_mailbox>(1, to_global(box));
    after(2'000'000'000, ref(given_up));
    return wait;
  }
  step never() { return wait; }
  step finish() { return done; }
};

TEST_F(place_errors, taking_an_item_from_another_processors_mailbox_is_r230) {
  expect_failure<keeps_a_mailbox>(machine_of(1, 2),
                                  "R-230: .*a mailbox of processor 0.*processor 1", 0);
}

struct frees_its_mailbox : threaded<frees_its_mailbox> {
  slot arrived = on<&frees_its_mailbox::never>(1);
  mailbox box{ref(arrived)};
  step start(reply<global<mailbox>> to) {
    to.send(to_global(box));
    return done;
  }
  step never() { return done; }
};
struct drops_into_the_void : threaded<drops_into_the_void> {
  global<mailbox> freed;
  join known = on<&drops_into_the_void::drop>();
  slot given_up = on<&drops_into_the_void::finish>(1, 0);
  step start(int) {
    invoke<frees_its_mailbox>(processors() - 1, known.into(freed));
    return await(known);
  }
  step drop() {
    drop_in(freed, 1);
    after(2'000'000'000, ref(given_up));
    return wait;
  }
  step finish() { return done; }
};

TEST_F(place_errors, an_item_for_a_mailbox_that_was_freed_is_r231) {
  expect_failure<drops_into_the_void>(machine_of(1), "R-231: .*on processor 0", 0);
  expect_failure<drops_into_the_void>(machine_of(2), "R-231: .*of processor 0 .*on processor 1", 0);
}

// --- R-240 ---

struct hoarder : threaded<hoarder> {
  std::array<unsigned char, 1000> space;
  int below;
  join child = on<&hoarder::never>();
  step start(int depth, reply<int> to) {
    if (depth == 0) {
      to.send(0);
      return done;
    }
    invoke<hoarder>(this_processor(), depth - 1, child.into(below));
    return await(child);
  }
  step never() { return done; }
};
struct hoards : threaded<hoards> {
  int below;
  join child = on<&hoards::finish>();
  step start(int) {
    invoke<hoarder>(processors() - 1, 100'000, child.into(below));
    return await(child);
  }
  step finish() { return done; }
};

TEST_F(place_errors, more_frames_than_the_frame_memory_holds_is_r240) {
  run_options small = machine_of(2);
  small.frame_memory_mib = 2;
  expect_failure<hoards>(small,
                         "R-240: the frames of processor 1 need more than 2 MiB: raise "
                         "--frame-memory, or create less at once",
                         0);
}

struct wants_everything : threaded<wants_everything> {
  global<unsigned char> place;
  join there = on<&wants_everything::finish>();
  step start(int) {
    allocate(processors() - 1, std::size_t{1} << 60, place, there.one());
    return await(there);
  }
  step finish() { return done; }
};

TEST_F(place_errors, a_block_that_no_memory_holds_is_r240) {
#if defined(TERRANE_ASAN) || defined(TERRANE_TSAN)
  GTEST_SKIP() << "sanitizers have an error of their own for this";
#endif
  expect_failure<wants_everything>(machine_of(2), "R-240: .*1152921504606846976 bytes.*processor 1",
                                   0);
}

}  // namespace
}  // namespace terrane
