// SPDX-License-Identifier: Apache-2.0
#include "terrane/core/inspection.hpp"

#include "terrane/core/processor.hpp"

namespace terrane {

void processor::let_look(inspection& one) {
  looks_.store(&one, memory_order_seq_cst);
  notice();
  world_.crew.wake(*this);
}

bool processor::spare_look(inspection& one) {
  inspection* waiting = &one;
  return looks_.compare_exchange_strong(waiting, nullptr, memory_order_seq_cst);
}

void processor::be_looked_at() {
  if (inspection* const one = looks_.exchange(nullptr, memory_order_seq_cst)) one->look(*this);
}

}  // namespace terrane
