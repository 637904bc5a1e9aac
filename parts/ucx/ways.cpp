// SPDX-License-Identifier: Apache-2.0
// ways.cpp: the transports and devices that UCX finds on this machine, and those that it takes.
#include <uct/api/uct.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "parts/ucx/node.hpp"

namespace terrane::ucx {

namespace {

int list_component(uct_component_h component, void* to, terrane_ucx_told* told) {
  uct_component_attr_t about{};
  about.field_mask = UCT_COMPONENT_ATTR_FIELD_MD_RESOURCE_COUNT | UCT_COMPONENT_ATTR_FIELD_NAME;
  if (uct_component_query(component, &about) != UCS_OK || about.md_resource_count == 0) return 0;
  std::vector<uct_md_resource_desc_t> domains(about.md_resource_count);
  about.field_mask = UCT_COMPONENT_ATTR_FIELD_MD_RESOURCES;
  about.md_resources = domains.data();
  if (const auto wrong = uct_component_query(component, &about); wrong != UCS_OK) return wrong;
  for (const uct_md_resource_desc_t& domain : domains) {
    uct_md_config_t* settings;
    uct_md_h opened;
    if (uct_md_config_read(component, nullptr, nullptr, &settings) != UCS_OK) continue;
    const auto wrong = uct_md_open(component, domain.md_name, settings, &opened);
    uct_config_release(settings);
    if (wrong != UCS_OK) continue;
    uct_tl_resource_desc_t* ways;
    unsigned count = 0;
    if (uct_md_query_tl_resources(opened, &ways, &count) == UCS_OK) {
      for (unsigned i = 0; i < count; ++i) told(to, ways[i].tl_name, ways[i].dev_name);
      uct_release_tl_resource_list(ways);
    }
    uct_md_close(opened);
  }
  return 0;
}

}  // namespace

int list(void* to, terrane_ucx_told* told) {
  uct_component_h* components;
  unsigned count = 0;
  if (const auto wrong = uct_query_components(&components, &count); wrong != UCS_OK) return wrong;
  int wrong = 0;
  for (unsigned i = 0; i < count && wrong == 0; ++i)
    wrong = list_component(components[i], to, told);
  uct_release_component_list(components);
  return wrong;
}

/// UCX tells it in lines for people: "lane[0]: 3:sysv/memory.0 md[2] ...".
int chosen(terrane_carrier_handle among, int to_node, void* to, terrane_ucx_told* told) {
  char* text = nullptr;
  std::size_t bytes = 0;
  std::FILE* const file = open_memstream(&text, &bytes);
  if (!file) return UCS_ERR_NO_MEMORY;
  ucp_ep_print_info(peer_of(node_of(among), to_node).endpoint, file);
  std::fclose(file);
  for (const char* line = text; (line = std::strstr(line, "lane[")) != nullptr; ++line) {
    char transport[64], device[64];
    if (std::sscanf(line, "lane[%*d]: %*d:%63[^/]/%63[^. ]", transport, device) == 2)
      told(to, transport, device);
  }
  std::free(text);
  return 0;
}

}  // namespace terrane::ucx
