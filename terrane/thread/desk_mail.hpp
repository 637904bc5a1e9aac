// SPDX-License-Identifier: Apache-2.0
// desk_mail.hpp: messages to what every processor has once: a desk. A kind of mail is a branch of
// an object that no processor has, so that the branch is there on all of them.
//
//   class my_mail final : public desk_mail<my_mail, desk_number::mine> {
//    public:
//     static constexpr char called[] = "my desk";
//     enum : std::uint32_t { ask, answer };
//     using desk_mail::desk_mail;
//     void operate(const operation_request& asked) override { ... }
//   };
//   my_mail::send(to, my_mail::ask, record);
#pragma once

#include <cstdint>

#include "terrane/core/object.hpp"

namespace terrane {

/// All desks: no two may have the same number.
enum class desk_number : std::uint8_t { channels = 1, lent_data, letters, ropes };

template <class Mail, desk_number Number>
class desk_mail : public object {
 public:
  explicit desk_mail(branch_of) {}
  template <class Record>
  static void send(processor_id to, std::uint32_t what, const Record& record,
                   bytes_view body = {}) {
    ask_at<Mail>(to, nowhere, what, record, body);
  }

 private:
  static constexpr terrane_slot_ref nowhere =
      static_cast<terrane_slot_ref>(Number) * TERRANE_GENERATION_STEP | 0xffff;
  static_assert(TERRANE_PROCESSORS_MAX < 0xffff);
};

}  // namespace terrane
