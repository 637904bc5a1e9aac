// SPDX-License-Identifier: Apache-2.0
#include "terrane/core/graph_probes.hpp"

#include <cstring>

#include "terrane/core/token.hpp"

namespace terrane {

namespace {

constexpr std::size_t token_number_at = TERRANE_TOKEN_ARGS - sizeof(std::uint64_t);

/// True if the arguments leave the last bytes of the line free.
bool has_room_for_number(const terrane_function& function) {
  return spilled(function) || function.args_bytes <= token_number_at;
}

/// 55 bits; the highest of them tells a number that was made from arguments.
std::uint64_t number_from(const terrane_token& token) {
  std::uint64_t number = 0x9e3779b97f4a7c15u;
  for (std::size_t at = 0; at != TERRANE_TOKEN_ARGS; at += 8) {
    std::uint64_t word;
    std::memcpy(&word, token.args + at, 8);
    number = (number ^ word) * 0xbf58476d1ce4e5b9u;
    number ^= number >> 31;
  }
  return number >> 10 | std::uint64_t{1} << 54;
}

std::uint64_t next_token_number(processor& self) {
  return std::uint64_t{self.number} << 38 | ++self.graph().tokens;
}

/// False while a message is handled, and within an operation that has been told.
bool is_told(processor& self) {
  graph_names_token(self);
  return self.graph().quiet == 0 && !self.messages().handled;
}

}  // namespace

void graph_token_made(processor& self, terrane_token& place, const terrane_function& function) {
  if (!self.records(event_class::graph)) return;
  graph_names_token(self);
  if (!has_room_for_number(function)) {
    self.graph().unnamed = &place;
    return;
  }
  const std::uint64_t number = next_token_number(self);
  std::memcpy(place.args + token_number_at, &number, sizeof number);
  self.writer().put<event_id::graph_token>(number);
}

void graph_names_token(processor& self) {
  const terrane_token* const token = self.graph().unnamed;
  if (!token) return;
  self.graph().unnamed = nullptr;
  self.writer().put<event_id::graph_token>(number_from(*token));
}

void graph_invoked(processor& self, processor_id to, std::uint64_t bytes) {
  graph_names_token(self);
  if (self.messages().handled) return graph_unclear(self, "handlers of messages");
  self.writer().put<event_id::graph_invoked>(to, bytes);
}

void graph_came(processor& self, terrane_token& token) {
  const message* const asked = self.messages().handled;
  std::uint64_t number = 0;
  if (has_room_for_number(*token.function)) {
    number = next_token_number(self);
    std::memcpy(token.args + token_number_at, &number, sizeof number);
  } else {
    number = number_from(token);
  }
  self.writer().put<event_id::graph_came>(asked ? asked->from : self.number, number);
}

void graph_begins(processor& self, const terrane_token& token) {
  const terrane_function& function = *token.function;
  if (function.frame_bytes == 0 || function.traits != 0)
    return graph_unclear(self, "threads or futures");
  std::uint64_t number = 0;
  std::memcpy(&number, token.args + token_number_at, sizeof number);
  if (!has_room_for_number(function)) number = number_from(token);
  // The activation takes the first free frame of its class.
  terrane_frame*& free = self.free_frames[function.frame_class];
  if (!free) free = self.frames().refill(function.frame_class);
  self.writer().put<event_id::graph_began>(number, free->name,
                                           terrane_to_global(static_cast<void*>(free)));
}

void graph_work(processor& self, const terrane_operation& operation, std::uint64_t count) {
  graph_names_token(self);
  self.writer().put<event_id::graph_work>(count, operation.name, operation.picoseconds);
}

void graph_sent(processor& self, terrane_slot_ref slot, std::uint64_t bytes) {
  if (is_told(self)) self.writer().put<event_id::graph_sent>(bytes, slot);
}

void graph_asked(processor& self, entry kind, const graph_request& asked) {
  if (!is_told(self)) return;
  self.writer().put<event_id::graph_asked>(kind, asked.bytes, asked.from, asked.to, asked.done);
}

void graph_made_ready(processor& self, const terrane_frame& frame, const terrane_fiber& fiber) {
  graph_names_token(self);
  self.writer().put<event_id::graph_sent>(0, frame.name | graph_no_slot << 16);
  self.writer().put<event_id::graph_got>(graph_no_slot, frame.name);
  self.writer().put<event_id::graph_fired>(graph_no_slot, frame.name, fiber.priority, false);
}

void graph_machine(processor& self) { self.writer().put<event_id::graph_machine>(); }

void graph_unclear(processor& self, const char* what) {
  if (self.records(event_class::graph)) self.writer().put<event_id::graph_unclear>(what);
}

}  // namespace terrane
