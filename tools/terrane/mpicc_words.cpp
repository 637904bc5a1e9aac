// SPDX-License-Identifier: Apache-2.0
#include "tools/terrane/mpicc_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace terrane {

namespace {

template <std::size_t N>
bool is_among(std::string_view word, const std::array<std::string_view, N>& all) {
  return std::ranges::find(all, word) != all.end();
}

/// Options of C compilers whose value is the next word.
constexpr auto with_value = std::to_array<std::string_view>(
    {"-o",       "-I",        "-D",       "-U",      "-L",         "-l",
     "-include", "-imacros",  "-isystem", "-iquote", "-idirafter", "-iprefix",
     "-x",       "-MF",       "-MT",      "-MQ",     "-Xlinker",   "-Xassembler",
     "-T",       "-u",        "-z",       "-e",      "-aux-info",  "-Xpreprocessor",
     "--param",  "-isysroot", "--sysroot"});
/// What ends before a program is linked.
constexpr auto no_link = std::to_array<std::string_view>(
    {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "-shared", "-r"});
constexpr auto endings = std::to_array<std::string_view>(
    {".c", ".i", ".s", ".S", ".sx", ".C", ".cc", ".cpp", ".cxx", ".m"});

bool is_source(std::string_view word) {
  return std::ranges::any_of(endings, [&](std::string_view each) { return word.ends_with(each); });
}

}  // namespace

result<mpicc_words> read_mpicc_words(const std::vector<std::string>& given) {
  mpicc_words read;
  std::string language;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::string& word = given[i];
    if (word == "-show" || word == "--show") {
      read.shows = true;
      continue;
    }
    if (word == "-Wno-shared-variables") {
      read.warns = false;
      continue;
    }
    if (word == "--stack") {
      const std::string_view text = i + 1 < given.size() ? std::string_view(given[++i]) : "";
      const auto end = std::from_chars(text.data(), text.data() + text.size(), read.stack_kib);
      constexpr unsigned long least = 64, most = 1'048'576;
      if (end.ec != std::errc() || end.ptr != text.data() + text.size() || read.stack_kib < least ||
          read.stack_kib > most)
        return error{
            fmt::format("mpicc: --stack needs KiB from {} to {}, not '{}'", least, most, text)};
      continue;
    }
    read.all.push_back(word);
    if (is_among(word, no_link)) read.links = false;
    if (!word.starts_with("-") || word == "-") {
      mpicc_input one{word, is_source(word) || !language.empty() || word == "-"};
      if (one.is_source && !language.empty()) one.before = {"-x", language};
      read.inputs.push_back(std::move(one));
      continue;
    }
    const bool takes_next = is_among(word, with_value) && i + 1 < given.size();
    if (takes_next) read.all.push_back(given[i + 1]);
    if (word.starts_with("-l")) {
      read.inputs.push_back({takes_next ? "-l" + given[++i] : word});
    } else if (word.starts_with("-Wl,") || word == "-Xlinker") {
      read.inputs.push_back({takes_next ? "-Wl," + given[++i] : word});
    } else if (word == "-x" && takes_next) {
      language = given[++i] == "none" ? "" : given[i];
    } else if (word.starts_with("-o")) {
      read.output = takes_next ? given[++i] : word.substr(2);
    } else {
      read.for_both.push_back(word);
      if (takes_next) read.for_both.push_back(given[++i]);
    }
  }
  const bool has_files = std::ranges::any_of(
      read.inputs, [](const mpicc_input& each) { return !each.word.starts_with("-l"); });
  read.links = read.links && has_files;
  return read;
}

}  // namespace terrane
