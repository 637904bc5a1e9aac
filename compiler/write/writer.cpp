// SPDX-License-Identifier: Apache-2.0
#include "compiler/write/writer.hpp"

#include <set>

#include "compiler/write/function_writer.hpp"

namespace terrane::compiler {

std::string write(const unit& from) {
  text_writer out(from);
  out.add(from.threaded ? "#include \"terrane/threaded_c.h\"\n"
                        : "#include \"terrane/c/node_data.h\"\n");
  std::set<std::string> declared;
  token_index done = 0;
  for (const replaced_part& part : from.parts) {
    out.write({done, part.tokens.begin});
    out.pass(part.tokens.begin);
    if (part.declares && declared.insert(part.declares->name).second)
      write_declaration(out, *part.declares);
    if (part.defines) write_definition(out, from, *part.defines);
    done = part.tokens.end;
  }
  out.write({done, static_cast<token_index>(from.tokens.size())});
  out.add(from.after + "\n");
  return out.take();
}

}  // namespace terrane::compiler
