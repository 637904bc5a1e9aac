// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/bundle.hpp"

#include <algorithm>
#include <exception>

#include "terrane/core/failure.hpp"

namespace terrane {

/// Represents a topmost bundle in the ready queue. It outlives its bundle until its last request
/// has been served.
class bundle_gate final : public object {
 public:
  static constexpr char called[] = "bundle";
  static const terrane_fiber* const fibers[];

  bundle_gate(bundle& whose, int priority) : whose_(&whose), priority_(priority) {}
  void operate(const operation_request&) override {}
  std::size_t waiting() const override { return requests_; }
  void request() {
    ++requests_;
    here().make_ready(frame(), *fibers[priority_]);
  }
  void bundle_ended() {
    whose_ = nullptr;
    if (requests_ == 0) free_object(*this);
  }

 private:
  terrane_frame& frame() { return *(reinterpret_cast<terrane_frame*>(this) - 1); }
  static terrane_step serve(terrane_frame* frame) {
    auto& self = *static_cast<bundle_gate*>(reinterpret_cast<object*>(frame + 1));
    --self.requests_;
    if (self.whose_)
      if (thread_block* const next = self.whose_->next_thread()) next->run_now();
    return !self.whose_ && self.requests_ == 0 ? TERRANE_DONE : TERRANE_WAIT;
  }
  template <int Priority>
  static const terrane_fiber serve_at;

  bundle* whose_;
  const int priority_;
  std::size_t requests_ = 0;
};

template <int Priority>
const terrane_fiber bundle_gate::serve_at{
    serve, &kind_of<bundle_gate>::kind, "serve", nullptr, 0, Priority, false};
const terrane_fiber* const bundle_gate::fibers[] = {&serve_at<0>, &serve_at<1>, &serve_at<2>,
                                                    &serve_at<3>, &serve_at<4>, &serve_at<5>,
                                                    &serve_at<6>, &serve_at<7>, nullptr};

void bundle_policy::on_event(bundle& in, int kind, void* about) {
  if (in.parent()) in.parent()->raise(kind, about);
}

bundle::bundle(std::unique_ptr<bundle_policy> policy, bundle* parent, int priority)
    : policy_(std::move(policy)), parent_(parent) {
  if (priority < 0 || priority > 7)
    fail(run_time_error::thread_misused,
         "a bundle was given priority %d: they go from 0 (first) to 7 (last)", priority);
  if (!parent) {
    gate_ = &make_object<bundle_gate>(*this, priority);
    return;
  }
  parent->children_.push_back(this);
  parent->tell([this](bundle_policy& its) { its.on_bundle_created(*this); });
}

bundle::~bundle() {
  if (!terrane_is_processor()) return;  // after the run, whose objects are gone
  if (threads_ != 0 || !children_.empty())
    fail(run_time_error::thread_misused,
         "a bundle was destroyed before %zu of its threads and %zu of its child bundles had ended: "
         "join and destroy those first",
         threads_, children_.size());
  if (!parent_) {
    gate_->bundle_ended();
    return;
  }
  auto& all = parent_->children_;
  all.erase(std::find(all.begin(), all.end(), this));
  parent_->tell([this](bundle_policy& its) { its.on_bundle_terminated(*this); });
}

void bundle::policy_threw() {
  try {
    throw;
  } catch (const std::exception& what) {
    fail(run_time_error::thread_misused, "the policy of a bundle threw: %s", what.what());
  } catch (...) {
    fail(run_time_error::thread_misused, "the policy of a bundle threw what is no std::exception");
  }
}

thread_block* bundle::next_thread() {
  thread_block* next = nullptr;
  tell([&](bundle_policy& its) { next = its.on_processor_idle(*this); });
  if (next) next->leave_policy();
  return next;
}

void bundle::ask_processor() { top().gate_->request(); }

thread_block* bundle::ask_children() {
  if (moving_) return nullptr;
  for (std::size_t i = 0; i < children_.size(); ++i) {
    bundle& child = *children_[next_child_++ % children_.size()];
    if (thread_block* const found = child.policy().on_processor_idle(child)) return found;
  }
  return nullptr;
}

void bundle::set_policy(std::unique_ptr<bundle_policy> next) {
  moving_ = true;
  std::vector<thread_block*> ready;
  while (thread_block* const one = next_thread()) ready.push_back(one);
  moving_ = false;
  policy_ = std::move(next);
  for (thread_block* const each : ready) each->stay_ready();
}

}  // namespace terrane
