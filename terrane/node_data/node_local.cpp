// SPDX-License-Identifier: Apache-2.0
#include "terrane/node_data/node_local.hpp"

#include <algorithm>

namespace terrane {

std::vector<node_local_base*>& node_local_base::all() {
  static std::vector<node_local_base*> everyone;
  return everyone;
}

node_local_base::node_local_base(std::size_t bytes, std::size_t alignment)
    : bytes_(bytes), alignment_(alignment) {
  require_no_run();
  all().push_back(this);
}

node_local_base::~node_local_base() { std::erase(all(), this); }

std::size_t node_local_base::lay_out() {
  std::size_t end = 0;
  for (node_local_base* each : all()) {
    each->offset_ = (end + each->alignment_ - 1) / each->alignment_ * each->alignment_;
    end = each->offset_ + each->bytes_;
  }
  return end;
}

}  // namespace terrane
