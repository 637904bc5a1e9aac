// SPDX-License-Identifier: Apache-2.0
#include "terrane/core/inspection.hpp"

#include "terrane/core/processor.hpp"

namespace terrane {

bool processor::let_look(inspection& one) {
  inspection* nobody = nullptr;
  if (!looks_.compare_exchange_strong(nobody, &one, memory_order_seq_cst)) return false;
  notice();
  world_.crew.wake(*this);
  return true;
}

bool processor::spare_look(inspection& one) {
  inspection* waiting = &one;
  return looks_.compare_exchange_strong(waiting, nullptr, memory_order_seq_cst);
}

void processor::be_looked_at() {
  if (inspection* const one = looks_.exchange(nullptr, memory_order_seq_cst)) one->look(*this);
}

}  // namespace terrane
