// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/rope_balancer_file.hpp"

#include <utility>

#include "terrane/balance/rope/plugin.hpp"
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
    without_exceptions(library_, "place", [&] { policy_->place(now, at); });
  }

 private:
  const std::string library_;
  const std::unique_ptr<rope_balancer> policy_;
};

}  // namespace

result<rope_balancer_factory> find_rope_balancer(const std::string& specification) {
  if (specification.find('/') == specification.npos) return choose_rope_balancer(specification);
  const auto loaded =
      load_policy(specification, {.symbol = rope_balancer_plugin_name,
                                  .made_by = "TERRANE_ROPE_BALANCER",
                                  .page = "docs/chant.md",
                                  .interface_version = rope_balancer_interface_version});
  if (!loaded) return error{loaded.problem()};
  const auto& made = *static_cast<const rope_balancer_plugin*>(loaded.value());
  return rope_balancer_factory([library = specification, make = made.entry.make] {
    const policy_call inside(library, "its constructor");
    return std::make_unique<guarded_rope_balancer>(
        library, without_exceptions(library, "its constructor", make));
  });
}

}  // namespace terrane
