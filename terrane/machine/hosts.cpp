// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/hosts.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <optional>

#include "terrane/machine/options.hpp"
#include "terrane/machine/wording.hpp"

namespace terrane {

namespace {

constexpr std::size_t host_name_bytes_max = 255;
constexpr std::size_t hosts_max = processors_max;
constexpr std::size_t file_bytes_max = std::size_t{16} << 20;

/// Why this is no name; empty if it is one.
std::string wrong_name(std::string_view name) {
  const auto may_stand = [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || std::strchr("._-:@", letter);
  };
  if (name.empty()) return "a name is missing";
  if (name.size() > host_name_bytes_max)
    return fmt::format("a name is longer than {} letters", host_name_bytes_max);
  const std::size_t at = name.find('@');
  const std::string_view machine = at == name.npos ? name : name.substr(at + 1);
  const bool begins =
      !machine.empty() && !std::strchr("-@.", machine[0]) && !std::strchr("-@.", name[0]);
  in6_addr address;  // with colons it is one of these
  const bool whole = machine.find(':') == machine.npos ||
                     inet_pton(AF_INET6, std::string(machine).c_str(), &address) == 1;
  if (!begins || !whole || machine.find('@') != machine.npos || name.find('\0') != name.npos ||
      !std::all_of(name.begin(), name.end(), may_stand))
    return fmt::format("'{}' is no name of a host", one_line(name));
  return {};
}

std::optional<int> number_of_nodes(std::string_view text) {
  int number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool right = read.ec == std::errc() && read.ptr == text.data() + text.size() &&
                     number >= 1 && number <= processors_max;
  return right ? std::optional(number) : std::nullopt;
}

/// `name`, `name:4`, `[ipv6]`, `[ipv6]:4`, or an IPv6 address as it is.
result<host> parse_host(std::string_view text) {
  host found;
  std::string_view number;
  bool numbered = false;
  const std::size_t at = text.find('@') == text.npos ? 0 : text.find('@') + 1;
  if (text.substr(at).starts_with('[')) {
    const std::size_t end = text.find(']', at);
    if (end == text.npos) return error{fmt::format("'{}' has a [ without its ]", one_line(text))};
    found.name = std::string(text.substr(0, at)) + std::string(text.substr(at + 1, end - at - 1));
    number = text.substr(end + 1);
    numbered = number.starts_with(':');
    if (numbered) number.remove_prefix(1);
    if (!numbered && !number.empty())
      return error{fmt::format("'{}' goes on after its ]", one_line(text))};
  } else {
    const std::size_t colon = text.find(':', at);
    numbered = colon != text.npos && text.find(':', colon + 1) == text.npos;
    found.name = numbered ? text.substr(0, colon) : text;
    if (numbered) number = text.substr(colon + 1);
  }
  if (const std::string wrong = wrong_name(found.name); !wrong.empty()) return error{wrong};
  if (!numbered) return found;
  const auto slots = number_of_nodes(number);
  if (!slots)
    return error{fmt::format("'{}' needs a whole number from 1 to {} after its colon",
                             one_line(text), processors_max)};
  found.slots = *slots;
  return found;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t begin = std::min(text.find_first_not_of(blanks), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

/// Takes `name=value` from the start of `rest`, with blanks around the sign if there are some.
result<void> take_setting(std::string_view& rest, host& into) {
  const std::size_t sign = rest.find('=');
  const std::string_view name = trimmed(rest.substr(0, std::min(sign, rest.find_first_of(" \t"))));
  std::string_view value = sign == rest.npos ? "" : trimmed(rest.substr(sign + 1));
  const bool of_slots = name == "slots";
  if (!of_slots && name != "max_slots" && name != "max-slots")
    return error{fmt::format("'{}' is not known here: slots= and max_slots= are, and name:SLOTS",
                             one_line(name))};
  if (sign == rest.npos || !trimmed(rest.substr(name.size(), sign - name.size())).empty())
    return error{fmt::format("{} needs a number: {}=4", name, name)};
  const std::size_t end = std::min(value.find_first_of(" \t"), value.size());
  const auto number = number_of_nodes(value.substr(0, end));
  if (!number)
    return error{fmt::format("{} needs a whole number from 1 to {}, not '{}'", name, processors_max,
                             one_line(value.substr(0, end)))};
  int& setting = of_slots ? into.slots : into.slots_max;
  if (setting != 0) return error{fmt::format("{} says {} twice", into.name, name)};
  setting = *number;
  rest = trimmed(value.substr(end));
  return {};
}

result<host> parse_line(std::string_view line) {
  const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
  auto read = parse_host(line.substr(0, end));
  if (!read) return read;
  host& found = read.value();
  for (std::string_view rest = trimmed(line.substr(end)); !rest.empty();)
    if (auto taken = take_setting(rest, found); !taken) return error{taken.problem()};
  if (found.slots_max != 0 && found.slots_max < found.slots)
    return error{fmt::format("{} has fewer max_slots ({}) than slots ({})", found.name,
                             found.slots_max, found.slots)};
  return read;
}

}  // namespace

std::string host::address() const {
  const std::size_t at = name.find('@');
  return at == name.npos ? name : name.substr(at + 1);
}

std::string name_of_this_host() {
  char name[host_name_bytes_max + 1] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

result<void> add_host(std::vector<host>& to, const host& more) {
  const auto known =
      std::find_if(to.begin(), to.end(), [&](const host& each) { return each.name == more.name; });
  if (known == to.end()) {
    if (to.size() >= hosts_max) return error{fmt::format("more than {} hosts", hosts_max)};
    to.push_back(more);
    return {};
  }
  // A name without a number that stands twice means two.
  known->slots = std::max(known->slots, 1) + std::max(more.slots, 1);
  if (known->slots_max != 0 || more.slots_max != 0)
    known->slots_max = std::max(known->slots, known->slots_max + more.slots_max);
  if (known->slots > processors_max)
    return error{fmt::format("{} has more than {} slots", more.name, processors_max)};
  return {};
}

result<std::vector<host>> parse_hosts(std::string_view text) {
  std::vector<host> all;
  for (;;) {
    const std::size_t end = std::min(text.find(','), text.size());
    auto one = parse_host(trimmed(text.substr(0, end)));
    if (!one) return error{one.problem() + " (write a,b:4,c: names with commas between them)"};
    if (auto added = add_host(all, one.value()); !added) return error{added.problem()};
    if (end == text.size()) return all;
    text.remove_prefix(end + 1);
  }
}

result<std::vector<host>> parse_hostfile(std::string_view text, std::string_view name) {
  std::vector<host> all;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view whole = text.substr(0, end);
    const std::string_view line = trimmed(whole.substr(0, whole.find('#')));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    auto one = parse_line(line);
    const auto added = one ? add_host(all, one.value()) : error{one.problem()};
    if (!added) return error{fmt::format("{}:{}: {}", name, number, added.problem())};
  }
  if (all.empty()) return error{fmt::format("{} names no host", name)};
  return all;
}

result<std::vector<host>> read_hostfile(const std::string& path) {
  struct stat about{};
  std::ifstream file(path, std::ios::binary);
  if (stat(path.c_str(), &about) != 0 || !file)
    return error{fmt::format("the hostfile {} cannot be read: {}", path, std::strerror(errno))};
  if (S_ISDIR(about.st_mode)) return error{fmt::format("the hostfile {} is a directory", path)};
  std::string text(file_bytes_max + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
  if (text.size() > file_bytes_max)
    return error{fmt::format("the hostfile {} has more than {} bytes: is it the right file?", path,
                             file_bytes_max)};
  return parse_hostfile(text, path);
}

int default_nodes(const std::vector<host>& hosts) {
  long long sum = 0;
  for (const host& each : hosts) sum += std::max(1, each.slots);
  return static_cast<int>(std::min<long long>(sum, processors_max));
}

result<std::vector<int>> place_nodes(const std::vector<host>& hosts, int nodes) {
  std::vector<int> taken(hosts.size(), 0);
  int left = nodes;
  const auto give = [&](std::size_t to, int how_many) {
    const int given = std::min(left, how_many);
    taken[to] += given;
    left -= given;
  };
  std::vector<std::size_t> open;  // hosts of which nobody said how many they take
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    give(i, std::max(1, hosts[i].slots));
    if (hosts[i].slots == 0 && hosts[i].slots_max == 0) open.push_back(i);
  }
  for (std::size_t i = 0; i < open.size(); ++i) {
    const int shares = static_cast<int>(open.size() - i);
    give(open[i], (left + shares - 1) / shares);
  }
  for (std::size_t i = 0; i < hosts.size(); ++i)
    give(i, std::max(0, hosts[i].slots_max - taken[i]));
  if (left > 0)
    return error{
        fmt::format("{} nodes need {} slots, and the hosts have {}: say how many each "
                    "takes, as in {}:{}",
                    nodes, nodes, nodes - left, hosts.empty() ? "a" : hosts[0].name,
                    hosts.empty() ? nodes : taken[0] + left)};
  std::vector<int> host_of;
  for (std::size_t i = 0; i < hosts.size(); ++i)
    host_of.insert(host_of.end(), static_cast<std::size_t>(taken[i]), static_cast<int>(i));
  return host_of;
}

}  // namespace terrane
