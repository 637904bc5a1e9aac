// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/live_frames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "terrane/core/node.hpp"
#include "terrane/core/object.hpp"
#include "terrane/cpp/threaded.hpp"
#include "terrane/thread/thread_block.hpp"

namespace terrane {

namespace {

/// True if the slot still waits. A join that nobody awaits yet does not wait, and neither does a
/// slot that has fired and is not reset.
bool waits(const terrane_slot& slot) {
  if (slot.fiber->join) return (slot.index & TERRANE_AWAITED) != 0;
  return slot.count > 0 || slot.count == TERRANE_UNARMED;
}

waiting_fiber describe(const processor& owner, const terrane_slot& slot) {
  const terrane_fiber& fiber = *slot.fiber;
  const bool armed = fiber.join || slot.count != TERRANE_UNARMED;
  return {.processor = owner.number,
          .node = owner.home().number(),
          .function = fiber.function->name,
          .fiber = fiber.name,
          .where = fiber.file ? fmt::format("{}:{}", fiber.file, fiber.line) : std::string(),
          .count = armed ? slot.count : 0,
          .reset = fiber.join ? 1 : slot.reset,
          .armed = armed};
}

void find_slots(const processor& owner, const terrane_frame& frame, std::size_t most,
                std::vector<waiting_fiber>& found) {
  const auto* start = reinterpret_cast<const char*>(&frame);
  const std::size_t bytes = std::min<std::size_t>(frame.function->frame_bytes, TERRANE_SLOT_REACH);
  for (std::size_t at = sizeof frame; at + sizeof(terrane_slot) <= bytes; at += 16) {
    if (found.size() == most) return;
    const auto& candidate = *reinterpret_cast<const terrane_slot*>(start + at);
    if (is_fiber_of(candidate.fiber, *frame.function) && waits(candidate))
      found.push_back(describe(owner, candidate));
  }
}

}  // namespace

live_frames find_live_frames(const std::vector<processor*>& processors, std::size_t most) {
  live_frames found;
  for (processor* each : processors)
    each->frames().for_each_live([&](terrane_frame& frame) {
      if (is_object(frame)) {
        ++found.objects;
        const std::size_t waiting = object_in(frame).waiting();
        if (waiting != 0 && found.awaited.size() < most)
          found.awaited.push_back(
              {each->number, each->home().number(), frame.function->name, waiting});
        return;
      }
      ++found.frames;
      ++found.by_function[frame.function->name];
      if (const joinable* const waits = thread_in(frame); waits && waits->waits_for()) {
        if (found.threads.size() < most)
          found.threads.push_back(
              {each->number, each->home().number(), waits->thread_name(), waits->waits_for()});
        return;
      }
      find_slots(*each, frame, most, found.waiting);
    });
  return found;
}

/// True for a Threaded-C program whose MAIN is left but waits for nothing: it forgot its end.
static bool main_waits_for_nothing(const live_frames& found) {
  return found.by_function.contains("MAIN") && found.waiting.size() < waiting_listed &&
         std::none_of(
             found.waiting.begin(), found.waiting.end(),
             [](const waiting_fiber& each) { return each.function == "MAIN"; });
}

std::string describe_deadlock(const live_frames& found) {
  std::string text;
  auto out = std::back_inserter(text);
  fmt::format_to(
      out,
      "terrane: R-250: deadlock: nothing is left to run and the program has not ended; {} "
      "activation{} wait{}:\n",
      found.frames, found.frames == 1 ? "" : "s", found.frames == 1 ? "s" : "");
  for (const auto& each : found.waiting) {
    fmt::format_to(out, "  processor {}, node {}: {}::{}", each.processor, each.node, each.function,
                   each.fiber);
    if (!each.where.empty()) fmt::format_to(out, " ({})", each.where);
    if (each.armed)
      fmt::format_to(out, " waits for {} more signal{} (count {}, reset {})\n", each.count,
                     each.count == 1 ? "" : "s", each.count, each.reset);
    else
      fmt::format_to(out, " has a slot that was never given a count\n");
  }
  for (const auto& each : found.threads)
    fmt::format_to(out, "  processor {}, node {}: thread {} waits for {}\n", each.processor,
                   each.node, each.name, each.waits_for);
  for (const auto& each : found.awaited)
    fmt::format_to(out, "  processor {}, node {}: the {} has {} request{} to answer\n",
                   each.processor, each.node, each.kind, each.waiting,
                   each.waiting == 1 ? "" : "s");
  if (found.waiting.size() + found.threads.size() < found.frames)
    for (const auto& [function, count] : found.by_function)
      fmt::format_to(out, "  in all {} of {}\n", count, function);
  if (main_waits_for_nothing(found))
    text += "  MAIN waits for nothing and has not said TERMINATE, which ends the program\n";
  return text;
}

std::string describe_leftovers(const live_frames& found, std::uint64_t tokens,
                               std::string_view severity) {
  if (found.frames == 0 && tokens == 0) return {};
  std::string text = fmt::format("terrane: {}: at the end of the program ", severity);
  auto out = std::back_inserter(text);
  if (found.frames != 0) {
    fmt::format_to(out, "{} activation{} still lived (", found.frames,
                   found.frames == 1 ? "" : "s");
    const char* separator = "";
    for (const auto& [function, count] : found.by_function) {
      fmt::format_to(out, "{}{} {}", separator, count, function);
      separator = ", ";
    }
    text += ")";
  }
  if (tokens != 0)
    fmt::format_to(out, "{}{} token{} had not run", found.frames != 0 ? " and " : "", tokens,
                   tokens == 1 ? "" : "s");
  return text + "\n";
}

}  // namespace terrane
