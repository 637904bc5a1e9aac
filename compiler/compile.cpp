// SPDX-License-Identifier: Apache-2.0
#include "compiler/compile.hpp"

#include "compiler/read/build.hpp"
#include "compiler/read/frontend.hpp"
#include "compiler/read/rules.hpp"
#include "compiler/write/writer.hpp"
#include "llvm/Support/CrashRecoveryContext.h"

namespace terrane::compiler {

namespace {

void compile_into(compilation& result, const source& from, const read_options& options) {
  parse(from, options, result, [&](const parsed& text) {
    if (from.threaded) check_rules(text);
    if (result.errors != 0) return;
    const unit model = build(text);
    if (result.errors == 0) result.c = write(model);
  });
}

}  // namespace

compilation compile(const source& from, const read_options& options) {
  // On a stack of its own, for texts that nest deeply; whatever befalls the parser there ends this
  // compilation alone.
  constexpr unsigned stack_bytes = 256u << 20;
  compilation result;
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext guard;
  if (guard.RunSafelyOnThread([&] { compile_into(result, from, options); }, stack_bytes))
    return result;
  compilation failed;
  failed.errors = 1;
  failed.rendered = "terrane cc: error: " + from.path +
                    " is beyond the parser: it nests too deeply, or shows a fault in it; make the "
                    "text simpler\n";
  failed.messages.push_back({message::severity::error, from.path, 0, 0, failed.rendered});
  return failed;
}

}  // namespace terrane::compiler
