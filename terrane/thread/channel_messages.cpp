// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/channel_messages.hpp"

#include "terrane/thread/desk_mail.hpp"

namespace terrane {

namespace {

struct done_head {
  channel_news news;
  channel_way way;
  bool told;
};

class channel_mail final : public desk_mail<channel_mail, desk_number::channels> {
 public:
  static constexpr char called[] = "desk of channels";
  enum : std::uint32_t { news, item, claim, claimed, back, done };
  using desk_mail::desk_mail;

  void operate(const operation_request& asked) override {
    channel_desk& desk = channel_desk::here();
    switch (asked.what) {
      case news: return desk.deliver(asked.as<channel_news>());
      case item: {
        const auto& head = asked.as<item_head>();
        return desk.bring(head.channel, head.count, asked.body);
      }
      case claim: return desk.claim(asked.as<claim_request>());
      case claimed:
        return desk.claimed(asked.as<claim_request>(),
                            asked.body.size != 0 ? &half_in(asked.body) : nullptr);
      case back: return desk.take_back(half_in(asked.body), asked.as<terrane_slot_ref>());
      case done: {
        const auto& head = asked.as<done_head>();
        return desk.done(head.news, head.way, head.told);
      }
    }
  }

 private:
  static const channel_half& half_in(bytes_view body) {
    TERRANE_CHECK(body.size == sizeof(channel_half));
    return *static_cast<const channel_half*>(body.data);
  }
};

}  // namespace

void send_news(processor_id to, const channel_news& news) {
  switch (news.what) {
    case channel_news::advert: here().send_as(service::advert, 0); break;
    case channel_news::focus: here().send_as(service::focus, 0); break;
    case channel_news::rtr: here().send_as(service::rtr, 0); break;
    case channel_news::closed: break;
  }
  channel_mail::send(to, channel_mail::news, news);
}
void send_item(processor_id to, const item_head& head, bytes_view item) {
  here().send_as(service::msg, item.size);
  channel_mail::send(to, channel_mail::item, head, item);
}
void send_claim(const claim_request& asked) {
  channel_mail::send(processor_of(asked.end), channel_mail::claim, asked);
}
void send_claimed(const claim_request& asked, const channel_half* half) {
  const bytes_view body = half ? bytes_view{half, sizeof *half} : bytes_view{};
  channel_mail::send(asked.at, channel_mail::claimed, asked, body);
}
void send_back(const channel_half& half, terrane_slot_ref told) {
  channel_mail::send(processor_of(half.channel), channel_mail::back, told, {&half, sizeof half});
}
void send_done(const channel_news& news, channel_way way, bool told) {
  channel_mail::send(processor_of(news.channel), channel_mail::done, done_head{news, way, told});
}

}  // namespace terrane
