// SPDX-License-Identifier: Apache-2.0
// share_pipes.hpp: how nodes hand in their shares where they are children of the launcher: through
// a pipe each. The launcher's side, as class roster has it.
#pragma once

#include <poll.h>

#include <string>
#include <vector>

#include "terrane/base/result.hpp"
#include "terrane/core/place.hpp"

namespace terrane {

class share_pipes {
 public:
  explicit share_pipes(std::uint32_t nodes) : all_(nodes) {}
  share_pipes(const share_pipes&) = delete;
  share_pipes& operator=(const share_pipes&) = delete;
  ~share_pipes() { close_all(); }

  /// Returns the descriptor to write to.
  result<int> open(node_id n);
  void close_all();
  void add_waits(std::vector<pollfd>& to) const;
  void look();
  const std::string& share_of(node_id n) const { return all_[n].text; }
  bool is_open(node_id n) const { return all_[n].from >= 0; }

 private:
  struct share {
    int from = -1;  // the read end
    std::string text;
  };
  std::vector<share> all_;
};

}  // namespace terrane
