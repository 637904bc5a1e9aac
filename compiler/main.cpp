// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <fstream>
#include <sstream>
#include "compiler/compile.hpp"
using namespace terrane::compiler;
int main(int, char** argv) {
  std::ifstream in(argv[1]); std::stringstream all; all << in.rdbuf();
  read_options o; o.builtin_headers = "/usr/lib/llvm-19/lib/clang/19/include";
  o.system_include_folders = {"/tmp/wt/tc", "/usr/local/include", "/usr/include/x86_64-linux-gnu", "/usr/include"};
  o.warnings = {"all"};
  compilation c = compile({argv[1], all.str(), true}, o);
  fputs(c.rendered.c_str(), stderr);
  fputs(c.c.c_str(), stdout);
  return c.errors != 0;
}
