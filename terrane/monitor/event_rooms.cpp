// SPDX-License-Identifier: Apache-2.0
#include "terrane/monitor/event_rooms.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "terrane/base/ticks.hpp"
#include "terrane/core/world.hpp"

#include "terrane/monitor/event_text.hpp"
#include "terrane/trace/format.hpp"

namespace terrane {

namespace {

constexpr std::uint32_t kept_most = 4096, kept_of_all = 256 * 1024, kept_least = 8;
constexpr std::uint64_t words_of_all = 8u << 20, words_most = 512u << 10, words_least = 1024;

std::uint32_t places_for(std::uint32_t sources) {
  return std::bit_floor(std::clamp(kept_of_all / sources, kept_least, kept_most));
}

}  // namespace

// --- the flight recorder ---

std::size_t flight_recorder::bytes_for(std::uint32_t processors, std::uint32_t nodes) {
  const std::uint32_t sources = processors + nodes;
  return kept_events::bytes_for(places_for(sources)) * sources;
}

flight_recorder::flight_recorder(std::uint32_t processors, std::uint32_t nodes, bool simulated,
                                 void* memory)
    : processors_(processors),
      nodes_(nodes),
      places_(places_for(processors + nodes)),
      memory_(memory ? memory : std::calloc(1, bytes_for(processors, nodes))),
      owns_(memory == nullptr),
      simulated_(simulated),
      first_ticks_(read_ticks()),
      first_ns_(monotonic_ns()) {}

flight_recorder::~flight_recorder() {
  if (owns_) std::free(memory_);
}

kept_events* flight_recorder::at(std::uint32_t index) const {
  if (!memory_) return nullptr;
  return reinterpret_cast<kept_events*>(static_cast<char*>(memory_) +
                                        kept_events::bytes_for(places_) * index);
}

void flight_recorder::print_last(std::uint32_t how_many, std::uint64_t now_ns, node_id first,
                                 node_id end, std::FILE* to) const {
  struct seen {
    std::uint64_t ticks;
    std::size_t order;  // those of one place keep theirs
    node_id node;
    std::array<std::uint64_t, event_fields_max> words;
  };
  std::vector<seen> all;
  if (!memory_ || nodes_ == 0) return;
  const std::uint32_t each = processors_ / nodes_;
  const auto collect = [&](const kept_events& from, node_id node) {
    from.visit([&](std::uint64_t ticks, const std::uint64_t* words) {
      if (words_of(words[0]) == 0) return;
      seen& one = all.emplace_back(seen{ticks, all.size(), node, {}});
      std::copy_n(words, words_of(words[0]), one.words.begin());
    });
  };
  for (node_id n = first; n < end; ++n) {
    for (processor_id p = n * each; p < (n + 1) * each; ++p) collect(*at(p), n);
    collect(*at(processors_ + n), n);
  }
  if (all.empty()) return;
  std::sort(all.begin(), all.end(), [](const seen& a, const seen& b) {
    return a.ticks != b.ticks ? a.ticks < b.ticks : a.order < b.order;
  });
  const auto count = std::min<std::size_t>(all.size(), how_many);
  std::fprintf(to, "terrane: the last %zu events (balancers, messages between nodes, moves):\n",
               count);
  const std::uint64_t now = read_ticks();
  const double tick_ns = static_cast<double>(monotonic_ns() - first_ns_) /
                         static_cast<double>(std::max<std::uint64_t>(1, now - first_ticks_));
  for (std::size_t i = all.size() - count; i < all.size(); ++i) {
    const seen& event = all[i];
    const double ago = tick_ns * static_cast<double>(static_cast<std::int64_t>(now - event.ticks));
    const double time =
        simulated_ ? static_cast<double>(event.ticks) : static_cast<double>(now_ns) - ago;
    std::fprintf(to, "  %.6f s  node %u  %s\n", 1e-9 * time, event.node,
                 sentence_of(event.words.data()).c_str());
  }
}

// --- rings ---

event_rooms::event_rooms(const event_options& options, std::span<processor* const> processors,
                         std::span<const std::unique_ptr<node>> nodes, flight_recorder& last) {
  const std::size_t sources = processors.size() + nodes.size();
  const std::uint64_t words =
      std::bit_floor(std::clamp(words_of_all / sources, words_least, words_most));
  const auto writer_for = [&](const processor& any, kept_events* kept, std::uint32_t source) {
    event_ring* ring = nullptr;
    if (options.rings) {
      rooms_.push_back({std::make_unique<event_ring>(words), source});
      ring = rooms_.back().ring.get();
    }
    event_writer writer;
    // Messages within a node are not for the flight recorder: a machine of one node has no others.
    const event_mask kept_classes = any.processors() > any.processors_per_node() ? rare_events : 0;
    writer.attach(any.is_simulated() ? &any.world().crew : nullptr, ring, options.traced, kept,
                  kept_classes, options.wait, last.places());
    return writer;
  };
  for (processor* each : processors)
    each->record_as(writer_for(*each, last.of_processor(each->number), each->number));
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const node_id number = nodes[i]->number();
    nodes[i]->policy().record_as(
        writer_for(*processors[0], last.of_policy(number), source_of_policy | number));
  }
}

}  // namespace terrane
