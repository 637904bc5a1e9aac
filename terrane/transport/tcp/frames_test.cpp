// SPDX-License-Identifier: Apache-2.0
// frames_test.cpp: tests send_queue and frame_reader together: what is put in comes out, in any
// pieces, and nothing that was changed on the way does.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "terrane/base/random.hpp"
#include "terrane/transport/tcp/frame_reader.hpp"
#include "terrane/transport/tcp/frame_sender.hpp"
#include "terrane/transport/tcp/send_queue.hpp"

namespace terrane {
namespace {

using byte_row = std::vector<unsigned char>;
using frames = frame_reader::state;

packed_head put_of(std::size_t size) { return {entry::put, false, 1, size, no_place}; }

/// Takes all that waits, in pieces of at most `most` bytes.
byte_row drained(send_queue& from, std::size_t most = ~std::size_t{0}) {
  byte_row all;
  while (!from.empty()) {
    const iovec first = from.pieces()[0];
    const std::size_t some = std::min(first.iov_len, most);
    const auto* start = static_cast<const unsigned char*>(first.iov_base);
    all.insert(all.end(), start, start + some);
    from.written(some);
  }
  return all;
}

frame_reader reader() { return frame_reader(messages_bytes_max, 1 << 20); }

void add(send_queue& to, std::uint16_t whom, const std::string& text) {
  to.add_message(whom, put_of(text.size()), {text.data(), text.size()}, {});
}

/// Every message that the reader finds, with its processor before it.
std::vector<std::string> texts_in(frame_reader& from) {
  std::vector<std::string> all;
  for (; from.next() == frames::has_frame; from.used())
    for (std::size_t at = 0; at < from.head().size;) {
      const packed_head about(from.data() + at);
      all.push_back(std::to_string(from.head().to) + ":" +
                    std::string(reinterpret_cast<const char*>(from.data()) + at + sizeof about,
                                about.size()));
      at += packed_bytes(about.size());
    }
  return all;
}

TEST(tcp_frames, messages_for_one_processor_share_a_frame) {
  send_queue out;
  add(out, 4, "one");
  add(out, 4, "two");
  add(out, 5, "three");
  add(out, 4, "four");
  frame_reader in = reader();
  in.take(drained(out));
  EXPECT_EQ(texts_in(in), (std::vector<std::string>{"4:one", "4:two", "5:three", "4:four"}));
  EXPECT_EQ(out.frames(), 3u);
}

TEST(tcp_frames, arrive_whole_however_they_were_cut) {
  random_stream dice(7, 1);
  send_queue out(256);
  std::vector<std::string> sent;
  byte_row all;
  for (int i = 0; i < 3000; ++i) {
    const auto to = static_cast<std::uint16_t>(dice.below(3));
    const std::string text(1 + dice.below(300), static_cast<char>('a' + i % 26));
    add(out, to, text);
    sent.push_back(std::to_string(to) + ":" + text);
    if (dice.below(10) == 0) {
      const byte_row some = drained(out, 1 + dice.below(5000));
      all.insert(all.end(), some.begin(), some.end());
    }
  }
  const byte_row rest = drained(out);
  all.insert(all.end(), rest.begin(), rest.end());
  frame_reader in = reader();
  std::vector<std::string> got;
  for (std::size_t at = 0; at < all.size();) {
    std::size_t put = 0;
    const std::size_t piece = std::min<std::size_t>(1 + dice.below(700), all.size() - at);
    for (const iovec& room : in.room()) {
      const std::size_t some = std::min(room.iov_len, piece - put);
      std::memcpy(room.iov_base, all.data() + at + put, some);
      put += some;
    }
    in.got(put);
    at += put;
    for (const std::string& each : texts_in(in)) got.push_back(each);
  }
  EXPECT_EQ(got, sent);
}

byte_row large_one(std::size_t size) {
  frame_sender out;
  byte_row body(size);
  for (std::size_t i = 0; i < size; ++i) body[i] = static_cast<unsigned char>(i * 7 + i / 251);
  const std::uint64_t head = 42;
  out.add_large(3, put_of(0), {&head, sizeof head}, {body.data(), body.size()}, nullptr);
  return drained(out.queue());
}

/// Feeds the bytes in reads of at most `most`, as a socket would, until the reader has something.
/// place: where an announced message is to go; null: into a block.
frames feed(frame_reader& into, const byte_row& all, std::size_t& at, std::size_t most,
            void* place = nullptr) {
  for (;;) {
    const frames now = into.next();
    if (now == frames::is_announced) into.read_into(place);
    if (now != frames::wants_more && now != frames::is_announced) return now;
    if (now == frames::wants_more && at == all.size()) return now;
    std::size_t put = 0;
    for (const iovec& room : into.room()) {
      const std::size_t some = std::min({room.iov_len, all.size() - at - put, most - put});
      if (some != 0) std::memcpy(room.iov_base, all.data() + at + put, some);
      put += some;
      if (some != room.iov_len) break;
    }
    into.got(put);
    at += put;
  }
}

TEST(tcp_frames, a_large_message_is_put_together) {
  for (const std::size_t size : {8185u, 100'000u, 131'072u, 262'144u, 700'001u})
    for (const std::size_t most : {1'000u, 9'999u, 131'088u, 150'000u, 1'000'000u}) {
      const byte_row all = large_one(size);
      frame_reader in = reader();
      std::size_t at = 0;
      ASSERT_EQ(feed(in, all, at, most), frames::has_large) << size;
      EXPECT_EQ(in.large().size, size + 8);
      for (std::size_t i = 0; i < size; ++i)
        ASSERT_EQ(in.block()[8 + i], static_cast<unsigned char>(i * 7 + i / 251)) << i;
      std::free(in.block());
      in.used();
      EXPECT_EQ(in.next(), frames::wants_more);
    }
}

TEST(tcp_frames, a_large_message_goes_to_the_place_that_was_named) {
  for (const std::size_t most : {777u, 131'088u, 200'000u, 1'000'000u}) {
    const byte_row all = large_one(400'000);
    frame_reader in = reader();
    byte_row place(400'002, 9);
    std::size_t at = 0;
    ASSERT_EQ(feed(in, all, at, most, place.data() + 1), frames::has_large) << most;
    EXPECT_EQ(in.block(), nullptr);
    EXPECT_EQ(at, all.size());
    EXPECT_EQ(place.front() + place.back(), 18);  // and nowhere else
    for (std::size_t i = 0; i < 400'000; ++i)
      ASSERT_EQ(place[1 + i], static_cast<unsigned char>(i * 7 + i / 251)) << i;
    in.used();
    EXPECT_EQ(in.next(), frames::wants_more);
  }
}

TEST(tcp_frames, what_an_announced_message_says_first_can_be_read_before_its_place_is_chosen) {
  frame_reader in = reader();
  in.take(large_one(20'000));
  ASSERT_EQ(in.next(), frames::is_announced);
  EXPECT_EQ(in.next(), frames::is_announced);
  ASSERT_EQ(in.large_first().size, 8u);
  std::uint64_t head;
  std::memcpy(&head, in.large_first().data, sizeof head);
  EXPECT_EQ(head, 42u);
  EXPECT_EQ(in.large_body_bytes(), 20'000u);
}

TEST(tcp_frames, a_part_of_another_length_is_refused) {
  frame_sender out;
  const large_head head{0, 50'000};
  out.queue().add_frame(frame_kind::large, 1, {&head, sizeof head});
  const byte_row some(49'999);
  out.queue().add_frame(frame_kind::part, 1, {some.data(), some.size()});
  frame_reader in = reader();
  std::size_t at = 0;
  EXPECT_EQ(feed(in, drained(out.queue()), at, 4096), frames::corrupt);
  EXPECT_EQ(in.problem(), "a part of 49999 bytes for the last 50000 of a message");
}

/// A few frames of each kind.
byte_row some_frames() {
  send_queue out;
  for (int i = 0; i < 4; ++i) {
    add(out, 1, "some text " + std::to_string(i));
    add(out, 2, "for another");
  }
  byte_row all = drained(out);
  return all;
}

TEST(tcp_frames, no_changed_byte_is_believed) {
  const byte_row good = some_frames();
  for (std::size_t i = 0; i < good.size(); ++i)
    for (const unsigned char flip : {1, 0x80}) {
      byte_row bad = good;
      bad[i] ^= flip;
      frame_reader in = reader();
      in.take(bad);
      std::size_t whole = 0;
      frames now;
      for (; (now = in.next()) == frames::has_frame; in.used())
        whole += frame_head::bytes + in.head().size;
      // What comes before the changed frame is whole; that frame never comes out.
      EXPECT_LE(whole, i);
      EXPECT_TRUE(now == frames::corrupt || now == frames::wants_more);
    }
}

TEST(tcp_frames, a_changed_byte_of_a_large_message_is_found) {
  const byte_row good = large_one(300'000);
  random_stream dice(3, 1);
  for (int i = 0; i < 200; ++i) {
    byte_row bad = good;
    bad[dice.below(static_cast<std::uint32_t>(bad.size()))] ^= 0x10;
    frame_reader in = reader();
    std::size_t at = 0;
    EXPECT_NE(feed(in, bad, at, 140'000), frames::has_large);
  }
}

TEST(tcp_frames, changes_of_one_or_two_words_anywhere_change_the_checksum) {
  byte_row data(20'000);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<unsigned char>(i * 31);
  const std::uint64_t good = checksum(5, data.data(), data.size());
  random_stream dice(5, 1);
  for (int i = 0; i < 2000; ++i) {
    byte_row bad = data;
    const std::size_t at = dice.below(10'000), far = 32 * (1 + dice.below(300));
    const auto flip = static_cast<unsigned char>(1u << dice.below(8));
    bad[at] ^= flip;
    EXPECT_NE(checksum(5, bad.data(), bad.size()), good);
    bad[at + far] ^= flip;  // the same bit of a word in the same column
    EXPECT_NE(checksum(5, bad.data(), bad.size()), good);
    std::swap_ranges(bad.begin() + 64, bad.begin() + 96, bad.begin() + 64 + far);
    EXPECT_NE(checksum(5, bad.data(), bad.size()), good);
  }
  EXPECT_NE(checksum(6, data.data(), data.size()), good);
  EXPECT_NE(checksum(5, data.data(), data.size() - 1), good);
}

TEST(tcp_frames, a_frame_that_comes_twice_or_not_at_all_is_found) {
  send_queue out;
  std::vector<byte_row> each;
  for (int i = 0; i < 3; ++i) {
    add(out, 1, "the same");
    each.push_back(drained(out));
  }
  const auto judged = [&](std::initializer_list<int> order) {
    frame_reader in = reader();
    byte_row all;
    for (const int i : order) all.insert(all.end(), each[i].begin(), each[i].end());
    in.take(all);
    while (in.next() == frames::has_frame) in.used();
    return in.next();
  };
  EXPECT_EQ(judged({0, 1, 2}), frames::wants_more);
  EXPECT_EQ(judged({0, 1, 1}), frames::corrupt);
  EXPECT_EQ(judged({0, 2}), frames::corrupt);
  EXPECT_EQ(judged({1, 0}), frames::corrupt);
}

TEST(tcp_frames, what_is_too_long_is_refused_before_it_is_awaited) {
  const auto said_of = [](frame_head head) {
    unsigned char raw[frame_head::bytes];
    head.write(raw);
    frame_reader in = reader();
    in.take(raw);
    return in.next() == frames::corrupt ? in.problem() : "nothing";
  };
  EXPECT_EQ(said_of({.size = messages_bytes_max + 1, .kind = frame_kind::messages}),
            "a frame of 16385 bytes, which is too long");
  EXPECT_EQ(said_of({.size = 1, .kind = frame_kind::part}), "a part of no message");
  EXPECT_EQ(said_of({.kind = static_cast<frame_kind>(99)}), "a frame of the unknown kind 99");
  EXPECT_EQ(said_of({.size = 0xffffffff, .kind = frame_kind::share}),
            "a frame of 4294967295 bytes, which is too long");
}

TEST(tcp_frames, a_large_message_beyond_the_bound_is_refused) {
  send_queue out;
  const large_head huge{0, std::uint64_t{1} << 60};
  out.add_frame(frame_kind::large, 1, {&huge, sizeof huge});
  frame_reader in = reader();
  in.take(drained(out));
  EXPECT_EQ(in.next(), frames::corrupt);
  EXPECT_EQ(in.problem(), "a large message of 1152921504606846976 bytes");
}

TEST(tcp_frames, random_bytes_do_no_harm) {
  random_stream dice(11, 1);
  for (int i = 0; i < 3000; ++i) {
    byte_row noise(dice.below(400));
    for (auto& each : noise) each = static_cast<unsigned char>(dice.next());
    byte_row all = i % 2 == 0 ? some_frames() : byte_row();
    if (!all.empty()) all.resize(dice.below(static_cast<std::uint32_t>(all.size())));
    all.insert(all.end(), noise.begin(), noise.end());
    frame_reader in = reader();
    in.take(all);
    while (in.next() == frames::has_frame) in.used();
  }
}

}  // namespace
}  // namespace terrane
