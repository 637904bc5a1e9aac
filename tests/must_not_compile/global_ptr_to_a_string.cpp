// SPDX-License-Identifier: Apache-2.0
// expect: what crosses to another node must be trivially copyable
#include "terrane/threads.hpp"

#include <string>

#ifndef CURED
std::size_t length(terrane::global_ptr<std::string> place) { return place[0].read().size(); }
#else
std::size_t length(terrane::global_ptr<std::string> place) { return place.local()->size(); }
#endif
