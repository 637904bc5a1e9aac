// SPDX-License-Identifier: Apache-2.0
// stages.cpp: a pipeline: read, work, write in order.
// prints: 1:ONE 2:TWO 3:THREE

#include <cctype>
#include <cstdio>
#include <optional>
#include <sstream>
#include <string>

#include "terrane/thread/pipeline.hpp"
#include "terrane/threads.hpp"

using namespace terrane;

int example(int, char**) {
  std::istringstream from("one two three");
  std::string all;
  int number = 0;
  pipeline(4, serial_in_order([&]() -> std::optional<std::string> {
             std::string word;
             if (!(from >> word)) return std::nullopt;
             return word;
           }),
           parallel([](std::string word) {
             for (char& each : word) each = static_cast<char>(std::toupper(each));
             return word;
           }),
           serial_in_order([&](const std::string& word) {
             all += (all.empty() ? "" : " ") + std::to_string(++number) + ":" + word;
           }));
  std::printf("%s\n", all.c_str());
  return 0;
}

int main(int argc, char** argv) { return terrane::run<thread_main<example>>(argc, argv); }
