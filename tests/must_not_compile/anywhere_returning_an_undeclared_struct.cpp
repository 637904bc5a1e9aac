// SPDX-License-Identifier: Apache-2.0
// expect: this type cannot leave its node: declare terrane_pack and terrane_unpack for it beside
#include <string>

#include "terrane/thread/spawn_anywhere.hpp"

struct word {
  std::string text;
};
#ifdef CURED
void terrane_pack(terrane::packing& into, const word& one) { into(one.text); }
void terrane_unpack(terrane::unpacking& from, word& one) { from(one.text); }
#endif

word name_of(int number) { return {std::to_string(number)}; }
auto ask() { return terrane::spawn_anywhere<name_of>(7).join(); }
