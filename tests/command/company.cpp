// SPDX-License-Identifier: Apache-2.0
// company.cpp: a program for the tests of world shm: every processor does one thing, told by the
// first argument, and node 0 ends when all have done it.
//
//   company print LINES     prints so many lines of 100 letters, in pieces
//   company long LETTERS    prints three lines of so many letters, in pieces
//   company echo            processor 0 prints what it reads
//   company exit CODE       ends with that exit code
//   company leave CODE      the last processor calls exit(CODE)
//   company abort           the last processor aborts
//   company wait            the last processor runs for ever
//   company eat MIB         the last processor takes so much memory
//   company forget          the last processor forgets to answer
//   company mistake         the last processor signals what is not there
//   company send BYTES      everybody sends everybody else so many bytes, ten times
//   company pids            prints the process of every processor
//   company poke            the last processor puts a value where processor 0 has no memory
//   company peek            and this one reads there
//   company layout          prints where each process has its code
//   company visit           a thread tries to go to the last node, is pushed there, and says how
//                           it went
//   company lose            threads go to the last node, which hears of nothing until it is killed;
//                           they say how that went
//   company roam TIMES      starts threads that yield, up to so many times, until one was seen on
//                           another node than 0; prints whether one was
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "terrane/core/node.hpp"
#include "terrane/terrane.hpp"
#include "terrane/thread/migration.hpp"

namespace terrane {
namespace {

enum class deed : int {
  print,
  echo,
  exit,
  leave,
  abort,
  wait,
  eat,
  forget,
  mistake,
  send,
  pids,
  poke,
  peek,
  layout,
  visit,
  roam,
  lose,
  long_lines
};
constexpr const char* names[] = {"print", "echo",   "exit",    "leave", "abort", "wait",
                                 "eat",   "forget", "mistake", "send",  "pids",  "poke",
                                 "peek",  "layout", "visit",   "roam",  "lose",  "long"};

/// On processor 0, where nothing lies.
global<long> nowhere() { return {terrane_place_on(0, reinterpret_cast<void*>(0x1000))}; }

bool is_last() { return terrane_here->number + 1 == terrane_processors(); }

node_id node_now() { return here().home().number(); }

void visit() {
  const node_id last = terrane_nodes() - 1;
  thread visitor = thread::create_migratable({}, [last] {
    const char* const before = explain(this_thread::can_migrate());
    const migration how = this_thread::push_self(last);
    std::printf("node %u: it %s; to go there, it %s\n", node_now(), before, explain(how));
  });
  visitor.join();
  thread pushed = thread::create_migratable({}, [] { std::printf("node %u: runs\n", node_now()); });
  const migration how = push(pushed, last);
  pushed.join();
  std::printf("node 0: pushed, it %s\n", explain(how));
}

struct deaf : threaded<deaf> {
  step start(int) {
    for (;;) usleep(1000);
  }
};

/// Goes there with so much on its stack, and says whether that was whole afterwards.
[[gnu::noinline]] migration goes_laden(node_id to, stack_form form, bool& whole) {
  volatile long laden[500];
  for (int i = 0; i < 500; ++i) laden[i] = 7L * i;
  const migration how = this_thread::push_self(to, form);
  for (int i = 0; i < 500; ++i) whole = whole && laden[i] == 7L * i;
  return how;
}

void lose() {
  const node_id last = terrane_nodes() - 1;
  std::vector<thread> all;
  for (const stack_form form : {stack_form::best, stack_form::packed})
    all.push_back(thread::create_migratable({}, [last, form] {
      bool whole = true;
      const migration first = goes_laden(last, form, whole);
      const node_id back = node_now();
      const migration again = goes_laden(last, form, whole), other = goes_laden(1, form, whole);
      std::printf("node %u: it %s; again, it %s; elsewhere, it %s; now on node %u, %s\n", back,
                  explain(first), explain(again), explain(other), node_now(),
                  whole ? "whole" : "broken");
    }));
  // The first push returns when that is known, the second at once.
  for (int i = 0; i < 2; ++i) {
    all.push_back(
        thread::create_migratable({}, [] { std::printf("node %u: runs\n", node_now()); }));
    const migration how = push(all.back(), last);
    std::printf("node 0: pushed, it %s\n", explain(how));
  }
  for (thread& each : all) each.join();
}

void roam(long times) {
  bool left = false;
  for (long i = 0; i < times && !left; ++i) {
    std::vector<thread> all;
    int been[20] = {};
    for (int& each : been)
      all.push_back(thread::create_migratable({}, [answer = &each] {
        bool away = false;
        for (int pieces = 0; pieces < 10; ++pieces) {
          usleep(100);
          this_thread::yield();
          away |= node_now() != 0;
        }
        this_thread::push_self(0);
        if (node_now() == 0) *answer = away;
      }));
    for (thread& each : all) each.join();
    for (const int each : been) left |= each != 0;
  }
  std::printf("threads were on %s\n", left ? "other nodes" : "node 0 alone");
}

/// Does one thing, then answers.
struct member : threaded<member> {
  reply<long> out;
  long seen;
  join all = on<&member::came>();

