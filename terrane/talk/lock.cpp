// SPDX-License-Identifier: Apache-2.0
#include "terrane/talk/lock.hpp"

#include "terrane/talk/turn_queue.hpp"

namespace terrane {

namespace {

class lock_object final : public object {
 public:
  static constexpr char called[] = "lock";
  enum : std::uint32_t { take, give, free };

  void operate(const operation_request& asked) override {
    switch (asked.what) {
      case take: turns_.take(asked.as<terrane_slot_ref>()); break;
      case give:
        if (turns_.permits() != 0)
          fail(run_time_error::not_taken, "processor %u gave back a lock that nobody held",
               asked.from);
        turns_.give();
        break;
      case free: free_unawaited(*this); break;
    }
  }
  std::size_t waiting() const override { return turns_.waiting(); }

 private:
  turn_queue turns_{1};
};

}  // namespace

}  // namespace terrane

using namespace terrane;

void terrane_lock_new(terrane_lock* lock, terrane_slot_ref ready) {
  lock->object = make_object<lock_object>().name();
  signal_if(ready);
}
void terrane_lock_take(terrane_lock lock, terrane_slot_ref got) {
  ask<lock_object>(lock.object, lock_object::take, got);
}
void terrane_lock_give(terrane_lock lock) { ask<lock_object>(lock.object, lock_object::give); }
void terrane_lock_free(terrane_lock lock) { ask<lock_object>(lock.object, lock_object::free); }
