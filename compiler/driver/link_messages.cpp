// SPDX-License-Identifier: Apache-2.0
#include "compiler/driver/link_messages.hpp"

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

namespace terrane::compiler {

namespace {

/// Messages about f__activate and f__threaded, the symbols of f that other units can see.
const std::regex missing(R"(undefined reference to [`'](\w+)__(activate|threaded)')");
const std::regex twice(R"(multiple definition of [`'](\w+)__(activate|threaded)')");
/// Lines that accompany such a message: where the linker was, and that it failed.
const std::regex around(
    R"(: in function [`'].*:$|: warning: relocation against |creating DT_TEXTREL|ld returned |)"
    R"(first defined here$)");

std::string of_missing(const std::string& name, const std::vector<declared_function>& declared) {
  const auto found = std::find_if(declared.begin(), declared.end(),
                                  [&](const auto& each) { return each.name == name; });
  const std::string where =
      found == declared.end() ? "terrane cc" : found->file + ":" + std::to_string(found->line);
  return where + ": error: THREADED '" + name +
         "' is declared, and nothing that is linked defines it; write THREADED " + name +
         "(...) { ... }, or name the file that does\n";
}

}  // namespace

std::string in_our_words(const std::string& said, const std::vector<declared_function>& declared) {
  std::string ours, theirs;
  bool more = false;  // there are lines besides these and those of `around`
  std::set<std::string> named;
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (std::regex_search(line, found, missing)) {
      if (named.insert(found[1]).second) ours += of_missing(found[1], declared);
    } else if (std::regex_search(line, found, twice)) {
      if (named.insert(found[1]).second)
        ours += "terrane cc: error: THREADED '" + found[1].str() +
                "' is defined in two of the files that are linked; name it anew in one, or make it "
                "static there\n";
    } else {
      more |= !std::regex_search(line, around);
      theirs += line + '\n';
    }
  }
  return ours.empty() || more ? ours + theirs : ours;
}

}  // namespace terrane::compiler
