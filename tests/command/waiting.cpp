// SPDX-License-Identifier: Apache-2.0
// waiting.cpp: a run whose threads all wait while somebody asks what for: for a partner, a lock,
// an item from another node. It says `all wait` and goes on until it is ended.
#include <chrono>
#include <cstdio>

#include "terrane/threads.hpp"

namespace {

using namespace terrane;

int my_main(int, char**) {
  mutex held;
  held.lock();
  const auto [out, in] = channel_ends<int>::make();
  const auto [there, here_comes] = channel_ends<int>::make();
  const auto [reached, began] = channel_ends<int>::make();
  thread::create({.name = "giver"}, [end = out] {
    for (int item = 0; item < 2; ++item) end.send(item);
  }).detach();
  in.receive();
  thread::create({.name = "reader"}, [&held] { held.lock(); }).detach();
  par(
      [&] {
        began.receive();
        for (int i = 0; i < 4; ++i) this_thread::yield();
        thread::create({.name = "late"}, [] {}).detach();
        std::fputs("all wait\n", stderr);
        for (;;) here().heed_if_asked();  // as in a long step that looks up at times
      },
      on(1, [end = here_comes, told = reached] {
        told.send(1);
        end.receive();
      }));
  there.send(1);
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return run<thread_main<my_main>>(argc, argv); }
