// SPDX-License-Identifier: Apache-2.0
// echo.cpp: a server with a thread for each connection, and a thousand callers.
// prints: 1000 callers were answered

#include <cstdio>
#include <cstring>
#include <vector>

#include "terrane/io.hpp"
#include "terrane/threads.hpp"

using namespace terrane;

namespace {

void serve(io::file caller) {
  char text[1024];
  while (const std::size_t got = caller.read(text, sizeof text)) caller.write(text, got);
}

bool call(std::uint16_t port) {
  io::file server = io::connect("127.0.0.1", port);
  server.write("hello");
  char heard[5];
  return server.read_all(heard, sizeof heard) && std::memcmp(heard, "hello", sizeof heard) == 0;
}

}  // namespace

int example(int, char**) {
  constexpr int calls = 1000;
  io::file listener = io::listen("127.0.0.1", 0);
  thread server([&listener] {
    for (int i = 0; i < calls; ++i) thread(serve, listener.accept()).detach();
  });
  int answered = 0;
  {
    std::vector<thread> callers;
    for (int i = 0; i < calls; ++i)
      callers.emplace_back([&] { answered += call(io::port_of(listener)); });
  }  // joined here
  server.join();
  std::printf("%d callers were answered\n", answered);
  return 0;
}

int main(int argc, char** argv) { return terrane::run<thread_main<example>>(argc, argv); }
