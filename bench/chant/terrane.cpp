// SPDX-License-Identifier: Apache-2.0
// terrane.cpp ROW BYTES COUNT: what messages between threads, and collectives of ropes, cost.
//
// Prints nanoseconds: of a message one way, of a yield, or of a collective for each member. Every
// message has its number, which is compared.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "bench/report.h"
#include "terrane/chant.hpp"

namespace {

using namespace terrane;

constexpr int tag = 7;
using data = std::vector<unsigned char>;

void compare(const data& got, long number) {
  long found;
  std::memcpy(&found, got.data(), sizeof found);
  if (found == number) return;
  std::fprintf(stderr, "chant/terrane: message %ld is wrong\n", number);
  std::exit(1);
}
void number_it(data& what, long number) { std::memcpy(what.data(), &number, sizeof number); }

/// To and fro, one message under way.
void play(thread_id other, std::size_t bytes, long count, bool leads) {
  data mine(bytes), got(bytes);
  for (long i = 0; i < count; ++i) {
    number_it(mine, i);
    if (leads) send(other, tag, mine);
    recv(other, tag, got);
    compare(got, i);
    if (!leads) send(other, tag, mine);
  }
}

/// The same with one buffer, which is given to and fro.
void hand_over(thread_id other, std::size_t bytes, long count, bool leads) {
  message_buffer one;
  if (leads) one = message_buffer(bytes);
  for (long i = 0; i < count; ++i) {
    if (leads) {
      one.as<long>()[0] = i;
      send(other, tag, std::move(one));
    }
    one = recv<message_buffer>(other, tag);
    if (one.as<long>()[0] != i || one.bytes() != bytes) {
      std::fprintf(stderr, "chant/terrane: buffer %ld is wrong\n", i);
      std::exit(1);
    }
    if (!leads) send(other, tag, std::move(one));
  }
}

/// Between two threads, on nodes 0 and there.
double moved(node_id there, std::size_t bytes, long count) {
  const thread_id me = this_thread::id();
  const auto partners = [=] { hand_over(me, bytes, count, false); };
  thread partner = there == 0 ? thread::create({.name = "partner"}, partners)
                              : thread::create_on(there, {.name = "partner"}, partners);
  const thread_id its{partner.name()};
  const double start = bench_now();
  hand_over(its, bytes, count, true);
  const double seconds = bench_now() - start;
  partner.join();
  return seconds / static_cast<double>(2 * count);
}

/// One way, so many under way at a time; the last is answered.
void stream(thread_id other, std::size_t bytes, long count, long window, bool sends) {
  std::vector<data> place(static_cast<std::size_t>(window), data(bytes));
  std::vector<request> under_way(place.size());
  for (long i = 0; i < count; i += window) {
    for (std::size_t j = 0; j < place.size(); ++j) {
      if (sends) number_it(place[j], i + static_cast<long>(j));
      under_way[j] = sends ? isend(other, tag, place[j]) : irecv(other, tag, place[j]);
    }
    wait_all(under_way);
    for (std::size_t j = 0; !sends && j < place.size(); ++j)
      compare(place[j], i + static_cast<long>(j));
  }
  long done = 0;
  if (sends)
    recv(other, tag, done);
  else
    send(other, tag, done);
}

template <class Body>
double seconds_of(Body&& body) {
  const double start = bench_now();
  body();
  return bench_now() - start;
}

double yields(long count) {
  thread other = thread::create({.name = "other"}, [count] {
    for (long i = 0; i < count; ++i) this_thread::yield();
  });
  const double seconds = seconds_of([count] {
    for (long i = 0; i < count; ++i) this_thread::yield();
  });
  other.join();
  return seconds / static_cast<double>(2 * count);
}

/// Two threads of this processor, beside so many that wait, and receives that are posted.
double pair(std::size_t bytes, long count, int waiting, int posted) {
  const thread_id me = this_thread::id();
  std::vector<thread> others;
  for (int i = 0; i < waiting; ++i)
    others.push_back(thread::create({.name = "waits"}, [me] { recv<int>(me, tag); }));
  thread partner = thread::create({.name = "partner"}, [=] {
    std::vector<int> room(static_cast<std::size_t>(posted));
    std::vector<request> receives;
    for (int i = 0; i < posted; ++i)
      receives.push_back(irecv(me, tag + 1 + i, room[static_cast<std::size_t>(i)]));
    play(me, bytes, count, false);
    wait_all(receives);
  });
  const thread_id its{partner.name()};
  for (int i = 0; i < 3; ++i) this_thread::yield();  // now all wait
  const double seconds = seconds_of([&] { play(its, bytes, count, true); });
  for (int i = 0; i < posted; ++i) send(its, tag + 1 + i, i);
  for (const thread& each : others) send({each.name()}, tag, 1);
  partner.join();
  for (thread& each : others) each.join();
  return seconds / static_cast<double>(2 * count);
}

double processes(std::size_t bytes, long count, long window) {
  const thread_id me = this_thread::id();
  thread partner = thread::create_on(1, {.name = "partner"}, [=] {
    if (window == 0)
      play(me, bytes, count, false);
    else
      stream(me, bytes, count, window, false);
  });
  const thread_id its{partner.name()};
  const double seconds = seconds_of([&] {
    if (window == 0)
      play(its, bytes, count, true);
    else
      stream(its, bytes, count, window, true);
  });
  partner.join();
  return seconds / static_cast<double>(window == 0 ? 2 * count : count);
}

double collective(std::uint32_t members, long count, bool sums) {
  const thread_id me = this_thread::id();
  started_rope all = rope::create(members, rope_mapping::block(), [=] {
    const rope us = this_rope();
    const long n = us.size();
    us.barrier();
    const double seconds = seconds_of([&] {
      for (long i = 0; i < count; ++i) {
        if (!sums) us.barrier();
        if (sums && us.allreduce(1L) != n) std::exit(1);
      }
    });
    if (us.rank() == 0) send(me, tag, seconds);
  });
  const auto seconds = recv<double>(any_source, tag);
  all.join();
  return seconds / static_cast<double>(count);
}

double measured(const std::string& row, std::size_t bytes, long count) {
  if (row == "yield") return yields(count);
  if (row == "pair") return pair(bytes, count, 0, 0);
  if (row == "posted") return pair(bytes, count, 0, 1000);
  if (row.starts_with("waiting")) return pair(bytes, count, std::atoi(row.c_str() + 7), 0);
  if (row == "processes") return processes(bytes, count, 0);
  if (row == "moved") return moved(0, bytes, count);
  if (row == "moved between processes") return moved(1, bytes, count);
  if (row == "stream") return processes(bytes, count, bytes > 1024 ? 8 : 64);
  if (row == "barrier" || row == "allreduce")
    return collective(1000, count, row == "allreduce") / 1000;
  if (row == "barrier of processes") return collective(2, count, false);
  return -1;
}

int main_thread(int argc, char** argv) {
  if (argc != 4) return 2;
  const double seconds =
      measured(argv[1], static_cast<std::size_t>(std::atol(argv[2])), std::atol(argv[3]));
  if (seconds < 0) return 2;
  std::printf("%.3f\n", seconds * 1e9);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return terrane::run<terrane::thread_main<main_thread>>(argc, argv);
}
