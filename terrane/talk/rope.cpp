// SPDX-License-Identifier: Apache-2.0
#include "terrane/talk/rope.hpp"

#include <algorithm>

#include "terrane/core/failure.hpp"
#include "terrane/talk/letter_errors.hpp"
#include "terrane/talk/post_office.hpp"

namespace terrane {

namespace {

struct member_key {
  std::int32_t colour, key;
  std::uint32_t rank;
};

[[noreturn, gnu::cold]] void no_such_rank(const char* what, long rank, std::size_t members) {
  fail(run_time_error::message_out_of_range,
       "%s %ld of a rope of %zu members: ranks go from 0 to %zu", what, rank, members, members - 1);
}

}  // namespace

// --- where members begin ---

rope_mapping rope_mapping::block() {
  return {[](std::uint32_t rank, std::uint32_t members) {
    return static_cast<node_id>(std::uint64_t{rank} * terrane_nodes() / members);
  }};
}
rope_mapping rope_mapping::cyclic() {
  return {[](std::uint32_t rank, std::uint32_t) { return rank % terrane_nodes(); }};
}
rope_mapping rope_mapping::by(std::function<node_id(std::uint32_t rank)> node_of_rank) {
  return {
      [which = std::move(node_of_rank)](std::uint32_t rank, std::uint32_t) { return which(rank); }};
}

void require_members(std::uint32_t n) {
  if (n == 0)
    fail(run_time_error::message_out_of_range,
         "a rope of 0 members was asked for: it has at least one");
}

processor_id landing_of(const rope_mapping& mapping, std::uint32_t rank, std::uint32_t members) {
  const node_id node = mapping.node_of(rank, members);
  if (node >= terrane_nodes())
    fail(run_time_error::message_out_of_range,
         "the mapping of a rope puts rank %u on node %u of a machine of %u", rank, node,
         terrane_nodes());
  const std::uint32_t each = here().processors_per_node();
  return node * each + rank % each;
}

void begin_member(terrane_slot_ref name) {
  rope_desk::here().begin(name);
  post_office::here().own_box().made_for = name;
}

rope this_rope() {
  const letter_box& mine = post_office::here().own_box();
  if (mine.made_for == 0)
    fail(run_time_error::not_a_member,
         "this_rope() was called in thread %s, which no rope::create made",
         thread_block::current("this_rope").thread_name());
  return rope(mine.made_for);
}

void started_rope::join() {
  std::exception_ptr first;
  here().pay_nothing();
  for (thread& each : threads_) {
    try {
      each.join();
    } catch (...) {
      if (!first) first = std::current_exception();
    }
    here().pay_nothing();  // it waits anew for each
  }
  threads_.clear();
  if (first) std::rethrow_exception(first);
}

rope rope::of(std::span<const thread_id> ids) {
  require_members(static_cast<std::uint32_t>(ids.size()));
  std::vector<terrane_slot_ref> names;
  for (const thread_id each : ids) names.push_back(each.name);
  const rope made(desk().new_name());
  desk().found(made.name(), std::move(names));
  return made;
}

// --- ranks ---

thread_id rope::id_of(int rank) const {
  if (rank == no_rank) return no_thread;
  if (rank == any_rank) return any_source;
  const auto& members = desk().members(name_);
  if (rank < 0 || static_cast<std::size_t>(rank) >= members.size())
    no_such_rank("a message was for rank", rank, members.size());
  return {members[static_cast<std::size_t>(rank)]};
}

int rope::rank_of(thread_id id) const {
  const auto& ranks = desk().membership(name_).station->ranks;
  const auto found = ranks.find(id.name);
  return found == ranks.end() ? -1 : static_cast<int>(found->second);
}

std::uint32_t rope::checked(int root) const {
  const auto& members = desk().members(name_);
  if (root < 0 || static_cast<std::size_t>(root) >= members.size())
    no_such_rank("a collective has the root", root, members.size());
  return static_cast<std::uint32_t>(root);
}

// --- together ---

namespace {

transfer collecting(const rope_membership& who, const collective& how, const receive_room& into,
                    call_place where) {
  return {.what = transfer::collects,
          .peer = 0,
          .tag = who.rank,
          .type = how.what,
          .context = who.rope,
          .buffer = into.start,
          .bytes = into.start ? into.bytes : 0,
          .where = where};
}

}  // namespace

void rope::together(const collective& how, bytes_view brings, const receive_room& into,
                    call_place where) const {
  letter_box& mine = post_office::here().own_box();
  rope_membership& who = desk().membership(mine, name_);  // its thread may move meanwhile
  post_office& office = post_office::here();
  transfer one = collecting(who, how, into, where);
  one.owner = mine.owner;
  transfer_wait until{1};
  one.waiter = &until;
  ++mine.heap->transfers;
  office.ropes().enter(mine, who, one, how, brings.data);
  while (!one.is_done) {
    office.wait(thread_block::current(one.verb()), mine, until, one);
    if (TERRANE_UNLIKELY(!one.is_done)) office.throw_if_lost(mine, one);
  }
}

request rope::begin_together(const collective& how, bytes_view brings, const receive_room& into,
                             call_place where) const {
  letter_box& mine = post_office::here().own_box();
  rope_membership& who = desk().membership(mine, name_);
  transfer& one = mine.make_transfer(collecting(who, how, into, where));
  one.owner = mine.owner;
  ++mine.heap->transfers;
  desk().enter(mine, who, one, how, brings.data);
  return request(one);
}

rope rope::split(int colour, int key, call_place where) const {
  const auto me = static_cast<std::uint32_t>(rank());
  std::vector<member_key> all(static_cast<std::size_t>(size()));
  const member_key mine{colour, key, me};
  together({collective::all_to_all_members, collective::no_root, sizeof mine,
            all.size() * sizeof mine, 0},
           {&mine, sizeof mine}, {all.data(), all.size() * sizeof mine}, where);
  std::erase_if(all, [&](const member_key& each) { return each.colour != colour; });
  std::sort(all.begin(), all.end(), [](const member_key& a, const member_key& b) {
    return a.key != b.key ? a.key < b.key : a.rank < b.rank;
  });
  rope made;
  if (all[0].rank != me) {
    receive_bytes(privately(static_cast<int>(all[0].rank)), {&made, sizeof made, 0}, where);
    return made;
  }
  std::vector<thread_id> ids;
  for (const member_key& each : all) ids.push_back(id_of(static_cast<int>(each.rank)));
  made = of(ids);
  for (const member_key& each : all)
    if (each.rank != me)
      send_bytes(privately(static_cast<int>(each.rank)), {&made, sizeof made}, 0, send_form::usual,
                 where);
  return made;
}

}  // namespace terrane