  void do_alone(deed what, long number) {
    switch (what) {
      case deed::print:
        for (long i = 0; i < number; ++i) {
          for (int piece = 0; piece < 10; ++piece)
            std::printf("%s",
                        std::string(10, static_cast<char>('a' + terrane_here->number)).c_str());
          std::printf("\n");
        }
        break;
      case deed::long_lines:
        for (int line = 0; line < 3; ++line) {
          const std::string piece(1000, static_cast<char>('a' + terrane_here->number));
          for (long left = number; left > 0; left -= 1000)
            std::printf("%.*s", static_cast<int>(left), piece.c_str());
          std::printf("\n");
        }
        break;
      case deed::echo:
        for (int letter; terrane_here->number == 0 && (letter = std::getchar()) != EOF;)
          std::putchar(letter);
        break;
      case deed::pids: std::printf("%d\n", static_cast<int>(getpid())); break;
      case deed::leave:
        if (is_last()) std::exit(static_cast<int>(number));
        break;
      case deed::abort:
        if (is_last()) std::abort();
        break;
      case deed::wait:
        while (is_last()) usleep(1000);
        break;
      case deed::eat:
        if (is_last()) {
          const auto bytes = static_cast<std::size_t>(number) << 20;
          auto* memory = static_cast<volatile char*>(std::malloc(bytes));
          for (std::size_t i = 0; i < bytes; i += 4096) memory[i] = 1;
          usleep(2'000'000);
        }
        break;
      case deed::mistake:
        if (is_last()) slot_ref{terrane_slot_ref{terrane_here->number} << 36 | 1 << 20}.signal();
        break;
      case deed::poke:
        if (is_last()) put(7L, nowhere(), slot_ref{});
        break;
      case deed::peek:
        if (is_last()) block_move(nowhere(), to_global(seen), 1, slot_ref{});
        break;
      case deed::layout: std::printf("%p\n", reinterpret_cast<void*>(is_last)); break;
      default: break;
    }
  }

  step start(deed what, long number, reply<long> to) {
    out = to;
    do_alone(what, number);
    const bool never = what == deed::forget || what == deed::poke || what == deed::peek;
    if (never && is_last()) return await_never();
    out.send(number);
    return done;
  }
  step came() { return done; }

 private:
  step await_never() {
    static_cast<void>(all.one());
    return await(all);
  }
};

/// Fetches a block of every other processor, ten times.
struct receiver_of_all : threaded<receiver_of_all> {
  std::vector<std::vector<char>> blocks;
  global<global<char>> table;
  std::vector<global<char>> sources;
  reply<long> out;
  long bytes;
  int round = 0;
  join listed = on<&receiver_of_all::fetch>(), fetched = on<&receiver_of_all::next>();

