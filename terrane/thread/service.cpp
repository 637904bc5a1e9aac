// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/service.hpp"

#include <utility>

#include "terrane/thread/thread_block.hpp"
#include "terrane/thread/thread_seat.hpp"

namespace terrane {

service_queue& service_queue::here() { return thread_seat::here().service; }

void service_queue::add(void (*run)(const void* bytes), const void* bytes, std::size_t size) {
  const auto* const from = static_cast<const unsigned char*>(bytes);
  jobs_.push_back({run, {from, from + size}});
  if (std::exchange(serves_, true)) return;
  thread_block::create({.name = "service",
                        .stack_bytes = terrane::here().stack_bytes(),
                        .size_from = stack_from::message},
                       [this] { serve(); })
      .detach();
}

void service_queue::serve() {
  while (!jobs_.empty()) {
    const job next = std::move(jobs_.front());
    jobs_.pop_front();
    next.run(next.bytes.data());
  }
  serves_ = false;
}

}  // namespace terrane
