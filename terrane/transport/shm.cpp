// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/shm.hpp"

#include <sys/prctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <climits>
#include <cstring>

#include "terrane/base/code_layout.hpp"
#include "terrane/base/context.hpp"
#include "terrane/base/futex.hpp"
#include "terrane/core/entries.hpp"
#include "terrane/core/failure.hpp"
#include "terrane/core/node.hpp"
#include "terrane/core/requests.hpp"
#include "terrane/core/token.hpp"
#include "terrane/node_data/node_data.hpp"

namespace terrane {

shm_world::shm_world(const shm_job& job, node_id me, crew_options options)
    : world({.wire = *this, .crew = crew_, .neighbours = this, .losses = this}),
      rings(crew_, this, job.places(), job.processors()),
      job_(job),
      me_(me),
      crew_(std::move(options), parkers(job.places()), [this] {
        const std::uint64_t start = gather();
        learn_of_others();
        return start;
      }) {
  crew_.add(*this);
  const std::uint32_t each = job_.head().processors_per_node;
  for (std::uint32_t p = 0; p < each; ++p)
    heaps_.emplace_back(shm_job::heap(me_ * each + p), shm_job::heap_bytes);
  memories_.resize(each);
#ifndef NDEBUG
  watches_.resize(each, stray_address_watch(job.processors()));
  others_.resize(each);
#endif
  job_.node(me_).process = getpid();
  job_.node(me_).executable = executable_start();
  job_.node(me_).layout = code_layout();
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);  // permits fetch() by other nodes where Yama is strict
}

// --- between nodes ---

/// An idle processor of that node, or its first processor if none is idle.
processor_id shm_world::receiver_of(node_id to) const {
  const std::uint32_t each = job_.head().processors_per_node;
  const processor_id first = to * each;
  for (processor_id p = first; p < first + each; ++p)
    if (at(p).published().idle) return p;
  return first;
}

/// Only a processor has rings to send through. In this world only processors' threads send notes
/// and tokens, so `mover` is never null.
void shm_world::post_note(processor* mover, node& from, node_id to, const note& what, int load) {
  TERRANE_CHECK(mover);
  const note_request request{from.number(), load, what};
  send(*mover, receiver_of(to), entry::note, {&request, sizeof request}, {});
}

void shm_world::post_token(processor* mover, node& from, node_id to, const terrane_token& token,
                           const load_hint& hint) {
  TERRANE_CHECK(mover);
  const token_request request{entry_of(*token.function), from.number(), hint};
  send(*mover, receiver_of(to), entry::token, {&request, sizeof request},
       {arguments_of(token), token.function->args_bytes});
  drop_token(token);
}

std::optional<int> shm_world::look(node_id other) {
  const std::uint32_t each = job_.head().processors_per_node;
  int queued = static_cast<int>(job_.window(other)->size());
  for (processor_id p = other * each; p < (other + 1) * each; ++p) queued += at(p).queued_hint();
  return queued;
}

/// A function of the other process corresponds to ours at the same distance from the executable's
/// start. A token with spilled arguments is left alone: they lie in the other process's private
/// memory, so it has to be requested by a note.
bool shm_world::take_oldest([[maybe_unused]] processor* mover, node_id from, terrane_token& token) {
  token_window& offered = *job_.window(from);
  const std::uint64_t there = job_.node(from).executable;
  const auto here_it_is = [&](const terrane_token& seen) {
    return function_at(reinterpret_cast<std::uintptr_t>(seen.function) - there);
  };
  const auto wanted = [&](const terrane_token& seen) {
    const terrane_function* function = here_it_is(seen);
    return function != nullptr && !spilled(*function) && !has(*function, stays_in_node);
  };
  if (!offered.take_oldest(token, wanted)) return false;
  token.function = here_it_is(token);
#ifndef NDEBUG
  TERRANE_CHECK(mover);
  look_through(*mover, token, from);
#endif
  const std::uint32_t each = job_.head().processors_per_node;
  if (offered.hungry())
    for (processor_id p = from * each; p < (from + 1) * each; ++p) at(p).notice();
  return true;
}

