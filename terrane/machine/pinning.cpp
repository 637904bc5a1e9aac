// SPDX-License-Identifier: Apache-2.0
// pinning.cpp: reads the topology, and chooses CPUs in it.
#include "terrane/machine/pinning.hpp"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <compare>
#include <cstddef>
#include <locale>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <utility>

#ifdef TERRANE_HAVE_HWLOC
#include <dlfcn.h>
#include <hwloc.h>
#endif

namespace terrane {
namespace {

constexpr double busy_load_per_cpu = 0.5;  // a higher load means that others use the machine

std::optional<int> number_in_file(const std::string& path) {
  const auto text = read_system_file(path);
  if (!text) return std::nullopt;
  int number = 0;
  const auto [stop, problem] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (problem != std::errc()) return std::nullopt;
  return number;
}

std::optional<double> load_of_last_minute(const std::string& root) {
  const auto text = read_system_file(root + "/proc/loadavg");
  if (!text) return std::nullopt;
  std::istringstream words(*text);
  words.imbue(std::locale::classic());
  double load = 0;
  if (!(words >> load) || !(load >= 0)) return std::nullopt;
  return load;
}

std::string one_decimal(double number) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text.setf(std::ios::fixed);
  text.precision(1);
  text << number;
  return text.str();
}

std::string joined(const std::vector<int>& numbers) {
  std::string text;
  for (const int number : numbers) {
    if (!text.empty()) text += ',';
    text += std::to_string(number);
  }
  return text;
}

/// The order in which packages are filled. First come those with a core for each processor,
/// smallest first, then the others, largest first.
std::map<int, int> turn_of_package(const topology& where, int processors) {
  std::map<int, std::set<int>> cores_of;
  for (const hardware_thread& thread : where.threads) cores_of[thread.package].insert(thread.core);
  std::vector<std::tuple<bool, int, int>> packages;  // too small, size, package: least is first
  for (const auto& [package, cores] : cores_of) {
    const int size = static_cast<int>(cores.size());
    const bool too_small = size < processors;
    packages.emplace_back(too_small, too_small ? -size : size, package);
  }
  std::sort(packages.begin(), packages.end());
  std::map<int, int> turn;
  for (const auto& [too_small, size, package] : packages)
    turn.emplace(package, static_cast<int>(turn.size()));
  return turn;
}

}  // namespace

#ifdef TERRANE_HAVE_HWLOC
namespace {

/// The opened library, and the few functions of it that we call.
class hwloc_library {
 public:
  hwloc_library() : handle_(dlopen("libhwloc.so.15", RTLD_NOW | RTLD_LOCAL)) {
    complete_ =
        handle_ && find("hwloc_get_api_version", api_version) &&
        find("hwloc_topology_init", init) && find("hwloc_topology_load", load) &&
        find("hwloc_topology_destroy", destroy) &&
        find("hwloc_topology_is_thissystem", is_this_system) &&
        find("hwloc_get_type_depth", depth_of) && find("hwloc_get_nbobjs_by_depth", count_at) &&
        find("hwloc_get_obj_by_depth", object_at) && api_version() >> 16 == HWLOC_API_VERSION >> 16;
  }
  hwloc_library(const hwloc_library&) = delete;
  hwloc_library& operator=(const hwloc_library&) = delete;
  ~hwloc_library() {
    if (handle_) dlclose(handle_);
  }
  bool complete() const { return complete_; }

  decltype(&hwloc_get_api_version) api_version = nullptr;
  decltype(&hwloc_topology_init) init = nullptr;
  decltype(&hwloc_topology_load) load = nullptr;
  decltype(&hwloc_topology_destroy) destroy = nullptr;
  decltype(&hwloc_topology_is_thissystem) is_this_system = nullptr;
  decltype(&hwloc_get_type_depth) depth_of = nullptr;
  decltype(&hwloc_get_nbobjs_by_depth) count_at = nullptr;
  decltype(&hwloc_get_obj_by_depth) object_at = nullptr;

 private:
  template <class Function>
  bool find(const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(handle_, name));
    return function != nullptr;
  }

  void* handle_;
  bool complete_ = false;
};

/// The number of the enclosing object of that type; `otherwise` if hwloc knows none.
int number_of_ancestor(hwloc_obj_t object, hwloc_obj_type_t type, int otherwise) {
  for (; object; object = object->parent)
    if (object->type == type) return static_cast<int>(object->logical_index);
  return otherwise;
}

}  // namespace

std::optional<topology> hwloc_topology(const std::vector<int>& cpus) {
  const hwloc_library hwloc;
  hwloc_topology_t raw = nullptr;
  if (!hwloc.complete() || hwloc.init(&raw) != 0) return std::nullopt;
  const std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, decltype(hwloc.destroy)> machine(
      raw, hwloc.destroy);
  if (hwloc.load(raw) != 0 || !hwloc.is_this_system(raw)) return std::nullopt;

  topology found{{}, "hwloc"};
  const int depth = hwloc.depth_of(raw, HWLOC_OBJ_PU);
  for (unsigned i = 0; i < hwloc.count_at(raw, depth); ++i) {  // logical order: near CPUs adjoin
    const hwloc_obj_t unit = hwloc.object_at(raw, depth, i);
    const int cpu = static_cast<int>(unit->os_index);
    if (std::find(cpus.begin(), cpus.end(), cpu) == cpus.end()) continue;
    found.threads.push_back({cpu, number_of_ancestor(unit, HWLOC_OBJ_CORE, cpu),
                             number_of_ancestor(unit, HWLOC_OBJ_PACKAGE, 0)});
  }
  if (found.threads.size() != cpus.size()) return std::nullopt;  // it lacks some
  return found;
}
#else
std::optional<topology> hwloc_topology(const std::vector<int>&) { return std::nullopt; }
#endif

