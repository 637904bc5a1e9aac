// SPDX-License-Identifier: Apache-2.0
#include "programs/jacobi/versions.hpp"

#include <array>
#include <mutex>

#include "terrane/chant.hpp"

template <>
inline constexpr bool terrane::position_independent<terrane::jacobi::problem> = true;
template <>
inline constexpr bool terrane::position_independent<terrane::jacobi::answer> = true;

namespace terrane::jacobi {

namespace {

enum tags : int { to_left, to_right, gathered, found };

/// A member's block, and who has the blocks beside it.
struct neighbourhood {
  rope us;
  problem about;
  int rank, blocks, processors;

  neighbourhood(rope all, const problem& what)
      : us(all),
        about(what),
        rank(all.rank()),
        blocks(all.size()),
        processors(static_cast<int>(terrane_processors())) {}
  int left() const { return rank == 0 ? no_rank : rank - 1; }
  int right() const { return rank == blocks - 1 ? no_rank : rank + 1; }
  int first() const { return about.first_column(rank, blocks); }
  int last() const { return about.first_column(rank + 1, blocks); }
};

/// Iterations between two calls of balance().
constexpr int balanced_each = 10;

void iterate_blocking(const neighbourhood& where, block& mine, bool balances) {
  for (int q = 0; q < where.about.iterations; ++q) {
    if (balances && q % balanced_each == 0) where.us.balance();  // the first begins the measuring
    std::array<request, 2> sends{
        where.us.isend(where.left(), to_left, mine.points(q, mine.first())),
        where.us.isend(where.right(), to_right, mine.points(q, mine.last() - 1))};
    where.us.recv(where.right(), to_left, mine.points(q, mine.last()));
    where.us.recv(where.left(), to_right, mine.points(q, mine.first() - 1));
    mine.relax(q, mine.first(), mine.last(), where.processors);
    wait_all(sends);
  }
}

void iterate_overlapped(const neighbourhood& where, block& mine) {
  const int first = mine.first(), last = mine.last();
  for (int q = 0; q < where.about.iterations; ++q) {
    std::array<request, 2> sends{where.us.isend(where.left(), to_left, mine.points(q, first)),
                                 where.us.isend(where.right(), to_right, mine.points(q, last - 1))};
    if (last - first > 2) mine.relax(q, first + 1, last - 1, where.processors);
    where.us.recv(where.right(), to_left, mine.points(q, last));
    where.us.recv(where.left(), to_right, mine.points(q, first - 1));
    mine.relax(q, first, first + 1, where.processors);
    if (last - first > 1) mine.relax(q, last - 1, last, where.processors);
    wait_all(sends);
  }
}

/// How far the three threads of a processor are: a thread begins an iteration when all have ended
/// the one before. Then what it reads is there, and nobody reads any longer what it writes.
class phases {
 public:
  explicit phases(bool are_kept) : are_kept_(are_kept) {}
  void await(int q) {
    if (!are_kept_) return;
    const std::lock_guard hold(inside_);
    changed_.wait(inside_, [&] {
      charge(jacobi_point, 0);
      return ended_[0] >= q && ended_[1] >= q && ended_[2] >= q;
    });
  }
  void end(int thread) {
    if (!are_kept_) return;
    const std::lock_guard hold(inside_);
    charge(jacobi_point, 0);
    ++ended_[thread];
    changed_.notify_all();
  }

