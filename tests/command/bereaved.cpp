// SPDX-License-Identifier: Apache-2.0
// bereaved.cpp: threads of which some wait for others on node 1, whose process ends meanwhile. Each
// says how its wait ended, in one line. For nodes 0, 1 and 2, with --after-loss.
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "terrane/chant.hpp"

namespace {

using namespace terrane;

void say(const std::string& what) {
  const std::string line = what + "\n";
  if (write(STDOUT_FILENO, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    std::abort();
}

/// Tells what `call` throws, by a word, and whether it names thread and node rightly.
template <class Call>
void expect_loss(const char* what, thread_id needed, Call&& call) {
  try {
    call();
    say(std::string(what) + ": returned");
  } catch (const peer_lost& gone) {
    const bool named = gone.who() == needed && gone.node() == 1;
    say(std::string(what) + (named ? ": lost, " : ": wrong, ") + gone.what());
  }
}

/// Sends two bytes of which one is received only after the loss, and ends its node.
constexpr auto victim = [](thread_id told) {
  send(told, 1, 1);
  send(told, 2, 2);
  recv<int>(told, 3);  // all wait now
  kill(getpid(), SIGKILL);
};

constexpr auto waits_by_name = [](thread_id victims) {
  expect_loss("recv", victims, [&] { recv<int>(victims, 9); });
  expect_loss("recv again", victims, [&] { recv<int>(victims, 9); });
  expect_loss("probe", victims, [&] { probe(victims, any_tag); });
};
constexpr auto waits_for_any = [](thread_id root) {
  expect_loss("any", no_thread, [&] { recv<int>(any_source, 9); });
  send(root, 5, this_thread::id());
  say(recv<int>(any_source, 9) == 7 ? "any again: 7" : "any again: wrong");
};
constexpr auto sends = [](thread_id victims) {
  expect_loss("ssend", victims, [&] { ssend(victims, 9, 1); });
  expect_loss("long send", victims, [&] { send(victims, 9, std::vector<char>(1 << 20)); });
};
constexpr auto waits_for_all = [](thread_id root, thread_id victims) {
  std::array<int, 3> into{};
  std::array<request, 3> all{irecv(root, 4, into[0]), irecv(victims, 9, into[1]),
                             irecv(root, 6, into[2])};
  expect_loss("wait_all", victims, [&] { wait_all(all); });
  send(root, 5, this_thread::id());
  wait_all(all);
  say(into[0] == 10 && into[2] == 30 ? "wait_all again: right" : "wait_all again: wrong");
};

int my_main(int, char**) {
  const thread_id me = this_thread::id();
  thread on_1 = thread::create_on(1, {.name = "victim"}, victim, me);
  const thread_id victims{on_1.name()};
  const int first = recv<int>(victims, 1);
  static std::vector<thread> others;
  others.push_back(thread::create({.name = "by name"}, waits_by_name, victims));
  others.push_back(thread::create_on(2, {.name = "by name"}, waits_by_name, victims));
  others.push_back(thread::create({.name = "any"}, waits_for_any, me));
  others.push_back(thread::create_on(2, {.name = "sends"}, sends, victims));
  others.push_back(thread::create({.name = "all"}, waits_for_all, me, victims));
  static_cast<void>(new auto(rope::create(3, rope_mapping::cyclic(), [] {
    const rope us = this_rope();
    if (us.rank() == 1) return static_cast<void>(us.recv<int>(0, 1));
    expect_loss("barrier", no_thread, [&] { us.barrier(); });
    expect_loss("in a rope", us.id_of(1), [&] { us.recv<int>(1, 2); });
    if (us.rank() == 0) say(us.recv<int>(2, 3) == 5 ? "rank 2: 5" : "rank 2: wrong");
    if (us.rank() == 2) us.send(0, 3, 5);
  })));
  this_thread::sleep_for(100'000'000);
  send(victims, 3, 3);
  expect_loss("main", victims, [&] { recv<int>(victims, 9); });
  say(first == 1 && recv<int>(victims, 2) == 2 ? "sent before: 2" : "sent before: wrong");
  expect_loss("main, any", no_thread, [&] { recv<int>(any_source, 77); });
  for (int asked = 0; asked < 2; ++asked) {
    const thread_id by = recv<thread_id>(any_source, 5);
    send(by, 9, 7);
    send(by, 4, 10);
    send(by, 6, 30);
  }
  for (thread& each : others) each.join();
  this_thread::sleep_for(300'000'000);  // the rope's join would wait for the lost member
  static_cast<void>(on_1.release());
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return run<thread_main<my_main>>(argc, argv); }
