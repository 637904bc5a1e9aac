// SPDX-License-Identifier: Apache-2.0
#include "compiler/driver/options.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace terrane::compiler {

const char* const driver_help = R"(usage: terrane cc [options] file...

Compiles and links Threaded-C (.tc), and with it C (.c), objects (.o) and archives (.a).

  -o FILE         where the result goes (a.out, or FILE.o with -c)
  -c              compile, do not link; -S: to assembly
  -O0 ... -O3 -g  optimise; debug: gdb shows the lines and variables of the .tc file
  -I -D -U -std=gnu17 -Wall -Werror -f... -m... -L -l -M -MM -MD -MMD -MF -shared @FILE
                  as for cc; what is not known here is handed to the C compiler
  -x LANG         what the files behind it are: threaded-c, c, or none (told by their suffix)
  -fsyntax-only   only say what is wrong
  -fstrict-exit   activations that are left when MAIN ends are an error, not a warning
  --emit-c        print the C it becomes (into FILE with -o)
  --verbose       print the commands that are run
  --help --version

The C compiler is the one named by CC in the environment, or else cc.
A program has one THREADED MAIN; `terrane run ./a.out` runs it, or ./a.out by itself.
)";

namespace {

bool ends_with(std::string_view word, std::string_view end) { return word.ends_with(end); }

/// Options of cc that take the next word as their value.
constexpr std::array takes_a_word{"-Xlinker", "-Xassembler", "-Xpreprocessor", "-u",
                                  "-T",       "-z",          "--param",        "-imacros",
                                  "-include", "-idirafter",  "-iquote",        "-aux-info"};

class command_line {
 public:
  explicit command_line(const std::vector<std::string>& words) : words_(words) {}

  result<driver_options> read() {
    while (at_ < words_.size() && fault_.empty()) read_one(words_[at_++]);
    if (fault_.empty()) check();
    if (!fault_.empty()) return error{fault_};
    return std::move(made_);
  }

 private:
  void read_one(const std::string& word) {
    if (word == "-") return add_stdin();
    if (word.size() < 2 || word[0] != '-') return add_input(word);
    if (word == "-o") return take(word, made_.output);
    if (word == "-c") return until(stage::object);
    if (word == "-S") return until(stage::assembly);
    if (word == "-E") return until(stage::preprocess);
    if (word == "-fsyntax-only") return until(stage::check);
    if (word == "-fstrict-exit" || word == "-fno-strict-exit") {
      made_.reading.strict_exit = word == "-fstrict-exit";
      return;
    }
    if (word == "--emit-c") return until(stage::print_c);
    if (word == "--help") return until(stage::help);
    if (word == "--version") return until(stage::version);
    if (word.starts_with("-dump") || word.starts_with("-print-") || word.starts_with("--print-"))
      return until(stage::c_compiler);
    if (word == "-x" || word.starts_with("-x")) return read_language(word);
    if (word == "-shared") made_.shared = true;
    if (word == "--verbose" || word == "-v") {
      made_.verbose = true;
      return;
    }
    if (word.starts_with("-M")) return read_dependencies(word);
    if (word.starts_with("-l") || word.starts_with("-Wl,")) return add_to_linker(word);
    if (word.starts_with("-L")) {
      pass_joined(word, made_.for_linker);
      return;
    }
    if (word == "-static" || word == "-s" || word == "-rdynamic")
      return made_.for_linker.push_back(word);
    if (read_for_both(word)) return;
    const bool has_value =
        std::find(takes_a_word.begin(), takes_a_word.end(), word) != takes_a_word.end();
    made_.for_c.push_back(word);
    made_.for_linker.push_back(word);
    std::string value;
    if (!has_value) return;
    take(word, value);
    made_.for_c.push_back(value);
    made_.for_linker.push_back(value);
  }

  /// Reads an option that both Clang and the C compiler need.
  bool read_for_both(const std::string& word) {
    read_options& reading = made_.reading;
    if (word.starts_with("-I")) {
      reading.include_folders.push_back(pass_joined(word, made_.for_c));
    } else if (word == "-isystem") {
      std::string folder;
      take(word, folder);
      made_.for_c.insert(made_.for_c.end(), {word, folder});
      reading.system_include_folders.push_back(folder);
    } else if (word.starts_with("-D") || word.starts_with("-U")) {
      reading.macros.push_back({pass_joined(word, made_.for_c), word[1] == 'U'});
    } else if (word.starts_with("-std=")) {
      reading.standard = word.substr(5);
      made_.for_c.push_back(word);
    } else if (word == "-ansi") {
      reading.standard = "c89";
      made_.for_c.push_back(word);
    } else if (word.starts_with("-W") && !word.starts_with("-Wa,") && !word.starts_with("-Wp,")) {
      reading.warnings.push_back(word.substr(2));
      made_.for_c.push_back(word);
    } else if (word.starts_with("-O")) {
      reading.optimise = word != "-O0";
      pass(word);
    } else if (word == "-funsigned-char" || word == "-fno-signed-char") {
      reading.unsigned_char = true;
      pass(word);
    } else if (word == "-w") {
      reading.warnings.emplace_back("no-everything");
      made_.for_c.push_back(word);
    } else {
      return false;
    }
    return true;
  }

