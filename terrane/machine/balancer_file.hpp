// SPDX-License-Identifier: Apache-2.0
// balancer_file.hpp: a balancer from a shared library of the user's: --balancer ./mine.so.
#pragma once

#include <string>

#include "terrane/balance/table.hpp"
#include "terrane/base/result.hpp"

namespace terrane {

/// As choose_balancer, but a name with a '/' in it is the path of a shared library that was made
/// with TERRANE_BALANCER (balance/plugin.hpp). The library stays loaded to the end of the process.
result<balancer_factory> find_balancer(const std::string& specification);

/// Where the library of a specification lies and what follows it (":probes=2"); the path is empty
/// if it names a balancer of the table.
struct balancer_place {
  std::string path, rest;
};
balancer_place place_of_balancer(const std::string& specification);

}  // namespace terrane
