// SPDX-License-Identifier: Apache-2.0
// letter_errors.hpp: what is said of sends and receives that cannot be, and of those that wait.
#pragma once

#include <string>

#include "terrane/talk/call_place.hpp"
#include "terrane/talk/letter.hpp"

namespace terrane {

class letter_box;
class rope_desk;
struct transfer;

/// `jacobi.cpp:88`
std::string short_place(const call_place& where);
///
[[noreturn, gnu::cold]] void too_long(const transfer& into, const letter& head);
/// R-300, of a share of a collective: elements, not bytes.
[[noreturn, gnu::cold]] void share_too_long(std::size_t elements, std::size_t room,
                                            const call_place& where);
/// a collective is told so many lengths, and not one for each member.
[[noreturn, gnu::cold]] void other_count_of_shares(std::size_t lengths, std::size_t members,
                                                   const call_place& where);
///
[[noreturn, gnu::cold]] void no_such_tag(const char* verb, long tag, const call_place&);
///
[[noreturn, gnu::cold]] void to_ended(const letter& head);
///
[[noreturn, gnu::cold]] void other_type(const transfer& into, const letter& head);
///
[[noreturn, gnu::cold]] void not_its_request(const transfer& one);

/// `rank 3 <1,4> in recv from rank 4 <2,4>, tag 7, jacobi.cpp:88`
std::string describe(const transfer& one, terrane_slot_ref whose, const rope_desk& ropes);
/// What the thread with that box waits for, and what has come and is not that.
/// ropes: of its processor, which knows ranks.
std::string describe(const letter_box& waits, const rope_desk& ropes);

}  // namespace terrane
