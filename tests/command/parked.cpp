// SPDX-License-Identifier: Apache-2.0
// parked.cpp: a program that a debugger looks at: two threads wait, a slot waits, main stops.
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "terrane/terrane.hpp"
#include "terrane/thread/mutex.hpp"
#include "terrane/thread/thread.hpp"

namespace {

using namespace terrane;

struct waits_for_two : threaded<waits_for_two> {
  slot both = on<&waits_for_two::never>(2, 0);
  step start() { return wait; }
  step never() { return done; }
};

[[gnu::noinline]] void wait_for_news(mutex& held) {
  held.lock();
  held.unlock();
}

[[gnu::noinline]] void stop_here(const char* how) {
  if (std::strcmp(how, "abort") == 0) std::abort();
  std::raise(SIGTRAP);
}

int my_main(int argc, char** argv) {
  mutex held;
  held.lock();
  activation<waits_for_two, false>::spawn();
  for (const char* name : {"reader", "writer"})
    thread::create({.name = name}, [&held] { wait_for_news(held); }).detach();
  for (int i = 0; i < 4; ++i) this_thread::yield();  // both wait now
  stop_here(argc > 1 ? argv[1] : "trap");
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return run<thread_main<my_main>>(argc, argv); }
