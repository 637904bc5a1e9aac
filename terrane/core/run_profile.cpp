// SPDX-License-Identifier: Apache-2.0
#include "terrane/core/run_profile.hpp"

#include <utility>

namespace terrane {

/// Two bins become one.
void run_profile::fold() {
  static constexpr shared_count profile_bin::* all[] = {
      &profile_bin::run,       &profile_bin::balance,   &profile_bin::poll,
      &profile_bin::idle,      &profile_bin::queued,    &profile_bin::looks,
      &profile_bin::tokens_in, &profile_bin::tokens_out};
  for (std::uint32_t i = 0; i < bins; ++i) {
    const bool holds = i < bins / 2;
    const bool touched =
        groups_[i / group].is_made() || (holds && groups_[2 * i / group].is_made());
    if (!touched) continue;
    profile_bin& into = own_bin(i);
    for (const auto which : all)
      (into.*which).set(holds ? (bin(2 * i).*which).get() + (bin(2 * i + 1).*which).get() : 0);
  }
  width_.set(2 * width_.get());
}

/// Shares `ns` out evenly over that time.
void run_profile::spread(std::uint64_t from, std::uint64_t until, shared_count profile_bin::* what,
                         std::uint64_t ns) {
  const std::uint64_t width = width_.get(), whole = until - from;
  std::uint64_t given = 0, passed = 0;
  while (from < until && ns != 0) {
    const std::uint64_t end = std::min(until, (from / width + 1) * width);
    passed += end - from;
    const auto due = static_cast<std::uint64_t>(
        static_cast<double>(ns) * static_cast<double>(passed) / static_cast<double>(whole));
    const std::uint64_t now_due = end == until ? ns : std::min(due, ns);
    (own_bin(from / width).*what).add(now_due - given);
    given = now_due;
    from = end;
  }
}

void run_profile::look(std::uint64_t now, const sight& seen) {
  const time_split& split = seen.split;
  if (width_.get() == 0) width_.set(first_width_ns);
  const std::uint64_t from = until_.get();
  if (now <= from) return;
  while (now > width_.get() * bins) fold();
  const auto grown = [](std::uint64_t new_value, std::uint64_t old) {
    return new_value - std::min(new_value, old);
  };
  const std::uint64_t whole = now - from;
  const std::uint64_t balance = std::min(whole, grown(split.balance, last_.balance));
  const std::uint64_t poll = std::min(whole - balance, grown(split.poll, last_.poll));
  const std::uint64_t idle = std::min(whole - balance - poll, grown(split.idle, last_.idle));
  spread(from, now, &profile_bin::balance, balance);
  spread(from, now, &profile_bin::poll, poll);
  spread(from, now, &profile_bin::idle, idle);
  spread(from, now, &profile_bin::run, whole - balance - poll - idle);
  profile_bin& last = own_bin(std::min<std::uint64_t>((now - 1) / width_.get(), bins - 1));
  last.queued.add(seen.queued);
  last.tokens_in.add(seen.tokens_in - std::exchange(last_in_, seen.tokens_in));
  last.tokens_out.add(seen.tokens_out - std::exchange(last_out_, seen.tokens_out));
  last.looks.add(1);
  last_ = split;
  until_.set(now);
}

void run_profile::fiber_took(const terrane_function& function, std::uint64_t ns) {
  for (auto& place : timed_) {
    timed& each = place.make();
    const terrane_function* const its = each.function.load(memory_order_relaxed);
    if (its && its != &function) continue;
    each.took.add(ns);
    if (!its) each.function.store(&function, memory_order_release);
    return;
  }
  others_.make().add(ns);
}

}  // namespace terrane