topology sysfs_topology(const std::string& root, const std::vector<int>& cpus) {
  topology found{{}, "sysfs"};
  for (const int cpu : cpus) {
    const std::string place =
        root + "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/";
    const auto core = number_in_file(place + "core_id");
    const auto package = number_in_file(place + "physical_package_id");
    const bool known = core && package;
    found.threads.push_back({cpu, known ? *core : -1 - cpu, known ? *package : 0});
  }
  const auto key = [](const hardware_thread& one) {
    return std::tuple(one.package, one.core, one.cpu);
  };
  std::sort(found.threads.begin(), found.threads.end(),
            [&](const auto& left, const auto& right) { return key(left) < key(right); });
  return found;
}

topology read_topology(const std::vector<int>& cpus) {
  if (auto found = hwloc_topology(cpus)) return *std::move(found);
  return sysfs_topology("", cpus);
}

std::vector<int> plan_pinning(const topology& where, int processors) {
  struct seat {
    int round;     // how many CPUs of its core come before it
    int turn;      // the turn of its package (turn_of_package)
    int position;  // in the topology
    int cpu;
    auto operator<=>(const seat&) const = default;
  };
  std::map<int, int> turn = turn_of_package(where, processors);
  std::map<std::pair<int, int>, int> seats_of_core;
  std::vector<seat> seats;
  for (const hardware_thread& thread : where.threads) {
    const int round = seats_of_core[{thread.package, thread.core}]++;
    seats.push_back({round, turn[thread.package], static_cast<int>(seats.size()), thread.cpu});
  }
  std::sort(seats.begin(), seats.end());

  std::vector<int> plan;
  if (seats.empty() || processors < 1) return plan;
  for (std::size_t i = 0; i < static_cast<std::size_t>(processors); ++i)
    plan.push_back(seats[i % seats.size()].cpu);
  return plan;
}

result<pinning_option> parse_pinning_option(std::string_view text) {
  if (text == "auto") return pinning_option::automatic;
  if (text == "on") return pinning_option::on;
  if (text == "off") return pinning_option::off;
  return error{"--pinning is auto, on or off, not \"" + std::string(text) + "\""};
}

sharing_signs read_sharing_signs(const cpu_view& view, const cpu_budget& budget) {
  return {budget.processors, budget.allowed, budget.quota_in_force,
          view.affinity,     view.online,    load_of_last_minute(view.root).value_or(-1)};
}

bool machine_is_shared(const sharing_signs& signs, std::string& reason) {
  const auto count = [](int number) { return std::to_string(number); };
  if (signs.processors > signs.allowed) {
    reason = count(signs.processors) + " processors share " + count(signs.allowed) + " CPUs";
  } else if (signs.quota_in_force) {
    reason = "a cgroup quota would throttle us in place";
  } else if (signs.affinity > 0 && signs.affinity < signs.online) {
    reason = "the affinity mask leaves us " + count(signs.affinity) + " of " + count(signs.online) +
             " CPUs, perhaps not alone; --pinning=on stays inside it";
  } else if (signs.online > 0 && signs.load > busy_load_per_cpu * signs.online) {
    reason = "others are at work: load " + one_decimal(signs.load) + " on " + count(signs.online) +
             " CPUs";
  } else {
    return false;
  }
  return true;
}

pinning_decision decide_pinning(pinning_option option, const sharing_signs& signs,
                                const std::function<topology()>& look) {
  const auto off = [](const std::string& why) {
    return pinning_decision{false, "pinning: off (" + why + ")", {}};
  };
  std::string why = "--pinning=on";
  if (option == pinning_option::off) return off("--pinning=off");
  if (option == pinning_option::automatic) {
    if (machine_is_shared(signs, why)) return off(why);
    why = "nobody else seems to use this machine";
  }
  const topology where = look();
  std::vector<int> plan = plan_pinning(where, signs.processors);
  if (plan.empty()) return off("no CPU can be read here");
  const std::string cpus = joined(plan);
  return {true, "pinning: on (" + why + "; CPUs " + cpus + " by " + where.source + ")",
          std::move(plan)};
}

result<void> pin_this_thread(int cpu) {
  const auto refused = [cpu](const std::string& why) {
    return error{"cannot pin a thread to CPU " + std::to_string(cpu) + ": " + why +
                 "; run with --pinning=off"};
  };
  constexpr int cpus_max = 1 << 16;
  if (cpu < 0 || cpu >= cpus_max) return refused("no such CPU");
  const auto free_mask = [](cpu_set_t* mask) { CPU_FREE(mask); };
  const std::unique_ptr<cpu_set_t, decltype(free_mask)> mask(CPU_ALLOC(cpu + 1), free_mask);
  const std::size_t bytes = CPU_ALLOC_SIZE(cpu + 1);
  if (!mask) return refused("out of memory");
  CPU_ZERO_S(bytes, mask.get());
  CPU_SET_S(static_cast<std::size_t>(cpu), bytes, mask.get());
  if (sched_setaffinity(0, bytes, mask.get()) != 0)
    return refused(std::generic_category().message(errno));
  return {};
}

}  // namespace terrane
