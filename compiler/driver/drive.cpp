// SPDX-License-Identifier: Apache-2.0
#include "compiler/driver/drive.hpp"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>

#include "compiler/driver/link_messages.hpp"
#include "compiler/driver/options.hpp"
#include "compiler/driver/process.hpp"
#include "compiler/driver/response_file.hpp"
#include "compiler/driver/surroundings.hpp"
#include "compiler/driver/symbols.hpp"

namespace terrane::compiler {

namespace {

namespace fs = std::filesystem;

/// A folder for temporary files, which is removed when the command ends.
class scratch_folder {
 public:
  scratch_folder() {
    std::string name = (fs::temp_directory_path() / "terrane-cc-XXXXXX").string();
    if (mkdtemp(name.data())) path_ = name;
  }
  ~scratch_folder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
  std::string file(const std::string& name) const { return (fs::path(path_) / name).string(); }
  bool made() const { return !path_.empty(); }

 private:
  std::string path_;
};

result<std::string> checked(const std::string& path, std::string text) {
  if (const std::size_t at = text.find('\0'); at != std::string::npos)
    return error{path + " is no source text: it holds a zero byte at offset " + std::to_string(at) +
                 "; is it an object or a program?"};
  return text;
}

result<std::string> read_source(const std::string& path) {
  if (path == "-") {
    std::ostringstream all;
    all << std::cin.rdbuf();
    return checked("the standard input", all.str());
  }
  std::error_code fault;
  const fs::file_status status = fs::status(path, fault);
  if (!fs::exists(status)) return error{path + ": no such file"};
  if (fs::is_directory(status)) return error{path + " is a folder: name a file"};
  std::ifstream in(path, std::ios::binary);
  std::ostringstream all;
  if (!in || (in.peek() != std::ifstream::traits_type::eof() && !(all << in.rdbuf())))
    return error{path + " cannot be read: check its permissions"};
  return checked(path, all.str());
}

class driver {
 public:
  driver(driver_options options, surroundings around)
      : options_(std::move(options)), around_(std::move(around)) {
    read_options& reading = options_.reading;
    reading.builtin_headers = around_.builtin_headers;
    reading.system_include_folders.push_back(around_.include_folder);
    reading.system_include_folders.insert(reading.system_include_folders.end(),
                                          around_.system_include_folders.begin(),
                                          around_.system_include_folders.end());
    reading.colours = isatty(STDERR_FILENO) != 0;
  }

  int run() {
    if (!scratch_.made())
      return refuse("no scratch folder in " + fs::temp_directory_path().string());
    bool well = true;
    for (std::size_t i = 0; i < options_.inputs.size(); ++i)
      if (options_.inputs[i].kind != input::language::other) well &= compile_one(i);
    if (!well) return 1;
    return options_.until == stage::program ? link() : 0;
  }

  static int refuse(const std::string& sentence) {
    std::fprintf(stderr, "terrane cc: error: %s\n", sentence.c_str());
    return 1;
  }

 private:
  bool compile_one(std::size_t which) {
    const input& from = options_.inputs[which];
    const result<std::string> text = read_source(from.path);
    if (!text) return refuse(text.problem()), false;
    const std::string shown = from.path == "-" ? "<stdin>" : from.path;
    const compilation made =
        compile({shown, text.value(), from.kind == input::language::threaded_c}, options_.reading);
    declared_.insert(declared_.end(), made.declared.begin(), made.declared.end());
    std::fputs(made.rendered.c_str(), stderr);
    if (made.errors != 0) {
      std::fprintf(stderr, "%u error%s generated.\n", made.errors, made.errors == 1 ? "" : "s");
      return false;
    }
    if (options_.until == stage::check) return true;
    if (options_.until == stage::print_c) return print(made.c);
    if (options_.until == stage::dependencies) return print_dependencies(which, made);
    const std::string c = scratch_file(which);
    std::ofstream(c) << made.c;
    return compile_c(which, c) && write_dependencies(which, made);
  }

  /// The path of the C that is written. It keeps the source's name, since the linker names the
  /// object by it.
  std::string scratch_file(std::size_t which) const {
    const fs::path folder = scratch_.file(std::to_string(which));
    std::error_code ignored;
    fs::create_directory(folder, ignored);
    const fs::path path = options_.inputs[which].path;
    return (folder / (path == "-" ? "stdin" : path.filename())).string();
  }

  /// True if the output goes to the standard output: `-o -` does that for text, as with other
  /// compilers.
  bool shown() const { return options_.output == "-" && options_.until < stage::object; }

  bool print(const std::string& text) { return print(text, options_.output); }
  static bool print(const std::string& text, const std::string& path) {
    if (path.empty() || path == "-") return std::fputs(text.c_str(), stdout) >= 0;
    pending_file out(path);
    std::ofstream(out.meanwhile()) << text;
    const std::string fault = out.put_in_place();
    return fault.empty() || refuse(fault) == 0;
  }

  std::string output_of(std::size_t which) const {
    if (options_.until == stage::program) return scratch_.file(std::to_string(which) + ".o");
    if (!options_.output.empty()) return options_.output;
    const fs::path stem = fs::path(options_.inputs[which].path).filename().stem();
    return stem.string() + (options_.until == stage::assembly ? ".s" : ".o");
  }

