// SPDX-License-Identifier: Apache-2.0
// split_phase.cpp: put, get, block move, strided forms, atomic add, allocation: what is sent, and
// what the receiver does.
//
// Invariants  Only its owner accesses memory: the only direct copy is between two places of one
//             processor. The data is written before its slot is signalled; a slot on a third
//             processor is signalled by a message sent after the write.
// Source      docs/threaded-c-rules.md §6; [EARTH-SMP §2, Fig. 6].
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>

#include "terrane/base/copy_bytes.hpp"
#include "terrane/core/ended_fiber.hpp"
#include "terrane/core/entries.hpp"
#include "terrane/core/failure.hpp"
#include "terrane/core/graph_probes.hpp"
#include "terrane/core/node.hpp"
#include "terrane/core/object.hpp"
#include "terrane/core/reach.hpp"
#include "terrane/core/requests.hpp"
#include "terrane/core/token.hpp"

namespace terrane {

namespace {

/// Fails if the slot is of this processor and its frame has ended: the activation that asked for
/// this data ended meanwhile.
void check_target(const processor& self, terrane_slot_ref done) {
  if (done == 0 || processor_of(done) != self.number) return;
  if (terrane_frame_at(&here(), done)->name != frame_of(done))
    fail(run_time_error::operation_outlived_frame,
         "data arrived for an activation that ended while its split-phase operation was under "
         "way%s",
         of_ended_fiber(here(), done).c_str());
}

/// Checks the memory from the first to the last element.
void check_elements(processor& self, terrane_global place, std::ptrdiff_t step,
                    const terrane_stride& shape, bool to_write) {
  if (shape.count == 0) return;
  const std::ptrdiff_t last = step * static_cast<std::ptrdiff_t>(shape.count - 1);
  const terrane_global lowest =
      place + static_cast<terrane_global>(std::min<std::ptrdiff_t>(0, last));
  require_memory(self, lowest, static_cast<std::size_t>(std::abs(last)) + shape.element_bytes,
                 to_write);
}

void write_here(processor& self, terrane_global to, bytes_view from, terrane_slot_ref done) {
  check_target(self, done);
  copy_bytes(terrane_address_in(to), from.data, from.size);
  signal_if(done);
}

/// Sends bytes of this processor to `to`, on any processor.
void send_bytes(processor& self, terrane_global to, bytes_view from, terrane_slot_ref done) {
  if (terrane_owner_of(to) == self.number) return write_here(self, to, from, done);
  require_place(to, "the target of an answer");
  const put_request head{to, done};
  self.send(terrane_owner_of(to), entry::put, {&head, sizeof head}, from);
}

void copy_elements(char* to, std::ptrdiff_t to_step, const char* from, std::ptrdiff_t from_step,
                   const terrane_stride& shape) {
  for (std::uint32_t i = 0; i < shape.count; ++i, to += to_step, from += from_step)
    std::memcpy(to, from, shape.element_bytes);
}

std::size_t packed_bytes(const terrane_stride& shape) {
  return std::size_t{shape.count} * shape.element_bytes;
}

/// Sends elements of this processor to `request.to`, on any processor.
void send_elements(processor& self, const strided_request& request) {
  const terrane_stride& shape = request.stride;
  const char* from = static_cast<const char*>(terrane_address_in(request.from));
  if (terrane_owner_of(request.to) == self.number) {
    copy_elements(static_cast<char*>(terrane_address_in(request.to)), shape.to, from, shape.from,
                  shape);
    return signal_if(request.done);
  }
  const std::unique_ptr<char[]> packed(new char[packed_bytes(shape)]);
  copy_elements(packed.get(), shape.element_bytes, from, shape.from, shape);
  self.send(terrane_owner_of(request.to), entry::scatter, {&request, sizeof request},
            {packed.get(), packed_bytes(shape)});
}

void add_here(processor& self, const add_request& request) {
  auto* at = static_cast<std::int64_t*>(terrane_address_in(request.at));
  const std::int64_t old = *at;
  *at = old + request.value;
  if (request.old == 0) return signal_if(request.done);
  send_bytes(self, request.old, {&old, sizeof old}, request.done);
}

void allocate_here(processor& self, const allocate_request& request) {
  void* block = std::calloc(1, request.bytes ? request.bytes : 1);
  if (!block)
    fail(run_time_error::out_of_memory, "no memory for a block of %llu bytes",
         static_cast<unsigned long long>(request.bytes));
  const terrane_global place = terrane_to_global(block);
  send_bytes(self, request.result, {&place, sizeof place}, request.done);
}

void release_here(processor& self, const release_request& request) {
  require_memory(self, request.place, 1, true);
  if (!self.freed().add(terrane_address_in(request.place)))
    fail(run_time_error::freed_twice, "the block at address 0x%llx was freed twice",
         static_cast<unsigned long long>(request.place & (TERRANE_PLACE_0 - 1)));
}

// What a request is to a replay: how many bytes come, from where, to where.
graph_request graph_of(const get_request& it) { return {it.bytes, it.from, it.to, it.done}; }
graph_request graph_of(const strided_request& it) {
  return {packed_bytes(it.stride), it.from, it.to, it.done};
}
graph_request graph_of(const add_request& it) { return {8, it.at, it.old, it.done}; }
graph_request graph_of(const allocate_request& it) { return {it.bytes, 0, it.result, it.done}; }
graph_request graph_of(const release_request& it) { return {0, it.place, 0, 0}; }

template <class Request>
void ask_owner(terrane_global where, entry kind, const Request& request, const char* what,
               void (*directly)(processor&, const Request&)) {
  processor& self = here();
  require_place(where, what);
  const graph_told told(self, [&](processor& mine) {
    graph_request asked = graph_of(request);
    asked.from = where;
    graph_asked(mine, kind, asked);
  });
  if (terrane_owner_of(where) == self.number) return directly(self, request);
  ++self.messages().asked;
  self.send(terrane_owner_of(where), kind, {&request, sizeof request});
}

/// The function that another process names; it must be one of ours that takes this many bytes of
/// arguments.
const terrane_function& known_function(std::uint64_t entry, std::size_t bytes,
                                       const message& what) {
  const terrane_function* function = function_at(entry);
  if (!function || !function->run || bytes != function->args_bytes)
    fail(run_time_error::unknown_function,
         "processor %u sent work for a function at offset 0x%llx with %zu bytes of arguments, and "
         "this process has none such: was it registered, and is it the same executable?",
         what.from, static_cast<unsigned long long>(entry), bytes);
  return *function;
}

/// Another processor names the place where an answer goes. If that place is on this processor, it
/// must be memory of this processor.
void require_answer_fits(processor& self, terrane_global to, std::size_t bytes) {
  if (terrane_owner_of(to) == self.number) require_memory(self, to, bytes, true);
}

void get_here(processor& self, const get_request& request) {
  const processor_id target = terrane_owner_of(request.to);
  require_place(request.to, "the target of a block move");
  const neighbours* const others = self.world().neighbours;
  if (request.unchanging && target != self.number && others &&
      request.bytes >= others->fetch_bytes_min())
    return self.send(target, entry::fetch, {&request, sizeof request});
  send_bytes(self, request.to, {terrane_address_in(request.from), request.bytes}, request.done);
}

/// The target of a large block move copies it out of the owner's memory. If that is not possible,
/// the target asks the owner for a message.
void fetch_here(processor& self, const get_request& request) {
  check_target(self, request.done);
  require_memory(self, request.to, request.bytes, true);
  neighbours* const others = self.world().neighbours;
  if (others && others->fetch(terrane_owner_of(request.from), terrane_address_in(request.from),
                              terrane_address_in(request.to), request.bytes))
    return signal_if(request.done);
  get_request copied = request;
  copied.unchanging = 0;
  self.send(terrane_owner_of(request.from), entry::get, {&copied, sizeof copied});
}

/// The least size of a message of each kind, in the order of `entry`.
constexpr std::size_t head_bytes[] = {
    sizeof(terrane_slot_ref), sizeof(put_request),      sizeof(get_request),
    sizeof(get_request),      sizeof(strided_request),  sizeof(strided_request),
    sizeof(add_request),      sizeof(allocate_request), sizeof(release_request),
    sizeof(function_entry),   sizeof(operate_request),  sizeof(carry_request),
    sizeof(function_entry),   sizeof(quiescence_probe), 0,
    sizeof(note_request),     sizeof(token_request)};
static_assert(std::size(head_bytes) == static_cast<std::size_t>(entry::token) + 1);

void put_arrived(processor& self, const put_request& request, bytes_view brought) {
  require_memory(self, request.to, brought.size, true);
  write_here(self, request.to, brought, request.done);
}

void token_arrived(processor& self, const message& what) {
  const auto& request = what.head<token_request>();
  const bytes_view arguments = what.body<token_request>();
  const auto& function = known_function(request.entry, arguments.size, what);
  self.home().policy().token_arrived(&self, request.from, make_token(function, arguments.data),
                                     request.hint);
}

void carry_out(processor& self, const message& what);

}  // namespace

void malformed(const message& what) {
  fail(run_time_error::malformed_message,
       "processor %u sent a message of kind %u and %zu bytes, which no runtime sends: "
       "was its memory overwritten?",
       what.from, static_cast<unsigned>(what.kind), what.size);
}

void handle(processor& self, const message& what) {
  if (what.kind > entry::token || what.size < head_bytes[static_cast<std::size_t>(what.kind)])
    malformed(what);
  self.messages().handled = &what;
  if (is_work(what.kind)) self.quiescence().received();
  if (TERRANE_UNLIKELY(self.records(event_class::message))) self.record_taken(what);
  if (what.kind == entry::put)
    put_arrived(self, what.head<put_request>(), what.body<put_request>());
  else if (what.kind == entry::operate)
    operation_arrived(self, what);
  else
    carry_out(self, what);
  self.messages().handled = nullptr;
}

namespace {

[[gnu::noinline]] void carry_out(processor& self, const message& what) {
  switch (what.kind) {
    case entry::signal: terrane_signal(what.head<terrane_slot_ref>()); break;
    case entry::put:
    case entry::operate: break;  // handle() does these: they are most of the messages
    case entry::get: {
      const auto& request = what.head<get_request>();
      require_memory(self, request.from, request.bytes, false);
      require_answer_fits(self, request.to, request.bytes);
      get_here(self, request);
      break;
    }
    case entry::fetch: fetch_here(self, what.head<get_request>()); break;
    case entry::scatter: {
      const auto& request = what.head<strided_request>();
      if (what.body<strided_request>().size != packed_bytes(request.stride)) malformed(what);
      check_target(self, request.done);
      check_elements(self, request.to, request.stride.to, request.stride, true);
      copy_elements(static_cast<char*>(terrane_address_in(request.to)), request.stride.to,
                    static_cast<const char*>(what.body<strided_request>().data),
                    request.stride.element_bytes, request.stride);
      signal_if(request.done);
      break;
    }
    case entry::gather: {
      const auto& request = what.head<strided_request>();
      check_elements(self, request.from, request.stride.from, request.stride, false);
      if (terrane_owner_of(request.to) == self.number)
        check_elements(self, request.to, request.stride.to, request.stride, true);
      send_elements(self, request);
      break;
    }
    case entry::atomic_add: {
      const auto& request = what.head<add_request>();
      require_memory(self, request.at, sizeof(std::int64_t), true);
      require_answer_fits(self, request.old, sizeof(std::int64_t));
      add_here(self, request);
      break;
    }
    case entry::allocate: {
      const auto& request = what.head<allocate_request>();
      require_answer_fits(self, request.result, sizeof(terrane_global));
      allocate_here(self, request);
      break;
    }
    case entry::release: release_here(self, what.head<release_request>()); break;
    case entry::invoke:
    case entry::call: {
      const bytes_view arguments = what.body<function_entry>();
      const auto& function =
          known_function(what.head<function_entry>().entry, arguments.size, what);
      if (what.kind == entry::call)
        self.run_handler(function, arguments.data);
      else
        self.start_here(function, arguments.data);
      break;
    }
    case entry::carry: {
      const auto& request = what.head<carry_request>();
      const bytes_view brings = what.body<carry_request>();
      const auto& function = known_function(request.entry, sizeof request.argument, what);
      require_memory(self, request.to, brings.size, true);
      std::memcpy(terrane_address_in(request.to), brings.data, brings.size);
      self.start_here(function, &request.argument);
      break;
    }
    case entry::probe: self.quiescence().probe_arrived(what.head<quiescence_probe>()); break;
    case entry::stop: self.control().told_to_stop(self); break;
    case entry::note: {
      const auto& request = what.head<note_request>();
      self.home().policy().note_arrived(&self, request.from, request.what, request.load);
      break;
    }
    case entry::token: token_arrived(self, what); break;
  }
}

}  // namespace
}  // namespace terrane

