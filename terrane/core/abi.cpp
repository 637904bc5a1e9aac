// SPDX-License-Identifier: Apache-2.0
// abi.cpp: the rarely executed functions of terrane.h, implemented by the calling processor.
#include <cstring>

#include "terrane/core/ended_fiber.hpp"
#include "terrane/core/entries.hpp"
#include "terrane/core/failure.hpp"
#include "terrane/core/graph_probes.hpp"
#include "terrane/core/node.hpp"
#include "terrane/core/reach.hpp"
#include "terrane/core/requests.hpp"
#include "terrane/core/token.hpp"

__thread const terrane_source_place* terrane_doing;

using terrane::event_class;
using terrane::event_id;
using terrane::fail;
using terrane::here;
using terrane::processor;
using terrane::run_time_error;

namespace {

processor& as_processor(terrane_processor* raw) { return *static_cast<processor*>(raw); }

/// the slot is named as one of this processor, but its frame has ended or never existed.
[[noreturn]] void stale(terrane_slot_ref slot) {
  fail(run_time_error::stale_signal,
       "a signal came for slot %u of an activation that has ended (its frame at offset 0x%llx has "
       "since been freed)%s",
       static_cast<unsigned>((slot & TERRANE_NAME_SLOTS) >> 16),
       static_cast<unsigned long long>(terrane_frame_offset(slot)),
       of_ended_fiber(here(), slot).c_str());
}

/// a name of generation 0 names no slot, because generations start at 1.
[[noreturn]] void no_slot(const char* what) {
  fail(run_time_error::stale_signal,
       "%s was sent to no slot: what names the slot is null, or was never set", what);
}

}  // namespace

terrane_frame* terrane_frame_refill(terrane_processor* self, uint32_t frame_class) {
  processor& mine = as_processor(self);
  terrane_frame* const list = mine.frames().refill(frame_class);
  if (TERRANE_UNLIKELY(mine.records(event_class::frame)))
    mine.writer().put<event_id::frames_got>(terrane::frame_class_bytes(frame_class));
  return list;
}

void terrane_frame_worn(terrane_processor* self, terrane_frame* frame, uint32_t frame_class) {
  as_processor(self).frames().rest(*frame, frame_class);
}

void terrane_slot_expired(terrane_processor* self, terrane_frame* frame, terrane_slot* slot) {
  const terrane_fiber& fiber = *slot->fiber;
  if (slot->count < 0) {
    const bool unarmed = slot->count < INT32_MIN / 2;
    fail(unarmed ? run_time_error::unarmed_slot : run_time_error::exhausted_slot,
         unarmed ? "a signal came for the slot of %s::%s before it was given a count"
                 : "one signal too many came for the one-shot slot of %s::%s",
         fiber.function->name, fiber.name);
  }
  if (fiber.join) {
    slot->count = 1;
    slot->index &= ~TERRANE_AWAITED;
  } else {
    slot->count = slot->reset;
  }
  processor& mine = as_processor(self);
  if (TERRANE_UNLIKELY(mine.records_any(bits_of(event_class::signal, event_class::graph)))) {
    const auto place = reinterpret_cast<char*>(slot) - reinterpret_cast<char*>(frame);
    mine.writer().put<event_id::slot_fired>(&fiber, frame->name);
    mine.writer().put<event_id::graph_fired>(place / 16, frame->name, fiber.priority, fiber.join);
  }
  mine.make_ready(*frame, fiber);
}

void terrane_signal_far(terrane_processor* self, terrane_slot_ref slot) {
  if (slot < TERRANE_GENERATION_STEP) no_slot("a signal");
  if (TERRANE_UNLIKELY(as_processor(self).records(event_class::graph)))
    terrane::graph_sent(as_processor(self), slot, 0);
  if (terrane::processor_of(slot) == self->number) {
    if (as_processor(self).record_signal(slot)) return;
    stale(slot);
  }
  as_processor(self).send(terrane::processor_of(slot), terrane::entry::signal,
                          {&slot, sizeof slot});
}

