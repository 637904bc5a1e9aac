// SPDX-License-Identifier: Apache-2.0
// letter_errors.hpp: what is said of sends and receives that cannot be, and of those that wait.
#pragma once

#include <source_location>
#include <string>

#include "terrane/talk/letter.hpp"

namespace terrane {

class letter_box;
struct transfer;

/// `jacobi.cpp:88`
std::string short_place(const std::source_location& where);
///
[[noreturn, gnu::cold]] void too_long(const transfer& into, const letter& head);
///
[[noreturn, gnu::cold]] void no_such_tag(const char* verb, long tag, const std::source_location&);
///
[[noreturn, gnu::cold]] void to_ended(const letter& head);
///
[[noreturn, gnu::cold]] void other_type(const transfer& into, const letter& head);
///
[[noreturn, gnu::cold]] void not_its_request(const transfer& one);

/// What the thread with that box waits for, and what has come and is not that.
std::string describe(const letter_box& waits);

}  // namespace terrane
