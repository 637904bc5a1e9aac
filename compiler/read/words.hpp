// SPDX-License-Identifier: Apache-2.0
// words.hpp: turns the words of Threaded-C into C that Clang can parse.
//
// Purpose     Runs between preprocessing and parsing. The tokens given to Clang keep the places of
//             the user's tokens, so that Clang's messages point at the user's text. The writer
//             later prints the original tokens.
//
//   the user's text                       what Clang parses
//   THREADED f(int *GLOBAL p) {           void f(int (__attribute__((opencl_global)) *p)) {
//                                           SLOT READY;            (each fiber's, at the head)
//   FIBER READY <* n, r *> PRIORITY 2 {     if (terrane_fiber(&READY, n, r), terrane_priority(2)) {
//   TOKEN(f, a)   INVOKE(i, f, a)           (TOKEN(), f(a))   (INVOKE(i), f(a))
//   TO_GLOBAL(x)                            ((__typeof__(*(x)) (GLOBAL *)) TO_GLOBAL(x))
//   TERMINATE;                              TERMINATE();
#pragma once

#include <unordered_set>
#include <vector>

#include "clang/Basic/SourceLocation.h"
#include "clang/Lex/Token.h"

namespace clang {
class Preprocessor;
}

namespace terrane::compiler {

/// What later passes over the tree need and C cannot express, as places of names and words.
struct said_words {
  std::unordered_set<unsigned> threaded;      // names of threaded functions
  std::unordered_set<unsigned> fibers;        // names of fibers
  std::unordered_set<unsigned> return_words;  // `return` in a threaded function
};

struct said {
  std::vector<clang::Token> tokens;  // ends in tok::eof
  said_words words;
};

/// tokens: of the whole unit, preprocessed, without tok::eof. end: that tok::eof.
/// Reports faults in the use of the words, and repairs them so that parsing can go on.
said say_in_c(clang::Preprocessor&, const std::vector<clang::Token>& tokens,
              const clang::Token& end);

}  // namespace terrane::compiler
