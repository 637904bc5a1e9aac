// SPDX-License-Identifier: Apache-2.0
// rope_mail.hpp: the messages between the desks of ropes.
#pragma once

#include "terrane/talk/rope_desk.hpp"
#include "terrane/thread/desk_mail.hpp"

namespace terrane {

class rope_mail final : public desk_mail<rope_mail, desk_number::ropes> {
 public:
  static constexpr char called[] = "ropes";
  enum : std::uint32_t { contributes, result, asks, tells, stands };
  using desk_mail::desk_mail;

  void operate(const operation_request& asked) override {
    rope_desk& desk = rope_desk::here();
    switch (asked.what) {
      case contributes:
        return desk.contributed(asked.from, asked.as<contribution_head>(), asked.body);
      case result: return desk.result(asked.as<rope_notice>(), asked.body);
      case asks: return desk.asked_for_members(asked.as<terrane_slot_ref>(), asked.from);
      case tells: return desk.hear_members(asked.as<terrane_slot_ref>(), asked.body);
      case stands: return desk.hear_stand(asked.as<rope_notice>());
    }
  }
};

}  // namespace terrane
