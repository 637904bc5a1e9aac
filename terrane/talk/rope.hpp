// SPDX-License-Identifier: Apache-2.0
// rope.hpp: threads with ranks: they talk by rank, and do things together.
//
//   auto all = rope::create(8, rope_mapping::block(), [] {
//     const rope us = this_rope();
//     const double sum = us.allreduce(us.rank() * 0.5, std::plus<>());
//     if (us.rank() == 0) us.send(1, 7, sum);
//     us.barrier();
//   });
//   all.join();                                  // throws what left the member of lowest rank
//
// Purpose     A rope is a value that may be sent; its members are threads anywhere, which may move.
// Order       Messages of a rope, of its collectives, and plain ones never match one another.
//             Values are combined in an order that depends on the number of members alone: a sum of
//             doubles has the same bits in every world and mapping.
// Errors      R-301: no such rank. R-303: members call different things. R-306: no member calls.
// Cost        A collective: members of a node combine first; then a message from each other node,
//             and one back. scatter, gather and alltoall: a message for each pair.
// Source      [CHANT §2.1].
#pragma once

#include <functional>
#include <memory_resource>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "terrane/talk/rope_desk.hpp"
#include "terrane/talk/send_recv.hpp"
#include "terrane/thread/create_on.hpp"
#include "terrane/thread/thread_heap.hpp"

namespace terrane {

/// Which node a rank begins on.
struct rope_mapping {
  std::function<node_id(std::uint32_t rank, std::uint32_t members)> node_of;

  /// Ranks that follow one another are on one node, as many on each as on the others.
  static rope_mapping block();
  /// Node 0, 1, 2, ..., and again.
  static rope_mapping cyclic();
  static rope_mapping by(std::function<node_id(std::uint32_t rank)> node_of_rank);
};

/// A variable of which each member has its own, and which moves with the member.
template <class T>
using rope_local = per_thread<T>;

/// The status of a message in a rope: its sender's rank. Below 0: it is no member, or nobody.
struct rank_status {
  int source = -1;
  int tag = 0;
  std::size_t bytes = 0;
  template <class T>
  std::size_t count() const {
    return bytes / sizeof(T);
  }
};
inline constexpr int any_rank = -1;
/// A message to or from nobody is over at once.
inline constexpr int no_rank = -2;

class started_rope;

class rope {
 public:
  rope() = default;
  explicit rope(terrane_slot_ref name) : name_(name) {}

  /// Makes n threads, which run call(values...) as members. mapping says where they begin.
  template <class F, class... A>
  static started_rope create(std::uint32_t n, const rope_mapping& mapping,
                             const thread_options& how, const F& call, const A&... values);
  template <class F, class... A>
  static started_rope create(std::uint32_t n, const rope_mapping& mapping, const F& call,
                             const A&... values);
  /// A rope of threads that exist. One of them, or another thread, makes it and sends it to them.
  static rope of(std::span<const thread_id> ids);

  terrane_slot_ref name() const { return name_; }
  bool operator==(const rope&) const = default;

  // --- called by its members ---

  int rank() const { return static_cast<int>(desk().membership(name_).rank); }
  int size() const { return static_cast<int>(desk().members(name_).size()); }
  thread_id id_of(int rank) const;
  int rank_of(thread_id id) const;

