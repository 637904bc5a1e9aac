// SPDX-License-Identifier: Apache-2.0
#include "compiler/read/messages.hpp"

#include <string_view>

#include "clang/AST/Decl.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/TextDiagnostic.h"
#include "clang/Lex/Lexer.h"

namespace terrane::compiler {

namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

/// What Clang says of the C that the words became, said of the words.
struct wording {
  unsigned id;
  const char* text;  // null: left out
};
constexpr const char* handle_and_pointer = "E220: a GLOBAL handle and a local pointer do not mix: ";
constexpr const char* handle_cure =
    "; TO_GLOBAL(pointer) makes a handle, TO_LOCAL(handle) gives the pointer on its own node";

/// `int (*GLOBAL p)` -> `int *GLOBAL p`, where the brackets mean nothing.
std::string without_brackets(std::string text) {
  constexpr std::string_view opening = "(*GLOBAL";
  for (std::size_t at = 0; (at = text.find(opening, at)) != std::string::npos; ++at) {
    std::size_t close = at + 1;
    for (int depth = 1; close < text.size(); ++close) {
      if (text[close] == '(') ++depth;
      if (text[close] == ')' && --depth == 0) break;
    }
    if (close >= text.size()) break;
    if (close + 1 < text.size() && (text[close + 1] == '(' || text[close + 1] == '[')) continue;
    text.erase(close, 1);
    text.erase(at, 1);
  }
  return text;
}

/// 'typeof (*(&d)) *GLOBAL' (aka 'double *GLOBAL') -> 'double *GLOBAL': TO_GLOBAL says it so.
void show_what_is_meant(std::string& text) {
  constexpr std::string_view opening = "'typeof", meant = "' (aka '";
  for (std::size_t at; (at = text.find(opening)) != std::string::npos;) {
    const std::size_t aka = text.find(meant, at);
    const std::size_t end = aka == std::string::npos ? aka : text.find("')", aka + meant.size());
    if (end == std::string::npos) return;
    text.erase(end + 1, 1);
    text.erase(at, aka + meant.size() - 1 - at);
  }
}

}  // namespace

std::string spell_handles(std::string text) {
  constexpr std::string_view mark = "__global ";
  for (std::size_t at; (at = text.find(mark)) != std::string::npos;) {
    text.erase(at, mark.size());
    const std::size_t star = text.find('*', at);
    if (star == std::string::npos) continue;
    const bool glued =
        star + 1 < text.size() && (std::isalnum(text[star + 1]) != 0 || text[star + 1] == '_');
    text.insert(star + 1, glued ? "GLOBAL " : "GLOBAL");
  }
  replace_all(text, "__local struct terrane_place_of_slot *", "SPTR");
  replace_all(text, "struct terrane_place_of_slot (__local *)", "SPTR");
  return without_brackets(std::move(text));
}

std::string message_collector::in_our_words(const clang::Diagnostic& what) const {
  llvm::SmallString<200> text;
  what.FormatDiagnostic(text);
  std::string said = spell_handles(std::string(text));
  switch (what.getID()) {
    case clang::diag::err_typecheck_incompatible_address_space:
    case clang::diag::err_typecheck_incompatible_nested_address_space:
    case clang::diag::err_typecheck_op_on_nonoverlapping_address_space_pointers:
      replace_all(said, " changes address space of pointer", "");
      replace_all(said, " changes address space of nested pointer", "");
      replace_all(said, " which are pointers to non-overlapping address spaces", "");
      said = handle_and_pointer + said + handle_cure;
      break;
    case clang::diag::err_break_not_in_loop_or_switch:
    case clang::diag::err_continue_not_in_loop:
      said = "E212: " + said + " of this fiber or function; END_FIBER ends a fiber";
      break;
    default: break;
  }
  show_what_is_meant(said);
  replace_all(said, " (aka 'struct terrane_place_of_slot (__local *)')", "");
  replace_all(said, " (aka '__local struct terrane_place_of_slot *')", "");
  replace_all(said, " (aka 'struct SLOT')", "");
  return said;
}

/// A frame's variables are written by other fibers and by other nodes: Clang's flow analysis, which
/// sees one function, knows nothing of it.
static bool flow_of_one_function(unsigned id) {
  using namespace clang::diag;
  return id == warn_uninit_var || id == warn_sometimes_uninit_var || id == warn_maybe_uninit_var ||
         id == warn_uninit_const_reference || id == note_uninit_var_use ||
         id == warn_unused_but_set_variable || id == warn_strict_uses_without_prototype ||
         id == warn_infinite_recursive_function;
}

void message_collector::HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                                         const clang::Diagnostic& what) {
  using engine = clang::DiagnosticsEngine;
  if (level == engine::Ignored) return;
  if (level == engine::Note && silent_notes_) return;
  silent_notes_ = flow_of_one_function(what.getID());
  if (silent_notes_) return;
  DiagnosticConsumer::HandleDiagnostic(level, what);

  message said;
  said.level = level == engine::Note      ? message::severity::note
               : level == engine::Warning ? message::severity::warning
               : level == engine::Remark  ? message::severity::note
                                          : message::severity::error;
  said.text = in_our_words(what);
  if (said.level == message::severity::error) ++result_.errors;
  if (said.level == message::severity::warning) ++result_.warnings;

  llvm::raw_string_ostream out(result_.rendered);
  if (what.hasSourceManager() && what.getLocation().isValid() && language_) {
    auto& places = what.getSourceManager();
    const auto shown = places.getPresumedLoc(places.getExpansionLoc(what.getLocation()));
    if (shown.isValid()) {
      said.file = shown.getFilename();
      said.line = shown.getLine();
      said.column = shown.getColumn();
    }
    clang::TextDiagnostic text(out, *language_, &options_);
    text.emitDiagnostic(clang::FullSourceLoc(what.getLocation(), places), level, said.text,
                        what.getRanges(), what.getFixItHints());
  } else {
    out << "terrane cc: " << (said.level == message::severity::error ? "error: " : "") << said.text
        << '\n';
  }
  out.flush();
  result_.messages.push_back(std::move(said));
}

}  // namespace terrane::compiler
