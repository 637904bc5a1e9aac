// SPDX-License-Identifier: Apache-2.0
// carried_network_test.cpp: tests the wires through a carrier that is made up here: its nodes
// are threads of this process.
#include "terrane/transport/carried/carried_network.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <list>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "terrane/transport/tcp/frame.hpp"

namespace terrane {
namespace {

/// A carrier whose handle is a node's number. Large pieces are sent when they are received.
class made_up_carrier {
 public:
  made_up_carrier() {
    ours() = this;
    table.library = "a made-up carrier";
    table.takes_any_thread = [] { return 1; };
    table.send = [](terrane_carrier_handle me, const void* data, size_t bytes, int to, int tag,
                    terrane_carrier_handle* made) {
      auto* const from = static_cast<const unsigned char*>(data);
      return ours()->begin({.sends = true,
                            .from = static_cast<int>(me.word),
                            .to = to,
                            .tag = tag,
                            .text = {from, from + bytes},
                            .done = bytes <= eager_bytes_max},
                           made);
    };
    table.receive = [](terrane_carrier_handle me, void* data, size_t bytes, int from, int tag,
                       terrane_carrier_handle* made) {
      return ours()->begin({.sends = false,
                            .from = from,
                            .to = static_cast<int>(me.word),
                            .tag = tag,
                            .room = static_cast<unsigned char*>(data),
                            .bytes = bytes},
                           made);
    };
    table.test = [](terrane_carrier_handle* request, int* done, size_t* bytes) {
      return ours()->test(request, done, bytes);
    };
    table.test_any = [](terrane_carrier_handle* requests, int count, int* which, size_t* bytes) {
      *which = -1;
      for (int i = 0, done = 0; i < count && *which < 0; ++i)
        if (requests[i].word != 0 && ours()->test(&requests[i], &done, bytes) == 0 && done != 0)
          *which = i;
      return 0;
    };
    table.cancel = [](terrane_carrier_handle* request) { ours()->cancel(request); };
  }

  terrane_carrier table{};

 private:
  using clock = std::chrono::steady_clock;
  static constexpr std::size_t eager_bytes_max = 64;
  struct operation {
    bool sends;
    int from, to, tag;
    std::vector<unsigned char> text = {};  // of a send
    unsigned char* room = nullptr;         // of a receive
    std::size_t bytes = 0;
    bool done = false, met = false, over = false;
  };

  static made_up_carrier*& ours() {
    static made_up_carrier* one;
    return one;
  }

  int begin(operation what, terrane_carrier_handle* made) {
    const std::lock_guard hold(lock_);
    all_.push_back(std::move(what));
    operation& last = all_.back();
    made->word = reinterpret_cast<std::uint64_t>(&last);
    for (operation& each : all_) {
      if (each.met || each.sends == last.sends || each.from != last.from || each.to != last.to ||
          each.tag != last.tag)
        continue;
      operation &sent = last.sends ? last : each, &received = last.sends ? each : last;
      if (sent.text.size() > received.bytes) return 1;
      std::memcpy(received.room, sent.text.data(), sent.text.size());
      received.bytes = sent.text.size();
      for (operation* side : {&sent, &received}) side->met = side->done = true;
      break;
    }
    std::erase_if(all_, [](const operation& each) { return each.met && each.over; });
    return 0;
  }
  int test(terrane_carrier_handle* request, int* done, size_t* bytes) {
    if (clock::now() > until_) {
      std::fprintf(stderr, "the networks wait for each other\n");
      std::_Exit(1);
    }
    *done = 1;
    if (request->word == 0) return 0;
    const std::lock_guard hold(lock_);
    auto& what = *reinterpret_cast<operation*>(request->word);
    *done = what.done ? 1 : 0;
    if (!what.done) return 0;
    if (bytes) *bytes = what.bytes;
    what.over = true;
    request->word = 0;
    return 0;
  }
  void cancel(terrane_carrier_handle* request) {
    const std::lock_guard hold(lock_);
    std::erase_if(all_, [&](const operation& each) {
      return reinterpret_cast<std::uint64_t>(&each) == request->word;
    });
    request->word = 0;
  }

  std::mutex lock_;
  std::list<operation> all_;
  const clock::time_point until_ = clock::now() + std::chrono::seconds(60);
};

/// Takes what comes, and says at every third time that there is no room.
struct listener final : network_user {
  bool deliver(std::uint16_t, const unsigned char* record, std::size_t bytes) override {
    if (++asked % 3 == 0) return false;
    for (std::size_t at = 0; at < bytes;) {
      const packed_head about(record + at);
      const unsigned char* const data = record + at + sizeof about;
      if (about.large()) {
        large_message where;
        std::memcpy(&where, data, sizeof where);
        came.emplace_back(where.block, where.block + where.size);
        std::free(where.block);
      } else {
        came.emplace_back(data, data + about.size());
      }
      at += packed_bytes(about.size());
    }
    return true;
  }
  landing land(std::uint16_t, packed_head, bytes_view head, std::uint64_t bytes) override {
    if (place.empty() || head.size != sizeof(put_request)) return {};
    if (++asked % 2 == 0) return {landing::where::later};
    EXPECT_LE(bytes, place.size());
    return {landing::where::place, place.data()};
  }
  void broken(node_id with, const std::string& how) override {
    said = std::to_string(with) + " " + how;
  }