  bool compile_c(std::size_t which, const std::string& c) {
    std::vector<std::string> words = around_.c_compiler;
    words.emplace_back("-fstack-clash-protection");  // so that no array skips a stack's guard
    words.insert(words.end(), options_.for_c.begin(), options_.for_c.end());
    if (options_.reading.standard == "gnu17") words.emplace_back("-std=gnu17");
    words.insert(words.end(), {"-isystem", around_.include_folder, "-w"});
    const std::string folder = fs::path(options_.inputs[which].path).parent_path().string();
    words.insert(words.end(), {"-iquote", folder.empty() ? "." : folder});
    if (options_.until == stage::preprocess) {
      words.emplace_back("-E");
      if (options_.output.empty()) return compile_by(words, c);
    } else {
      words.emplace_back(options_.until == stage::assembly ? "-S" : "-c");
    }
    if (shown()) {
      words.insert(words.end(), {"-o", "-"});
      return compile_by(words, c);
    }
    pending_file out(output_of(which));
    words.insert(words.end(), {"-o", out.meanwhile()});
    if (!compile_by(words, c)) return false;
    const std::string fault = out.put_in_place();
    return fault.empty() || refuse(fault) == 0;
  }

  bool compile_by(std::vector<std::string> words, const std::string& c) {
    words.insert(words.end(), {"-x", "c", c});
    return run_tool(words);
  }
  bool run_tool(const std::vector<std::string>& words, std::string* said = nullptr) {
    if (options_.verbose) {
      for (const std::string& each : words) std::fprintf(stderr, "%s ", each.c_str());
      std::fputc('\n', stderr);
    }
    const result<int> code = run_process(words, said);
    if (!code) return refuse(code.problem()), false;
    return code.value() == 0;
  }

  bool print_dependencies(std::size_t which, const compilation& made) {
    const std::string rules = dependencies(which, made);
    return print(rules, options_.output.empty() ? options_.dependencies_file : options_.output);
  }

  bool write_dependencies(std::size_t which, const compilation& made) {
    if (!options_.write_dependencies) return true;
    const std::string object = output_of(which);
    fs::path path = options_.dependencies_file;
    if (path.empty()) path = fs::path(object).replace_extension(".d");
    std::ofstream out(path);
    if (!(out << dependencies(which, made))) return refuse("cannot write " + path.string()), false;
    return true;
  }
  std::string dependencies(std::size_t which, const compilation& made) const {
    const bool printed = options_.until == stage::dependencies;
    const std::string object =
        printed ? fs::path(options_.inputs[which].path).stem().string() + ".o" : output_of(which);
    const std::string target =
        options_.dependencies_target.empty() ? object : options_.dependencies_target;
    std::vector<std::string> files = made.files;
    if (options_.with_system_headers)
      files.insert(files.end(), made.system_files.begin(), made.system_files.end());
    std::string rules = target + ":";
    for (const std::string& each : files) rules += " \\\n  " + each;
    rules += '\n';
    for (std::size_t i = 1; options_.empty_rules && i < files.size(); ++i)
      rules += "\n" + files[i] + ":\n";
    return rules;
  }

  int link() {
    std::vector<std::string> words = around_.c_compiler;
    words.insert(words.end(), options_.for_linker.begin(), options_.for_linker.end());
    std::vector<linked_file> files;
    for (std::size_t i = 0; i < options_.inputs.size(); ++i) {
      const input& each = options_.inputs[i];
      const bool compiled = each.kind != input::language::other;
      const std::string file = compiled ? output_of(i) : each.path;
      words.push_back(file);
      if (!compiled && each.path[0] == '-') continue;
      if (!compiled && !fs::exists(each.path)) return refuse(each.path + ": no such file");
      files.push_back({file, each.path == "-" ? "the standard input" : each.path});
    }
    const std::string fault = options_.shared ? check_shared(files) : check_main(files);
    if (!fault.empty()) return refuse(fault);
    pending_file out(options_.output.empty() ? "a.out" : options_.output);
    if (!options_.shared)  // a shared library uses the runtime of the program that loads it
      words.insert(words.end(), {around_.library, "-lstdc++", "-pthread", "-ldl"});
    words.insert(words.end(), {"-lm", "-o", out.meanwhile()});
    std::string said;
    const bool linked = run_tool(words, &said);
    std::fputs((linked ? said : in_our_words(said, declared_)).c_str(), stderr);
    if (!linked) return 1;
    const std::string why = out.put_in_place();
    return why.empty() ? 0 : refuse(why);
  }

  driver_options options_;
  std::vector<declared_function> declared_;  // in all compiled sources
  surroundings around_;
  scratch_folder scratch_;
};

/// Lets the C compiler answer a question about itself: -dumpmachine, -print-file-name=...
int ask(std::vector<std::string> c_compiler, const std::vector<std::string>& words) {
  c_compiler.insert(c_compiler.end(), words.begin(), words.end());
  const result<int> code = run_process(c_compiler);
  return code ? code.value() : driver::refuse(code.problem());
}

}  // namespace

int drive(const std::vector<std::string>& given) {
  const result<std::vector<std::string>> expanded = with_response_files(given);
  if (!expanded) return driver::refuse(expanded.problem());
  const std::vector<std::string>& words = expanded.value();
  result<driver_options> options = read_command_line(words);
  if (!options) return driver::refuse(options.problem());
  if (options.value().until == stage::help) return std::fputs(driver_help, stdout) < 0;
  if (options.value().until == stage::version) {
    std::puts("terrane cc " TERRANE_VERSION);
    return 0;
  }
  result<surroundings> around = find_surroundings(options.value().for_c);
  if (!around) return driver::refuse(around.problem());
  if (options.value().until == stage::c_compiler) return ask(around.value().c_compiler, words);
  return driver(std::move(options.value()), std::move(around.value())).run();
}

}  // namespace terrane::compiler
