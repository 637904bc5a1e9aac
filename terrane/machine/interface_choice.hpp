// SPDX-License-Identifier: Apache-2.0
// interface_choice.hpp: at which of this host's addresses the others are to call it.
//
// Purpose     A listener binds one address, never all of them: who is on another network of this
//             host cannot even call.
// Rules       1 An interface that was asked for, by its name or address.
//             2 If everybody is on this host: loopback.
//             3 The one in whose network most of the others are.
//             4 The one through which the kernel reaches most of the others.
//             Of several that are equal, the first wins, in the kernel's order.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "terrane/base/result.hpp"

namespace terrane {

struct network_interface {
  std::string name;     // eth0
  std::string address;  // in digits
  int prefix_bits = 0;  // of its network
  bool is_loopback = false;
  int mtu = 0;  // 0: unknown

  bool operator==(const network_interface&) const = default;
};

/// Those that are up, with an address each; one that has several stands there several times.
std::vector<network_interface> interfaces_of_this_host();

/// The address from which the kernel would call that one, both in digits; empty: it cannot.
std::string address_towards(const std::string& digits);

struct chosen_interface {
  network_interface interface;
  std::string why;  // completes "it was chosen since ..."
};

/// others: addresses of the other hosts in digits; asked: a name or an address, or empty; towards:
/// address_towards, except in tests.
result<chosen_interface> choose_interface(
    std::span<const network_interface> all, std::span<const std::string> others,
    const std::string& asked = "",
    const std::function<std::string(const std::string&)>& towards = address_towards);

/// Whether that address is 127.x.x.x or ::1.
bool is_loopback_address(const std::string& address);

}  // namespace terrane