  step start(global<global<char>> places, long each, reply<long> to) {
    table = places;
    bytes = each;
    out = to;
    round = 0;
    sources.resize(terrane_processors());
    blocks.resize(terrane_processors(), std::vector<char>(static_cast<std::size_t>(bytes)));
    block_move(table, to_global(sources[0]), terrane_processors(), listed.one());
    return await(listed);
  }
  step fetch() {
    for (std::size_t p = 0; p < sources.size(); ++p)
      block_move(sources[p], to_global(blocks[p][0]), static_cast<std::size_t>(bytes),
                 fetched.one());
    return await(fetched);
  }
  step next() {
    for (std::size_t p = 0; p < sources.size(); ++p)
      for (const char each : blocks[p])
        if (each != static_cast<char>(p + 1))
          terrane_fail(299, "a byte of processor %zu is wrong", p);
    if (++round < 10) return fetch();
    out.send(bytes);
    return done;
  }
};

/// Owns the block that others fetch, until all have.
struct source_of_all : threaded<source_of_all> {
  std::vector<char> block;
  slot over = on<&source_of_all::end>(1, 0);
  slot_ref ended;
  step start(long bytes, global<global<char>> place, global<slot_ref> stop, slot_ref told,
             slot_ref bye) {
    ended = bye;
    block.assign(static_cast<std::size_t>(bytes), static_cast<char>(terrane_here->number + 1));
    put(to_global(block[0]), place, told);
    put(ref(over), stop, told);
    return wait;
  }
  step end() {
    ended.signal();
    return done;
  }
};

struct company : threaded<company> {
  std::vector<long> answers;
  std::vector<global<char>> places;
  std::vector<slot_ref> stops;
  deed what;
  long number;
  thread of_threads;
  join told = on<&company::send>(), all = on<&company::over>(), ended = on<&company::end>();

  step start(int argc, char** argv) {
    number = argc > 2 ? std::atol(argv[2]) : 0;
    std::size_t which = 0;
    while (which + 1 < std::size(names) && std::strcmp(argc > 1 ? argv[1] : "", names[which]) != 0)
      ++which;
    what = static_cast<deed>(which);
    answers.resize(terrane_processors());
    places.resize(terrane_processors());
    stops.resize(terrane_processors());
    if (what == deed::exit) terrane_set_exit_code(static_cast<int>(number));
    if (what == deed::visit || what == deed::roam || what == deed::lose) {
      if (what == deed::lose) invoke<deaf>(terrane_processors() - 1, 0);
      of_threads = thread::create({}, [does = what, times = number] {
        does == deed::visit ? visit() : does == deed::lose ? lose() : roam(times);
      });
      of_threads.signal_at_end(ended.one());
      return await(ended);
    }
    for (std::uint32_t p = 0; p < terrane_processors(); ++p) {
      if (what == deed::send) {
        const slot_ref twice = told.one();
        static_cast<void>(told.one());
        invoke<source_of_all>(p, number, to_global(places[p]), to_global(stops[p]), twice,
                              ended.one());
      } else {
        invoke<member>(p, what, number, all.into(answers[p]));
      }
    }
    return what == deed::send ? await(told) : await(all);
  }
  step send() {
    for (std::uint32_t p = 0; p < terrane_processors(); ++p)
      invoke<receiver_of_all>(p, to_global(places[0]), number, all.into(answers[p]));
    return await(all);
  }
  step over() {
    long sum = 0;
    for (const long each : answers) sum += each;
    if (what != deed::send) return done;
    std::printf("sent %ld\n", sum);
    for (const slot_ref stop : stops) stop.signal();
    return await(ended);
  }
  step end() {
    if (of_threads.joinable()) of_threads.join();
    return done;
  }
};

}  // namespace
}  // namespace terrane

int main(int argc, char** argv) { return terrane::run<terrane::company>(argc, argv); }
