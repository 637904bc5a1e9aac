// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/cancel_scope.hpp"

#include "terrane/core/object.hpp"
#include "terrane/core/processor.hpp"

namespace terrane {

namespace {

/// The scope at its owner, and a branch on every processor that has heard of its cancellation.
class scope_state final : public object {
 public:
  static constexpr char called[] = "cancel scope";
  enum : std::uint32_t { cancel_all, hear, forget };  // operations

  scope_state() = default;
  explicit scope_state(branch_of whole) : whole_(whole.whole) {}
  bool cancelled() const { return cancelled_; }

  void operate(const operation_request& asked) override {
    switch (asked.what) {
      case cancel_all:
        if (!cancelled_) tell_others(hear);
        cancelled_ = true;
        break;
      case hear: cancelled_ = true; break;
      case forget: free_branch(whole_); break;
    }
  }
  void tell_others(std::uint32_t what) const {
    const processor& self = here();
    for (processor_id each = 0; each < self.processors(); ++each)
      if (each != self.number) ask_at<scope_state>(each, name(), what);
  }

 private:
  terrane_slot_ref whole_ = 0;
  bool cancelled_ = false;
};

const scope_state* known_here(terrane_slot_ref name) {
  processor& self = here();
  if (processor_of(name) == self.number)
    return static_cast<const scope_state*>(find_object(kind_of<scope_state>::kind, name));
  const auto found = self.messages().branches.find(name);
  return found == self.messages().branches.end() ? nullptr
                                                 : static_cast<const scope_state*>(found->second);
}

}  // namespace

bool scope_ref::cancelled() const {
  const scope_state* const state = known_here(name_);
  return state && state->cancelled();
}

void scope_ref::cancel() const { ask<scope_state>(name_, scope_state::cancel_all); }

cancel_scope::cancel_scope() : name_(make_object<scope_state>().name()) {}

cancel_scope::~cancel_scope() {
  auto* const state = static_cast<scope_state*>(find_object(kind_of<scope_state>::kind, name_));
  if (state->cancelled()) state->tell_others(scope_state::forget);
  free_object(*state);
}

}  // namespace terrane