#ifndef NDEBUG
void shm_world::send(processor& from, processor_id to, entry kind, bytes_view head,
                     bytes_view body) {
  const std::size_t mine = from.number % memories_.size();
  const bool programs = is_work(kind) && kind != entry::carry;  // stacks are full of addresses
  if (to / memories_.size() != me_ && (programs || kind == entry::token))
    watches_[mine].look_through(memories_[mine], to, kind, head, body);
  rings::send(from, to, kind, head, body);
}

void shm_world::look_through(const processor& mover, const terrane_token& taken, node_id from) {
  const std::size_t mine = mover.number % memories_.size();
  auto& theirs = others_[mine].try_emplace(from, job_.node(from).process).first->second;
  watches_[mine].look_through(theirs, from, *taken.function,
                              {arguments_of(taken), taken.function->args_bytes});
}
#endif

/// A stack holds many addresses of code, so a thread moves only if all nodes have the same code
/// layout.
const char* shm_world::why_threads_stay() const {
  if (const char* const why = why_builds_keep_threads()) return why;
  return one_layout_ ? nullptr : "stays: each node has its code at addresses of its own";
}

// --- large messages ---

unsigned char* shm_world::new_block(processor& from, std::size_t bytes) {
  unsigned char* block = heaps_[from.number % heaps_.size()].take(bytes);
  if (!block)
    fail(run_time_error::out_of_memory,
         "%zu MiB of large messages wait to be read by other processes, and one of %zu bytes has "
         "no room",
         shm_job::heap_bytes >> 20, bytes);
  return block;
}

void shm_world::block_read(const large_message& where) { shm_heap::give_back(where.block); }

// --- memory ---

memory_range shm_world::owned(processor& here, const void* address, std::size_t bytes,
                              bool to_write) {
  return memories_[here.number % memories_.size()].around(address, bytes, to_write);
}

bool shm_world::fetch(processor_id owner, const void* from, void* to, std::size_t bytes) {
  const node_id there = owner / job_.head().processors_per_node;
  if (there == me_) return std::memcpy(to, from, bytes) != nullptr;
  const pid_t process = job_.node(there).process;
  for (std::size_t done = 0; done < bytes;) {
    const iovec local{static_cast<char*>(to) + done, bytes - done};
    const iovec remote{static_cast<char*>(const_cast<void*>(from)) + done, bytes - done};
    const ssize_t got = process_vm_readv(process, &local, 1, &remote, 1, 0);
    if (got <= 0) return false;
    done += static_cast<std::size_t>(got);
  }
  return true;
}

// --- the run ---

/// `to` may be a processor of another process; it has existed since gather().
void shm_world::rouse(processor_id to) { at(to).notice(); }

/// Each process counts itself once. The last one starts the clock and wakes all others.
std::uint64_t shm_world::gather() {
  job_head& head = job_.head();
  const std::uint32_t there = head.gathered.fetch_add(1, memory_order_seq_cst) + 1;
  if (there == head.nodes) {
    head.start_ns.store(monotonic_ns(), memory_order_seq_cst);
    head.gathered.store(head.nodes + 1, memory_order_seq_cst);
    futex_wake(head.gathered, INT_MAX);
  }
  for (std::uint32_t seen; (seen = head.gathered.load(memory_order_seq_cst)) <= head.nodes;)
    futex_wait(head.gathered, seen, -1);
  return head.start_ns.load(memory_order_seq_cst);
}

/// Reads what the other processes wrote about themselves before they gathered.
void shm_world::learn_of_others() {
  const job_head& head = job_.head();
  job_.node(me_).phase.store(node_phase::running, memory_order_relaxed);
  for (node_id n = 0; n < head.nodes; ++n)
    one_layout_ &= job_.node(n).layout == job_.node(me_).layout;
  const std::uint32_t each = head.processors_per_node;
  for (processor_id p = me_ * each; p < (me_ + 1) * each; ++p)
    at(p).to_node_0 = static_cast<std::ptrdiff_t>(job_.node(0).executable - executable_start());
  move_machine_pointers(at(me_ * each));
}

}  // namespace terrane
