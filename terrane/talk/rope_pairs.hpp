// SPDX-License-Identifier: Apache-2.0
// rope_pairs.hpp: the collectives of rope.hpp that send a message for each pair, and shares of
// equal weight.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "terrane/talk/rope.hpp"

namespace terrane {

template <class T>
std::vector<T> rope::gatherv(const std::vector<T>& mine, int root, std::vector<std::size_t>* counts,
                             call_place where) const {
  if (rank() != static_cast<int>(checked(root))) {
    send_bytes(privately(root), message_form<std::vector<T>>::bytes(mine), message_type<T>,
               send_form::usual, where);
    return {};
  }
  std::vector<T> all;
  for (int from = 0; from < size(); ++from) {
    const std::size_t before = all.size();
    if (from == root) {
      all.insert(all.end(), mine.begin(), mine.end());
    } else {
      all.resize(before + probe_for(privately(from), where).template count<T>());
      receive_bytes(privately(from),
                    {all.data() + before, (all.size() - before) * sizeof(T), message_type<T>},
                    where);
    }
    if (counts) counts->push_back(all.size() - before);
  }
  return all;
}

template <class T>
std::vector<T> rope::scatterv(const std::vector<T>& all, const std::vector<std::size_t>& counts,
                              int root, call_place where) const {
  if (rank() != static_cast<int>(checked(root))) {
    std::vector<T> mine(probe_for(privately(root), where).template count<T>());
    receive_bytes(privately(root), receive_room::of(mine), where);
    return mine;
  }
  std::vector<T> mine;
  const T* next = all.data();
  for (int to = 0; to < size(); ++to) {
    const std::span<const T> its(next, counts[static_cast<std::size_t>(to)]);
    next += its.size();
    if (to == root)
      mine.assign(its.begin(), its.end());
    else
      send_bytes(privately(to), {its.data(), its.size_bytes()}, message_type<T>, send_form::usual,
                 where);
  }
  return mine;
}

template <class T>
std::vector<T> rope::alltoall(const std::vector<T>& mine, call_place where) const {
  std::vector<std::vector<T>> each(mine.size());
  for (std::size_t i = 0; i < mine.size(); ++i) each[i] = {mine[i]};
  std::vector<T> all;
  for (const std::vector<T>& one : alltoallv(each, where)) all.push_back(one.at(0));
  return all;
}

template <class T>
std::vector<std::vector<T>> rope::alltoallv(const std::vector<std::vector<T>>& mine,
                                            call_place where) const {
  std::vector<std::vector<T>> all(mine.size());
  std::vector<request> sends;
  const int n = size(), me = rank();
  for (int step = 1; step < n; ++step) {
    const int to = (me + step) % n;
    sends.push_back(begin_send(
        privately(to), message_form<std::vector<T>>::bytes(mine[static_cast<std::size_t>(to)]),
        message_type<T>, send_form::usual, where));
  }
  for (int step = 0; step < n; ++step) {
    const int from = (me - step + n) % n;
    std::vector<T>& its = all[static_cast<std::size_t>(from)];
    if (from == me) {
      its = mine[static_cast<std::size_t>(me)];
      continue;
    }
    its.resize(probe_for(privately(from), where).template count<T>());
    receive_bytes(privately(from), receive_room::of(its), where);
  }
  wait_all(sends);
  return all;
}

template <class T>
std::vector<T> rope::allgatherv(const std::vector<T>& mine, call_place where) const {
  std::vector<T> all = gatherv(mine, 0, nullptr, where);
  auto count = static_cast<std::uint64_t>(all.size());
  bcast(count, 0, where);
  all.resize(count);
  bcast(all, 0, where);
  return all;
}

template <class Weight, class Body>
void rope::forall_weighted(long begin, long end, Weight&& weight, Body&& body,
                           call_place where) const {
  double whole = 0, sum = 0;
  for (long i = begin; i < end; ++i) whole += weight(i);
  const double n = size(), me = rank();
  for (long i = begin; i < end; ++i) {
    const double middle = sum + weight(i) / 2;
    sum += weight(i);
    const double owner = whole > 0 ? std::floor(middle * n / whole) : 0;
    if (std::min(n - 1, owner) == me) body(i);
  }
  barrier(where);
}

}  // namespace terrane
