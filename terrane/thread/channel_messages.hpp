// SPDX-License-Identifier: Apache-2.0
// channel_messages.hpp: the messages between channel desks.
#pragma once

#include "terrane/thread/channel_desk.hpp"

namespace terrane {

/// Which item of which channel.
struct item_head {
  terrane_slot_ref channel;
  std::uint64_t count;
};

void send_news(processor_id to, const channel_news& news);
void send_item(processor_id to, const item_head& head, bytes_view item);
void send_claim(const claim_request& asked);
/// half null: the channel is closed.
void send_claimed(const claim_request& asked, const channel_half* half);
void send_back(const channel_half& half, terrane_slot_ref told);
/// Tells the home that an end is done. told: the other end knows it.
void send_done(const channel_news& news, channel_way way, bool told);

}  // namespace terrane
