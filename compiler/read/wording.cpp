// SPDX-License-Identifier: Apache-2.0
#include "compiler/read/wording.hpp"

#include <cctype>
#include <optional>
#include <string_view>

#include "clang/AST/Decl.h"
#include "clang/Basic/DiagnosticLex.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "compiler/read/operations.hpp"
#include "compiler/read/shape.hpp"

namespace terrane::compiler {

namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

constexpr const char* handle_and_pointer = "E220: a GLOBAL handle and a local pointer do not mix: ";
constexpr const char* handle_cure =
    "; TO_GLOBAL(pointer) makes a handle, TO_LOCAL(handle) gives the pointer on its own node";

/// `int (*GLOBAL p)` -> `int *GLOBAL p`, where the brackets have no effect.
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

/// 'typeof (*(&d)) *GLOBAL' (aka 'double *GLOBAL') -> 'double *GLOBAL', for types
/// that come from TO_GLOBAL.
void show_what_is_meant(std::string& text) {
  constexpr std::string_view meant = "' (aka '";
  for (const std::string_view opening : {"'typeof", "'__constant typeof"})
    for (std::size_t at; (at = text.find(opening)) != std::string::npos;) {
      const std::size_t aka = text.find(meant, at);
      const std::size_t end = aka == std::string::npos ? aka : text.find("')", aka + meant.size());
      if (end == std::string::npos) return;
      text.erase(end + 1, 1);
      text.erase(at, aka + meant.size() - 1 - at);
    }
}

/// '__constant int *' -> 'APTR(int)'
void show_argument_places(std::string& text) {
  constexpr std::string_view mark = "__constant ";
  for (std::size_t at; (at = text.find(mark)) != std::string::npos;) {
    text.erase(at, mark.size());
    const std::size_t star = text.find('*', at);
    if (star == std::string::npos) return;
    const std::size_t end = star > at && text[star - 1] == ' ' ? star - 1 : star;
    text.replace(end, star + 1 - end, ")");
    text.insert(at, "APTR(");
  }
}

/// The name of a type in the runtime's headers, and in Threaded-C.
struct type_name {
  std::string_view in_c, in_the_language;
};
constexpr type_name type_names[] = {
    {"terrane_lock", "LOCK"},           {"terrane_semaphore", "SEM"},
    {"terrane_istruct", "IS"},          {"terrane_mstruct", "MS"},
    {"terrane_channel", "CHAN"},        {"terrane_bichannel", "BICHAN"},
    {"terrane_reduction", "RED"},       {"terrane_barrier", "BARRIER"},
    {"terrane_mailbox", "MAILBOX"},     {"terrane_slot_ref", "SPTR"},
    {"terrane_global", "void *GLOBAL"},
};

/// 'LOCK' (aka 'struct terrane_lock') -> 'LOCK'
void say_types_once(std::string& text) {
  constexpr std::string_view meant = " (aka '";
  for (std::size_t at = 0; (at = text.find(meant, at)) != std::string::npos;) {
    const std::size_t end = text.find("')", at);
    const std::size_t begin = at < 2 ? at : text.rfind('\'', at - 2);
    if (end == std::string::npos || begin == std::string::npos) break;
    const std::string aka = text.substr(at + meant.size(), end - at - meant.size());
    const bool same = text.substr(begin + 1, at - 2 - begin) == aka;
    if (same || aka.find("terrane_") != std::string::npos || aka == "struct SLOT" || aka == "SPTR")
      text.erase(at, end + 2 - at);
    else
      at = end;
  }
  for (const type_name& each : type_names)
    for (const std::string before : {"'", " "})
      for (const std::string after : {"'", " ", "*"})
        replace_all(text, before + std::string(each.in_c) + after,
                    before + std::string(each.in_the_language) + after);
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

std::string spell_type(clang::QualType type) {
  std::string text = type.getAsString();
  if (text.find("typeof") != std::string::npos) text = type.getCanonicalType().getAsString();
  if (is_slot(type)) return "SLOT";
  if (is_slot_place(type)) return "SPTR";
  show_argument_places(text);
  return spell_handles(std::move(text));
}

namespace {

/// The user's text in that range.
std::string text_at(const clang::Diagnostic& what, clang::CharSourceRange range) {
  const auto& places = what.getSourceManager();
  range = clang::CharSourceRange::getTokenRange(places.getFileLoc(range.getBegin()),
                                                places.getFileLoc(range.getEnd()));
  return clang::Lexer::getSourceText(range, places, clang::LangOptions()).str();
}
std::string word_at(const clang::Diagnostic& what) {
  return text_at(what, clang::CharSourceRange::getTokenRange(what.getLocation()));
}

/// The two types of a conversion.
struct conversion {
  clang::QualType from, to;
};

std::optional<conversion> conversion_in(const clang::Diagnostic& what) {
  using namespace clang::diag;
  using engine = clang::DiagnosticsEngine;
  switch (what.getID()) {
    case err_typecheck_convert_incompatible:
    case err_typecheck_convert_incompatible_pointer:
    case ext_typecheck_convert_incompatible_pointer:
    case ext_typecheck_convert_int_pointer:
    case err_typecheck_convert_int_pointer:
    case ext_typecheck_convert_pointer_int:
    case err_typecheck_convert_pointer_int:
    case err_typecheck_incompatible_address_space:
    case err_typecheck_incompatible_nested_address_space: break;
    default: return std::nullopt;
  }
  if (what.getNumArgs() < 3 || what.getArgKind(0) != engine::ak_qualtype ||
      what.getArgKind(1) != engine::ak_qualtype)
    return std::nullopt;
  const auto type = [&](unsigned i) {
    return clang::QualType::getFromOpaquePtr(reinterpret_cast<void*>(what.getRawArg(i)));
  };
  const auto action = what.getRawArg(2);
  const bool target_first =
      action == clang::Sema::AA_Assigning || action == clang::Sema::AA_Initializing;
  return target_first ? conversion{type(1), type(0)} : conversion{type(0), type(1)};
}

/// The message about a conversion from or to a slot, an SPTR or an APTR; "" for any other.
std::string wrong_place(const clang::Diagnostic& what) {
  const auto found = conversion_in(what);
  if (!found) return "";
  const auto [from, to] = *found;
  const std::string said = what.getNumRanges() ? text_at(what, what.getRange(0)) : "";
  const std::string shown = said.empty() ? "this" : "'" + said + "'";
  if (is_slot(from)) {
    const std::string slot = "E241: " + shown + " is a slot, and stands where ";
    if (is_slot_place(to))
      return slot + "its place is wanted, an SPTR; write TO_SPTR(" + said + ")";
    return slot + "a value of type '" + spell_type(to) + "' is wanted";
  }
  if (is_argument_place(from) &&
      is_slot(from->getPointeeType()))  // the sentence of operation_rules.cpp
    return "E241: argument 1 of TO_APTR must be an argument of a fiber, as in "
           "TO_APTR(fiber.argument), and this is 'SLOT'";
  const std::string is = ", and " + shown + " is of type '" + spell_type(from) + "'";
  if (is_slot_place(to))
    return "E241: an SPTR is wanted here, the place of a slot as TO_SPTR(slot) makes it" + is;
  if (is_argument_place(to))
    return "E241: an " + spell_type(to) +
           " is wanted here, the place of a fiber's argument as TO_APTR(fiber.argument) makes it" +
           is;
  if (is_slot_place(from))
    return "E241: a value of type '" + spell_type(to) + "' is wanted here, and " + shown +
           " is an SPTR, the place of a slot, which is for SYNC and its like";
  if (is_argument_place(from))
    return "E241: a value of type '" + spell_type(to) + "' is wanted here, and " + shown +
           " is an APTR, the place of a fiber's argument, which is for SEND";
  return "";
}

/// "; the language has 'SYNC'" for SYCN; "" if no word is similar.
std::string similar_word(const std::string& said) {
  const std::size_t open = said.find('\''), close = said.find('\'', open + 1);
  if (close == std::string::npos) return "";
  const std::string name = said.substr(open + 1, close - open - 1);
  if (name.size() < 3 || std::isupper(static_cast<unsigned char>(name[0])) == 0) return "";
  constexpr std::string_view others[] = {
      "THREADED", "FIBER", "EXCLUSIVE", "PRIORITY", "SLOT",      "TOKEN",   "INVOKE", "GLOBAL",
      "SPTR",     "APTR",  "MAILBOX",   "NODE_ID",  "NUM_NODES", "NUM_SMP", "CHARGE", "OPERATION"};
  std::string_view best;
  unsigned distance = name.size() < 4 ? 2 : 3;
  const auto look = [&](std::string_view word) {
    const unsigned apart = llvm::StringRef(name).edit_distance(llvm::StringRef(word), true, 3);
    if (apart < distance) best = word, distance = apart;
  };
  for (const std::string_view word : others) look(word);
  for (const operation& each : operations()) look(each.name);
  return best.empty() ? "" : "; the language has '" + std::string(best) + "'";
}

}  // namespace

std::string in_our_words(const clang::Diagnostic& what) {
  using namespace clang::diag;
  if (std::string ours = wrong_place(what); !ours.empty()) return ours;
  llvm::SmallString<200> text;
  what.FormatDiagnostic(text);
  std::string said = spell_handles(std::string(text));
  switch (what.getID()) {
    case err_typecheck_incompatible_address_space:
    case err_typecheck_incompatible_nested_address_space:
    case err_typecheck_op_on_nonoverlapping_address_space_pointers:
      replace_all(said, " changes address space of pointer", "");
      replace_all(said, " changes address space of nested pointer", "");
      replace_all(said, " which are pointers to non-overlapping address spaces", "");
      said = handle_and_pointer + said + handle_cure;
      break;
    case err_break_not_in_loop_or_switch:
    case err_continue_not_in_loop:
      said = "E212: " + said + " of this fiber or function; END_FIBER ends a fiber";
      break;
    case err_typecheck_call_not_function:
      if (const std::string word = word_at(what); word == "INVOKE")
        said =
            "E203: INVOKE starts what stands second, and that is no threaded function; write "
            "INVOKE(node, f, arguments)";
      else if (word == "TOKEN")
        said =
            "E203: TOKEN starts what stands first, and that is no threaded function; write "
            "TOKEN(f, arguments)";
      break;
    case err_no_member:
      if (said.find("'struct (unnamed at ") != std::string::npos)
        said = said.substr(0, said.find(" in 'struct (unnamed")) + " in this struct or fiber";
      break;
    case ext_implicit_function_decl_c99:
    case err_undeclared_var_use:
    case err_unknown_typename: said += similar_word(said); break;
    default: break;
  }
  if (said.find("terrane_place_of_slot") != std::string::npos)
    return "E241: an SPTR is the place of one slot: it is passed on and signalled, and nothing is "
           "added to it or read through it";
  show_what_is_meant(said);
  show_argument_places(said);
  say_types_once(said);
  return said;
}

}  // namespace terrane::compiler
