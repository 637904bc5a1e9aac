// SPDX-License-Identifier: Apache-2.0
#include "compiler/compile.hpp"

#include "compiler/read/build.hpp"
#include "compiler/read/frontend.hpp"
#include "compiler/read/rules.hpp"
#include "compiler/write/writer.hpp"

namespace terrane::compiler {

compilation compile(const source& from, const read_options& options) {
  compilation result;
  parse(from, options, result, [&](const parsed& text) {
    if (from.threaded) check_rules(text);
    if (result.errors != 0) return;
    const unit model = build(text);
    if (result.errors == 0) result.c = write(model);
  });
  return result;
}

}  // namespace terrane::compiler
