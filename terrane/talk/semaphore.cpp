// SPDX-License-Identifier: Apache-2.0
#include "terrane/talk/semaphore.hpp"

#include "terrane/talk/turn_queue.hpp"

namespace terrane {

namespace {

class semaphore_object final : public object {
 public:
  static constexpr char called[] = "semaphore";
  enum : std::uint32_t { take, give, free };

  explicit semaphore_object(int permits) : turns_(permits) {}

  void operate(const operation_request& asked) override {
    switch (asked.what) {
      case take: turns_.take(asked.as<terrane_slot_ref>()); break;
      case give: turns_.give(); break;
      case free: free_unawaited(*this); break;
    }
  }
  std::size_t waiting() const override { return turns_.waiting(); }

 private:
  turn_queue turns_;
};

}  // namespace

}  // namespace terrane

using namespace terrane;

void terrane_semaphore_new(terrane_semaphore* semaphore, int permits, terrane_slot_ref ready) {
  if (permits < 0)
    fail(run_time_error::size_out_of_range, "a semaphore of %d permits was asked for", permits);
  semaphore->object = make_object<semaphore_object>(permits).name();
  signal_if(ready);
}
void terrane_semaphore_take(terrane_semaphore semaphore, terrane_slot_ref got) {
  ask<semaphore_object>(semaphore.object, semaphore_object::take, got);
}
void terrane_semaphore_give(terrane_semaphore semaphore) {
  ask<semaphore_object>(semaphore.object, semaphore_object::give);
}
void terrane_semaphore_free(terrane_semaphore semaphore) {
  ask<semaphore_object>(semaphore.object, semaphore_object::free);
}
