// SPDX-License-Identifier: Apache-2.0
// word_count.cpp: a table for each processor, combined in the end.
// prints: the 3, cat 2, sat 1

#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "terrane/algorithms.hpp"
#include "terrane/thread/enumerable.hpp"
#include "terrane/threads.hpp"

using namespace terrane;

int example(int, char**) {
  const std::vector<std::string> lines{"the cat sat", "the dog", "", "the cat"};
  using table = std::map<std::string, long>;
  enumerable<table> counts;
  terrane::for_each(lines, [&](const std::string& line) {
    std::istringstream words(line);
    for (std::string word; words >> word;) ++counts.local()[word];
  });
  table all;
  counts.combine_each([&](const table& each) {
    for (const auto& [word, count] : each) all[word] += count;
  });
  std::printf("the %ld, cat %ld, sat %ld\n", all["the"], all["cat"], all["sat"]);
  return 0;
}

int main(int argc, char** argv) { return terrane::run<thread_main<example>>(argc, argv); }
