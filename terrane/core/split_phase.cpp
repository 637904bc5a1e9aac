// SPDX-License-Identifier: Apache-2.0
// split_phase.cpp: put, get, block move, strided forms, atomic add, allocation: what is sent, and
// what the receiver does.
//
// Invariants  Memory is touched by its owner only: a copy between two places of one processor is
//             the only one made directly. The data is written before its slot is signalled; a slot
//             on a third processor is signalled by a message sent after the write.
// Source      spec: language section 6; 001_b2fb519ce5769918.txt section 2 and Fig. 6.
#include <cstdlib>
#include <memory>

#include "terrane/core/failure.hpp"
#include "terrane/core/node.hpp"
#include "terrane/core/object.hpp"
#include "terrane/core/requests.hpp"

namespace terrane {

namespace {

/// A slot of ours whose frame is gone: whoever asked for this data has ended meanwhile.
void check_target(const processor& self, terrane_slot_ref done) {
  if (done == 0 || processor_of(done) != self.number) return;
  if (terrane_frame_at(&here(), done)->name != frame_of(done))
    fail(run_time_error::operation_outlived_frame,
         "data arrived for an activation that ended while its split-phase operation was under way");
}

void write_here(processor& self, terrane_global to, bytes_view from, terrane_slot_ref done) {
  check_target(self, done);
  std::memcpy(terrane_address_in(to), from.data, from.size);
  signal_if(done);
}

/// Moves bytes that lie here to wherever `to` is.
void send_bytes(processor& self, terrane_global to, bytes_view from, terrane_slot_ref done) {
  if (terrane_owner_of(to) == self.number) return write_here(self, to, from, done);
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

/// Elements that lie here, to wherever `request.to` is.
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

void check_processor(const processor& self, processor_id target, const char* what) {
  if (target >= self.processors())
    fail(run_time_error::no_such_processor, "%s names processor %u of a machine of %u", what,
         target, self.processors());
}

template <class Request>
void ask_owner(terrane_global where, entry kind, const Request& request, const char* what,
               void (*directly)(processor&, const Request&)) {
  processor& self = here();
  check_processor(self, terrane_owner_of(where), what);
  if (terrane_owner_of(where) == self.number) return directly(self, request);
  self.send(terrane_owner_of(where), kind, {&request, sizeof request});
}

void get_here(processor& self, const get_request& request) {
  check_processor(self, terrane_owner_of(request.to), "the target of a block move");
  send_bytes(self, request.to, {terrane_address_in(request.from), request.bytes}, request.done);
}

}  // namespace

void handle(processor& self, const message& what) {
  if (is_work(what.kind)) self.quiescence().received();
  switch (what.kind) {
    case entry::signal: terrane_signal(what.head<terrane_slot_ref>()); break;
    case entry::put: {
      const auto& request = what.head<put_request>();
      write_here(self, request.to, what.body<put_request>(), request.done);
      break;
    }
    case entry::get: get_here(self, what.head<get_request>()); break;
    case entry::scatter: {
      const auto& request = what.head<strided_request>();
      check_target(self, request.done);
      copy_elements(static_cast<char*>(terrane_address_in(request.to)), request.stride.to,
                    static_cast<const char*>(what.body<strided_request>().data),
                    request.stride.element_bytes, request.stride);
      signal_if(request.done);
      break;
    }
    case entry::gather: send_elements(self, what.head<strided_request>()); break;
    case entry::atomic_add: add_here(self, what.head<add_request>()); break;
    case entry::allocate: allocate_here(self, what.head<allocate_request>()); break;
    case entry::release: std::free(terrane_address_in(what.head<release_request>().place)); break;
    case entry::invoke: {
      const auto* function = what.head<const terrane_function*>();
      self.start_here(*function, what.body<const terrane_function*>().data);
      break;
    }
    case entry::operate: operation_arrived(self, what); break;
    case entry::probe: self.quiescence().probe_arrived(what.head<quiescence_probe>()); break;
    case entry::stop: self.stop(); break;
  }
}

}  // namespace terrane

using namespace terrane;

void terrane_put_far(const void* value, size_t bytes, terrane_global to, terrane_slot_ref done) {
  processor& self = here();
  check_processor(self, terrane_owner_of(to), "the target of a put");
  if (done != 0 && processor_of(done) == self.number && terrane_owner_of(to) == self.number)
    terrane_signal_far(&self, done);  // ours, both: the slot is stale
  send_bytes(self, to, {value, bytes}, done);
}

void terrane_get(terrane_global from, size_t bytes, terrane_global to, terrane_slot_ref done) {
  ask_owner(from, entry::get, get_request{from, to, bytes, done}, "the source of a get", get_here);
}

void terrane_block_move(terrane_global from, terrane_global to, size_t bytes,
                        terrane_slot_ref done) {
  terrane_get(from, bytes, to, done);
}

void terrane_put_strided(const void* from, terrane_global to, terrane_stride stride,
                         terrane_slot_ref done) {
  terrane_get_strided(terrane_to_global(from), to, stride, done);
}

void terrane_get_strided(terrane_global from, terrane_global to, terrane_stride stride,
                         terrane_slot_ref done) {
  check_processor(here(), terrane_owner_of(to), "the target of a strided move");
  ask_owner(from, entry::gather, strided_request{from, to, stride, done},
            "the source of a strided move", send_elements);
}

void terrane_atomic_add(int64_t value, terrane_global at, terrane_global old,
                        terrane_slot_ref done) {
  ask_owner(at, entry::atomic_add, add_request{value, at, old, done}, "an atomic add", add_here);
}

void terrane_allocate(uint32_t target, size_t bytes, terrane_global result, terrane_slot_ref done) {
  ask_owner(static_cast<terrane_global>(target) << 50, entry::allocate,
            allocate_request{bytes, result, done}, "an allocation", allocate_here);
}

void terrane_release(terrane_global place) {
  ask_owner(
      place, entry::release, release_request{place}, "a release",
      +[](processor&, const release_request& request) {
        std::free(terrane_address_in(request.place));
      });
}
