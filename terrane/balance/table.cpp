// SPDX-License-Identifier: Apache-2.0
#include "terrane/balance/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "terrane/balance/adaptive.hpp"
#include "terrane/balance/catapult.hpp"
#include "terrane/balance/central.hpp"
#include "terrane/balance/dual.hpp"
#include "terrane/balance/his.hpp"
#include "terrane/balance/minima.hpp"
#include "terrane/balance/nop.hpp"
#include "terrane/balance/rand.hpp"
#include "terrane/balance/range.hpp"
#include "terrane/balance/shis.hpp"
#include "terrane/balance/snd.hpp"
#include "terrane/balance/spn.hpp"

namespace terrane {

namespace {

balance::ring_options ring_of(const balancer_parameters& given) {
  return {.rich = value_or(given, "rich", balance::ring_options().rich)};
}

template <class Policy>
std::unique_ptr<balancer> plain(const balancer_parameters&) {
  return std::make_unique<Policy>();
}

template <class Policy>
std::unique_ptr<balancer> on_ring(const balancer_parameters& given) {
  return std::make_unique<Policy>(ring_of(given));
}

/// Of balancers that also give unasked.
template <class Options>
Options giving_of(const balancer_parameters& given) {
  return {.ring = ring_of(given), .threshold = value_or(given, "threshold", Options().threshold)};
}

template <class Policy, class Options>
std::unique_ptr<balancer> on_ring_and_giving(const balancer_parameters& given) {
  return std::make_unique<Policy>(giving_of<Options>(given));
}

std::unique_ptr<balancer> make_dual(const balancer_parameters& given) {
  return std::make_unique<balance::dual>(balance::dual_options{
      .ring = ring_of(given),
      .patience = value_or(given, "patience", balance::dual_options().patience),
      .literal = value_or(given, "literal", 0) != 0});
}

std::unique_ptr<balancer> make_shis(const balancer_parameters& given) {
  return std::make_unique<balance::shis>(
      balance::shis_options{.ring = ring_of(given), .fails = value_or(given, "fails", 0)});
}

std::unique_ptr<balancer> make_catapult(const balancer_parameters& given) {
  return std::make_unique<balance::catapult>(giving_of<balance::range_options>(given),
                                             value_or(given, "literal", 0) != 0);
}

std::unique_ptr<balancer> make_minima(const balancer_parameters& given) {
  return std::make_unique<balance::minima>(balance::minima_options{
      .threshold = value_or(given, "threshold", balance::minima_options().threshold)});
}

std::unique_ptr<balancer> make_snd(const balancer_parameters& given) {
  return std::make_unique<balance::snd>(balance::snd_options{
      .threshold = value_or(given, "threshold", balance::snd_options().threshold),
      .again_us = value_or(given, "again", balance::snd_options().again_us),
      .literal = value_or(given, "literal", 0) != 0});
}

std::unique_ptr<balancer> make_rand(const balancer_parameters& given) {
  return std::make_unique<balance::rand>(
      balance::rand_options{.probes = value_or(given, "probes", 0),
                            .threshold = value_or(given, "threshold", -1),
                            .rest = value_or(given, "rest", 0) != 0,
                            .literal = value_or(given, "literal", 0) != 0});
}

std::unique_ptr<balancer> make_adaptive(const balancer_parameters& given) {
  return std::make_unique<balance::adaptive>(balance::adaptive_options{
      .requests = {.patience_us =
                       value_or(given, "patience", balance::roaming_options().patience_us),
                   .hops = value_or(given, "hops", balance::roaming_options().hops)},
      .coarse_us = value_or(given, "coarse", balance::adaptive_options().coarse_us)});
}

balance::central_options central_of(const balancer_parameters& given) {
  balance::central_options chosen;
  chosen.sample_ms = value_or(given, "sample", chosen.sample_ms);
  chosen.migration_ms = value_or(given, "migration", chosen.sample_ms);
  chosen.pending = value_or(given, "pending", chosen.pending);
  chosen.over.rq = value_or(given, "rq", chosen.over.rq);
  chosen.over.link = value_or(given, "link", chosen.over.link);
  chosen.apart = value_or(given, "apart", 0) != 0;
  return chosen;
}

std::unique_ptr<balancer> make_central(const balancer_parameters& given) {
  return std::make_unique<balance::central>(central_of(given));
}

/// On the Testbed a move must be over before the next [TESTBED §4.2.2]: 41.5 ms until the request
/// is read, 28.4 ms for the thread, and the time for which the request waits for one.
std::string problem_of_central(const balancer_parameters& given, std::string_view network) {
  const balance::central_options chosen = central_of(given);
  if (chosen.sample_ms == 0) return "sample needs a whole number from 1 up: it is in ms";
  if (chosen.migration_ms < chosen.sample_ms)
    return fmt::format("migration is {} ms, and must not be less than sample, which is {} ms",
                       chosen.migration_ms, chosen.sample_ms);
  const double longest_ms = 69.9 + 20.0 * chosen.pending;
  if (network == "testbed" && chosen.migration_ms < longest_ms)
    return fmt::format(
        "migration is {} ms, and on the network testbed a move may take {:.1f} ms (69.9, and 20 "
        "for each of pending)",
        chosen.migration_ms, longest_ms);
  return "";
}

#define TERRANE_RICH "rich       tokens beyond which a node gives when asked (default: 0)\n"
#define TERRANE_KEPT "threshold  tokens a node keeps when it gives unasked (default: 1)\n"

struct head {
  std::string_view name, text;
};
constexpr head heads[] = {
#include "balancer_heads.inc"
};
constexpr std::string_view head_of(std::string_view name) {
  for (const head& each : heads)
    if (each.name == name) return each.text;
  return {};
}

constexpr std::array<balancer_entry, 12> table{{
    {"nop", "never moves anything", "", head_of("nop"), plain<balance::nop>},
    {"minima", "each node gives its neighbour one token, once, then shuts itself off",
     "threshold  tokens; a node with more gives one (default: 2)\n", head_of("minima"),
     make_minima},
    {"dual", "requests go round the ring one way, tokens the other way to the first who is poor",
     TERRANE_RICH "patience   times idle before it asks again unanswered (default: 8)\n"
                  "literal    1: requests have no number, as in the text (default: 0)\n",
     head_of("dual"), make_dual},
    {"spn", "idle nodes send requests round the ring; who has a token sends it straight to them",
     TERRANE_RICH, head_of("spn"), on_ring<balance::spn>},
    {"shis", "spn with a memory: who gave the last token is asked first",
     TERRANE_RICH "fails      0 to 3: what becomes of failed requests (default: 0)\n",
     head_of("shis"), make_shis},
    {"snd", "rich nodes send tokens round the ring to the first who is poor; nobody asks",
     "threshold  tokens that a node keeps (default: 1)\n"
     "again      us between two that a rich node sends (default: 1000)\n"
     "literal    1: one token at a time, as in the text (default: 0)\n",
     head_of("snd"), make_snd},
    {"his", "keeps a list of rich and poor nodes: asks the richest, gives to all the poor",
     TERRANE_RICH TERRANE_KEPT, head_of("his"),
     on_ring_and_giving<balance::his, balance::his_options>},
    {"range", "a request shows a range of idle nodes: a rich one serves the far end of it",
     TERRANE_RICH TERRANE_KEPT, head_of("range"),
     on_ring_and_giving<balance::range, balance::range_options>},
    {"catapult", "range, but what is more than one token goes to the right neighbour",
     TERRANE_RICH TERRANE_KEPT "literal    1: all goes to the right, as in the text (default: 0)\n",
     head_of("catapult"), make_catapult},
    {"rand",
     "probes a few random nodes: takes from the richest when idle, gives to the poorest when rich",
     "probes     nodes asked at a time (default: nodes / 10 + 1, to 16)\n"
     "threshold  tokens queued before it gives (default: 2 * probes)\n"
     "rest       1: gives nothing while all probed are rich (default: 0)\n"
     "literal    1: gives to the least loaded, as in the text (default: 0)\n",
     head_of("rand"), make_rand},
    {"adaptive",
     "requests wait where work may arise; gives unasked while tokens are long; says why",
     "patience   us a request first waits at a node (default: 100)\n"
     "hops       random nodes it visits before it waits (default: 4)\n"
     "coarse     us of work from which tokens are long (default: 2000)\n",
     head_of("adaptive"), make_adaptive},
    {"central", "node 0 hears all loads, and asks one node at a time to move a thread",
     "sample     ms between two reports of a node (default: 1000)\n"
     "migration  ms between requests, at least sample (default: sample)\n"
     "pending    ticks of 20 ms that a request waits (default: 25)\n"
     "rq         hundredths by which a queue is too long (default: 60)\n"
     "link       percent by which a link is too busy (default: 100)\n"
     "apart      1: node 0 runs nothing, and is not counted (default: 0)\n",
     head_of("central"), make_central, problem_of_central},
}};

#undef TERRANE_RICH
#undef TERRANE_KEPT

std::string names() {
  std::string all;
  for (const auto& each : table) all += (all.empty() ? "" : ", ") + std::string(each.name);
  return all;
}

bool takes(const balancer_entry& entry, std::string_view parameter) {
  std::string_view rest = entry.parameters;
  while (!rest.empty()) {
    if (rest.substr(0, rest.find(' ')) == parameter) return true;
    rest.remove_prefix(std::min(rest.size(), rest.find('\n') + 1));
  }
  return false;
}

result<balancer_parameters> read_parameters(const balancer_entry& entry, std::string_view text) {
  balancer_parameters given;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), one.size() + 1));
    const auto equals = one.find('=');
    const std::string_view name = one.substr(0, equals);
    if (!takes(entry, name))
      return error{"the balancer " + std::string(entry.name) + " has no parameter '" +
                   std::string(name) + "': see terrane balancers"};
    const std::string_view digits =
        equals == one.npos ? std::string_view() : one.substr(equals + 1);
    int number = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (digits.empty() || read.ec != std::errc() || read.ptr != digits.data() + digits.size() ||
        number < 0)
      return error{"the parameter " + std::string(name) + " of the balancer " +
                   std::string(entry.name) + " needs a whole number from 0 up, not '" +
                   std::string(digits) + "'"};
    if (!given.emplace(name, number).second)
      return error{"the parameter " + std::string(name) + " of the balancer " +
                   std::string(entry.name) + " is given twice"};
  }
  return given;
}

}  // namespace

std::span<const balancer_entry> balancers() { return table; }

result<balancer_factory> choose_parameters(const balancer_entry& entry, std::string_view parameters,
                                           std::string_view network) {
  auto given = read_parameters(entry, parameters);
  if (!given) return error{given.problem()};
  const std::string problem = entry.problem ? entry.problem(given.value(), network) : "";
  if (!problem.empty()) return error{"the balancer " + std::string(entry.name) + ": " + problem};
  return balancer_factory(
      [make = entry.make, values = std::move(given).value()] { return make(values); });
}

result<balancer_factory> choose_balancer(std::string_view specification, std::string_view network) {
  const std::string_view name = specification.substr(0, specification.find(':'));
  for (const auto& each : table) {
    if (each.name != name) continue;
    return choose_parameters(each,
                             name.size() < specification.size()
                                 ? specification.substr(name.size() + 1)
                                 : std::string_view(),
                             network);
  }
  return error{"there is no balancer '" + std::string(name) + "': choose one of " + names()};
}

}  // namespace terrane
