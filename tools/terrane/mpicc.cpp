// SPDX-License-Identifier: Apache-2.0
// mpicc.cpp: terrane mpicc: compiles and links MPI programs in C as cc does, so that their ranks
// are threads (docs/mpi-programs.md).
//
// Method      The C compiler does all of it. <mpi.h> is the one of terrane/c/mpi; at the link the
//             program's main and exit get other names (--wrap), and a file of a few lines that is
//             written here stands in their places. Sources are compiled one by one, so that their
//             objects can be looked through for variables that ranks would share.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "terrane/machine/wording.hpp"
#include "tools/terrane/command.hpp"
#include "tools/terrane/mpicc_words.hpp"
#include "tools/terrane/shared_variables.hpp"

namespace terrane {

namespace {

namespace fs = std::filesystem;

constexpr const char* start_text = R"(#include <stddef.h>
int terrane_mpi_run(int, char **, int (*)(int, char **), size_t);
void terrane_mpi_rank_exits(int);
int __real_main(int, char **);
void __real_exit(int) __attribute__((noreturn));
int __wrap_main(int argc, char **argv) {
  return terrane_mpi_run(argc, argv, __real_main, (size_t)STACK_KIB << 10);
}
void __wrap_exit(int code) {
  terrane_mpi_rank_exits(code);
  __real_exit(code);
}
)";

/// Where the headers and the library lie, relative to this command.
struct places {
  fs::path include, library;
};

result<places> find_places() {
  std::error_code wrong;
  const fs::path self = fs::read_symlink("/proc/self/exe", wrong);
  const fs::path prefix = self.parent_path().parent_path();
  places found{prefix / "include", prefix / TERRANE_LIBRARY_FOLDER / "libterrane.a"};
  if (!fs::exists(found.library)) found.library = prefix / "lib" / "libterrane.a";
  for (const fs::path& each : {found.include / "terrane/c/mpi/mpi.h", found.library})
    if (!fs::exists(each))
      return error{
          fmt::format("{} is missing beside {}: install Terrane's headers and static "
                      "library, too (Debian: libterrane-dev)",
                      each.string(), self.string())};
  return found;
}

class scratch_folder {
 public:
  scratch_folder() {
    std::error_code wrong;
    const fs::path folder = fs::temp_directory_path(wrong);
    if (wrong) return;
    std::string name = (folder / "terrane-mpicc-XXXXXX").string();
    if (mkdtemp(name.data())) path_ = name;
  }
  ~scratch_folder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// The exit code of the command, or 127 if it cannot be started.
int run(const words& command) {
  words copy = command;
  std::vector<char*> argv;
  for (std::string& each : copy) argv.push_back(each.data());
  argv.push_back(nullptr);
  std::fflush(nullptr);
  const pid_t process = fork();
  if (process == 0) {
    execvp(argv[0], argv.data());
    std::fprintf(stderr, "terrane: cannot start the C compiler %s: %s; name one in CC\n", argv[0],
                 std::strerror(errno));
    std::_Exit(127);
  }
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void add(words& to, const words& more) { to.insert(to.end(), more.begin(), more.end()); }

/// Says which variables ranks would share, and what helps.
class shared_list {
 public:
  void look_through(const std::string& object, const std::string& shown) {
    for (const shared_variable& each : shared_variables_of(object)) {
      if (count_++ < listed_max)
        text_ += fmt::format("{}{} ({}, {} byte{})", text_.empty() ? "" : ", ", each.name, shown,
                             each.bytes, each.bytes == 1 ? "" : "s");
    }
  }
  void warn() const {
    if (count_ == 0) return;
    const std::string more =
        count_ > listed_max ? fmt::format(" and {} more", count_ - listed_max) : "";
    std::fprintf(stderr,
                 "terrane mpicc: warning: ranks in one process share %s%s: make each const or a "
                 "local variable, or run each rank in a process of its own (terrane run --world "
                 "shm, with as many --nodes as --ranks)\n",
                 text_.c_str(), more.c_str());
  }

 private:
  static constexpr std::size_t listed_max = 20;
  std::string text_;
  std::size_t count_ = 0;
};

class mpi_compiler {
 public:
  mpi_compiler(mpicc_words given, const places& where) : given_(std::move(given)) {
    const char* const chosen = std::getenv("CC");
    const auto split = split_words(chosen ? chosen : "");
    compiler_ = split && !split.value().empty() ? split.value() : words{"cc"};
    for (std::size_t i = 1; i < compiler_.size(); ++i)  // make CC="terrane mpicc"
      if (compiler_[i] == "mpicc") compiler_ = {"cc"};
    compile_ = {"-fstack-clash-protection", "-isystem", (where.include / "terrane/c/mpi").string(),
                "-isystem", where.include.string()};
    library_ = where.library.string();
  }

  int run_all() {
    if (!given_.links) return perform(plain());
    scratch_folder scratch;
    if (scratch.path().empty()) return refuse("mpicc finds no folder for temporary files");
    words link = compiler_;
    add(link, given_.for_both);
    shared_list shared;
    for (const mpicc_input& each : given_.inputs) {
      std::string file = each.word;
      if (each.is_source) {
        file = (scratch.path() / std::to_string(link.size())).string() + ".o";
        words compile = compiler_;
        add(compile, compile_);
        add(compile, given_.for_both);
        add(compile, each.before);
        add(compile, dependencies_of(each.word));
        add(compile, {"-c", "-o", file, each.word});
        if (const int code = perform(compile); code != 0) return code;
      }
      if (each.is_source || file.ends_with(".o")) shared.look_through(file, each.word);
      link.push_back(file);
    }
    if (given_.warns) shared.warn();
    const std::string start = (scratch.path() / "terrane_start").string();
    std::ofstream(start + ".c") << start_text;
    words compile = compiler_;
    add(compile, {"-O1", fmt::format("-DSTACK_KIB={}", given_.stack_kib), "-c", "-o", start + ".o",
                  start + ".c"});
    if (const int code = perform(compile); code != 0) return code;
    add(link, {start + ".o", "-Wl,--wrap=main", "-Wl,--wrap=exit", library_, "-lstdc++", "-pthread",
               "-ldl", "-lm", "-o", output()});
    return perform(link);
  }

 private:
  /// One command that makes no program.
  words plain() const {
    words all = compiler_;
    add(all, compile_);
    add(all, given_.all);
    return all;
  }
  /// Where -MD and -MMD write: as cc does, beside the program, though the object is elsewhere.
  words dependencies_of(const std::string& source) const {
    const auto has = [&](std::string_view option) {
      return std::ranges::any_of(given_.for_both,
                                 [&](const std::string& each) { return each.starts_with(option); });
    };
    if (!has("-MD") && !has("-MMD")) return {};
    words found;
    if (!has("-MT") && !has("-MQ")) found = {"-MQ", output()};
    if (has("-MF")) return found;
    const auto sources = std::ranges::count_if(given_.inputs, &mpicc_input::is_source);
    std::string name = fs::path(output()).replace_extension().string();
    if (given_.output.empty() || sources > 1) name += "-" + fs::path(source).stem().string();
    add(found, {"-MF", name + ".d"});
    return found;
  }
  std::string output() const { return given_.output.empty() ? "a.out" : given_.output; }
  int perform(const words& command) const {
    if (!given_.shows) return run(command);
    std::puts(join_words(command).c_str());
    return 0;
  }

  mpicc_words given_;
  words compiler_, compile_;
  std::string library_;
};

}  // namespace

int mpicc_command(const words& arguments) {
  auto given = read_mpicc_words(arguments);
  if (!given) return refuse(given.problem());
  const auto where = find_places();
  if (!where) return refuse(where.problem());
  return mpi_compiler(std::move(given).value(), where.value()).run_all();
}

}  // namespace terrane
