// SPDX-License-Identifier: Apache-2.0
// talks.cpp SEED ROUNDS MESSAGES MEMBERS MOST: a storm of messages: members of a rope send what a
// plan says, receive with wildcards, probe, move from node to node, and meet in collectives. An
// oracle judges each receive.
//
// Memory      What a member has lies on its stack or in its thread's heap, and so moves with it.
// Ends        Receives ask only for what is still to come, and those that name sender and tag are
//             posted before those that do not: so all are served, whichever messages come first.
// Answer      `talks: N messages, M moves, 0 wrong`.
#include <cstdio>
#include <memory_resource>

#include "programs/arguments.hpp"
#include "terrane/chant.hpp"
#include "tests/talks/oracle.hpp"

namespace terrane::talks {

struct storm {
  std::uint64_t seed = 1;
  shape how{};
};
struct outcome {
  std::int64_t messages = 0, moves = 0, wrong = 0;
};

}  // namespace terrane::talks

template <>
inline constexpr bool terrane::position_independent<terrane::talks::storm> = true;
template <>
inline constexpr bool terrane::position_independent<terrane::talks::outcome> = true;

namespace terrane::talks {

namespace {

constexpr operation talk_work{"talks", 1000};

/// A member: what it does in each round.
class talker {
 public:
  talker(rope us, const storm& about)
      : about_(about),
        us_(us),
        twin_(us.dup()),
        rank_(us.rank()),
        draws_(about.seed * 7919 + static_cast<std::uint64_t>(rank_) + 1) {}

  outcome run() {
    for (int round = 0; round < about_.how.rounds; ++round) {
      plans all(&this_thread::heap());
      round_of(about_.seed, round, about_.how, all);
      one_round(all);
      together(all, round);
    }
    return seen_;
  }

 private:
  /// What is sent or received lies in the thread's heap, and so moves with it.
  using memory = std::pmr::vector<unsigned char>;
  struct sent {
    memory bytes;
    request its;
  };
  struct posted {
    wanted by;
    memory room;
    request its;
    got result{};
  };

  void one_round(const plans& all) {
    plans mine(&this_thread::heap());
    for (const planned& each : all)
      if (each.from == rank_) mine.push_back(each);
    oracle expects(all, rank_);
    std::pmr::vector<sent> sends(&this_thread::heap());
    sends.reserve(mine.size());
    std::size_t next = 0;
    while (next < mine.size() || !expects.left().empty()) {
      charge(talk_work);
      wander();
      const bool may_send = next < mine.size();
      if (may_send && (expects.left().empty() || below(draws_, 2) == 0)) {
        send_one(mine[next++], sends);
      } else if (!may_send && below(draws_, 3) != 0) {
        // Only now: others may wait for what this one sends, before they send what it waits for.
        receive_some(expects);
      } else {
        look(expects);
      }
    }
    for (sent& each : sends) each.its.wait();
  }

  thread_id id_of(int rank) const { return rank == any ? any_source : us_.id_of(rank); }
  correspondence with(context in, int rank, int tag) const {
    if (in == plain) return {id_of(rank), tag};
    return {id_of(rank), tag, in == of_rope ? us_.name() : twin_.name()};
  }

  void send_one(const planned& one, std::pmr::vector<sent>& sends) {
    const correspondence to = with(one.in, one.to, one.tag);
    memory bytes(one.bytes, &this_thread::heap());
    fill(bytes.data(), one.number, one.bytes);
    sends.push_back({std::move(bytes), {}});
    sent& kept = sends.back();
    kept.its = begin_send(to, {kept.bytes.data(), kept.bytes.size()}, 0,
                          one.how == until_received ? send_form::until_received : send_form::usual,
                          call_place::current());
  }
  /// A receive that one of the messages that are left fits.
  wanted some(const oracle& expects) {
    const auto& left = expects.left();
    const planned& one = left[below(draws_, static_cast<std::uint32_t>(left.size()))];
    const std::uint32_t kind = below(draws_, 4);
    return {one.in, kind < 2 ? one.from : any, (kind & 1) == 0 ? one.tag : any};
  }

  got told(const status& how) const { return {us_.rank_of(how.source), how.tag, how.bytes}; }

