// SPDX-License-Identifier: Apache-2.0
// peer.hpp: another node, as this node's network sees it.
#pragma once

#include <cstdint>
#include <memory>

#include "terrane/base/atomic.hpp"
#include "terrane/base/spin_lock.hpp"
#include "terrane/core/requests.hpp"
#include "terrane/transport/tcp/connection.hpp"
#include "terrane/transport/tcp/frame_sender.hpp"

namespace terrane {

struct alignas(64) peer {
  // under `sending`
  spin_lock sending;
  frame_sender out;
  const stream_socket* socket = nullptr;  // null: no connection is open yet, or any more
  std::size_t write_at = 0;               // write without waiting once so many bytes wait
  bool gone = false;                      // nobody will read what is sent
  bool waits_for_room = false;            // the kernel is to tell when the socket takes more
  std::uint64_t unsent = 0;               // bytes, as the network has counted them
  // Whether out may hold something that is to be written. A sender sets it after it has appended,
  // and flush() clears it before it looks: one of them sees the other (seq_cst).
  atomic<bool> to_flush{false};
  // The node wants a connection to it. Senders set it, the thread whose turn it is reads it.
  atomic<bool> to_call{false};
  // the thread whose turn it is
  std::unique_ptr<connection> link, call;  // call: ours, under way
  bool stalled = false;                    // its next frame waits for a processor
  put_request landed{};                    // of the message whose bytes are read to their place
};

}  // namespace terrane
