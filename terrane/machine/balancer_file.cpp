// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/balancer_file.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "terrane/balance/plugin.hpp"
#include "terrane/machine/executable_file.hpp"
#include "terrane/machine/guarded_balancer.hpp"

namespace terrane {

namespace {

/// The loader's error message without the path at its start.
std::string loader_says(const std::string& path) {
  const char* said = dlerror();
  const std::string sentence = said ? said : "it cannot be loaded";
  return sentence.starts_with(path + ": ") ? sentence.substr(path.size() + 2) : sentence;
}

}  // namespace

balancer_place place_of_balancer(const std::string& specification) {
  const std::size_t file = specification.rfind('/');
  if (file == specification.npos) return {"", specification};
  const std::size_t colon = std::min(specification.find(':', file), specification.size());
  return {specification.substr(0, colon), specification.substr(colon)};
}

result<const void*> load_policy(const std::string& path, const policy_kind& wanted) {
  if (const auto whole = require_whole(path); !whole)
    return error{"the balancer " + path + " cannot be loaded: " + whole.problem()};
  const policy_call loading(path, "its loading");
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) return error{"the balancer " + path + " cannot be loaded: " + loader_says(path)};
  const void* const made = dlsym(library, wanted.symbol);
  if (!made)
    return error{path + " holds no balancer: it needs a line " + wanted.made_by + "(...), see " +
                 wanted.page};
  if (const int version = *static_cast<const int*>(made); version != wanted.interface_version)
    return error{"the balancer " + path + " was made for another version of Terrane (interface " +
                 std::to_string(version) + ", here " + std::to_string(wanted.interface_version) +
                 "): compile it again"};
  return made;
}

result<balancer_factory> find_balancer(const std::string& specification,
                                       const std::string& network) {
  const auto [path, rest] = place_of_balancer(specification);
  if (path.empty()) return choose_balancer(specification, network);
  const auto loaded = load_policy(path, {.symbol = balancer_plugin_name,
                                         .made_by = "TERRANE_BALANCER",
                                         .page = "docs/write-a-balancer.md",
                                         .interface_version = balancer_interface_version});
  if (!loaded) return error{loaded.problem()};
  const policy_call loading(path, "its loading");
  const auto* const made = static_cast<const balancer_plugin*>(loaded.value());
  auto chosen =
      choose_parameters(made->entry, rest.empty() ? "" : std::string_view(rest).substr(1), network);
  if (!chosen) return chosen;
  return guarded(path, std::move(chosen).value());
}

}  // namespace terrane