  void judge(oracle& expects, const posted& one) {
    ++seen_.messages;
    const auto taken = expects.take(one.by, one.result);
    if (taken && is_filled(one.room.data(), taken->number, taken->bytes)) return;
    ++seen_.wrong;
    std::fprintf(stderr,
                 "talks: seed %llu: rank %d asks in context %d for rank %d, tag %d, and gets %zu "
                 "bytes of rank %d, tag %d\n",
                 static_cast<unsigned long long>(about_.seed), rank_, one.by.in, one.by.from,
                 one.by.tag, one.result.bytes, one.result.from, one.result.tag);
  }

  /// Receives that are served together, all of one context.
  void receive_some(oracle& expects) {
    const context in = some(expects).in;
    plans open(&this_thread::heap());
    for (const planned& each : expects.left())
      if (each.in == in) open.push_back(each);
    const std::size_t count = 1 + below(draws_, static_cast<std::uint32_t>(open.size()));
    std::pmr::vector<posted> all(&this_thread::heap());
    all.reserve(count);
    // Exact ones first, each for a message of its own; then wildcards for as many as are left.
    const std::size_t exact = below(draws_, static_cast<std::uint32_t>(count + 1));
    for (std::size_t i = 0; i < count; ++i) {
      posted one{{in}, memory(&this_thread::heap()), {}};
      if (i < exact) {
        const std::size_t which = below(draws_, static_cast<std::uint32_t>(open.size()));
        one.by = {in, open[which].from, open[which].tag};
        open.erase(open.begin() + static_cast<std::ptrdiff_t>(which));
      }
      one.room.resize(room_for(expects, one.by));
      all.push_back(std::move(one));
      posted& kept = all.back();
      kept.its = begin_receive(with(in, kept.by.from, kept.by.tag),
                               {kept.room.data(), kept.room.size(), 0}, call_place::current());
    }
    if (below(draws_, 2) == 0) wander();
    wait_for(all);
    // In the order of posting each takes the first that is left of its sender.
    for (const posted& each : all) judge(expects, each);
  }
  static std::uint32_t room_for(const oracle& expects, const wanted& by) {
    std::uint32_t most = 0;
    for (const planned& each : expects.left())
      if (by.takes(each)) most = std::max(most, each.bytes);
    return most;
  }

  void wait_for(std::pmr::vector<posted>& all) {
    std::pmr::vector<request> these(&this_thread::heap());
    for (posted& each : all) these.push_back(std::move(each.its));
    if (below(draws_, 2) == 0) {
      const std::vector<status> how = wait_all(these);
      for (std::size_t i = 0; i < all.size(); ++i) all[i].result = told(how[i]);
      return;
    }
    for (std::size_t left = all.size(); left != 0; --left) {
      status how;
      const auto which = wait_any(these, &how);
      if (!which) {
        ++seen_.wrong;
        return;
      }
      all[*which].result = told(how);
    }
  }

  /// A probe, and at times a receive of what it has found.
  void look(oracle& expects) {
    if (expects.left().empty()) return this_thread::yield();
    const wanted by = some(expects);
    const correspondence from = with(by.in, by.from, by.tag);
    const auto found = probe_now(from, call_place::current());
    if (!found) return this_thread::yield();
    const got what = told(*found);
    if (!expects.find(by, what)) {
      ++seen_.wrong;
      std::fprintf(stderr, "talks: seed %llu: rank %d found %zu bytes of rank %d, tag %d\n",
                   static_cast<unsigned long long>(about_.seed), rank_, what.bytes, what.from,
                   what.tag);
      return;
    }
    posted one{by, memory(what.bytes, &this_thread::heap()), {}};
    if (below(draws_, 2) == 0) {
      found_message taken = find_message(from, call_place::current());
      one.room.resize(taken.what().bytes);
      one.result =
          told(taken.receive({one.room.data(), one.room.size(), 0}, call_place::current()));
    } else {
      one.by = {by.in, what.from, what.tag};
      one.result =
          told(receive_bytes(with(by.in, what.from, what.tag),
                             {one.room.data(), one.room.size(), 0}, call_place::current()));
    }
    judge(expects, one);
  }

  void wander() {
    if (below(draws_, 8) != 0) return;
    const auto there = static_cast<node_id>(below(draws_, terrane_nodes()));
    if (this_thread::push_self(there) == migration::moved) ++seen_.moves;
  }

