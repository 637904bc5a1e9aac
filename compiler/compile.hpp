// SPDX-License-Identifier: Apache-2.0
// compile.hpp: the compiler as a library: takes a text, returns C and the messages about the text.
//
// Invariants  May be called any number of times in one process. Touches no files except those that
//             the text includes. Never ends the process, whatever the text is.
#pragma once

#include <string>
#include <vector>

namespace terrane::compiler {

/// One text to compile.
struct source {
  std::string path;  // the name in messages
  std::string text;
  bool threaded = true;  // false: plain C; its variables still exist once per node
};

struct macro {
  std::string definition;  // NAME or NAME=text
  bool undefine = false;
};

struct read_options {
  std::string standard = "gnu17";
  std::vector<std::string> include_folders;         // -I, in order
  std::vector<std::string> system_include_folders;  // the user's, then the C compiler's
  std::string builtin_headers;                      // the folder with Clang's own headers
  std::vector<macro> macros;                        // -D and -U, in order
  std::vector<std::string> warnings;                // -W..., without the `-W`
  bool optimise = false;                            // __OPTIMIZE__
  bool unsigned_char = false;
  bool strict_exit = false;  // activations that remain at the end are an error of the run
  bool colours = false;
};

struct message {
  enum class severity { note, warning, error } level;
  std::string file;
  unsigned line = 0, column = 0;
  std::string text;
};

/// A threaded function that is declared and not defined.
struct declared_function {
  std::string name, file;
  unsigned line = 0;
};

struct compilation {
  std::string c;  // empty if there were errors
  std::vector<message> messages;
  std::string rendered;                   // all messages as text, with source lines and carets
  std::vector<std::string> files;         // all files that were read; the source is first
  std::vector<std::string> system_files;  // headers of the system
  std::vector<declared_function> declared;
  unsigned errors = 0, warnings = 0;
};

compilation compile(const source&, const read_options&);

}  // namespace terrane::compiler