  template <class T>
  void send(int to, int tag, const T& what, call_place where = call_place::current()) const {
    send_bytes(with(to, tag), message_form<T>::bytes(what), message_type<T>, send_form::usual,
               where);
  }
  template <class T>
  void ssend(int to, int tag, const T& what, call_place where = call_place::current()) const {
    send_bytes(with(to, tag), message_form<T>::bytes(what), message_type<T>,
               send_form::until_received, where);
  }
  void send(int to, int tag, message_buffer&& what,
            call_place where = call_place::current()) const {
    send_buffer(with(to, tag), std::move(what), send_form::usual, where);
  }
  void ssend(int to, int tag, message_buffer&& what,
             call_place where = call_place::current()) const {
    send_buffer(with(to, tag), std::move(what), send_form::until_received, where);
  }
  void send(int to, int tag, const message_buffer& what) const = delete;
  void ssend(int to, int tag, const message_buffer& what) const = delete;
  template <class T>
  rank_status recv(int from, int tag, T&& into, call_place where = call_place::current()) const {
    return ranked(receive_bytes(with(from, tag), receive_room::of(into), where));
  }
  template <class T>
  T recv(int from, int tag, call_place where = call_place::current()) const {
    T value{};
    recv(from, tag, value, where);
    return value;
  }
  template <class T>
  [[nodiscard]] request isend(int to, int tag, const T& what,
                              call_place where = call_place::current()) const {
    return begin_send(with(to, tag), message_form<T>::bytes(what), message_type<T>,
                      send_form::usual, where);
  }
  template <class T>
  [[nodiscard]] request irecv(int from, int tag, T&& into,
                              call_place where = call_place::current()) const {
    return begin_receive(with(from, tag), receive_room::of(into), where);
  }
  template <class T, class U>
  rank_status sendrecv(int to, int send_tag, const T& what, int from, int receive_tag, U&& into,
                       call_place where = call_place::current()) const {
    request coming = irecv(from, receive_tag, into, where);
    send(to, send_tag, what, where);
    return ranked(coming.wait());
  }
  rank_status probe(int from, int tag, call_place where = call_place::current()) const {
    return ranked(probe_for(with(from, tag), where));
  }
  /// Nothing: none has come.
  std::optional<rank_status> iprobe(int from, int tag,
                                    call_place where = call_place::current()) const {
    const auto found = probe_now(with(from, tag), where);
    return found ? std::optional(ranked(*found)) : std::nullopt;
  }
  /// As probe(), and takes the message; ranked(its.what()) says whose it is.
  found_message mprobe(int from, int tag, call_place where = call_place::current()) const {
    return find_message(with(from, tag), where);
  }
  /// What a request of this rope has received.
  rank_status ranked(const status& how) const { return {rank_of(how.source), how.tag, how.bytes}; }

  // --- together: each returns when all members have called it ---

  void barrier(call_place where = call_place::current()) const { together({}, {}, {}, where); }
  /// The members get what `root` has. A value, or a range that is equally long everywhere.
  template <class T>
  void bcast(T&& what, int root, call_place where = call_place::current()) const {
    const bytes_view mine = message_form<T>::bytes(what);
    together({collective::broadcast, checked(root), mine.size, mine.size, 0},
             rank() == root ? mine : bytes_view{}, {const_cast<void*>(mine.data), mine.size},
             where);
  }
  /// What op makes of all values, from rank 0 on. op: without state, and associative.
  template <class T, class Op = std::plus<>>
  T allreduce(const T& mine, Op op = {}, call_place where = call_place::current()) const {
    T all{};
    together(reduction<T, Op>(sizeof(T), collective::no_root, op), {&mine, sizeof mine},
             {&all, sizeof all}, where);
    return all;
  }
  /// Element by element; both are equally long.
  template <class T, class Op = std::plus<>>
  void allreduce_all(std::span<const T> mine, std::span<T> all, Op op = {},
                     call_place where = call_place::current()) const {
    together(reduction<T, Op>(mine.size_bytes(), collective::no_root, op),
             {mine.data(), mine.size_bytes()}, {all.data(), all.size_bytes()}, where);
  }
  /// The result is the root's alone; the others get a T{}.
  template <class T, class Op = std::plus<>>
  T reduce(const T& mine, int root, Op op = {}, call_place where = call_place::current()) const {
    T all{};
    together(reduction<T, Op>(sizeof(T), checked(root), op), {&mine, sizeof mine},
             {rank() == root ? &all : nullptr, sizeof all}, where);
    return all;
  }
  /// What op makes of the values of the ranks up to this one.
  template <class T, class Op = std::plus<>>
  T scan(const T& mine, Op = {}, call_place where = call_place::current()) const {
    T upto{};
    decide(&scanned<T, Op, true>, {&mine, sizeof mine}, {&upto, sizeof upto}, where);
    return upto;
  }
  /// The same without this one; rank 0 gets a T{}.
  template <class T, class Op = std::plus<>>
  T exscan(const T& mine, Op = {}, call_place where = call_place::current()) const {
    T before{};
    decide(&scanned<T, Op, false>, {&mine, sizeof mine}, {&before, sizeof before}, where);
    return before;
  }
  /// The values of all members, by rank.
  template <class T>
  std::vector<T> allgather(const T& mine, call_place where = call_place::current()) const {
    std::vector<T> all(static_cast<std::size_t>(size()));
    together({collective::all_to_all_members, collective::no_root, sizeof mine,
              all.size() * sizeof(T), 0},
             message_form<T>::bytes(mine), {all.data(), all.size() * sizeof(T)}, where);
    return all;
  }
  /// The ranges of all members, of any lengths, one behind the other.
  template <class T>
  std::vector<T> allgatherv(const std::vector<T>& mine,
                            call_place where = call_place::current()) const;
  /// The values of all members at the root; the others get none.
  template <class T>
  std::vector<T> gather(const T& mine, int root, call_place where = call_place::current()) const {
    return gatherv(std::vector<T>{mine}, root, nullptr, where);
  }
  /// counts: how many came from each; may be null.
  template <class T>
  std::vector<T> gatherv(const std::vector<T>& mine, int root, std::vector<std::size_t>* counts,
                         call_place where = call_place::current()) const;
  /// Each member gets its share of what the root has: equal shares, or so many as counts says.
  template <class T>
  std::vector<T> scatter(const std::vector<T>& all, int root,
                         call_place where = call_place::current()) const {
    const auto members = static_cast<std::size_t>(size());
    return scatterv(all, std::vector<std::size_t>(members, all.size() / members), root, where);
  }
  template <class T>
  std::vector<T> scatterv(const std::vector<T>& all, const std::vector<std::size_t>& counts,
                          int root, call_place where = call_place::current()) const;
  /// What each member has for this one, by rank.
  template <class T>
  std::vector<T> alltoall(const std::vector<T>& mine,
                          call_place where = call_place::current()) const;
  template <class T>
  std::vector<std::vector<T>> alltoallv(const std::vector<std::vector<T>>& mine,
                                        call_place where = call_place::current()) const;
  /// The members of equal colour form a rope, in the order of key, then of rank.
  rope split(int colour, int key, call_place where = call_place::current()) const;
  rope dup(call_place where = call_place::current()) const { return split(0, rank(), where); }

