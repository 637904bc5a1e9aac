// SPDX-License-Identifier: Apache-2.0
// rope_begun.hpp: the collectives of rope.hpp that are begun now and waited for later.
//
//   double all = 0;
//   request sum = us.iallreduce(mine, all);
//   compute_more();
//   sum.wait();
//
// Method      Those that combine, and allgather of a value each, are one round of the rope's desk,
//             and one request. The others are the sends and receives of this member: a message for
//             each pair, under a name of the rope's that no other message has. They match the
//             blocking forms of other members, since messages of a pair keep their order;
//             but iallgather_all, which all members begin alike.
#pragma once

#include <algorithm>

#include "terrane/talk/letter_errors.hpp"
#include "terrane/talk/rope.hpp"

namespace terrane {

template <class T>
request rope::ibcast(T&& what, int root, call_place where) const {
  const bytes_view mine = message_form<T>::bytes(what);
  return begin_together({collective::broadcast, checked(root), mine.size, mine.size, 0},
                        rank() == root ? mine : bytes_view{},
                        {const_cast<void*>(mine.data), mine.size}, where);
}

template <class T, class Op>
request rope::iallreduce(const T& mine, T& all, Op op, call_place where) const {
  return begin_together(reduction<T, Op>(sizeof(T), collective::no_root, op), {&mine, sizeof mine},
                        {&all, sizeof all}, where);
}

template <class T, class Op>
request rope::ireduce(const T& mine, T& all, int root, Op op, call_place where) const {
  return begin_together(reduction<T, Op>(sizeof(T), checked(root), op), {&mine, sizeof mine},
                        {rank() == root ? &all : nullptr, sizeof all}, where);
}

template <class T, class Op>
request rope::iscan(const T& mine, T& upto, Op, call_place where) const {
  return begin_together(decided(&scanned<T, Op, true>, sizeof mine, sizeof upto),
                        {&mine, sizeof mine}, {&upto, sizeof upto}, where);
}

template <class T, class Op>
request rope::iexscan(const T& mine, T& before, Op, call_place where) const {
  return begin_together(decided(&scanned<T, Op, false>, sizeof mine, sizeof before),
                        {&mine, sizeof mine}, {&before, sizeof before}, where);
}

template <class T>
request rope::iallgather(const T& mine, std::span<T> all, call_place where) const {
  return begin_together({collective::all_to_all_members, collective::no_root, sizeof mine,
                         static_cast<std::size_t>(size()) * sizeof(T), 0},
                        message_form<T>::bytes(mine), {all.data(), all.size_bytes()}, where);
}

/// The sends and receives of one member.
template <class T>
class rope::pairwise {
 public:
  pairwise(const rope& of, call_place where)
      : of_(of), where_(where), begun_(&this_thread::heap()) {}
  void send(int to, std::span<const T> what) {
    begun_.push_back(begin_send(of_.privately(to), {what.data(), what.size_bytes()},
                                message_type<T>, send_form::usual, where_));
  }
  void receive(int from, std::span<T> into) {
    begun_.push_back(begin_receive(of_.privately(from),
                                   {into.data(), into.size_bytes(), message_type<T>}, where_));
  }
  /// This member's own share, which takes no message.
  void keep(std::span<const T> from, std::span<T> to) const {
    if (from.size() > to.size()) share_too_long(from.size(), to.size(), where_);
    std::copy(from.begin(), from.end(), to.begin());
  }
  requests done() { return std::move(begun_); }

  /// That member's part of an array with the shares of all.
  template <class U>
  std::span<U> part(std::span<U> all, shares each, int rank, std::size_t members) const {
    const auto at = static_cast<std::size_t>(rank);
    if (each.empty()) return all.subspan(at * (all.size() / members), all.size() / members);
    if (each.size() != members) other_count_of_shares(each.size(), members, where_);
    std::size_t before = 0;
    for (std::size_t i = 0; i < at; ++i) before += each[i];
    if (before + each[at] > all.size()) share_too_long(before + each[at], all.size(), where_);
    return all.subspan(before, each[at]);
  }

 private:
  const rope& of_;
  const call_place where_;
  requests begun_;
};

template <class T>
rope::requests rope::igather(std::span<const T> mine, std::span<T> all, int root, shares each,
                             call_place where) const {
  pairwise<T> begun(*this, where);
  if (rank() != static_cast<int>(checked(root))) {
    begun.send(root, mine);
    return begun.done();
  }
  const auto members = static_cast<std::size_t>(size());
  for (int from = 0; from < size(); ++from) {
    const auto its = begun.part(all, each, from, members);
    if (from == root)
      begun.keep(mine, its);
    else
      begun.receive(from, its);
  }
  return begun.done();
}

template <class T>
rope::requests rope::iscatter(std::span<const T> all, std::span<T> mine, int root, shares each,
                              call_place where) const {
  pairwise<T> begun(*this, where);
  if (rank() != static_cast<int>(checked(root))) {
    begun.receive(root, mine);
    return begun.done();
  }
  const auto members = static_cast<std::size_t>(size());
  for (int to = 0; to < size(); ++to) {
    const auto its = begun.part(all, each, to, members);
    if (to == root)
      begun.keep(its, mine);
    else
      begun.send(to, its);
  }
  return begun.done();
}

template <class T>
rope::requests rope::iallgather_all(std::span<const T> mine, std::span<T> all, shares each,
                                    call_place where) const {
  pairwise<T> begun(*this, where);
  const int n = size(), me = rank();
  const auto members = static_cast<std::size_t>(n);
  for (int step = 1; step < n; ++step) {
    const int from = (me + n - step) % n;
    begun.receive(from, begun.part(all, each, from, members));
  }
  for (int step = 1; step < n; ++step) begun.send((me + step) % n, mine);
  begun.keep(mine, begun.part(all, each, me, members));
  return begun.done();
}

template <class T>
rope::requests rope::ialltoall(std::span<const T> mine, std::span<T> all, shares to_each,
                               shares of_each, call_place where) const {
  pairwise<T> begun(*this, where);
  const int n = size(), me = rank();
  const auto members = static_cast<std::size_t>(n);
  for (int step = 1; step < n; ++step) {
    const int from = (me + n - step) % n;
    begun.receive(from, begun.part(all, of_each, from, members));
  }
  for (int step = 1; step < n; ++step) {
    const int to = (me + step) % n;
    begun.send(to, begun.part(mine, to_each, to, members));
  }
  begun.keep(begun.part(mine, to_each, me, members), begun.part(all, of_each, me, members));
  return begun.done();
}

}  // namespace terrane
