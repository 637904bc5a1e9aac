// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/interface_choice.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <memory>

#include "terrane/machine/cpu_budget.hpp"
#include "terrane/transport/tcp/socket.hpp"

namespace terrane {

namespace {

using address_bytes = std::vector<unsigned char>;  // 4, 16, or none

address_bytes bytes_of_address(const std::string& address) {
  std::array<unsigned char, 16> raw;
  for (const auto& [family, size] : {std::pair(AF_INET, 4), std::pair(AF_INET6, 16)})
    if (inet_pton(family, address.c_str(), raw.data()) == 1)
      return address_bytes(raw.begin(), raw.begin() + size);
  return {};
}

bool is_in_network_of(const network_interface& of, const std::string& address) {
  const address_bytes ours = bytes_of_address(of.address), theirs = bytes_of_address(address);
  if (ours.empty() || ours.size() != theirs.size()) return false;
  for (int bit = 0; bit < std::min<int>(of.prefix_bits, static_cast<int>(8 * ours.size())); ++bit) {
    const auto at = static_cast<std::size_t>(bit / 8);
    if (((ours[at] ^ theirs[at]) >> (7 - bit % 8) & 1) != 0) return false;
  }
  return true;
}

std::string digits_of(const sockaddr* address) {
  char text[NI_MAXHOST];
  const socklen_t size = address->sa_family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
  if (getnameinfo(address, size, text, sizeof text, nullptr, 0, NI_NUMERICHOST) != 0) return "";
  return text;
}

int prefix_of(const sockaddr* mask) {
  if (!mask) return 0;
  const address_bytes all = bytes_of_address(digits_of(mask));
  int bits = 0;
  for (const unsigned char each : all) bits += std::popcount(each);
  return bits;
}

std::string listed(std::span<const network_interface> all) {
  std::string text;
  for (const network_interface& each : all)
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", each.name, each.address);
  return text.empty() ? "none" : text;
}

/// The interface that `fits` for the most others; null if for none. many: how many those are.
template <class Fits>
const network_interface* best_of(std::span<const network_interface> all,
                                 std::span<const std::string> others, Fits fits,
                                 std::ptrdiff_t& many) {
  const network_interface* best = nullptr;
  many = 0;
  for (const network_interface& each : all) {
    if (each.is_loopback) continue;
    const auto count = std::count_if(others.begin(), others.end(),
                                     [&](const std::string& other) { return fits(each, other); });
    if (count <= many) continue;
    many = count;
    best = &each;
  }
  return best;
}

}  // namespace

bool is_loopback_address(const std::string& address) {
  return address.starts_with("127.") || address == "::1";
}

std::vector<network_interface> interfaces_of_this_host() {
  std::vector<network_interface> all;
  ifaddrs* raw = nullptr;
  if (getifaddrs(&raw) != 0) return all;
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> list(raw, freeifaddrs);
  for (const ifaddrs* each = list.get(); each; each = each->ifa_next) {
    const bool up = (each->ifa_flags & IFF_UP) != 0 && (each->ifa_flags & IFF_RUNNING) != 0;
    if (!each->ifa_addr || !up) continue;
    const int family = each->ifa_addr->sa_family;
    if (family != AF_INET && family != AF_INET6) continue;
    network_interface found;
    found.name = each->ifa_name;
    found.address = digits_of(each->ifa_addr);
    if (found.address.empty() || found.address.find('%') != std::string::npos) continue;
    found.prefix_bits = prefix_of(each->ifa_netmask);
    found.is_loopback = (each->ifa_flags & IFF_LOOPBACK) != 0;
    if (const auto mtu = read_system_file("/sys/class/net/" + found.name + "/mtu"))
      found.mtu = std::atoi(mtu->c_str());
    all.push_back(found);
  }
  return all;
}

std::string address_towards(const std::string& digits) {
  if (bytes_of_address(digits).empty()) return "";
  const auto there = address::find(digits, 9);  // any port: nothing is sent
  const auto here = there ? own_address_towards(there.value()) : error{there.problem()};
  return here ? here.value().host() : "";
}

result<chosen_interface> choose_interface(
    std::span<const network_interface> all, std::span<const std::string> others,
    const std::string& asked, const std::function<std::string(const std::string&)>& towards) {
  const auto find = [&](auto which) {
    const auto found = std::find_if(all.begin(), all.end(), which);
    return found == all.end() ? nullptr : &*found;
  };
  if (!asked.empty()) {
    const auto* const found = find(
        [&](const network_interface& each) { return each.name == asked || each.address == asked; });
    if (found) return chosen_interface{*found, "it was asked for"};
    return error{
        fmt::format("this host has no interface {} that is up: it has {}", asked, listed(all))};
  }
  std::vector<std::string> elsewhere;
  for (const std::string& other : others)
    if (!is_loopback_address(other) &&
        !find([&](const network_interface& each) { return each.address == other; }))
      elsewhere.push_back(other);
  if (elsewhere.empty()) {
    const auto* const found = find([](const auto& each) { return each.is_loopback; });
    if (found) return chosen_interface{*found, "all nodes are on this host"};
    return error{"this host has no loopback interface that is up: ip link set lo up"};
  }
  std::ptrdiff_t many = 0;
  if (const auto* const found = best_of(all, elsewhere, is_in_network_of, many))
    return chosen_interface{*found, fmt::format("{} of {} other hosts {} in its network", many,
                                                elsewhere.size(), many == 1 ? "is" : "are")};
  std::vector<std::string> sources;
  for (const std::string& other : elsewhere) sources.push_back(towards(other));
  const auto leads = [](const network_interface& each, const std::string& source) {
    return each.address == source;
  };
  if (const auto* const found = best_of(all, sources, leads, many))
    return chosen_interface{*found, fmt::format("the way to {} of {} other hosts goes through it",
                                                many, elsewhere.size())};
  return error{fmt::format("no interface of this host leads to {}: it has {}", elsewhere.front(),
                           listed(all))};
}

}  // namespace terrane