void terrane_reply_far(terrane_processor* self, terrane_slot_ref slot, void* to, const void* value,
                       size_t bytes) {
  if (slot < TERRANE_GENERATION_STEP) no_slot("an answer");
  const terrane::processor_id owner = terrane::processor_of(slot);
  const terrane::graph_told told(as_processor(self),
                                 [&](processor& mine) { terrane::graph_sent(mine, slot, bytes); });
  if (owner == self->number) {
    if (!as_processor(self).is_live(slot)) stale(slot);
    std::memcpy(to, value, bytes);
    return terrane_signal(slot);
  }
  const terrane::put_request head{terrane_place_on(owner, to), slot};
  as_processor(self).send(owner, terrane::entry::put, {&head, sizeof head}, {value, bytes});
}

bool terrane_spawn_slow(terrane_processor* self) {
  return as_processor(self).tokens().may_run_child();
}
void terrane_push_slow(terrane_processor* self, const terrane_function* function) {
  as_processor(self).tokens().before_push(*function);
}
bool terrane_run_own(terrane_processor* self, terrane_frame* frame, terrane_step* step) {
  return as_processor(self).run_own(*frame, *step);
}

void terrane_token_push_spilled(terrane_processor* self, const terrane_function* function,
                                const void* args) {
  void* block = terrane::spill(*function, args);
  memcpy(terrane_token_push(self, function), &block, sizeof block);
}

void terrane_invoke(uint32_t target, const terrane_function* function, const void* args) {
  processor& self = here();
  if (target >= self.processors())
    fail(run_time_error::no_such_processor, "%s was invoked on processor %d of a machine of %u",
         function->name, static_cast<int>(target), self.processors());
  if (TERRANE_UNLIKELY(self.records(event_class::graph)))
    terrane::graph_invoked(self, target, function->args_bytes);
  if (target == self.number) {
    self.start_here(*function, args);
    return;
  }
  const terrane::function_entry head{terrane::entry_of(*function)};
  self.send(target, terrane::entry::invoke, {&head, sizeof head}, {args, function->args_bytes});
}

uint32_t terrane_processors(void) {
  if (TERRANE_UNLIKELY(here().records(event_class::graph))) terrane::graph_machine(here());
  return here().processors();
}
uint32_t terrane_nodes(void) {
  if (TERRANE_UNLIKELY(here().records(event_class::graph))) terrane::graph_machine(here());
  return here().processors() / here().processors_per_node();
}
uint32_t terrane_node_of(uint32_t target) { return target / here().processors_per_node(); }
void terrane_charge_far(const terrane_operation* operation, uint64_t count) {
  if (TERRANE_UNLIKELY(here().records(event_class::graph)))
    terrane::graph_work(here(), *operation, count);
  here().world().prices->charge(*operation, count);
  if (terrane::processor_part* const threads = here().threads()) threads->charged();
}
void terrane_event_far(uint32_t code, int64_t value) {
  terrane::event_writer& writer = here().writer();
  writer.look();
  writer.put<terrane::event_id::user_event>(code, value);
}
uint64_t terrane_now(void) { return here().world().now(); }

void terrane_after(uint64_t nanoseconds, terrane_slot_ref slot) {
  if (TERRANE_UNLIKELY(here().records(event_class::graph)))
    terrane::graph_unclear(here(), "timers");
  const uint64_t now = terrane_now();
  const bool too_far = nanoseconds > terrane::timers::never - now;  // then it is never due
  here().due().add(too_far ? terrane::timers::never : now + nanoseconds, slot);
}

/// Outside a processor: the machine is being destroyed, and its root was still waiting.
void terrane_root_ended(terrane_frame* root) {
  if (!terrane_is_processor()) return;
  here().refuse_orphans(root);
  here().control().root_ended(here());
}
void terrane_set_exit_code(int code) { here().control().set_exit_code(code); }

void* terrane_to_local(terrane_global place) {
  if (place == 0) return nullptr;
  terrane::require_place(place, "TO_LOCAL");
  const uint32_t owner = terrane_owner_of(place);
  if (terrane_node_of(owner) != terrane_node_of(here().number))
    fail(run_time_error::not_on_this_node,
         "TO_LOCAL of a place on processor %u, node %u: it can be read from its own node only",
         owner, terrane_node_of(owner));
  return terrane_address_in(place);
}
