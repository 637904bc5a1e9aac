// SPDX-License-Identifier: Apache-2.0
#include "compiler/read/messages.hpp"

#include <algorithm>

#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/TextDiagnostic.h"
#include "compiler/read/wording.hpp"

namespace terrane::compiler {

/// True for warnings about a variable's value: right only if no other fiber can write it.
static bool of_values(unsigned id) {
  using namespace clang::diag;
  return id == warn_uninit_var || id == warn_sometimes_uninit_var || id == warn_maybe_uninit_var ||
         id == warn_uninit_const_reference;
}

/// True for warnings of Clang's flow analysis that are never right: it sees one function, but other
/// fibers and other nodes write a frame's variables.
static bool flow_of_one_function(unsigned id) {
  using namespace clang::diag;
  return id == warn_unused_but_set_variable || id == warn_strict_uses_without_prototype ||
         id == warn_infinite_recursive_function;
}

/// True for a place in the prelude before the user's text, or in one of Terrane's headers.
static bool of_the_prelude(const clang::Diagnostic& what) {
  if (!what.hasSourceManager() || what.getLocation().isInvalid()) return false;
  const auto& places = what.getSourceManager();
  const auto where = places.getExpansionLoc(what.getLocation());
  if (places.isWrittenInBuiltinFile(where)) return true;
  const auto shown = places.getPresumedLoc(where);
  return shown.isValid() && places.isInSystemHeader(where) &&
         llvm::StringRef(shown.getFilename()).contains("/terrane/");
}

void message_collector::HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                                         const clang::Diagnostic& what) {
  using engine = clang::DiagnosticsEngine;
  if (level == engine::Ignored) return;
  if (level != engine::Note)
    notes_ = threaded_ && of_values(what.getID()) ? notes::kept
             : flow_of_one_function(what.getID()) ? notes::silent
                                                  : notes::told;
  if (level != engine::Note && said_before(level, what)) notes_ = notes::silent;
  if (notes_ == notes::silent) return;
  if (notes_ == notes::kept) {
    if (level != engine::Note) kept_.emplace_back();
    kept_.back().places.push_back(what.getLocation());
    kept_.back().all.push_back(render(level, what));
    return;
  }
  if (level == engine::Note && of_the_prelude(what)) return;
  DiagnosticConsumer::HandleDiagnostic(level, what);
  tell(render(level, what));
}

void message_collector::tell_kept(
    const std::function<bool(const std::vector<clang::SourceLocation>&)>& holds) {
  for (kept& each : kept_)
    if (holds(each.places))
      for (told& one : each.all) tell(std::move(one));
  kept_.clear();
}

/// True if the same message exists already: Clang may read a word's argument twice, and then finds
/// its faults twice.
bool message_collector::said_before(clang::DiagnosticsEngine::Level level,
                                    const clang::Diagnostic& what) const {
  const message made = render(level, what).said;
  return std::any_of(result_.messages.begin(), result_.messages.end(), [&](const message& each) {
    return each.level == made.level && each.file == made.file && each.line == made.line &&
           each.column == made.column && each.text == made.text;
  });
}

void message_collector::tell(told what) {
  if (what.said.level == message::severity::error) ++result_.errors;
  if (what.said.level == message::severity::warning) ++result_.warnings;
  result_.rendered += what.rendered;
  result_.messages.push_back(std::move(what.said));
}

message_collector::told message_collector::render(clang::DiagnosticsEngine::Level level,
                                                  const clang::Diagnostic& what) const {
  using engine = clang::DiagnosticsEngine;
  told made;
  message& said = made.said;
  said.level = level == engine::Note      ? message::severity::note
               : level == engine::Warning ? message::severity::warning
               : level == engine::Remark  ? message::severity::note
                                          : message::severity::error;
  said.text = in_our_words(what);
  llvm::raw_string_ostream out(made.rendered);
  if (what.hasSourceManager() && what.getLocation().isValid() && language_) {
    auto& places = what.getSourceManager();
    clang::SourceLocation where = what.getLocation();
    // A message about the inside of a word of the language is reported at the word itself.
    if (where.isMacroID() && places.isInSystemMacro(where)) where = places.getFileLoc(where);
    const auto shown = places.getPresumedLoc(places.getExpansionLoc(where));
    if (shown.isValid()) {
      said.file = shown.getFilename();
      said.line = shown.getLine();
      said.column = shown.getColumn();
    }
    clang::TextDiagnostic text(out, *language_, &options_);
    text.emitDiagnostic(clang::FullSourceLoc(where, places), level, said.text, what.getRanges(),
                        what.getFixItHints());
  } else {
    out << "terrane cc: " << (said.level == message::severity::error ? "error: " : "") << said.text
        << '\n';
  }
  out.flush();
  return made;
}

}  // namespace terrane::compiler
