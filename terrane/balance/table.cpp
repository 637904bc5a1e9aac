// SPDX-License-Identifier: Apache-2.0
#include "terrane/balance/table.hpp"

#include <array>
#include <charconv>

#include "terrane/balance/minima.hpp"
#include "terrane/balance/nop.hpp"
#include "terrane/balance/rand.hpp"
#include "terrane/balance/spn.hpp"

namespace terrane {

namespace {

int value_or(const balancer_parameters& given, std::string_view name, int otherwise) {
  const auto found = given.find(name);
  return found == given.end() ? otherwise : found->second;
}

template <class Policy>
std::unique_ptr<balancer> plain(const balancer_parameters&) {
  return std::make_unique<Policy>();
}

std::unique_ptr<balancer> make_rand(const balancer_parameters& given) {
  return std::make_unique<balance::rand>(balance::rand_options{
      .probes = value_or(given, "probes", 0), .threshold = value_or(given, "threshold", -1)});
}

constexpr std::array<balancer_entry, 4> table{{
    {"nop", "never moves anything", "", plain<balance::nop>},
    {"minima", "gives one token to every other node, once, then shuts itself off", "",
     plain<balance::minima>},
    {"spn", "idle nodes send requests round the ring; who has a token sends it straight to them",
     "", plain<balance::spn>},
    {"rand",
     "probes a few random nodes: takes from the richest when idle, gives to the poorest when rich",
     "probes     nodes asked at a time (default: nodes / 10 + 1, to 16)\n"
     "threshold  tokens queued before it gives (default: 2 * probes)\n",
     make_rand},
}};

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

result<balancer_factory> choose_balancer(std::string_view specification) {
  const std::string_view name = specification.substr(0, specification.find(':'));
  for (const auto& each : table) {
    if (each.name != name) continue;
    const std::string_view rest = name.size() < specification.size()
                                      ? specification.substr(name.size() + 1)
                                      : std::string_view();
    auto given = read_parameters(each, rest);
    if (!given) return error{given.problem()};
    return balancer_factory(
        [make = each.make, parameters = std::move(given).value()] { return make(parameters); });
  }
  return error{"there is no balancer '" + std::string(name) + "': choose one of " + names()};
}

}  // namespace terrane
