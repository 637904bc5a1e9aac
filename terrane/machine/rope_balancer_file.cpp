// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/rope_balancer_file.hpp"

#include <exception>
#include <utility>

#include "terrane/balance/rope/plugin.hpp"
#include "terrane/core/failure.hpp"
#include "terrane/machine/balancer_file.hpp"
#include "terrane/machine/guarded_balancer.hpp"

namespace terrane {

namespace {

/// Reports what goes wrong in the policy with the name of its library.
class guarded_rope_balancer final : public rope_balancer {
 public:
  guarded_rope_balancer(std::string library, std::unique_ptr<rope_balancer> policy)
      : library_(std::move(library)), policy_(std::move(policy)) {}

  void place(const rope_view& now, std::span<processor_id> at) override {
    const policy_call inside(library_, "place");
    try {
      policy_->place(now, at);
    } catch (const std::exception& what) {
      fail(run_time_error::balancer_failed, "the balancer %s threw an exception in place: %s",
           library_.c_str(), what.what());
    } catch (...) {
      fail(run_time_error::balancer_failed, "the balancer %s threw an exception in place",
           library_.c_str());
    }
  }

 private:
  const std::string library_;
  const std::unique_ptr<rope_balancer> policy_;
};

}  // namespace

result<rope_balancer_factory> find_rope_balancer(const std::string& specification) {
  if (specification.find('/') == specification.npos) return choose_rope_balancer(specification);
  const auto loaded =
      load_policy(specification, rope_balancer_plugin_name, "TERRANE_ROPE_BALANCER");
  if (!loaded) return error{loaded.problem()};
  const auto& made = *static_cast<const rope_balancer_plugin*>(loaded.value());
  if (made.interface_version != rope_balancer_interface_version)
    return error{"the balancer " + specification +
                 " was made for another version of Terrane: compile it again"};
  return rope_balancer_factory([library = specification, make = made.entry.make] {
    return std::make_unique<guarded_rope_balancer>(library, make());
  });
}

}  // namespace terrane
