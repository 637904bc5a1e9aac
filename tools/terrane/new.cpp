// SPDX-License-Identifier: Apache-2.0
// new.cpp: terrane new: writes a folder with a program of its own: the text, how it is built, its
// test and a page. The texts are the files of new/, with @WORDS@ replaced.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <span>

#include "terrane/base/result.hpp"
#include "terrane/machine/wording.hpp"
#include "tools/terrane/command.hpp"
#include "tools/terrane/programs.hpp"

namespace terrane {

namespace {

namespace fs = std::filesystem;

struct text_file {
  std::string_view name, text;
};

constexpr text_file texts[] = {
#include "new_texts.inc"
};

std::string_view text_of(std::string_view name) {
  for (const text_file& each : texts)
    if (each.name == name) return each.text;
  return {};
}

/// One row of what can be written. The first row of a language is what it gives unless asked.
struct program_form {
  std::string_view language, kind;
  std::string_view source;               // a file of new/, less its last suffix
  std::string_view suffix;               // of the program's text
  std::string_view components, targets;  // of its CMakeLists.txt
  // What stands beside the program, and the files of new/ that they come from.
  struct {
    std::string_view name, from;
  } beside[2] = {{"CMakeLists.txt", "CMakeLists.txt"}, {"README.md", "README.md"}};
};

constexpr std::string_view with_library =
    "\nadd_executable(@NAME@ @SOURCE@)\ntarget_link_libraries(@NAME@ PRIVATE terrane::terrane)";

constexpr std::array<program_form, 6> forms{{
    {"c++", "futures", "futures.cpp", ".cpp", "", with_library},
    {"c++", "fibers", "fibers.cpp", ".cpp", "", with_library},
    {"c++", "threads", "threads.cpp", ".cpp", "", with_library},
    {"threaded-c", "fibers", "fibers.tc", ".tc", " COMPONENTS threaded_c",
     "\nterrane_add_threaded_c(@NAME@ @SOURCE@)"},
    {"c", "fibers", "fibers.c", ".c", "", with_library},
    {"python",
     "balancer",
     "balancer.py",
     ".py",
     "",
     "",
     {{"test_@NAME@.py", "test_balancer.py"}, {"README.md", "README.python.md"}}},
}};

struct wish {
  std::string name, language = "c++", kind;
};

/// All values of one column, each once, for a sentence.
std::string all_of(std::string_view program_form::* column, std::string_view language = {}) {
  std::string all, last;
  for (const program_form& each : forms) {
    if (!language.empty() && each.language != language) continue;
    if (each.*column == last) continue;
    last = each.*column;
    all += (all.empty() ? "" : ", ") + last;
  }
  return all;
}

result<const program_form*> form_of(const wish& wanted) {
  bool known = false;
  for (const program_form& each : forms) {
    if (each.language != wanted.language) continue;
    known = true;
    if (wanted.kind.empty() || each.kind == wanted.kind) return &each;
  }
  if (!known)
    return error{fmt::format("--lang takes one of {}, not '{}'", all_of(&program_form::language),
                             wanted.language)};
  return error{fmt::format("a program in {} is of kind {}, not '{}'", wanted.language,
                           all_of(&program_form::kind, wanted.language), wanted.kind)};
}

/// The name is that of a folder, a program and a target of CMake.
result<void> check_name(const std::string& name) {
  const auto fits = [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || letter == '_' || letter == '-';
  };
  const bool begins =
      !name.empty() && fits(name[0]) && name[0] != '-' && !(name[0] >= '0' && name[0] <= '9');
  if (!begins || !std::all_of(name.begin(), name.end(), fits))
    return error{fmt::format(
        "'{}' cannot be the name of a program: it takes letters, digits, _ and -, a letter first",
        name)};
  for (const std::string_view taken : {"all", "clean", "help", "install", "test", "terrane"})
    if (name == taken)
      return error{fmt::format("'{}' means something else to CMake: choose another name", name)};
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(name, ignored)))
    return error{fmt::format("{} exists already: choose another name, or remove it", name)};
  return {};
}

result<wish> read_wish(const words& arguments) {
  wish wanted;
  for (auto each = arguments.begin(); each != arguments.end(); ++each) {
    const std::string option = each->substr(0, each->find('='));
    if (option == "--lang" || option == "--kind") {
      std::string& into = option == "--lang" ? wanted.language : wanted.kind;
      if (option.size() < each->size()) {
        into = each->substr(option.size() + 1);
      } else {
        if (++each == arguments.end()) return error{fmt::format("{} needs a value", option)};
        into = *each;
      }
    } else if (each->starts_with("-")) {
      return error{fmt::format("there is no option {}: new takes --lang and --kind", *each)};
    } else if (!wanted.name.empty()) {
      return error{fmt::format("new takes one name, not also '{}'", *each)};
    } else {
      wanted.name = *each;
    }
  }
  if (wanted.name.empty()) return error{"new needs a name: terrane new NAME"};
  return wanted;
}

/// What CMake needs to be told to find this Terrane; empty if it looks there by itself.
std::string prefix_option() {
  const fs::path prefix = own_folder().parent_path();
  if (prefix.empty() || prefix == "/usr" || prefix == "/usr/local") return "";
  return fmt::format(" -DCMAKE_PREFIX_PATH={}", prefix.string());
}

std::string filled(std::string_view text, const std::map<std::string, std::string>& values) {
  std::string all(text);
  for (const auto& [mark, value] : values)
    for (auto at = all.find(mark); at != all.npos; at = all.find(mark, at + value.size()))
      all.replace(at, mark.size(), value);
  return all;
}

result<void> write(const fs::path& file, const std::string& text) {
  std::ofstream out(file);
  out << text;
  out.close();
  if (out) return {};
  return error{fmt::format("cannot write {}: see that the disk has room", file.string())};
}

result<void> write_folder(const wish& wanted, const program_form& form) {
  const std::string source = wanted.name + std::string(form.suffix);
  std::string version = TERRANE_VERSION;
  version.resize(version.rfind('.'));
  std::map<std::string, std::string> values{{"@NAME@", wanted.name},
                                            {"@SOURCE@", source},
                                            {"@VERSION@", version},
                                            {"@PREFIX@", prefix_option()},
                                            {"@COMPONENTS@", std::string(form.components)}};
  values["@TARGET@"] = filled(form.targets, values);
  std::error_code wrong;
  const fs::path folder = wanted.name;
  fs::create_directory(folder, wrong);
  if (wrong) return error{fmt::format("cannot make {}: {}", wanted.name, wrong.message())};
  if (auto written = write(folder / source, filled(text_of(form.source), values)); !written)
    return written;
  for (const auto& [name, from] : form.beside) {
    const fs::path file = folder / filled(name, values);
    if (auto written = write(file, filled(text_of(from), values)); !written) return written;
  }
  std::puts(filled(text_of(form.targets.empty() ? "said_of_python" : "said"), values).c_str());
  return {};
}

}  // namespace

int new_command(const words& arguments) {
  const auto wanted = read_wish(arguments);
  if (!wanted) return refuse(wanted.problem());
  const auto form = form_of(wanted.value());
  if (!form) return refuse(form.problem());
  if (const auto fits = check_name(wanted.value().name); !fits) return refuse(fits.problem());
  if (form.value()->language == "python" && wanted.value().name.find('-') != std::string::npos)
    return refuse(fmt::format("'{}' cannot be the name of a module of Python: write _ for -",
                              wanted.value().name));
  if (const auto done = write_folder(wanted.value(), *form.value()); !done) {
    refuse(done.problem());
    return 1;
  }
  return 0;
}

}  // namespace terrane