  std::vector<unsigned char> place;  // where large messages go that have a request's head
  int asked = 0;
  std::vector<std::string> came;
  std::string said;
};

struct made_up_node {
  made_up_node(const made_up_carrier& carrier, node_id number)
      : me(number), wires(carrier.table, {number}, {.me = number, .nodes = 2}, user) {}
  void send(const std::string& text) {
    const std::size_t size = text.size() > small_message_bytes_max ? 0 : text.size();
    wires.send(1 - me, static_cast<std::uint16_t>(1 - me), {entry::put, false, me, size, no_place},
               {text.data(), text.size()}, {});
  }
  /// As processor 0 at the end of a run.
  void finish() {
    for (; !wires.all_sent(); sched_yield()) {
      wires.flush();
      wires.turn();
    }
  }

  const node_id me;
  listener user;
  carried_network wires;
};

TEST(CarriedNetwork, messages_of_all_sizes_arrive_in_order) {
  made_up_carrier carrier;
  made_up_node left(carrier, 0), right(carrier, 1);
  std::vector<std::string> sent;
  for (std::size_t i = 0; i < 400; ++i)
    sent.emplace_back(i % 7 == 0 ? 20'000 + i : 8 * (i % 100), static_cast<char>(i));
  for (const std::string& each : sent) left.send(each);
  while (right.user.came.size() < sent.size())
    for (made_up_node* each : {&left, &right}) {
      each->wires.flush();
      each->wires.turn();
    }
  EXPECT_EQ(right.user.came, sent);
  std::thread other([&] { right.wires.close(); });
  left.wires.close();
  other.join();
}

TEST(CarriedNetwork, a_large_message_goes_to_the_place_that_was_named) {
  made_up_carrier carrier;
  made_up_node left(carrier, 0), right(carrier, 1);
  right.user.place.resize(60'000);
  std::size_t come = 0;
  for (unsigned i = 1; i <= 20; ++i) {
    const put_request head{i, 2 * i};
    const std::string body(40'000 + i, static_cast<char>(i));
    left.wires.send(1, 1, {entry::put, false, 0, 0, no_place}, {&head, sizeof head},
                    {body.data(), body.size()});
    left.send("between");
    for (come += 2; right.user.came.size() < come;)
      for (made_up_node* each : {&left, &right}) {
        each->wires.flush();
        each->wires.turn();
      }
    put_request said;
    ASSERT_EQ(right.user.came[come - 2].size(), sizeof said);
    std::memcpy(&said, right.user.came[come - 2].data(), sizeof said);
    EXPECT_EQ(said.to, i);
    EXPECT_EQ(said.done, 2 * i);
    EXPECT_EQ(right.user.came[come - 1], "between");
    EXPECT_TRUE(std::equal(body.begin(), body.end(), right.user.place.begin()));
  }
  std::thread other([&] { right.wires.close(); });
  left.wires.close();
  other.join();
}

TEST(CarriedNetwork, a_node_that_closes_keeps_nobody_who_still_sends_to_it) {
  made_up_carrier carrier;
  for (const std::size_t messages : {1, 7, 8, 9, 40}) {
    for (const bool finishes : {true, false}) {
      made_up_node left(carrier, 0), right(carrier, 1);
      for (std::size_t i = 0; i < messages; ++i) left.send(std::string(50'000, 'x'));
      left.wires.flush();
      std::thread other([&] { right.wires.close(); });
      if (finishes) left.finish();
      left.wires.close();
      other.join();
      EXPECT_TRUE(right.user.came.empty());
      left.send("dropped");
      EXPECT_TRUE(left.wires.all_sent());
    }
  }
}

struct wrong_batch {
  const char* what;
  std::vector<std::uint64_t> words;
};

std::uint64_t frame_word(std::uint32_t size, std::uint16_t to, std::uint16_t large) {
  std::uint64_t word;
  const batch_frame its{size, to, large};
  std::memcpy(&word, &its, sizeof word);
  return word;
}
std::uint64_t message_word(bool large, processor_id from, std::size_t size) {
  unsigned char bytes[sizeof(std::uint64_t)];
  packed_head(entry::put, large, from, size, no_place).write(bytes);
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

TEST(CarriedNetwork, what_no_runtime_sends_is_refused) {
  const wrong_batch all[] = {
      {"half a head", {0}},
      {"a frame that is longer than its batch",
       {0, 0, frame_word(16, 1, 0), message_word(0, 0, 0)}},
      {"an empty frame", {0, 0, frame_word(0, 1, 0)}},
      {"a frame for another node", {0, 0, frame_word(8, 0, 0), message_word(0, 0, 0)}},
      {"a message of another node", {0, 0, frame_word(8, 1, 0), message_word(0, 1, 0)}},
      {"a message that is longer than its frame",
       {0, 0, frame_word(8, 1, 0), message_word(0, 0, 8)}},
      {"an address", {0, 0, frame_word(24, 1, 0), message_word(1, 0, 16), 1, 1}},
      {"half a large message's head", {0, 0, frame_word(8, 1, 1), message_word(0, 0, 0)}},
      {"a large message of another node", {0, 0, frame_word(16, 1, 1), message_word(0, 1, 0), 64}},
  };
  for (const wrong_batch& each : all) {
    made_up_carrier carrier;
    made_up_node right(carrier, 1);
    terrane_carrier_handle sent;
    carrier.table.send({0}, each.words.data(), 8 * each.words.size(), 1, batch_tag, &sent);
    right.wires.turn();
    EXPECT_EQ(right.user.said, "0 brought messages that no runtime sends") << each.what;
    EXPECT_TRUE(right.user.came.empty()) << each.what;
  }
}

}  // namespace
}  // namespace terrane
