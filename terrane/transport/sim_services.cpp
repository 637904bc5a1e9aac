// SPDX-License-Identifier: Apache-2.0
// sim_services.cpp: services that have a price of their own, the ticks of the processors' clocks,
// and the phase in which messages leave. Networks that name none of these are as if it were not
// here.
#include <algorithm>

#include "terrane/core/node.hpp"
#include "terrane/transport/sim_agent.hpp"

namespace terrane {

/// Null: it costs what every message does.
const service_costs* sim_world::priced(const parcel& what) const {
  if (what.sent_as == service::none) {
    const bool probe = what.what == parcel::kind::message && what.message_kind == entry::probe;
    return probe && options_.costs.probe_flight_ns != 0 ? &free_probe_ : nullptr;
  }
  const service_costs& found =
      options_.costs.priced_services[static_cast<std::size_t>(what.sent_as)];
  return found.priced ? &found : nullptr;
}

/// The clocks of the nodes tick one after the other. A tick takes the processor some time.
std::uint64_t sim_world::next_tick(node_id of, std::uint64_t after) const {
  const std::uint64_t every = options_.costs.timer_every_ns;
  if (every == 0) return timers::never;
  const std::uint64_t first = every * of / options_.nodes;
  return after < first ? first : first + ((after - first) / every + 1) * every;
}

void sim_world::spend(agent& whose, std::uint64_t ns) {
  const std::uint64_t begin = whose.clock;
  whose.clock += ns;
  if (options_.costs.timer_ns == 0) return;
  for (std::uint64_t tick = next_tick(whose.home, begin); tick <= whose.clock;
       tick += options_.costs.timer_every_ns) {
    whose.clock += options_.costs.timer_ns;
    interrupted_ns_ += options_.costs.timer_ns;
  }
}

void sim_world::serve(service what, std::size_t bytes) {
  declared_ = true;
  const service_costs& costs = options_.costs.priced_services[static_cast<std::size_t>(what)];
  if (!costs.priced) return;
  const std::uint64_t since = current_->clock, before = interrupted_ns_;
  spend(*current_, costs.work(bytes, options_.costs.page_bytes));
  note_service(*current_->self, what, bytes, since, before);
}

void sim_world::send_as(service what, std::size_t bytes) {
  next_as_ = what;
  next_bytes_ = bytes;
}

/// What a turn sent leaves when the turn is over, or at a tick within it, which ends a slice.
void sim_world::let_out(const agent& whose) {
  for (const std::uint32_t place : outgoing_) {
    const parcel& what = parcels_[place];
    const std::uint64_t end = std::min(whose.clock, next_tick(whose.home, what.posted_ns));
    const std::uint64_t when = std::max(what.posted_ns, end);
    queue_.push({when, rank(of_departures | what.from, when), 0, place});
  }
  outgoing_.clear();
}

void sim_world::note_flight(processor& self, const parcel& what) {
  if (what.sent_as == service::none || TERRANE_LIKELY(!self.records(event_class::channel))) return;
  self.writer().look();
  self.writer().put<event_id::flew>(name_of(what.sent_as), what.payload,
                                    what.left_ns - what.posted_ns,
                                    agents_[self.number].clock - what.left_ns);
}

void sim_world::note_service(processor& self, service what, std::size_t bytes, std::uint64_t since,
                             std::uint64_t interrupted_before) {
  if (what == service::none || TERRANE_LIKELY(!self.records(event_class::channel))) return;
  self.writer().look();
  self.writer().put<event_id::served>(name_of(what), bytes, agents_[self.number].clock - since,
                                      interrupted_ns_ - interrupted_before);
}

}  // namespace terrane
