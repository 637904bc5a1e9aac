// SPDX-License-Identifier: Apache-2.0
// whereabouts.hpp: finds what has a name and may move: threads, and the ends of channels.
//
//   name     64 bits: the frame of its record at home, with the generation (c/names.h). Home is the
//            processor that made it, and never changes.
//   stay     where it was, and the number of that stay. Whoever writes to it keeps the newest stay
//            that it has heard of, as a hint.
//   news     goes to the stay of the hint, without a hint to the home. A processor where the
//            addressee is not sends it on to the home.
//   record   at home: sends news on to a stay that is newer than the one that was tried; else holds
//            the newest until the addressee says where it is.
//
// Invariants  A stay has begun before anybody hears of it. Numbers of stays grow, so news that is
//             sent on goes to newer stays alone, and ends at the addressee or is held. What is held
//             is the newest: older news of one sender is out of date.
// Cost        None while the hint is right; else two messages.
// Source      decision 0022; [TESTBED §2.2.2].
#pragma once

#include <cstdint>

#include "terrane/core/place.hpp"

namespace terrane {

/// A processor, and the how-manieth stay it is of what moves; from 1. move 0: unknown.
struct stay {
  processor_id at = 0;
  std::uint32_t move = 0;

  bool known() const { return move != 0; }
  /// Keeps the newer of the two.
  void learn(const stay& heard) {
    if (heard.move > move) *this = heard;
  }
};

/// What the home of a thing knows of it. News: a type with `from` and `aimed`, both stays, and
/// `is_newer_than(News)`.
template <class News>
class home_record {
 public:
  const stay& last() const { return last_; }
  bool holds_news() const { return held_; }

  /// The thing is, or was, there. If news is held for it, returns true: send_on() is due.
  bool learn(const stay& heard) {
    last_.learn(heard);
    return held_ && last_.move > news_.aimed.move;
  }
  /// True: send it to last(). False: it is held, since no newer stay is known than the one that it
  /// was aimed at.
  bool send_on(News& news) {
    if (last_.move > news.aimed.move) {
      news.aimed = last_;
      return true;
    }
    if (!held_ || news.is_newer_than(news_)) news_ = news;
    held_ = true;
    return false;
  }
  /// Takes the news that is held.
  News take() {
    held_ = false;
    return news_;
  }

 private:
  stay last_;
  bool held_ = false;
  News news_{};
};

}  // namespace terrane
