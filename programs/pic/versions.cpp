// SPDX-License-Identifier: Apache-2.0
#include "programs/pic/versions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <tuple>

#include "programs/fingerprint.hpp"
#include "programs/pic/crew.hpp"

template <>
inline constexpr bool terrane::position_independent<terrane::pic::problem> = true;
template <>
inline constexpr bool terrane::position_independent<terrane::pic::totals> = true;
template <>
inline constexpr bool terrane::position_independent<terrane::pic::particle> = true;
template <>
inline constexpr bool terrane::position_independent<terrane::pic::numbered_place> = true;
template <>
inline constexpr bool terrane::position_independent<terrane::pic::numbered_force> = true;

namespace terrane::pic {

namespace {

enum stage : int { places, upwards, downwards, fields, forces, answers };
constexpr int domains_max = 16384;

/// The steps of one domain. run_phase(which, sends, computes, receives) runs the three parts of an
/// exchange; the messages for a phase come to its receiving thread.
class stepping {
 public:
  using part = std::function<void()>;
  stepping(const problem& about, rope us, bool in_threads)
      : about_(about), us_(us), mine_(about, us.rank(), us.size()), n_(us.size()) {
    if (in_threads)
      for (auto& each : crews_) each = std::make_unique<crew>();
    for (std::size_t i = 0; i < 2; ++i)
      receivers_[i] = us.allgather(in_threads ? crews_[i]->receiver() : this_thread::id());
  }

  totals run() {
    for (int step = 0; step < about_.steps; ++step) {
      move_particles();
      const double all = us_.allreduce(mine_.charge_sum());
      sum_.worst_charge = std::max(sum_.worst_charge, std::fabs(all));
      solve_field();
      return_forces();
    }
    return gather();
  }

 private:
  enum phase : std::size_t { push, solve };
  struct tally {
    std::uint64_t sends = 0, receives = 0;
  };

  void run_phase(phase which, const part& sends, const part& computes, const part& receives) {
    if (crews_[which]) return crews_[which]->run(sends, computes, receives);
    sends();
    computes();
    receives();
  }
  int tag(stage what, int from) const { return what * domains_max + from; }
  template <class T>
  request begin_send(phase which, int to, stage what, const T& data) {
    ++sum_.sends;
    return isend(receivers_[which][static_cast<std::size_t>(to)], tag(what, us_rank()), data);
  }
  int us_rank() const { return mine_.rank(); }

  /// To all others in the order of their ranks, empty ones too; from all others, one after the
  /// other, into one buffer.
  template <class T, class Data, class Take>
  void exchange_with_all(stage what, Data&& data, const part& meanwhile, Take&& take) {
    std::vector<request> under_way;
    run_phase(
        push,
        [&] {
          for (int to = 0; to < n_; ++to)
            if (to != us_rank()) under_way.push_back(begin_send(push, to, what, data(to)));
          if (crews_[push]) wait_all(under_way);
        },
        meanwhile,
        [&] {
          std::vector<T>& buffer = std::get<std::vector<T>>(buffers_);
          for (int from = 0; from < n_; ++from) {
            if (from == us_rank()) continue;
            ++sum_.receives;
            const status coming = probe(any_source, tag(what, from));
            buffer.resize(coming.count<T>());
            recv(any_source, tag(what, from), buffer);
            take(buffer);
          }
        });
    if (!crews_[push]) wait_all(under_way);
  }

  void move_particles() {
    mine_.sort();
    exchange_with_all<numbered_place>(
        places, [&](int to) -> const std::vector<numbered_place>& { return mine_.away(to); }, [] {},
        [&](const std::vector<numbered_place>& come) {
          mine_.add_foreign(come.data(), come.size());
        });
    mine_.deposit();
  }

  void return_forces() {
    mine_.compute_forces();
    exchange_with_all<numbered_force>(
        forces, [&](int to) -> const std::vector<numbered_force>& { return mine_.forces_for(to); },
        [&] {
          const auto& own = mine_.forces_for(us_rank());
          mine_.push(own.data(), own.size());
        },
        [&](const std::vector<numbered_force>& come) { mine_.push(come.data(), come.size()); });
  }

