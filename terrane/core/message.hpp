// SPDX-License-Identifier: Apache-2.0
// message.hpp: what processors send one another: an entry and bytes (active messages).
//
// Invariants  Entries are numbers, never addresses of code. Messages from one processor to another
//             arrive in the order in which they were sent. A handler never blocks and never runs a
//             fiber.
// Source      [EARTH-LB §2.1]; Active Messages.
#pragma once

#include <cstddef>
#include <cstdint>

#include "terrane/core/place.hpp"
#include "terrane/core/source_place.hpp"

namespace terrane {

class processor;

enum class entry : std::uint16_t {
  signal,      // slot
  put,         // put_request, then the bytes
  get,         // get_request
  fetch,       // get_request: the receiver of the data copies them itself
  scatter,     // strided_request, then the elements, packed
  gather,      // strided_request
  atomic_add,  // add_request
  allocate,    // allocate_request
  release,     // place
  invoke,      // function_entry, then its arguments
  operate,     // operate_request, then the record and the body
  carry,       // carry_request, then the bytes
  call,        // function_entry, then its arguments: run on arrival (processor::run_handler)
  probe,       // quiescence_probe: control, not counted as work
  stop,        // control
  note,        // note_request: control
  token,       // token_request, then its arguments: control, because a pool counts as a wire
};

/// True for entries that can make a passive processor active again. The detector counts these
/// messages.
inline bool is_work(entry kind) { return kind < entry::probe; }

/// Contiguous bytes to send.
struct bytes_view {
  const void* data = nullptr;
  std::size_t size = 0;
};

/// A message as its handler sees it. `data` is aligned to 8 and valid while the handler runs.
struct message {
  entry kind;
  processor_id from;
  std::size_t size;
  const unsigned char* data;
  place_number said_at;  // the line of the program that it was sent for

  template <class Head>
  const Head& head() const {
    return *reinterpret_cast<const Head*>(data);
  }
  template <class Head>
  bytes_view body() const {
    return {data + sizeof(Head), size - sizeof(Head)};
  }
};

/// Fails with R-213: no runtime sends a message with such contents.
[[noreturn]] void malformed(const message& what);

/// Carries out `what` on the processor it was sent to.
void handle(processor& here, const message& what);

}  // namespace terrane
