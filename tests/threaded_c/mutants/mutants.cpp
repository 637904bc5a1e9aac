// SPDX-License-Identifier: Apache-2.0
// mutants.cpp: damaged texts through the compiler: each is refused with a message at its place, or
// becomes C that the C compiler takes. Never a crash, a hang, or silence.
//
//   mutants TERRANE_CC COUNT SEED FILE.tc...      tries COUNT mutants of the files
//   mutants TERRANE_CC =NUMBER SEED FILE.tc...    prints one of them, and what is said of it
//
// Ends with 1 after naming every mutant that was treated badly.
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "compiler/compile.hpp"
#include "compiler/driver/process.hpp"
#include "compiler/driver/surroundings.hpp"
#include "tests/threaded_c/mutants/mutator.hpp"

using namespace terrane;
using namespace terrane::compiler;

namespace {

constexpr unsigned seconds_max = 30;  // a text takes milliseconds
constexpr std::size_t checked_together = 64;

// A hang is told by the alarm, which may only write and leave.
char being_tried[64];
extern "C" void say_that_it_hangs(int) {
  constexpr char said[] = "hangs: mutant ";
  [[maybe_unused]] ssize_t ignored = write(STDERR_FILENO, said, sizeof said - 1);
  ignored = write(STDERR_FILENO, being_tried, std::strlen(being_tried));
  _exit(1);
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    std::fprintf(stderr, "mutants: %s cannot be read\n", path.c_str());
    std::exit(2);
  }
  std::ostringstream all;
  all << in.rdbuf();
  return all.str();
}

class trial {
 public:
  trial(mutants::mutator maker, surroundings around, std::uint64_t seed)
      : maker_(std::move(maker)), around_(std::move(around)), seed_(seed) {
    options_.builtin_headers = around_.builtin_headers;
    options_.system_include_folders = around_.system_include_folders;
    options_.system_include_folders.insert(options_.system_include_folders.begin(),
                                           around_.include_folder);
    std::string name = (std::filesystem::temp_directory_path() / "mutants-XXXXXX").string();
    if (!mkdtemp(name.data())) std::perror("mutants"), std::exit(2);
    folder_ = name;
    signal(SIGALRM, say_that_it_hangs);
  }
  ~trial() { std::filesystem::remove_all(folder_); }
  trial(const trial&) = delete;
  trial& operator=(const trial&) = delete;

  int run(std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
      const compilation made = try_one(i);
      if (made.errors == 0) give_to_c_compiler(i, made.c);
    }
    check_waiting();
    std::printf("%llu mutants: %llu refused, %llu compiled, %zu beyond Clang, %zu treated badly\n",
                static_cast<unsigned long long>(count),
                static_cast<unsigned long long>(count - accepted_),
                static_cast<unsigned long long>(accepted_), parser_faults_, bad_);
    return bad_ != 0;
  }

  int show(std::uint64_t number) {
    std::fputs(maker_.make(seed_, number).text.c_str(), stdout);
    std::fflush(stdout);  // it may be the last that is heard
    const compilation made = try_one(number);
    std::fputs(made.rendered.c_str(), stderr);
    if (made.errors == 0) give_to_c_compiler(number, made.c);
    check_waiting();
    return bad_ != 0;
  }

 private:
  compilation try_one(std::uint64_t number) {
    const mutants::mutator::mutant text = maker_.make(seed_, number);
    std::snprintf(being_tried, sizeof being_tried, "=%llu\n",
                  static_cast<unsigned long long>(number));
    alarm(seconds_max);
    const compilation made = compile({text.path, text.text, true}, options_);
    alarm(0);
    // A fault of Clang's, which is told with its place: nothing here can mend it.
    if (made.rendered.find("the parser broke down here") != std::string::npos)
      ++parser_faults_;
    else if (made.rendered.find("the compiler broke down") != std::string::npos)
      complain(number, text.path, "the compiler broke down");
    else if (made.errors == 0 && made.c.empty())
      complain(number, text.path, "silence: neither a message nor C");
    else if (made.errors != 0 && !has_place(made))
      complain(number, text.path, "no message names a line");
    return made;
  }

  static bool has_place(const compilation& made) {
    for (const message& each : made.messages)
      if (each.level == message::severity::error && !each.file.empty() && each.line > 0)
        return true;
    return false;
  }

  void give_to_c_compiler(std::uint64_t number, const std::string& c) {
    ++accepted_;
    const std::string file = (folder_ / (std::to_string(number) + ".c")).string();
    std::ofstream(file) << c;
    waiting_.push_back({number, file});
    if (waiting_.size() >= checked_together) check_waiting();
  }

  /// Together first: one start of the C compiler for many texts that it is to take.
  void check_waiting() {
    std::vector<std::string> files;
    for (const auto& [number, file] : waiting_) files.push_back(file);
    if (!files.empty() && !c_compiler_takes(files).empty())
      for (const auto& [number, file] : waiting_)
        if (const std::string said = c_compiler_takes({file});
            !said.empty() && !is_about_pragma(said))
          complain(number, maker_.make(seed_, number).path,
                   "refused by the C compiler alone:\n" + said);
    for (const std::string& each : files) std::filesystem::remove(each);
    waiting_.clear();
  }

  /// Pragmas are passed on: the C compiler alone knows its own, and names the line of a wrong one.
  static bool is_about_pragma(const std::string& said) {
    return said.find("#pragma") != std::string::npos;
  }

  /// Its messages, if it refuses them.
  std::string c_compiler_takes(const std::vector<std::string>& files) {
    std::vector<std::string> words = around_.c_compiler;
    words.insert(words.end(),
                 {"-std=gnu17", "-w", "-fsyntax-only", "-isystem", around_.include_folder});
    words.insert(words.end(), files.begin(), files.end());
    std::string said;
    alarm(seconds_max * checked_together);
    const result<int> code = run_process(words, &said);
    alarm(0);
    return code && code.value() == 0 ? "" : said.empty() ? "without a message" : said;
  }

  void complain(std::uint64_t number, const std::string& path, const std::string& what) {
    ++bad_;
    std::printf("mutant =%llu of %s: %s\n", static_cast<unsigned long long>(number), path.c_str(),
                what.c_str());
    std::fflush(stdout);
  }

  mutants::mutator maker_;
  surroundings around_;
  std::uint64_t seed_;
  read_options options_;
  std::filesystem::path folder_;
  std::vector<std::pair<std::uint64_t, std::string>> waiting_;
  std::uint64_t accepted_ = 0;
  std::size_t parser_faults_ = 0, bad_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fputs("usage: mutants TERRANE_CC COUNT|=NUMBER SEED FILE.tc...\n", stderr);
    return 2;
  }
  std::vector<mutants::sound_text> texts;
  for (int i = 4; i < argc; ++i) texts.push_back({argv[i], read_file(argv[i])});
  result<surroundings> around = find_surroundings({}, argv[1]);
  if (!around) {
    std::fprintf(stderr, "mutants: %s\n", around.problem().c_str());
    return 2;
  }
  trial all(mutants::mutator(std::move(texts)), std::move(around.value()),
            std::strtoull(argv[3], nullptr, 10));
  if (argv[2][0] == '=') return all.show(std::strtoull(argv[2] + 1, nullptr, 10));
  return all.run(std::strtoull(argv[2], nullptr, 10));
}
