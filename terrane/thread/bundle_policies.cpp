// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/bundle_policies.hpp"

#include <algorithm>

namespace terrane {

namespace {

template <class Queue>
thread_block* take_first(Queue& from) {
  thread_block* const first = from.front();
  from.pop_front();
  return first;
}
template <class Stack>
thread_block* take_last(Stack& from) {
  thread_block* const last = from.back();
  from.pop_back();
  return last;
}

}  // namespace

thread_block* fifo::on_processor_idle(bundle& asked) {
  return ready_.empty() ? asked.ask_children() : take_first(ready_);
}

thread_block* lifo::on_processor_idle(bundle& asked) {
  return ready_.empty() ? asked.ask_children() : take_last(ready_);
}

thread_block* lazy_stack::on_processor_idle(bundle& asked) {
  if (!started_.empty()) return take_first(started_);
  return fresh_.empty() ? asked.ask_children() : take_last(fresh_);
}

thread_block* by_priority::on_processor_idle(bundle& asked) {
  if (ready_.empty()) return asked.ask_children();
  const auto best = ready_.begin();
  thread_block* const next = take_first(best->second);
  if (best->second.empty()) ready_.erase(best);
  return next;
}

void affinity::on_thread_unblocked(thread_block& ready) {
  auto& alike = ready_[ready.about()];
  if (alike.empty()) turns_.push_back(ready.about());
  alike.push_back(&ready);
}

thread_block* affinity::on_processor_idle(bundle& asked) {
  if (turns_.empty()) return asked.ask_children();
  const auto alike = ready_.find(turns_.front());
  thread_block* const next = take_first(alike->second);
  if (alike->second.empty()) {
    ready_.erase(alike);
    turns_.pop_front();
  }
  return next;
}

bool memory_conscious::depth_first::operator()(const std::vector<std::uint32_t>& one,
                                               const std::vector<std::uint32_t>& other) const {
  const auto [mine, theirs] = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
  if (mine != one.end() && theirs != other.end()) return *mine < *theirs;
  return mine != one.end();  // the longer path is the descendant's, which comes first
}

void memory_conscious::on_thread_created(thread_block& fresh) {
  const auto parent = places_.find(thread_block::current());
  std::vector<std::uint32_t> path;
  if (parent != places_.end()) {
    path = parent->second.path;
    path.push_back(parent->second.children++);
  } else {
    path.push_back(strangers_++);
  }
  places_[&fresh].path = std::move(path);
  on_thread_unblocked(fresh);
}

void memory_conscious::on_thread_unblocked(thread_block& ready) {
  auto known = places_.find(&ready);
  if (known == places_.end()) {  // it came from another policy
    known = places_.try_emplace(&ready).first;
    known->second.path.push_back(strangers_++);
  }
  ready_.emplace(known->second.path, &ready);
}

thread_block* memory_conscious::on_processor_idle(bundle& asked) {
  if (ready_.empty()) return asked.ask_children();
  const auto first = ready_.begin();
  thread_block* const next = first->second;
  ready_.erase(first);
  return next;
}

}  // namespace terrane
