// SPDX-License-Identifier: Apache-2.0
#include "compiler/compile.hpp"

#include <signal.h>

#include <memory>

#include "compiler/read/build.hpp"
#include "compiler/read/frontend.hpp"
#include "compiler/read/rules.hpp"
#include "compiler/write/writer.hpp"
#include "llvm/Support/CrashRecoveryContext.h"

namespace terrane::compiler {

namespace {

void list_declared(const unit& from, compilation& result) {
  const auto place_of = [&](token_index token) {
    for (const piece& each : from.pieces)
      if (each.tokens.end > token) return each.where;
    return place{};
  };
  for (const replaced_part& each : from.parts) {
    if (!each.declares || each.defines || each.declares->is_static) continue;
    const place where = place_of(each.tokens.begin);
    result.declared.push_back({each.declares->name, from.files[where.file], where.line});
  }
}

void compile_into(compilation& result, const source& from, const read_options& options,
                  reading_point& point) {
  parse(from, options, result, point, [&](const parsed& text) {
    if (from.threaded) check_rules(text);
    if (result.errors != 0) return;
    unit model = build(text);
    model.strict_exit = options.strict_exit;
    list_declared(model, result);
    if (result.errors == 0) result.c = write(model);
  });
}

/// While it exists, this thread runs its fault handlers on a second stack, as a full stack needs.
class spare_stack {
 public:
  spare_stack() {
    const stack_t spare{memory_.get(), 0, bytes};
    sigaltstack(&spare, &before_);
    for (const int each : {SIGSEGV, SIGBUS}) {  // the guard's handlers
      struct sigaction how{};
      sigaction(each, nullptr, &how);
      how.sa_flags |= SA_ONSTACK;
      sigaction(each, &how, nullptr);
    }
  }
  ~spare_stack() { sigaltstack(&before_, nullptr); }
  spare_stack(const spare_stack&) = delete;
  spare_stack& operator=(const spare_stack&) = delete;

 private:
  static constexpr std::size_t bytes = 256 << 10;
  const std::unique_ptr<char[]> memory_ = std::make_unique<char[]>(bytes);
  stack_t before_{};
};

/// The result after a crash of the parser: one error at the place that was reached.
compilation break_down(const source& from, const reading_point& point) {
  message said{message::severity::error, from.path, 1, 1, ""};
  if (point.places && point.where.isValid()) {
    const auto place = point.places->getPresumedLoc(point.places->getExpansionLoc(point.where));
    if (place.isValid())
      said = {message::severity::error, place.getFilename(), place.getLine(), place.getColumn(),
              ""};
  }
  said.text = point.in_parser
                  ? "the parser broke down here: the text nests too deeply, or a function stands "
                    "where a handle is wanted; make it simpler"
                  : "the compiler broke down on this text, a fault of its own: please report it "
                    "with the text";
  compilation failed;
  failed.errors = 1;
  failed.rendered = said.file + ":" + std::to_string(said.line) + ":" +
                    std::to_string(said.column) + ": error: " + said.text + "\n";
  failed.messages.push_back(std::move(said));
  return failed;
}

}  // namespace

compilation compile(const source& from, const read_options& options) {
  // Runs on a large stack of its own, because a text may nest deeply. A crash of the parser there
  // ends this compilation only.
  constexpr unsigned stack_bytes = 256u << 20;
  compilation result;
  reading_point point;
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext guard;
  const bool ended = guard.RunSafelyOnThread(
      [&] {
        const spare_stack for_faults;
        compile_into(result, from, options, point);
      },
      stack_bytes);
  return ended ? result : break_down(from, point);
}

}  // namespace terrane::compiler
