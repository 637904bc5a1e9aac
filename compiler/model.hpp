// SPDX-License-Identifier: Apache-2.0
// model.hpp: one translation unit of Threaded-C, as the writer needs it.
//
// Purpose     Stands between the reader, which knows Clang, and the writer, which knows the C ABI:
//             neither sees the other.
// Invariants  The user's own text is kept as pieces: text that is not Threaded-C is written
//             unchanged. All differences are in a list of edits of single tokens.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace terrane::compiler {

using token_index = std::uint32_t;

/// Tokens [begin, end) of the unit, after preprocessing.
struct token_range {
  token_index begin = 0, end = 0;
  bool empty() const { return begin >= end; }
};

/// A position in the user's files, as #line, gdb and the messages of a run name it.
struct place {
  std::uint32_t file = 0;  // index into unit::files
  std::uint32_t line = 0;
};

struct token {
  std::string text;  // after macro expansion
  bool blank_before = false;
  bool hidden = false;  // not in the user's text: a pragma's mark
};

/// One stretch of a file: a token, or the use of a macro with all tokens it expands to.
struct piece {
  struct hole {  // a token of the expansion that is an argument in the macro's use
    std::uint32_t offset, length;
    token_index of;
  };
  token_range tokens;
  std::string before;   // blanks, comments and directives since the previous piece
  std::string written;  // the text in the file; empty for a single token
  std::vector<hole> holes;
  place where;
  bool expand = false;  // the macro's use cannot be written: write its tokens
};

/// How one token is written: text before it, after it and in its place.
struct edit {
  std::string before, after;
  std::optional<std::string> instead;
  friend bool operator==(const edit&, const edit&) = default;
};

struct parameter {
  std::string name;
  std::string declaration;      // `int *GLOBAL result`
  std::string type;             // `int *GLOBAL`
  bool in_frame = false;        // also a field of the frame
  bool saved = false;           // is stored there only when the initial fiber ends
  bool local_pointer = false;   // T *: is sent as a handle, and must arrive on its own node
  bool function_value = false;  // TFUNC: is sent as its entry, the same on every node
};

/// A stretch of the user's tokens, with the text to write before and after them.
struct fragment {
  std::string before;
  token_range tokens;
  std::string after;
};

struct fiber {
  std::string name;
  place where;
  std::optional<token_range> count, reset;  // the user's expressions
  bool counts_known = true;                 // at compile time, and they are in range
  int priority = 4;
  token_range body;                   // with its braces
  std::vector<parameter> parameters;  // of a fiber with arguments
};

/// A slot that does not belong to one fiber: SLOT s; SLOT s[4];
struct plain_slot {
  std::string name;
  place where;
  std::uint64_t elements = 0;  // 0: not an array
};

struct threaded_function {
  std::string name;
  place where;
  bool is_static = false;
  bool is_main = false;
  std::string frame = "frame";  // the name of the frame in its fibers
  std::vector<parameter> parameters;
  std::vector<fragment> file_scope;  // types and static variables declared in the body
  std::vector<std::string> fields;   // declarations
  std::vector<std::string> arrays;   // of variable length: each has its own memory block
  std::vector<plain_slot> slots;
  std::vector<fiber> fibers;
  std::vector<fragment> init;
  bool early_end = false;  // END_FIBER in the initial fiber
  std::string held;        // the fiber whose slot the initial fiber holds, or empty
};

/// A threaded function declared here and perhaps defined elsewhere.
struct threaded_declaration {
  std::string name;
  bool is_static = false;
  bool is_main = false;
  std::vector<parameter> parameters;
};

/// Tokens at file scope that are replaced, and what replaces them.
struct replaced_part {
  token_range tokens;
  std::optional<threaded_declaration> declares;
  std::optional<threaded_function> defines;
};

struct unit {
  std::vector<std::string> files;
  std::vector<token> tokens;
  std::vector<piece> pieces;
  std::string after;  // directives after the last token
  std::map<token_index, edit> edits;
  std::vector<replaced_part> parts;  // in order, disjoint
  bool threaded = true;              // false: plain C
  bool strict_exit = false;          // activations that remain at the end are an error
  bool declares_work = false;        // the text has OPERATION: a fiber without CHARGE costs nothing
};

}  // namespace terrane::compiler
