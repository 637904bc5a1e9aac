// SPDX-License-Identifier: Apache-2.0
#include "terrane/talk/letter_errors.hpp"

#include <string_view>

#include "terrane/core/failure.hpp"
#include "terrane/talk/letter_box.hpp"
#include "terrane/talk/rope_desk.hpp"

namespace terrane {

namespace {

std::string tag_text(std::uint32_t tag) {
  return tag == transfer::every_tag ? "any tag" : "tag " + std::to_string(tag);
}

const char* direction(const transfer& one) { return one.what == transfer::sends ? "to" : "from"; }

}  // namespace

std::string short_place(const call_place& where) {
  const std::string_view path = where.file_name();
  return std::string(path.substr(path.rfind('/') + 1)) + ":" + std::to_string(where.line());
}

void too_long(const transfer& into, const letter& head) {
  fail(run_time_error::message_too_long,
       "a message of %llu bytes from %s, tag %u, is longer than the %zu bytes that %s receives at "
       "%s: probe() says how long the next one is",
       static_cast<unsigned long long>(head.bytes), printed_name(head.from).c_str(), head.tag,
       into.bytes, printed_name(head.to).c_str(), short_place(into.where).c_str());
}

void share_too_long(std::size_t elements, std::size_t room, const call_place& where) {
  fail(run_time_error::message_too_long,
       "a share of the collective at %s ends after %zu elements, where there is room for %zu: the "
       "array of all has room for the shares of all members",
       short_place(where).c_str(), elements, room);
}

void other_count_of_shares(std::size_t lengths, std::size_t members, const call_place& where) {
  fail(run_time_error::message_too_long,
       "the collective at %s has %zu lengths of shares and %zu members: it takes one for each, or "
       "none where all are equal",
       short_place(where).c_str(), lengths, members);
}

void no_such_tag(const char* verb, long tag, const call_place& where) {
  fail(run_time_error::message_out_of_range,
       "%s at %s has the tag %ld: tags go from 0 to 2147483647, and any_tag is for receives", verb,
       short_place(where).c_str(), tag);
}

void to_ended(const letter& head) {
  fail(run_time_error::message_to_ended,
       "%s sent %llu bytes, tag %u, to %s, which has ended: receive all that is sent before a "
       "thread ends",
       printed_name(head.from).c_str(), static_cast<unsigned long long>(head.bytes), head.tag,
       printed_name(head.to).c_str());
}

void other_type(const transfer& into, const letter& head) {
  fail(run_time_error::message_type,
       "a message of %llu bytes from %s, tag %u, has elements of another type than those that %s "
       "receives at %s: both sides name the same type",
       static_cast<unsigned long long>(head.bytes), printed_name(head.from).c_str(), head.tag,
       printed_name(head.to).c_str(), short_place(into.where).c_str());
}

void not_its_request(const transfer& one) {
  fail(run_time_error::request_misused,
       "a thread asks for the %s that %s began at %s: a request belongs to the thread that made it",
       one.verb(), printed_name(one.owner).c_str(), short_place(one.where).c_str());
}

std::string describe(const transfer& one, terrane_slot_ref whose, const rope_desk& ropes) {
  if (one.what == transfer::collects) {
    collective how;
    how.what = static_cast<collective::kind>(one.type);
    return printed_name(whose) + ", rank " + std::to_string(one.tag) + " of rope " +
           printed_name(one.context) + ", is in " + how.name() + ", " + short_place(one.where);
  }
  const terrane_slot_ref rope = rope_of(one);
  const auto named = [&](terrane_slot_ref who) {
    return who == any_source.name ? "any thread" : ropes.name_in(rope, who);
  };
  return named(whose) + " in " + one.verb() + " " + direction(one) + " " + named(one.peer) + ", " +
         tag_text(one.tag) + ", " + short_place(one.where);
}

std::string describe(const letter_box& waits, const rope_desk& ropes) {
  const transfer& one = *waits.waits_on;
  if (one.what == transfer::collects)
    return "the other members: " + describe(one, waits.owner, ropes);
  std::string text = describe(one, waits.owner, ropes);
  int listed = 0;
  for (const kept_letter* each = waits.first_kept(); each; each = each->next) {
    text += listed == 0 ? "; came and not received: " : ", ";
    if (++listed > 3) return text + "...";
    text += "tag " + std::to_string(each->head.tag) + " from " + printed_name(each->head.from);
  }
  return text;
}

}  // namespace terrane