  void add_to_linker(const std::string& word) {
    made_.inputs.push_back({input::language::other, word});
  }

  void read_dependencies(const std::string& word) {
    if (word == "-M" || word == "-MM") {
      until(stage::dependencies);
      made_.with_system_headers = word == "-M";
    } else if (word == "-MD" || word == "-MMD") {
      made_.write_dependencies = true;
      made_.with_system_headers = word == "-MD";
    } else if (word == "-MP") {
      made_.empty_rules = true;
    } else if (word.starts_with("-MF")) {
      made_.dependencies_file = joined(word, 3);
    } else if (word.starts_with("-MT") || word.starts_with("-MQ")) {
      made_.dependencies_target = joined(word, 3);
    } else {
      fault_ = word +
               " is not known here: -M and -MM print the dependencies, -MD and -MMD write "
               "them while compiling";
    }
  }

  void until(stage which) { made_.until = which; }
  void pass(const std::string& word) {
    made_.for_c.push_back(word);
    made_.for_linker.push_back(word);
  }
  void take(const std::string& word, std::string& value) {
    if (at_ >= words_.size())
      fault_ = word + " is the last word: its value is missing";
    else
      value = words_[at_++];
  }
  std::string joined(const std::string& word, std::size_t letters) {
    std::string value = word.substr(letters);
    if (value.empty()) take(word, value);
    return value;
  }
  std::string pass_joined(const std::string& word, std::vector<std::string>& to) {
    const std::string value = joined(word, 2);
    to.push_back(word.substr(0, 2) + value);
    return value;
  }

  void read_language(const std::string& word) {
    const std::string name = joined(word, 2);
    const bool threaded = name == "threaded-c", c = name == "c" || name == "cpp-output";
    if (!threaded && !c && name != "none")
      fault_ = "-x " + name + " is not known here: it is threaded-c, c or none";
    language_.reset();
    if (threaded || c) language_ = threaded ? input::language::threaded_c : input::language::c;
  }

  void add_stdin() {
    if (!language_)
      fault_ =
          "the standard input has no suffix: name a file, or say before it what it is: "
          "-x threaded-c or -x c";
    else
      made_.inputs.push_back({*language_, "-"});
  }

  void add_input(const std::string& path) {
    // CMake passes `-x c` for each file of a C project, so that a .tc stays Threaded-C then.
    if (language_ && !(ends_with(path, ".tc") && *language_ == input::language::c))
      return made_.inputs.push_back({*language_, path});
    const auto kind = ends_with(path, ".tc")  ? input::language::threaded_c
                      : ends_with(path, ".c") ? input::language::c
                                              : input::language::other;
    const bool known = kind != input::language::other || ends_with(path, ".o") ||
                       ends_with(path, ".a") || path.find(".so") != std::string::npos;
    if (!known) fault_ = path + " is no .tc, .c, .o or .a file: rename it to what it holds";
    made_.inputs.push_back({kind, path});
  }

  void check() {
    const auto sources = std::count_if(made_.inputs.begin(), made_.inputs.end(), [](auto& each) {
      return each.kind != input::language::other;
    });
    if (made_.inputs.empty() && made_.verbose && made_.until == stage::program)
      until(stage::c_compiler);
    const bool asks = made_.until >= stage::help;
    if (made_.inputs.empty() && !asks) fault_ = "no input: name a .tc, .c, .o or .a file";
    if (!made_.output.empty() && made_.until != stage::program && sources > 1)
      fault_ = "-o names one file and there are several sources; compile them one at a time";
    for (const input& each : made_.inputs)
      if (each.kind != input::language::other && each.path == made_.output)
        fault_ = "the output " + made_.output + " is the source itself";
  }

  const std::vector<std::string>& words_;
  std::size_t at_ = 0;
  std::optional<input::language> language_;  // -x
  driver_options made_;
  std::string fault_;
};

}  // namespace

result<driver_options> read_command_line(const std::vector<std::string>& words) {
  return command_line(words).read();
}

}  // namespace terrane::compiler
