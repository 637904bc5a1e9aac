// SPDX-License-Identifier: Apache-2.0
// hello.cpp: a thread, and what it returns.
// prints: hello from a thread

#include <cstdio>
#include <string>

#include "terrane/threads.hpp"

using namespace terrane;

int example(int, char**) {
  std::string text;
  thread helper([&] { text = "hello from a thread"; });
  helper.join();
  std::printf("%s\n", text.c_str());
  return 0;
}

int main(int argc, char** argv) { return terrane::run<thread_main<example>>(argc, argv); }