 private:
  const bool are_kept_;
  mutex inside_;
  condition changed_;
  int ended_[3] = {};
};

/// A boundary thread: sends the outermost column of its side, and computes B columns there.
void iterate_boundary(const problem& about, block& mine, phases& all, bool is_left,
                      int processors) {
  const auto peer = recv<thread_id>(any_source, 0);
  const int edge = is_left ? mine.first() : mine.last() - 1;
  const int beside = is_left ? edge - 1 : edge + 1;
  const int from = is_left ? edge : mine.last() - about.boundary;
  for (int q = 0; q < about.iterations; ++q) {
    all.await(q);
    request send_is_over = isend(peer, 1, mine.points(q, edge));
    recv(peer, 1, mine.points(q, beside));
    mine.relax(q, from, from + about.boundary, processors);
    send_is_over.wait();
    all.end(is_left ? 1 : 2);
  }
}

void iterate_threads(const neighbourhood& where, block& mine, bool keeps_phases) {
  phases all(keeps_phases);
  const problem& about = where.about;
  const auto boundary = [&](bool is_left) {
    return thread::create({.name = is_left ? "left" : "right"}, [&, is_left] {
      iterate_boundary(about, mine, all, is_left, where.processors);
    });
  };
  thread left = boundary(true), right = boundary(false);
  const thread_id ids[2] = {{left.name()}, {right.name()}};
  std::array<request, 2> names{where.us.isend(where.left(), to_left, ids[0]),
                               where.us.isend(where.right(), to_right, ids[1])};
  const auto peer_of = [&](int rank, int tag) {
    return rank == no_rank ? no_thread : where.us.recv<thread_id>(rank, tag);
  };
  send(ids[0], 0, peer_of(where.left(), to_right));
  send(ids[1], 0, peer_of(where.right(), to_left));
  wait_all(names);
  for (int q = 0; q < about.iterations; ++q) {
    all.await(q);
    mine.relax(q, mine.first() + about.boundary, mine.last() - about.boundary, where.processors);
    all.end(0);
  }
  charge(jacobi_point, 0);  // to wait is no work
  left.join();
  charge(jacobi_point, 0);
  right.join();
  charge(jacobi_point, 0);
}

/// Member 0 gets all columns, one after the other, and tells who asks.
void gather(const neighbourhood& where, block& mine, thread_id asks) {
  const int q = where.about.iterations;
  if (where.rank != 0) {
    for (int j = mine.first(); j < mine.last(); ++j) where.us.send(0, gathered, mine.points(q, j));
    return;
  }
  gathering whole(where.about.n);
  whole.add(mine.points(q, 1));
  for (int j = mine.first(); j < mine.last(); ++j) whole.add(mine.points(q, j));
  std::vector<double> column(static_cast<std::size_t>(where.about.n));
  for (int rank = 1; rank < where.blocks; ++rank)
    for (int j = where.about.first_column(rank, where.blocks);
         j < where.about.first_column(rank + 1, where.blocks); ++j) {
      where.us.recv(rank, gathered, column);
      whole.add(column);
    }
  for (int i = 1; i <= where.about.n; ++i)
    column[static_cast<std::size_t>(i - 1)] = first_value(i, where.about.n);
  whole.add(column);
  charge(jacobi_point, 0);
  terrane::send(asks, found, whole.result());
}

void be_member(version which, const problem& about, thread_id asks) {
  const neighbourhood where(this_rope(), about);
  block mine(about, where.first(), where.last(), &this_thread::heap());
  charge(jacobi_point, 0);
  switch (which) {
    case version::overlapped: iterate_overlapped(where, mine); break;
    case version::threads: iterate_threads(where, mine, true); break;
    case version::chaotic: iterate_threads(where, mine, false); break;
    default: iterate_blocking(where, mine, which == version::rope); break;
  }
  gather(where, mine, asks);
}

answer run_alone(const problem& about) {
  block all(about, 2, about.n, std::pmr::new_delete_resource());
  const int processors = static_cast<int>(terrane_processors());
  for (int q = 0; q < about.iterations; ++q) all.relax(q, 2, about.n, processors);
  gathering whole(about.n);
  for (int j = 1; j <= about.n; ++j) whole.add(all.points(about.iterations, j));
  return whole.result();
}

}  // namespace

std::optional<version> version_called(std::string_view name) {
  constexpr std::string_view names[] = {"sequential", "blocking", "overlapped",
                                        "threads",    "chaotic",  "rope"};
  for (std::size_t i = 0; i < std::size(names); ++i)
    if (name == names[i]) return static_cast<version>(i);
  return {};
}

answer run(version which, const problem& about) {
  if (which == version::sequential) return run_alone(about);
  const std::uint32_t processors = terrane_processors();
  const std::uint32_t each = processors / terrane_nodes();
  const auto members = static_cast<std::uint32_t>(which == version::rope ? about.members : 1);
  // V members that follow one another begin on one processor.
  const rope_mapping mapping =
      rope_mapping::by([=](std::uint32_t rank) { return rank / members / each; });
  started_rope all = rope::create(
      processors * members, mapping, {.name = "jacobi"},
      [which, about](thread_id asks) { be_member(which, about, asks); }, this_thread::id());
  answer result{};
  recv(any_source, found, result);
  charge(jacobi_point, 0);
  all.join();
  return result;
}

}  // namespace terrane::jacobi