  /// Called by all members: each may go on on another processor, as the policy of --rope-balancer
  /// says that is told what members have run and sent since the last call. The first call begins
  /// the measuring, which a rope that never calls it does not pay for. A member that something pins
  /// stays (migration.hpp).
  void balance(call_place where = call_place::current()) const;

  /// Calls body(i) for this member's share of begin <= i < end; then a barrier.
  template <class Body>
  void forall(long begin, long end, Body&& body, call_place where = call_place::current()) const {
    const long n = size(), me = rank(), all = end - begin;
    for (long i = begin + all * me / n, last = begin + all * (me + 1) / n; i < last; ++i) body(i);
    barrier(where);
  }
  template <class Body>
  void forall_cyclic(long begin, long end, Body&& body,
                     call_place where = call_place::current()) const {
    for (long i = begin + rank(), n = size(); i < end; i += n) body(i);
    barrier(where);
  }
  /// Shares of about equal weight; weight(i) is the same for all members.
  template <class Weight, class Body>
  void forall_weighted(long begin, long end, Weight&& weight, Body&& body,
                       call_place where = call_place::current()) const;

  // --- without types ---
  void together(const collective& how, bytes_view brings, const receive_room& into,
                call_place where) const;
  [[nodiscard]] request begin_together(const collective& how, bytes_view brings,
                                       const receive_room& into, call_place where) const;
  void decide(decide_function how, bytes_view brings, const receive_room& into,
              call_place where) const {
    together(decided(how, brings.size, into.bytes), brings, into, where);
  }

  // --- together, begun now and waited for later (rope_begun.hpp) ---
  // The memory stays as it is until then. What each takes and gives is as of the blocking form.

