// SPDX-License-Identifier: Apache-2.0
// balancer_file.hpp: loads a balancer from the user's shared library: --balancer ./mine.so.
#pragma once

#include <string>

#include "terrane/balance/table.hpp"
#include "terrane/base/result.hpp"

namespace terrane {

/// Like choose_balancer, but a name that contains '/' is the path of a shared library made with
/// TERRANE_BALANCER (balance/plugin.hpp). The library stays loaded to the end of the process.
/// network: of a simulated machine; else empty.
result<balancer_factory> find_balancer(const std::string& specification,
                                       const std::string& network = {});

/// What a library of policies holds.
struct policy_kind {
  const char* symbol;     // its object; an int at its start is the version it was compiled with
  const char* made_by;    // the line that makes the object
  const char* page;       // where that line is explained
  int interface_version;  // the one that fits
};
/// Loads such a library, for good, and returns its object.
result<const void*> load_policy(const std::string& path, const policy_kind& wanted);

/// The path of a specification's library, and the text that follows it (":probes=2"). The path is
/// empty if the specification names a built-in balancer.
struct balancer_place {
  std::string path, rest;
};
balancer_place place_of_balancer(const std::string& specification);

}  // namespace terrane