using namespace terrane;

void terrane_put_far(const void* value, size_t bytes, terrane_global to, terrane_slot_ref done) {
  processor& self = here();
  require_place(to, "the target of a put");
  const graph_told told(self, [&](processor& mine) { graph_sent(mine, done, bytes); });
  if (done != 0 && processor_of(done) == self.number && terrane_owner_of(to) == self.number &&
      !self.is_live(done))
    terrane_signal_far(&self, done);  // place and slot are both ours: the slot is stale
  send_bytes(self, to, {value, bytes}, done);
}

void terrane_get(terrane_global from, size_t bytes, terrane_global to, terrane_slot_ref done) {
  ask_owner(from, entry::get, get_request{from, to, bytes, 0, done}, "the source of a get",
            get_here);
}

void terrane_block_move(terrane_global from, terrane_global to, size_t bytes,
                        terrane_slot_ref done) {
  ask_owner(from, entry::get, get_request{from, to, bytes, 1, done}, "the source of a block move",
            get_here);
}

void terrane_put_strided(const void* from, terrane_global to, terrane_stride stride,
                         terrane_slot_ref done) {
  terrane_get_strided(terrane_to_global(from), to, stride, done);
}

void terrane_get_strided(terrane_global from, terrane_global to, terrane_stride stride,
                         terrane_slot_ref done) {
  require_place(to, "the target of a strided move");
  ask_owner(from, entry::gather, strided_request{from, to, stride, done},
            "the source of a strided move", send_elements);
}

void terrane_atomic_add(int64_t value, terrane_global at, terrane_global old,
                        terrane_slot_ref done) {
  ask_owner(at, entry::atomic_add, add_request{value, at, old, done}, "an atomic add", add_here);
}

void terrane_allocate(uint32_t target, size_t bytes, terrane_global result, terrane_slot_ref done) {
  require_processor(target, "an allocation");
  ask_owner(terrane_place_on(target, nullptr), entry::allocate,
            allocate_request{bytes, result, done}, "an allocation", allocate_here);
}

void terrane_release(terrane_global place) {
  ask_owner(place, entry::release, release_request{place}, "a release", release_here);
}