  std::span<double> row(int which) {
    return {mine_.potential(which), static_cast<std::size_t>(mine_.grid())};
  }
  /// The rows beside this domain's; the inner rows are swept meanwhile.
  void exchange_rows(bool sweeps_inner) {
    const int rows = mine_.rows(), up = (us_rank() + n_ - 1) % n_, down = (us_rank() + 1) % n_;
    const part inner = [&] {
      if (sweeps_inner && rows > 2) mine_.sweep(1, rows - 1);
    };
    if (n_ == 1) {
      std::ranges::copy(row(rows - 1), row(-1).begin());
      std::ranges::copy(row(0), row(rows).begin());
      return inner();
    }
    std::array<request, 2> under_way;
    run_phase(
        solve,
        [&] {
          under_way[0] = begin_send(solve, up, upwards, row(0));
          under_way[1] = begin_send(solve, down, downwards, row(rows - 1));
          if (crews_[solve]) wait_all(under_way);
        },
        inner,
        [&] {
          sum_.receives += 2;
          recv(any_source, tag(upwards, down), row(rows));
          recv(any_source, tag(downwards, up), row(-1));
        });
    if (!crews_[solve]) wait_all(under_way);
  }

  void solve_field() {
    const int rows = mine_.rows();
    for (int i = 0; i < sweeps; ++i) {
      exchange_rows(true);
      mine_.sweep(0, 1);
      if (rows > 1) mine_.sweep(rows - 1, rows);
      mine_.end_sweep();
    }
    exchange_rows(false);
    mine_.differentiate();
    const std::span<double> first{mine_.first_field(), mine_.field_row()},
        next{mine_.next_field(), mine_.field_row()};
    if (n_ == 1) {
      std::ranges::copy(first, next.begin());
      return;
    }
    const int up = (us_rank() + n_ - 1) % n_, down = (us_rank() + 1) % n_;
    request under_way;
    run_phase(
        solve,
        [&] {
          under_way = begin_send(solve, up, fields, first);
          if (crews_[solve]) under_way.wait();
        },
        [] {},
        [&] {
          ++sum_.receives;
          recv(any_source, tag(fields, down), next);
        });
    if (!crews_[solve]) under_way.wait();
  }

  /// The answer, at member 0.
  totals gather() {
    const std::vector<particle> all = us_.gatherv(mine_.own(), 0, nullptr);
    totals whole;
    whole.sends = us_.allreduce(sum_.sends);
    whole.receives = us_.allreduce(sum_.receives);
    whole.worst_charge = sum_.worst_charge;
    programs::fingerprint print;
    print.add(all.data(), all.size() * sizeof(particle));
    whole.hash = print.hash;
    for (const particle& each : all) whole.kinetic += 0.5 * (each.vx * each.vx + each.vy * each.vy);
    return whole;
  }

  const problem about_;
  const rope us_;
  domain mine_;
  const int n_;
  std::array<std::unique_ptr<crew>, 2> crews_;
  std::array<std::vector<thread_id>, 2> receivers_;
  std::tuple<std::vector<numbered_place>, std::vector<numbered_force>> buffers_;
  totals sum_;
};

}  // namespace

std::optional<version> version_called(std::string_view name) {
  constexpr std::string_view names[] = {"sequential", "original", "functional", "virtual"};
  for (std::size_t i = 0; i < std::size(names); ++i)
    if (name == names[i]) return static_cast<version>(i);
  return {};
}

int domains_of(version which, const problem& about, int processors) {
  if (which == version::sequential) return 1;
  return processors * (which == version::virtual_ ? about.members : 1);
}

totals run(version which, const problem& about) {
  const std::uint32_t processors = terrane_processors(), each = processors / terrane_nodes();
  const int n = domains_of(which, about, static_cast<int>(processors));
  const auto on_each = static_cast<std::uint32_t>(n) / processors;
  const rope_mapping mapping = rope_mapping::by(
      [=](std::uint32_t rank) { return on_each == 0 ? 0 : rank / on_each / each; });
  started_rope all = rope::create(
      static_cast<std::uint32_t>(n), mapping, {.name = "pic"},
      [which, about](thread_id asks) {
        const rope us = this_rope();
        const totals found = stepping(about, us, which == version::functional).run();
        if (us.rank() == 0) send(asks, answers, found);
        charge(pic_particle, 0);
      },
      this_thread::id());
  charge(pic_particle, 0);
  const auto found = recv<totals>(any_source, answers);
  charge(pic_particle, 0);
  all.join();
  return found;
}

}  // namespace terrane::pic
