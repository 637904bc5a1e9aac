// SPDX-License-Identifier: Apache-2.0
// map_reduce.cpp: work on objects that goes to any node.
// prints: longest word: parallelism

#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "terrane/thread/spawn_anywhere.hpp"
#include "terrane/threads.hpp"

using namespace terrane;

using lengths = std::map<std::size_t, std::string>;

lengths map_text(const std::string& text) {
  lengths found;
  std::istringstream words(text);
  for (std::string word; words >> word;) found[word.size()] = word;
  return found;
}

int example(int, char**) {
  const std::vector<std::string> texts{"fine grain threads", "latency and parallelism",
                                       "tokens and slots"};
  std::vector<future<lengths>> parts;
  for (const auto& each : texts) parts.push_back(spawn_anywhere<map_text>(each));
  lengths all;
  for (auto& each : parts) all.merge(each.join());
  std::printf("longest word: %s\n", all.rbegin()->second.c_str());
  return 0;
}

int main(int argc, char** argv) { return terrane::run<thread_main<example>>(argc, argv); }
