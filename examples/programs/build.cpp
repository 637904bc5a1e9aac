// SPDX-License-Identifier: Apache-2.0
// build.cpp: tasks with dependences, run twice.
// prints: parse check link, parse check link

#include <cstdio>
#include <string>

#include "terrane/thread/task_graph.hpp"
#include "terrane/threads.hpp"

using namespace terrane;

int example(int, char**) {
  std::string log;
  task_graph build;
  const auto parse = build.add([&] { log += "parse "; });
  const auto check = build.add([&] { log += "check "; }, {parse});
  build.add([&] { log += "link"; }, {parse, check});
  build.run();
  log += ", ";
  build.run();
  std::printf("%s\n", log.c_str());
  return 0;
}

int main(int argc, char** argv) { return terrane::run<thread_main<example>>(argc, argv); }
