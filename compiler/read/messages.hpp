// SPDX-License-Identifier: Apache-2.0
// messages.hpp: collects Clang's messages, worded in terms of Threaded-C.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "compiler/compile.hpp"

namespace terrane::compiler {

class message_collector final : public clang::DiagnosticConsumer {
 public:
  message_collector(compilation& result, clang::DiagnosticOptions& options, bool threaded)
      : result_(result), options_(options), threaded_(threaded) {}

  void BeginSourceFile(const clang::LangOptions& language, const clang::Preprocessor*) override {
    language_ = &language;
  }
  void HandleDiagnostic(clang::DiagnosticsEngine::Level, const clang::Diagnostic&) override;

  /// Reports the kept messages for which `holds` is true. Messages of Clang's flow analysis
  /// are kept until the frame's variables are known, because other fibers write these.
  /// places: of the message and its notes; one of them names the variable.
  void tell_kept(
      const std::function<bool(const std::vector<clang::SourceLocation>& places)>& holds);

 private:
  struct told {
    message said;
    std::string rendered;
  };
  struct kept {
    std::vector<clang::SourceLocation> places;
    std::vector<told> all;  // the message and its notes
  };

  told render(clang::DiagnosticsEngine::Level, const clang::Diagnostic&) const;
  bool said_before(clang::DiagnosticsEngine::Level, const clang::Diagnostic&) const;
  void tell(told);

  compilation& result_;
  clang::DiagnosticOptions& options_;
  const bool threaded_;
  const clang::LangOptions* language_ = nullptr;
  enum class notes {
    told,
    silent,
    kept
  } notes_ = notes::told;  // treated as the message they belong to
  std::vector<kept> kept_;
};

}  // namespace terrane::compiler