  [[nodiscard]] request ibarrier(call_place where = call_place::current()) const {
    return begin_together({}, {}, {}, where);
  }
  template <class T>
  [[nodiscard]] request ibcast(T&& what, int root, call_place where = call_place::current()) const;
  template <class T, class Op = std::plus<>>
  [[nodiscard]] request iallreduce(const T& mine, T& all, Op op = {},
                                   call_place where = call_place::current()) const;
  template <class T, class Op = std::plus<>>
  [[nodiscard]] request ireduce(const T& mine, T& all, int root, Op op = {},
                                call_place where = call_place::current()) const;
  template <class T, class Op = std::plus<>>
  [[nodiscard]] request iscan(const T& mine, T& upto, Op op = {},
                              call_place where = call_place::current()) const;
  template <class T, class Op = std::plus<>>
  [[nodiscard]] request iexscan(const T& mine, T& before, Op op = {},
                                call_place where = call_place::current()) const;
  /// all: one for each member.
  template <class T>
  [[nodiscard]] request iallgather(const T& mine, std::span<T> all,
                                   call_place where = call_place::current()) const;

  /// A request for each message, for wait_all; they lie in the thread's heap.
  using requests = std::pmr::vector<request>;
  /// The share of each member, in elements; empty: all are equally long.
  using shares = std::span<const std::size_t>;
  /// At the root `all` has room for the shares of all, by rank; elsewhere it may be empty.
  template <class T>
  [[nodiscard]] requests igather(std::span<const T> mine, std::span<T> all, int root,
                                 shares each = {}, call_place where = call_place::current()) const;
  template <class T>
  [[nodiscard]] requests iscatter(std::span<const T> all, std::span<T> mine, int root,
                                  shares each = {}, call_place where = call_place::current()) const;
  template <class T>
  [[nodiscard]] requests iallgather_all(std::span<const T> mine, std::span<T> all, shares each = {},
                                        call_place where = call_place::current()) const;
  /// mine: the share for each member; all: the share of each.
  template <class T>
  [[nodiscard]] requests ialltoall(std::span<const T> mine, std::span<T> all, shares to_each = {},
                                   shares of_each = {},
                                   call_place where = call_place::current()) const;

 private:
  template <class T>
  class pairwise;
  static collective decided(decide_function how, std::size_t bytes, std::size_t result_bytes) {
    return {collective::decision, collective::no_root, bytes, result_bytes,
            distance_of(reinterpret_cast<const void*>(how))};
  }
  static rope_desk& desk() { return rope_desk::here(); }
  correspondence with(int rank, int tag) const { return {id_of(rank), tag, name_}; }
  /// For collectives that send a message for each pair.
  correspondence privately(int rank) const { return {id_of(rank), 0, name_ | TERRANE_NAME_SLOTS}; }
  std::uint32_t checked(int root) const;
  template <class T, class Op>
  static void combine(void* into, const void* value, std::size_t bytes) {
    for (std::size_t at = 0; at < bytes; at += sizeof(T)) {
      T one, other;
      std::memcpy(&one, static_cast<char*>(into) + at, sizeof one);
      std::memcpy(&other, static_cast<const char*>(value) + at, sizeof other);
      one = Op()(one, other);
      std::memcpy(static_cast<char*>(into) + at, &one, sizeof one);
    }
  }
  template <class T, class Op>
  static collective reduction(std::size_t bytes, std::uint32_t root, const Op&) {
    require_wire_value<T>();
    static_assert(std::is_empty_v<Op>, "what combines values has no state: it is called elsewhere");
    return {collective::reduction, root, bytes, bytes,
            distance_of(reinterpret_cast<const void*>(&combine<T, Op>))};
  }
  template <class T, class Op, bool Inclusive>
  static void scanned(std::uint32_t members, const unsigned char* all, std::size_t,
                      unsigned char* results, std::size_t) {
    T sum{};
    for (std::uint32_t i = 0; i < members; ++i) {
      T next;
      std::memcpy(&next, all + i * sizeof next, sizeof next);
      const T before = sum;
      sum = i == 0 ? next : Op()(sum, next);
      std::memcpy(results + i * sizeof sum, Inclusive ? &sum : &before, sizeof sum);
    }
  }

  terrane_slot_ref name_ = 0;
};
template <>
inline constexpr bool position_independent<rope> = true;

/// The rope that the running thread was made for; R-306 if it was made for none.
rope this_rope();

}  // namespace terrane

#include "terrane/talk/rope_begun.hpp"
#include "terrane/talk/rope_create.hpp"
#include "terrane/talk/rope_pairs.hpp"