  /// Collectives with known results.
  void together(const plans& all, int round) {
    std::int64_t mine = 0, planned_bytes = 0;
    for (const planned& each : all) {
      planned_bytes += each.bytes;
      if (each.to == rank_) mine += each.bytes;
    }
    const int n = us_.size(), root = round % n;
    // Nobody passes this before all have received what was for them in this round.
    seen_.wrong += us_.allreduce(mine) != planned_bytes;
    wander();
    std::int64_t told = rank_ == root ? planned_bytes + 1 : 0;
    twin_.bcast(told, root);
    seen_.wrong += told != planned_bytes + 1;
    wander();
    pass_buffers(round);
    switch (round % 4) {
      case 0: us_.barrier(); break;
      case 1: seen_.wrong += us_.scan(std::int64_t{rank_}) != rank_ * (rank_ + 1) / 2; break;
      case 2: {
        const std::vector<int> ranks = twin_.allgather(rank_);
        for (int i = 0; i < n; ++i) seen_.wrong += ranks[static_cast<std::size_t>(i)] != i;
        break;
      }
      default: {
        const auto back = us_.alltoall(std::vector<int>(static_cast<std::size_t>(n), rank_));
        for (int i = 0; i < n; ++i) seen_.wrong += back[static_cast<std::size_t>(i)] != i;
      }
    }
  }

  /// A buffer goes to the next rank, and one comes from the rank before; all receive first, so that
  /// nobody's send waits for ever.
  void pass_buffers(int round) {
    const int n = us_.size();
    const auto size_of = [&](int rank) {
      return static_cast<std::size_t>((rank * 7919 + round * 104729) % 40000);
    };
    const int before = (rank_ + n - 1) % n;
    message_buffer comes;
    request its = us_.irecv(before, ring_tag, comes);
    message_buffer given(size_of(rank_));
    fill(given.as<unsigned char>().data(), static_cast<std::uint32_t>(rank_), given.bytes());
    us_.send((rank_ + 1) % n, ring_tag, std::move(given));
    its.wait();
    ++seen_.messages;
    seen_.wrong += comes.bytes() != size_of(before) ||
                   !is_filled(comes.as<unsigned char>().data(), static_cast<std::uint32_t>(before),
                              comes.bytes());
  }
  static constexpr int ring_tag = 9999;

  const storm about_;
  rope us_, twin_;
  int rank_;
  chance draws_;
  outcome seen_;
};

int main_thread(int argc, char** argv) {
  program_arguments given(argc, argv);
  storm about;
  about.seed = static_cast<std::uint64_t>(given.number("SEED", {1, 0, 1'000'000'000}));
  about.how.rounds = given.number("ROUNDS", {4, 1, 1'000'000});
  about.how.messages = given.number("MESSAGES", {40, 0, 100'000});
  about.how.members = given.number("MEMBERS", {6, 1, 1000});
  about.how.bytes_max = static_cast<std::uint32_t>(given.number("MOST", {1 << 20, 0, 1 << 30}));
  if (!given.complete()) return 2;
  const thread_id me = this_thread::id();
  started_rope all = rope::create(
      static_cast<std::uint32_t>(about.how.members), rope_mapping::cyclic(),
      thread_options{.name = "talker"},
      [](storm what, thread_id tells) {
        const outcome seen = talker(this_rope(), what).run();
        charge(talk_work);
        send(tells, 0, seen);
      },
      about, me);
  outcome sum;
  for (int i = 0; i < about.how.members; ++i) {
    const auto one = recv<outcome>(any_source, 0);
    sum.messages += one.messages;
    sum.moves += one.moves;
    sum.wrong += one.wrong;
  }
  all.join();
  const std::int64_t expected =
      std::int64_t{about.how.rounds} * (about.how.messages + about.how.members);
  if (sum.messages != expected || !oracle_bites()) ++sum.wrong;
  std::printf("talks: %lld messages, %lld moves, %lld wrong\n",
              static_cast<long long>(sum.messages), static_cast<long long>(sum.moves),
              static_cast<long long>(sum.wrong));
  return sum.wrong != 0;
}

}  // namespace

}  // namespace terrane::talks

int main(int argc, char** argv) {
  return terrane::run<terrane::thread_main<terrane::talks::main_thread>>(argc, argv);
}
