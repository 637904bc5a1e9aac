// SPDX-License-Identifier: Apache-2.0
// expect: what crosses to another node must be trivially copyable: send its parts
#include <string>

#include "terrane/threads.hpp"

#ifndef CURED
std::string name_of(int number) { return std::to_string(number); }
#else
long name_of(int number) { return static_cast<long>(std::to_string(number).size()); }
#endif

auto ask() { return terrane::spawn(name_of, 7).join(); }
