// SPDX-License-Identifier: Apache-2.0
// network_file.cpp: reads the format of the presets: lines `name = value`, and comments after `#`.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <fstream>
#include <sstream>
#include <string_view>

#include "terrane/transport/network.hpp"

namespace terrane {

namespace {

struct field {
  std::string_view name;
  std::uint64_t network_costs::* where;
};
constexpr std::array fields{
    field{"latency_ns", &network_costs::latency_ns},
    field{"send_overhead_ns", &network_costs::send_overhead_ns},
    field{"receive_overhead_ns", &network_costs::receive_overhead_ns},
    field{"bulk_bytes", &network_costs::bulk_bytes},
    field{"bulk_ns", &network_costs::bulk_ns},
    field{"copy_bytes_per_ms", &network_costs::copy_bytes_per_ms},
    field{"gap_ns", &network_costs::gap_ns},
    field{"bytes_per_ms", &network_costs::bytes_per_ms},
    field{"receive_bytes_per_ms", &network_costs::receive_bytes_per_ms},
    field{"bus_nodes", &network_costs::bus_nodes},
    field{"bus_bytes_per_ms", &network_costs::bus_bytes_per_ms},
    field{"buffer_messages", &network_costs::buffer_messages},
    field{"interface_messages", &network_costs::interface_messages},
    field{"attentive", &network_costs::attentive},
    field{"tick_ns", &network_costs::tick_ns},
    field{"ask_ns_max", &network_costs::ask_ns_max},
    field{"jitter_ns", &network_costs::jitter_ns},
    field{"fiber_ns", &network_costs::fiber_ns},
    field{"token_ns", &network_costs::token_ns},
    field{"poll_ns", &network_costs::poll_ns},
    field{"poll_each", &network_costs::poll_each},
    field{"balance_ns", &network_costs::balance_ns},
    field{"local_message_ns", &network_costs::local_message_ns},
    field{"timer_ns", &network_costs::timer_ns},
    field{"timer_every_ns", &network_costs::timer_every_ns},
    field{"send_phase", &network_costs::send_phase},
    field{"page_bytes", &network_costs::page_bytes},
    field{"probe_flight_ns", &network_costs::probe_flight_ns},
    field{"senders_ask", &network_costs::senders_ask},
};

/// What follows `service.NAME.`
struct service_field {
  std::string_view name;
  std::uint64_t service_costs::* where;
};
constexpr std::array service_fields{
    service_field{"work_ns", &service_costs::work_ns},
    service_field{"work_byte_ps", &service_costs::work_byte_ps},
    service_field{"page_ns", &service_costs::page_ns},
    service_field{"flight_ns", &service_costs::flight_ns},
    service_field{"flight_byte_ps", &service_costs::flight_byte_ps},
    service_field{"taken_ns", &service_costs::taken_ns},
    service_field{"taken_byte_ps", &service_costs::taken_byte_ps},
};
constexpr std::string_view service_mark = "service.";

constexpr std::string_view price_mark = "price_ps.";

struct preset_text {
  const char* name;
  const char* text;
};
constexpr preset_text preset_texts[] = {
#include "network_presets.inc"
};

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// The largest number in a file. It is more than a quarter of an hour in nanoseconds, and a second
/// in picoseconds for one operation. Sums and products of such numbers stay far below 2^64.
constexpr std::uint64_t number_max = 1'000'000'000'000;

bool read_number(std::string_view text, std::uint64_t& into) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), into);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() && into <= number_max;
}

/// Where the value of `service.NAME.FIELD` goes, by what follows the mark; null: there is no such
/// service or field.
std::uint64_t* service_number(network_costs& costs, std::string_view name) {
  const auto dot = name.find('.');
  if (dot == name.npos) return nullptr;
  for (std::size_t which = 1; which < services; ++which) {
    if (name.substr(0, dot) != service_names[which]) continue;
    for (const service_field& each : service_fields)
      if (each.name == name.substr(dot + 1)) {
        costs.priced_services[which].priced = true;
        return &(costs.priced_services[which].*each.where);
      }
  }
  return nullptr;
}

/// True if `name` is known and `value` is valid for it. Sets `known` to whether the name is known.
bool assign(network_costs& costs, std::string_view name, std::string_view value, bool& known) {
  known = true;
  if (name == "summary") {
    costs.summary = value;
    return true;
  }
  if (name == "topology") {
    costs.topology = value == "shared" ? topology_kind::shared
                     : value == "tree" ? topology_kind::tree
                                       : topology_kind::crossbar;
    return value == "shared" || value == "tree" || value == "crossbar";
  }
  if (name.starts_with(price_mark)) {
    return read_number(value, costs.price_ps[std::string(name.substr(price_mark.size()))]);
  }
  if (name.starts_with(service_mark)) {
    std::uint64_t* const found = service_number(costs, name.substr(service_mark.size()));
    known = found != nullptr;
    return known && read_number(value, *found);
  }
  for (const field& each : fields)
    if (each.name == name) return read_number(value, costs.*each.where);
  known = false;
  return false;
}

}  // namespace

result<network_costs> read_network(const std::string& text, const std::string& where) {
  network_costs costs;
  costs.name = where;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::string_view content = trimmed(std::string_view(line).substr(0, line.find('#')));
    if (content.empty()) continue;
    const auto equals = content.find('=');
    if (equals == content.npos)
      return error{fmt::format("{}:{}: expected `name = value`, not '{}'", where, number, content)};
    const std::string_view name = trimmed(content.substr(0, equals));
    const std::string_view value = trimmed(content.substr(equals + 1));
    bool known = false;
    if (assign(costs, name, value, known)) continue;
    if (!known) return error{fmt::format("{}:{}: there is no '{}'", where, number, name)};
    const bool is_name = name == "topology" || name == "summary";
    return error{fmt::format("{}:{}: '{}' is no value for {}{}", where, number, value, name,
                             is_name ? "" : fmt::format(" (a whole number up to {})", number_max))};
  }
  if (costs.topology == topology_kind::tree && costs.bus_nodes < 2)
    return error{fmt::format("{}: a tree needs bus_nodes, 2 or more", where)};
  return costs;
}

std::vector<network_costs> network_presets() {
  std::vector<network_costs> all;
  for (const preset_text& each : preset_texts)
    all.push_back(read_network(each.text, each.name).value());
  return all;
}

std::string_view preset_file(std::string_view name) {
  for (const preset_text& each : preset_texts)
    if (name == each.name) return each.text;
  return {};
}

result<network_costs> choose_network(const std::string& name_or_file) {
  std::string names;
  for (const preset_text& each : preset_texts) {
    if (name_or_file == each.name) return read_network(each.text, each.name);
    names += (names.empty() ? "" : ", ") + std::string(each.name);
  }
  std::ifstream file(name_or_file);
  std::stringstream text;
  if (!file || !(text << file.rdbuf()))
    return error{
        fmt::format("there is no network '{}': choose one of {}, or a file", name_or_file, names)};
  return read_network(text.str(), name_or_file);
}

}  // namespace terrane
