// SPDX-License-Identifier: Apache-2.0
// terrane.cpp: the costs of threads and their synchronisation on one processor. Prints a line
// `operation,ns` for each operation, the median of ROUNDS rounds.
//
//   terrane_threads [ROUNDS]
//
// Source  [ACTIVE §7.1, Table 2] gives the rows and their meaning.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/report.h"
#include "terrane/terrane.hpp"
#include "terrane/thread/alt.hpp"
#include "terrane/thread/hand_off.hpp"
#include "terrane/thread/mutex.hpp"
#include "terrane/thread/par.hpp"
#include "terrane/thread/permits.hpp"
#include "terrane/thread/thread.hpp"

using namespace terrane;

namespace {

void fail_if(bool wrong, const char* what) {
  if (!wrong) return;
  std::fprintf(stderr, "wrong answer: %s\n", what);
  std::exit(1);
}

void print_median(const char* operation, std::vector<double> ns) {
  const auto middle = ns.begin() + static_cast<std::ptrdiff_t>(ns.size() / 2);
  std::nth_element(ns.begin(), middle, ns.end());
  std::printf("%s,%.2f\n", operation, *middle);
}

/// Prints the median over the rounds of the ns per operation, where `body` runs `count` of them.
template <class Body>
void row(const char* operation, int rounds, long count, Body&& body) {
  std::vector<double> ns;
  for (int i = 0; i < rounds; ++i) {
    const double start = bench_cpu_now();
    body(count);
    ns.push_back((bench_cpu_now() - start) * 1e9 / static_cast<double>(count));
  }
  print_median(operation, std::move(ns));
}

/// The time per thread to make `count` threads, without running them.
void create_row(int rounds, long count) {
  std::vector<double> ns;
  for (int i = 0; i < rounds; ++i) {
    std::vector<thread> all(static_cast<std::size_t>(count));
    const double start = bench_cpu_now();
    for (thread& each : all) each = thread::create([] {});
    ns.push_back((bench_cpu_now() - start) * 1e9 / static_cast<double>(count));
    for (thread& each : all) each.join();
  }
  print_median("thread create", std::move(ns));
}

void two_threads(long count, void (*work)(long, int, void*), void* about) {
  thread one = thread::create(work, count / 2, 0, about);
  thread other = thread::create(work, count / 2, 1, about);
  one.join();
  other.join();
}

struct ping_pong {
  mutex lock;
  condition changed[2];
  int turn = 0;
  permits may_go[2]{permits(1), permits(0)};
};

/// One thread sends round all ends in turn, the other chooses among them.
void choose_among(std::size_t ends, long count, bool by_priority) {
  std::vector<channel_out<long>> outs;
  std::vector<channel_in<long>> ins;
  for (std::size_t i = 0; i < ends; ++i) {
    const auto made = channel_ends<long>::make();
    outs.push_back(made.out);
    ins.push_back(made.in);
  }
  long sum = 0;
  par(
      [&] {
        for (long i = 0; i < count; ++i) outs[static_cast<std::size_t>(i) % ends].send(i);
        for (const auto& each : outs) each.close();
      },
      [&] {
        alt any(std::vector<choice>(ins.begin(), ins.end()), by_priority);
        for (long i = 0; i < count; ++i) sum += ins[any.wait()].receive().value();
        for (const auto& each : ins) each.close();
      });
  fail_if(sum != count * (count - 1) / 2, "items chosen");
}

int measure(int argc, char** argv) {
  const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 7;
  constexpr long many = 1'000'000;
  mutex lock;
  permits free_ones(1);
  long ran = 0;

  create_row(rounds, 10'000);
  row("null thread", rounds, many, [&](long count) {
    for (long i = 0; i < count; ++i) thread::create([&ran] { ++ran; }).join();
  });
  fail_if(ran != rounds * many, "threads run");
  row("context switch", rounds, many, [](long count) {
    two_threads(
        count,
        [](long times, int, void*) {
          for (long i = 0; i < times; ++i) this_thread::yield();
        },
        nullptr);
  });
  row("uncontested mutex", rounds, many, [&](long count) {
    for (long i = 0; i < count; ++i) {
      lock.lock();
      lock.unlock();
    }
  });
  row("uncontested semaphore", rounds, many, [&](long count) {
    for (long i = 0; i < count; ++i) {
      free_ones.take();
      free_ones.give();
    }
  });
  lock.lock();
  row("mutex try", rounds, many, [&](long count) {
    for (long i = 0; i < count; ++i) ran += lock.try_lock();
  });
  lock.unlock();
  free_ones.take();
  row("semaphore try", rounds, many, [&](long count) {
    for (long i = 0; i < count; ++i) ran += free_ones.try_take();
  });
  free_ones.give();
  fail_if(ran != rounds * many, "tries that must fail");

  ping_pong table;
  row("mutex ping-pong", rounds, many, [&](long count) {
    two_threads(
        count,
        [](long times, int mine, void* about) {
          auto& its = *static_cast<ping_pong*>(about);
          its.lock.lock();
          for (long i = 0; i < times; ++i) {
            while (its.turn != mine) its.changed[mine].wait(its.lock);
            its.turn = 1 - mine;
            its.changed[1 - mine].notify_one();
          }
          its.lock.unlock();
        },
        &table);
  });
  row("semaphore ping-pong", rounds, many, [&](long count) {
    two_threads(
        count,
        [](long times, int mine, void* about) {
          auto& its = *static_cast<ping_pong*>(about);
          for (long i = 0; i < times; ++i) {
            its.may_go[mine].take();
            its.may_go[1 - mine].give();
          }
        },
        &table);
  });
  row("channel hand-off", rounds, many, [](long count) {
    hand_off<long> items;
    thread sender = thread::create([&] {
      for (long i = 0; i < count; ++i) items.send(i);
      items.close();
    });
    long sum = 0;
    while (const auto each = items.take()) sum += *each;
    sender.join();
    fail_if(sum != count * (count - 1) / 2, "items handed off");
  });
  row("hand-over through ends", rounds, many, [](long count) {
    const auto [out, in] = channel_ends<long>::make();
    long sum = 0;
    par(
        [=] {
          for (long i = 0; i < count; ++i) out.send(i);
          out.close();
        },
        [&] {
          while (const auto each = in.receive()) sum += *each;
        });
    fail_if(sum != count * (count - 1) / 2, "items handed over");
  });
  for (const std::size_t ends : {2u, 8u, 64u})
    row(("alt over " + std::to_string(ends)).c_str(), rounds, many,
        [=](long count) { choose_among(ends, count, false); });
  row("alt over 64 by priority", rounds, many, [](long count) { choose_among(64, count, true); });
  row("par of 16", rounds, 16 * 10'000, [](long count) {
    long branches = 0;
    for (long i = 0; i < count / 16; ++i) par(16, [&](int) { ++branches; });
    fail_if(branches != count, "branches run");
  });
  row("16 created and joined", rounds, 16 * 10'000, [](long count) {
    long branches = 0;
    for (long i = 0; i < count / 16; ++i) {
      std::vector<thread> all(16);
      for (thread& each : all) each = thread::create([&] { ++branches; });
      for (thread& each : all) each.join();
    }
    fail_if(branches != count, "threads run");
  });
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return run<thread_main<measure>>(argc, argv); }
