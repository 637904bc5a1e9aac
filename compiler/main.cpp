// SPDX-License-Identifier: Apache-2.0
// main.cpp: terrane-cc, the compiler of Threaded-C; `terrane cc` runs it.
#include "compiler/driver/drive.hpp"

int main(int argc, char** argv) {
  return terrane::compiler::drive(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
}
