// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/lent_desk.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "terrane/c/terrane_lent.h"
#include "terrane/core/failure.hpp"
#include "terrane/core/node.hpp"
#include "terrane/thread/desk_mail.hpp"
#include "terrane/thread/lent.hpp"
#include "terrane/thread/thread_heap.hpp"
#include "terrane/thread/thread_id.hpp"

namespace terrane {

namespace {

class lent_mail final : public desk_mail<lent_mail, desk_number::lent_data> {
 public:
  static constexpr char called[] = "desk of lent data";
  enum : std::uint32_t { ask_block, block, notice, ask_copy };
  using desk_mail::desk_mail;

  void operate(const operation_request& asked) override {
    lent_desk& desk = lent_desk::here();
    switch (asked.what) {
      case ask_block: return desk.serve(asked.as<lent_desk::block_request>());
      case block: return desk.take(asked.as<lent_desk::block_answer>(), asked.body);
      case notice: return desk.heed(asked.as<lent_desk::notice>());
      case ask_copy: return desk.share(asked.as<lent_desk::copy_request>());
    }
  }
};

[[noreturn, gnu::cold]] void no_longer_lent(terrane_slot_ref loan, const thread_block& me,
                                            const char* what) {
  fail(run_time_error::lent_misused,
       "thread %s %s %s, which are no longer lent: a loan ends with the par, or the thread, of its "
       "owner",
       me.thread_name(), what,
       loan == 0 ? "data that nobody lends" : ("data " + printed_name(loan)).c_str());
}

/// A node that runs in this process reads in place, unless messages are to be counted.
bool shares_memory(processor_id with) {
  const processor& self = here();
  const node_id node = terrane_node_of(with);
  return node == self.home().number() || (self.world().holds(node) && !self.world().prices);
}

bool is_lost(node_id node) {
  const processor& self = here();
  return self.world().losses && self.world().losses->is_lost(node * self.processors_per_node());
}

}  // namespace

lent_desk& lent_desk::here() { return thread_seat::here().lent(); }

// --- copies ---

void lent_copy::wake(block& one) {
  one.is_asked = false;
  for (const terrane_slot_ref each : std::exchange(one.waits, {})) terrane_signal(each);
}

void lent_copy::wake_all() {
  for (block& each : blocks) wake(each);
}

void lent_copy::learn(std::uint64_t heard) {
  if (heard <= version) return;
  version = heard;
  for (block& each : blocks) each.bytes.reset();
}

void lent_desk::drop_ended() {
  std::erase_if(copies_, [](const auto& each) {
    const node_lock::hold state(each.second->inside);
    return each.second->is_over;
  });
}

std::shared_ptr<lent_copy>& lent_desk::keep(terrane_slot_ref loan) {
  drop_ended();
  auto& found = copies_[loan];
  if (!found) found = std::make_shared<lent_copy>();
  return found;
}

/// The node's copy; the thread may wait for the station's answer.
std::shared_ptr<lent_copy> lent_desk::copy_of(terrane_slot_ref loan, thread_block& me) {
  if (const auto found = copies_.find(loan); found != copies_.end()) return found->second;
  const processor_id station = station_here(loan);
  if (station == terrane_here->number) return keep(loan);
  std::shared_ptr<lent_copy> shared;
  lent_mail::send(station, lent_mail::ask_copy, copy_request{loan, me.expect(), &shared});
  terrane::here().pay_nothing();
  me.block("lent data");
  terrane::here().pay_nothing();
  drop_ended();
  return copies_.try_emplace(loan, std::move(shared)).first->second;
}

void lent_desk::share(const copy_request& asked) {
  *asked.into = keep(asked.loan);
  terrane_signal(asked.told);
}

void lent_desk::read(terrane_slot_ref loan, std::size_t from, char* into, std::size_t bytes) {
  thread_block& me = thread_block::current("a read of lent data");
  if (loan == 0) no_longer_lent(loan, me, "reads");
  const std::shared_ptr<lent_copy> copy = copy_of(loan, me);
  const std::size_t first = from / lent_block_bytes;
  const std::size_t end = (from + bytes + lent_block_bytes - 1) / lent_block_bytes;
  for (;;) {
    std::vector<std::size_t> missing;
    {
      const node_lock::hold state(copy->inside);
      if (copy->is_over) no_longer_lent(loan, me, "reads");
      if (const char* const there = copy->in_place) {
        std::memcpy(into, there + from, bytes);
        return;
      }
      if (copy->blocks.size() < end) copy->blocks.resize(end);
      bool is_whole = true;
      for (std::size_t i = first; i < end; ++i) {
        lent_copy::block& one = copy->blocks[i];
        if (one.bytes) continue;
        is_whole = false;
        one.waits.push_back(me.expect());
        if (!std::exchange(one.is_asked, true)) missing.push_back(i);
      }
      if (is_whole) {
        for (std::size_t done = 0; done < bytes;) {
          const std::size_t in = (from + done) % lent_block_bytes;
          const std::size_t part = std::min(bytes - done, lent_block_bytes - in);
          const auto& block = copy->blocks[(from + done) / lent_block_bytes];
          std::memcpy(into + done, block.bytes.get() + in, part);
          done += part;
        }
        return;
      }
    }
    for (const std::size_t each : missing) {
      terrane::here().pay(service::page_fault, lent_block_bytes);
      terrane::here().send_as(service::page_request, 0);
      lent_mail::send(processor_of(loan), lent_mail::ask_block,
                      block_request{loan, each, terrane_here->number});
    }
    terrane::here().pay_nothing();
    me.block("lent data");
    terrane::here().pay_nothing();
  }
}

/// At home: a node asks for a block.
void lent_desk::serve(const block_request& asked) {
  lent_data* const loan = lent_data::find(asked.loan);
  if (!loan)
    return lent_mail::send(asked.from, lent_mail::block,
                           block_answer{asked.loan, 0, 0, nullptr, true});
  const node_id node = terrane_node_of(asked.from);
  if (std::ranges::find(loan->readers, node) == loan->readers.end()) loan->readers.push_back(node);
  const bool in_place = shares_memory(asked.from);
  const std::size_t start = asked.block * lent_block_bytes;
  TERRANE_CHECK(start < loan->bytes || in_place);
  const block_answer head{asked.loan, asked.block, loan->version, in_place ? loan->at : nullptr,
                          false};
  const bytes_view block{loan->at + start, std::min(lent_block_bytes, loan->bytes - start)};
  terrane::here().send_as(service::page, block.size);
  lent_mail::send(asked.from, lent_mail::block, head, in_place ? bytes_view{} : block);
}

void lent_desk::take(const block_answer& head, bytes_view block) {
  const auto found = copies_.find(head.loan);
  if (found == copies_.end()) return;  // it has ended meanwhile
  lent_copy& copy = *found->second;
  const node_lock::hold state(copy.inside);
  if (head.is_over || head.in_place) {
    copy.is_over = head.is_over;
    copy.in_place = head.in_place;
    return copy.wake_all();
  }
  copy.learn(head.version);
  TERRANE_CHECK(head.block < copy.blocks.size() && block.size <= lent_block_bytes);
  lent_copy::block& one = copy.blocks[head.block];
  if (head.version == copy.version) {
    one.bytes = std::make_unique<char[]>(lent_block_bytes);
    std::memcpy(one.bytes.get(), block.data, block.size);
  }
  copy.wake(one);
}

void lent_desk::heed(const notice& heard) {
  if (const auto found = copies_.find(heard.loan); found != copies_.end()) {
    const std::shared_ptr<lent_copy> copy = found->second;
    const node_lock::hold state(copy->inside);
    copy->learn(heard.version);
    if (heard.is_over) {
      copy->is_over = true;
      copy->wake_all();
      copies_.erase(found);
    }
  }
  terrane_signal(heard.told);
}

// --- at home ---

lent_data::lent_data(const void* data, std::size_t size, thread_block& of)
    : at(static_cast<const char*>(data)), bytes(size), next(std::exchange(of.heap().loans, this)) {}

terrane_slot_ref lent_desk::lend(const void* data, std::size_t bytes, thread_block& owner) {
  const lent_data& made = make_object<lent_data>(data, bytes, owner);
  keep(made.name())->in_place = made.at;
  return made.name();
}

/// Tells all nodes that have asked, and waits for their answers.
void lent_desk::tell_readers(const lent_data& loan, bool is_over, thread_block& me) {
  for (const node_id each : loan.readers)
    if (!is_lost(each))
      lent_mail::send(station_of(loan.name(), each), lent_mail::notice,
                      notice{loan.name(), loan.version, me.expect(), is_over});
  terrane::here().pay_nothing();
  me.block("nodes that read lent data");
  terrane::here().pay_nothing();
}

void lent_desk::renew(terrane_slot_ref name) {
  thread_block& me = thread_block::current("renew");
  if (name != 0 && processor_of(name) != terrane_here->number)
    fail(run_time_error::lent_misused,
         "thread %s renews data %s, which a thread of processor %u lends: the owner does that, or "
         "a branch of its par that runs beside it",
         me.thread_name(), printed_name(name).c_str(), processor_of(name));
  lent_data* const loan = name != 0 ? lent_data::find(name) : nullptr;
  if (!loan) no_longer_lent(name, me, "renews");
  ++loan->version;
  tell_readers(*loan, false, me);
}

void lent_desk::end_all(thread_block& owner) {
  thread_heap* const heap = owner.heap_or_null();
  while (heap && heap->loans) {
    lent_data& loan = *std::exchange(heap->loans, heap->loans->next);
    tell_readers(loan, true, owner);
    lent_desk& desk = here();
    if (const auto own = desk.copies_.find(loan.name()); own != desk.copies_.end()) {
      const node_lock::hold state(own->second->inside);
      own->second->is_over = true;  // for the other processors of this node
    }
    desk.copies_.erase(loan.name());
    free_object(loan);
  }
}

// --- lent.hpp ---

terrane_slot_ref lend_bytes(const void* data, std::size_t bytes) {
  thread_block& me = thread_block::current("lend");
  return lent_desk::here().lend(data, bytes, me);
}
void read_lent(terrane_slot_ref loan, std::size_t from, void* into, std::size_t bytes) {
  lent_desk::here().read(loan, from, static_cast<char*>(into), bytes);
}
void renew_lent(terrane_slot_ref loan) { lent_desk::here().renew(loan); }
void end_loans(thread_block& owner) { lent_desk::end_all(owner); }

void beyond_lent(std::size_t first, std::size_t count, std::size_t size) {
  const thread_block* const me = thread_block::current();
  fail(run_time_error::lent_misused,
       "thread %s reads elements %zu to %zu of lent data that have %zu: stay within size()",
       me ? me->thread_name() : "-", first, first + count - 1, size);
}

}  // namespace terrane

// --- terrane_lent.h ---

terrane_loan terrane_lend(const void* data, size_t bytes) {
  return {terrane::lend_bytes(data, bytes), bytes};
}
void terrane_lent_read(terrane_loan from, size_t first, void* into, size_t bytes) {
  if (TERRANE_UNLIKELY(first > from.bytes || bytes > from.bytes - first))
    terrane::beyond_lent(first, bytes, from.bytes);
  terrane::read_lent(from.data, first, into, bytes);
}
void terrane_renew(terrane_loan what) { terrane::renew_lent(what.data); }
