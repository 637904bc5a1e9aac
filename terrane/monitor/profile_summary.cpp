// SPDX-License-Identifier: Apache-2.0
#include "terrane/monitor/profile_summary.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "terrane/core/node.hpp"

namespace terrane {

namespace {

constexpr std::size_t nodes_singly = 64;

using row = std::array<std::uint64_t, 8>;

void halve(node_profile& its) {
  for (std::size_t i = 0; i < its.bins.size(); ++i) {
    row sum{};
    for (std::size_t part = 2 * i; part < std::min(2 * i + 2, its.bins.size()); ++part)
      for (std::size_t which = 0; which < sum.size(); ++which) sum[which] += its.bins[part][which];
    its.bins[i] = sum;
  }
  its.bins.resize((its.bins.size() + 1) / 2);
  its.bin_ns *= 2;
}

/// Bins of all become as wide as the widest.
void add(node_profile& to, node_profile one) {
  if (one.bins.empty() || one.bin_ns == 0) return;
  if (to.bins.empty()) to.bin_ns = one.bin_ns;
  while (to.bin_ns < one.bin_ns) halve(to);
  while (one.bin_ns < to.bin_ns) halve(one);
  to.bins.resize(std::max(to.bins.size(), one.bins.size()));
  for (std::size_t i = 0; i < one.bins.size(); ++i)
    for (std::size_t which = 0; which < row{}.size(); ++which)
      to.bins[i][which] += one.bins[i][which];
}

node_profile bins_of(const run_profile& from) {
  node_profile made;
  made.bin_ns = from.bin_ns();
  if (made.bin_ns == 0) return made;
  const std::uint64_t used = (from.until() + made.bin_ns - 1) / made.bin_ns;
  for (std::uint32_t i = 0; i < std::min<std::uint64_t>(used, run_profile::bins); ++i) {
    const profile_bin& bin = from.bin(i);
    made.bins.push_back({bin.run.get(), bin.balance.get(), bin.poll.get(), bin.idle.get(),
                         bin.queued.get(), bin.looks.get(), bin.tokens_in.get(),
                         bin.tokens_out.get()});
  }
  return made;
}

summed_counts counts_of(const duration_counts& from) {
  summed_counts made;
  for (std::uint32_t i = 0; i < duration_counts::places; ++i)
    if (const std::uint64_t count = from.at(i); count != 0) {
      made.counts.resize(i + 1);
      made.counts[i] = count;
    }
  made.sum_ns = from.sum_ns();
  return made;
}

}  // namespace

void summed_counts::add(const summed_counts& other) {
  counts.resize(std::max(counts.size(), other.counts.size()));
  for (std::size_t i = 0; i < other.counts.size(); ++i) counts[i] += other.counts[i];
  sum_ns += other.sum_ns;
}

void profile_summary::add(const profile_summary& other) {
  nodes.insert(nodes.end(), other.nodes.begin(), other.nodes.end());
  for (const auto& [what, its] : other.lengths) lengths[what].add(its);
}

profile_summary summarise(std::span<processor* const> processors,
                          std::span<const std::unique_ptr<node>> nodes) {
  profile_summary all;
  const auto take = [&](const std::string& what, const duration_counts& counts) {
    if (summed_counts its = counts_of(counts); !its.counts.empty()) all.lengths[what].add(its);
  };
  for (const processor* each : processors) {
    const run_profile& profile = each->profile();
    const std::uint32_t number = each->home().number();
    if (all.nodes.empty() || all.nodes.back().node != number) all.nodes.push_back({number, 0, {}});
    add(all.nodes.back(), bins_of(profile));
    take("idle interval", profile.idle());
    take("ready until it runs", profile.waits());
    take("move of a thread", profile.moves());
    for (std::uint32_t i = 0; i < run_profile::functions; ++i)
      if (const terrane_function* const function =
              profile.of_function(i).function.load(memory_order_acquire))
        take(std::string("fiber of ") + function->name, profile.of_function(i).took);
    take("fiber of other functions", profile.of_others());
  }
  for (const auto& each : nodes) take("asking until a token came", each->policy().answer_times());
  return all;
}

std::string to_json(const profile_summary& all) {
  using json = nlohmann::ordered_json;
  std::vector<node_profile> rows = all.nodes;
  if (rows.size() > nodes_singly) {
    node_profile whole;
    for (const node_profile& each : rows) add(whole, each);
    rows = {std::move(whole)};
  }
  json nodes = json::array(), lengths = json::array();
  for (const node_profile& each : rows) {
    json bins = json::array();
    for (const row& bin : each.bins) bins.push_back(bin);
    json one = {{"node", each.node}, {"bin_ns", each.bin_ns}, {"bins", std::move(bins)}};
    if (all.nodes.size() > nodes_singly) one["node"] = nullptr;
    nodes.push_back(std::move(one));
  }
  for (const auto& [what, its] : all.lengths)
    lengths.push_back({{"what", what}, {"counts", its.counts}, {"sum_ns", its.sum_ns}});
  const json whole = {
      {"bins_hold",
       {"run", "balance", "poll", "idle", "queued", "looks", "tokens_in", "tokens_out"}},
      {"nodes", std::move(nodes)},
      {"lengths", std::move(lengths)}};
  return whole.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace terrane
