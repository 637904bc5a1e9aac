// SPDX-License-Identifier: Apache-2.0
#include "terrane/core/object.hpp"

#include <cstring>

#include "terrane/core/entries.hpp"
#include "terrane/core/graph_probes.hpp"
#include "terrane/core/processor.hpp"
#include "terrane/core/reach.hpp"
#include "terrane/core/requests.hpp"

namespace terrane {

namespace {

/// A record is padded to a multiple of 8 bytes, so that the receiver finds the body aligned.
constexpr std::size_t padded(std::size_t record_bytes) { return (record_bytes + 7) / 8 * 8; }

/// The branch of another processor's object; made if this is the first operation on it.
object* branch_here(processor& self, const object_kind& kind, terrane_slot_ref whole) {
  if (!kind.make_branch) return nullptr;
  object*& branch = self.messages().branches[whole];
  if (!branch) branch = kind.make_branch(whole);
  return branch;
}

void operate_here(processor& self, const object_kind& kind, terrane_slot_ref name,
                  const operation_request& asked) {
  object* target =
      processor_of(name) == self.number ? find_object(kind, name) : branch_here(self, kind, name);
  if (!target)
    fail(kind.gone, "the %s that an operation of processor %u came for was freed, or never made",
         kind.name, asked.from);
  target->operate(asked);
}

/// Operates on the object whose name is stored at a place of this processor.
void operate_on_own(processor& self, const object_kind& kind, terrane_global place,
                    const operation_request& asked) {
  terrane_slot_ref name;
  std::memcpy(&name, terrane_address_in(place), sizeof name);
  const bool own = processor_of(name) == self.number;
  operate_here(self, kind, own ? name : first_frame_name(self.number, 0), asked);
}

/// The kind that another process names; R-211 if this process has no such kind.
const object_kind& known_kind(std::uint64_t entry, const message& what) {
  const terrane_function* kind = function_at(entry);
  if (!kind || !is_object_kind(*kind))
    fail(run_time_error::unknown_function,
         "processor %u asked something of an object of the kind at offset 0x%llx, and this process "
         "has none such: is it the same executable?",
         what.from, static_cast<unsigned long long>(entry));
  return *static_cast<const object_kind*>(kind);
}

/// The fast way to the object that is asked: it is of this processor, and of the kind that the
/// sender expects. Null: it must be searched for.
object* asked_here(const processor& self, const operate_request& head) {
  if (head.by_place || processor_of(head.target) != self.number) return nullptr;
  terrane_frame* const frame = terrane_frame_at(terrane_here, head.target);
  if (frame->name != head.target || entry_of(*frame->function) != head.kind ||
      !is_object_kind(*frame->function))
    return nullptr;
  return reinterpret_cast<object*>(frame + 1);
}

}  // namespace

void free_object(object& ended) {
  terrane_frame* frame = reinterpret_cast<terrane_frame*>(&ended) - 1;
  const terrane_function& kind = *frame->function;
  kind.destroy(frame);
  terrane_frame_free(terrane_here, frame, kind.frame_class);
}

void free_branch(terrane_slot_ref whole) {
  auto& all = here().messages().branches;
  const auto found = all.find(whole);
  free_object(*found->second);
  all.erase(found);
}

void operate(processor_id at, const object_kind& kind, terrane_slot_ref name,
             const operation_request& asked) {
  processor& self = here();
  if (TERRANE_UNLIKELY(self.records(event_class::graph))) graph_unclear(self, "objects");
  if (at >= self.processors())
    fail(kind.gone, "the %s that an operation was asked of was never made", kind.name);
  if (at == self.number)
    return operate_here(self, kind, name, {self.number, asked.what, asked.record, asked.body});
  const operate_request head{name, entry_of(kind), asked.what,
                             static_cast<std::uint16_t>(asked.record.size), false};
  if (asked.record.size == 0)
    return self.send(at, entry::operate, {&head, sizeof head}, asked.body);
  struct {
    operate_request head;
    unsigned char record[record_bytes_max];
  } packed{head, {}};
  std::memcpy(packed.record, asked.record.data, asked.record.size);
  self.send(at, entry::operate, {&packed, sizeof head + padded(asked.record.size)}, asked.body);
}

void operate_at_place(terrane_global place, const object_kind& kind, std::uint32_t what,
                      bytes_view body) {
  processor& self = here();
  if (TERRANE_UNLIKELY(self.records(event_class::graph))) graph_unclear(self, "objects");
  const processor_id owner = terrane_owner_of(place);
  if (owner == self.number) return operate_on_own(self, kind, place, {self.number, what, {}, body});
  const operate_request head{place, entry_of(kind), what, 0, true};
  self.send(owner, entry::operate, {&head, sizeof head}, body);
}

void operation_arrived(processor& self, const message& what) {
  const auto& head = what.head<operate_request>();
  const std::size_t body_at = padded(head.record_bytes);
  const bytes_view rest = what.body<operate_request>();
  if (body_at > rest.size) malformed(what);
  const auto* record = static_cast<const unsigned char*>(rest.data);
  const operation_request asked{
      what.from, head.what, {record, head.record_bytes}, {record + body_at, rest.size - body_at}};
  if (object* const found = asked_here(self, head)) return found->operate(asked);
  const object_kind& kind = known_kind(head.kind, what);
  if (head.by_place) {
    require_memory(self, head.target, sizeof(terrane_slot_ref), false);
    operate_on_own(self, kind, head.target, asked);
  } else {
    operate_here(self, kind, head.target, asked);
  }
}

void require_nobody_waits(const object& freed) {
  const std::size_t waiting = freed.waiting();
  if (waiting == 0) return;
  const terrane_frame* frame = reinterpret_cast<const terrane_frame*>(&freed) - 1;
  fail(run_time_error::freed_while_awaited,
       "the %s was freed while %zu wait%s for it: free it when everybody is done",
       frame->function->name, waiting, waiting == 1 ? "s" : "");
}

void free_unawaited(object& ended) {
  require_nobody_waits(ended);
  free_object(ended);
}

processor_id station_of(terrane_slot_ref name, node_id home) {
  const std::uint32_t each = here().processors_per_node();
  const processor_id owner = processor_of(name);
  return owner / each == home ? owner : home * each;
}

processor_id station_here(terrane_slot_ref name) {
  return station_of(name, here().number / here().processors_per_node());
}

}  // namespace terrane
