// SPDX-License-Identifier: Apache-2.0
#include "compiler/driver/surroundings.hpp"

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "compiler/driver/process.hpp"

namespace terrane::compiler {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> split_words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

/// The folders that the C compiler says it searches, without the folder of its builtin headers:
/// Clang reads its own instead.
std::vector<std::string> folders_in(const std::string& said) {
  std::vector<std::string> folders;
  std::istringstream in(said);
  bool listed = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("#include <...>")) {
      listed = true;
    } else if (line.starts_with("End of search list")) {
      break;
    } else if (listed) {
      const std::string folder = line.substr(line.find_first_not_of(' '));
      if (!fs::exists(fs::path(folder) / "stddef.h")) folders.push_back(folder);
    }
  }
  return folders;
}

/// `make CC=terrane-cc` puts that name in the environment: terrane-cc would then call itself for
/// ever.
bool is_this_compiler(const std::vector<std::string>& words) {
  const std::string name = fs::path(words[0]).filename().string();
  return name == "terrane-cc" || (name == "terrane" && words.size() > 1 && words[1] == "cc");
}

}  // namespace

result<surroundings> find_surroundings(const std::vector<std::string>& c_options,
                                       const std::string& command) {
  surroundings found;
  std::error_code fault;
  const fs::path self = fs::canonical(command, fault);
  const fs::path prefix = self.parent_path().parent_path();
  found.include_folder = (prefix / "include").string();
  found.library = (prefix / TERRANE_LIBRARY_FOLDER / "libterrane.a").string();
  if (!fs::exists(found.library)) found.library = (prefix / "lib" / "libterrane.a").string();
  found.builtin_headers = (prefix / "lib" / "terrane" / "clang").string();
  const std::string parts[] = {found.include_folder + "/terrane/threaded_c.h", found.library,
                               found.builtin_headers + "/stddef.h"};
  for (const std::string& part : parts)
    if (!fs::exists(part))
      return error{part + " is missing beside " + self.string() +
                   ": the installation is incomplete; install Terrane again"};

  const char* chosen = std::getenv("CC");
  found.c_compiler = split_words(chosen ? chosen : "");
  if (found.c_compiler.empty() || is_this_compiler(found.c_compiler)) found.c_compiler = {"cc"};
  std::vector<std::string> probe = found.c_compiler;
  for (const std::string& each : c_options)
    if (each.starts_with("-m") || each.starts_with("--sysroot") || each.starts_with("-isysroot"))
      probe.push_back(each);
  probe.insert(probe.end(), {"-E", "-v", "-x", "c", "-o", "/dev/null", "/dev/null"});
  std::string said;
  const result<int> code = run_process(probe, &said);
  if (!code)
    return error{"no C compiler: " + code.problem() +
                 "; install one (Debian: gcc) or name it in the environment variable CC"};
  if (code.value() != 0)
    return error{"the C compiler " + probe[0] + " does not work: " + probe[0] +
                 " -E on an empty file ended with exit code " + std::to_string(code.value())};
  found.system_include_folders = folders_in(said);
  bool headers = false;
  for (const std::string& each : found.system_include_folders)
    headers |= fs::exists(fs::path(each) / "stdio.h");
  if (!headers)
    return error{"the headers of the C library were not found where " + probe[0] +
                 " looks for them; install them (Debian: libc6-dev)"};
  return found;
}

}  // namespace terrane::compiler
