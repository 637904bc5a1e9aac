// SPDX-License-Identifier: Apache-2.0
// messages.hpp: Clang's messages, in the words of Threaded-C, collected.
#pragma once

#include <string>

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "compiler/compile.hpp"

namespace terrane::compiler {

/// Clang's spelling of handle types in the language's: `int (__global *)` -> `int *GLOBAL`.
std::string spell_handles(std::string text);

class message_collector final : public clang::DiagnosticConsumer {
 public:
  message_collector(compilation& result, clang::DiagnosticOptions& options)
      : result_(result), options_(options) {}

  void BeginSourceFile(const clang::LangOptions& language, const clang::Preprocessor*) override {
    language_ = &language;
  }
  void HandleDiagnostic(clang::DiagnosticsEngine::Level, const clang::Diagnostic&) override;

 private:
  std::string in_our_words(const clang::Diagnostic&) const;

  compilation& result_;
  clang::DiagnosticOptions& options_;
  const clang::LangOptions* language_ = nullptr;
  bool silent_notes_ = false;  // the message before was left out
};

}  // namespace terrane::compiler
