// SPDX-License-Identifier: Apache-2.0
#include "terrane/talk/channel.hpp"

#include <deque>
#include <vector>

#include "terrane/core/object.hpp"
#include "terrane/core/processor.hpp"

namespace terrane {

namespace {

struct send_request {
  terrane_slot_ref sent;
};
struct receive_request {
  answer_place answer;
  terrane_global length;
  std::int64_t most;
};

class channel_object final : public object {
 public:
  static constexpr char called[] = "channel";
  enum : std::uint32_t { send, receive, free };

  explicit channel_object(int capacity) : capacity_(static_cast<std::size_t>(capacity)) {}

  void operate(const operation_request& asked) override {
    switch (asked.what) {
      case send: put(asked.body, asked.as<send_request>().sent); break;
      case receive: take(asked.as<receive_request>()); break;
      case free: free_unawaited(*this); break;
    }
  }
  std::size_t waiting() const override {
    const std::size_t senders = items_.size() > capacity_ ? items_.size() - capacity_ : 0;
    return receivers_.size() + senders;
  }

 private:
  struct item {
    std::vector<unsigned char> bytes;
    terrane_slot_ref sent;  // not needed once the item is among the first capacity_
  };

  template <event_id Id>
  void record(std::size_t bytes) const {
    processor& self = here();
    if (TERRANE_UNLIKELY(self.records(event_class::channel)))
      self.writer().put<Id>(bytes, items_.size(), name());
  }

  void put(bytes_view bytes, terrane_slot_ref sent) {
    record<event_id::channel_put>(bytes.size);
    if (!receivers_.empty()) {  // then the buffer is empty
      hand_over(bytes, receivers_.front());
      receivers_.pop_front();
      return signal_if(sent);
    }
    const auto* start = static_cast<const unsigned char*>(bytes.data);
    items_.push_back({{start, start + bytes.size}, sent});
    if (items_.size() <= capacity_) signal_if(sent);
  }

  void take(const receive_request& asked) {
    if (items_.empty()) return receivers_.push_back(asked);
    const item next = std::move(items_.front());
    items_.pop_front();
    hand_over({next.bytes.data(), next.bytes.size()}, asked);
    // One place is free: for the first sender that waited, or, without any, for the item itself.
    if (capacity_ == 0)
      signal_if(next.sent);
    else if (items_.size() >= capacity_)
      signal_if(items_[capacity_ - 1].sent);
  }

  /// The length goes first and to the same processor, so it is there when `done` is signalled.
  void hand_over(bytes_view bytes, const receive_request& to) const {
    record<event_id::channel_taken>(bytes.size);
    const auto length = static_cast<std::int32_t>(bytes.size);
    if (length > to.most)
      fail(run_time_error::item_too_large,
           "an item of %d bytes came out of a channel for a receiver on processor %u that takes %d",
           length, terrane_owner_of(to.answer.to), static_cast<int>(to.most));
    if (to.length != 0) terrane_put(&length, sizeof length, to.length, 0);
    to.answer.send(bytes);
  }

  const std::size_t capacity_;
  std::deque<item> items_;  // the first capacity_ are in the buffer; senders wait with the others
  std::deque<receive_request> receivers_;
};

}  // namespace

}  // namespace terrane

using namespace terrane;

void terrane_channel_new(terrane_channel* channel, int capacity, terrane_slot_ref ready) {
  if (capacity < 0)
    fail(run_time_error::size_out_of_range, "a channel of capacity %d was asked for", capacity);
  channel->object = make_object<channel_object>(capacity).name();
  signal_if(ready);
}

void terrane_channel_send(terrane_channel channel, const void* item, int bytes,
                          terrane_slot_ref sent) {
  if (bytes < 0)
    fail(run_time_error::size_out_of_range, "an item of %d bytes was sent to a channel", bytes);
  ask<channel_object>(channel.object, channel_object::send, send_request{sent},
                      {item, static_cast<std::size_t>(bytes)});
}

void terrane_channel_receive(terrane_channel channel, terrane_global to, int most,
                             terrane_global length, terrane_slot_ref done) {
  if (length != 0 && terrane_owner_of(length) != terrane_owner_of(to))
    fail(run_time_error::different_nodes,
         "an item was to go to processor %u and its length to processor %u: both go to one",
         terrane_owner_of(to), terrane_owner_of(length));
  ask<channel_object>(channel.object, channel_object::receive,
                      receive_request{{to, done}, length, most});
}

void terrane_channel_free(terrane_channel channel) {
  ask<channel_object>(channel.object, channel_object::free);
}

void terrane_bichannel_new(terrane_bichannel* channels, int capacity, terrane_slot_ref ready) {
  terrane_channel_new(&channels->a2b, capacity, 0);
  terrane_channel_new(&channels->b2a, capacity, ready);
}

void terrane_bichannel_free(terrane_bichannel channels) {
  terrane_channel_free(channels.a2b);
  terrane_channel_free(channels.b2a);
}
