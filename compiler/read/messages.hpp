// SPDX-License-Identifier: Apache-2.0
// messages.hpp: Clang's messages, in the words of Threaded-C, collected.
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

  /// What Clang's flow analysis found is kept until it is known which variables are the frame's,
  /// which other fibers write. places: of the message and its notes; one of them is the variable's.
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
  enum class notes { told, silent, kept } notes_ = notes::told;  // as the message before them
  std::vector<kept> kept_;
};

}  // namespace terrane::compiler
