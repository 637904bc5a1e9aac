// SPDX-License-Identifier: Apache-2.0
// post_messages.cpp: the messages between post offices.
#include "terrane/talk/post_office.hpp"
#include "terrane/thread/desk_mail.hpp"

namespace terrane {

namespace {

class post_mail final : public desk_mail<post_mail, desk_number::letters> {
 public:
  static constexpr char called[] = "post office";
  enum : std::uint32_t { brings, fetch, fetched, received, note };
  using desk_mail::desk_mail;

  void operate(const operation_request& asked) override {
    post_office& office = post_office::here();
    switch (asked.what) {
      case brings: {
        const auto& head = asked.as<letter>();
        TERRANE_CHECK(!head.brings_bytes() || asked.body.size == head.bytes);
        return office.deliver(head, asked.body.data);
      }
      case fetch: return office.fetch(asked.as<content_request>(), asked.from);
      case fetched: return office.fetched(asked.as<std::uint64_t>(), asked.body);
      case received: return office.received(asked.as<std::uint64_t>());
      case note: return office.hear(asked.as<whereabouts_note>());
    }
  }
};

}  // namespace

void send_letter(processor_id to, const letter& head, const void* data) {
  post_mail::send(to, post_mail::brings, head,
                  {data, head.brings_bytes() ? static_cast<std::size_t>(head.bytes) : 0});
}
void send_fetch(processor_id to, const content_request& asked) {
  post_mail::send(to, post_mail::fetch, asked);
}
void send_fetched(processor_id to, std::uint64_t into, bytes_view data) {
  post_mail::send(to, post_mail::fetched, into, data);
}
void send_received(processor_id to, std::uint64_t transfer_of_sender) {
  post_mail::send(to, post_mail::received, transfer_of_sender);
}
void send_note(processor_id to, const whereabouts_note& note) {
  post_mail::send(to, post_mail::note, note);
}

}  // namespace terrane
