// SPDX-License-Identifier: Apache-2.0
// terrane.cpp: an echo server with a thread for each connection; prints its port first. It ends
// when its standard input does.
#include <unistd.h>

#include <cstdio>
#include <system_error>

#include "terrane/io.hpp"
#include "terrane/threads.hpp"

namespace {

void serve(terrane::io::file caller) {
  char text[1024];
  try {
    while (const std::size_t got = caller.read(text, sizeof text)) caller.write(text, got);
  } catch (const std::system_error&) {}  // the caller has gone
}

int program(int, char**) {
  terrane::io::file listener = terrane::io::listen("127.0.0.1", 0);
  std::printf("%d\n", terrane::io::port_of(listener));
  std::fflush(stdout);
  terrane::thread accepts([&] {
    try {
      while (true) terrane::thread(serve, listener.accept()).detach();
    } catch (const std::system_error&) {}  // stopped
  });
  terrane::blocking([] {
    char end;
    while (::read(STDIN_FILENO, &end, 1) > 0) {}
  });
  listener.stop();
  accepts.join();
  _exit(0);  // connections may still be open
}

}  // namespace

int main(int argc, char** argv) { return terrane::run<terrane::thread_main<program>>(argc, argv); }
