// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/tcp/tls_session.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <random>
#include <string>
#include <thread>

#include "terrane/base/openssl.hpp"

namespace terrane {
namespace {

using bytes_of_text = std::vector<unsigned char>;

/// Two ends of a connection, each with its session.
struct secured_pair {
  secured_pair(const job_secret& left, const job_secret& right)
      : setups{tls_setup(left), tls_setup(right)} {
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, sockets), 0);
    for (const int each : sockets) {  // small, so that writes are cut
      const int size = 4096;
      setsockopt(each, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    }
  }
  ~secured_pair() {
    for (const int each : sockets) close(each);
  }

  tls_setup setups[2];
  int sockets[2];
  tls_session caller{setups[0], tls_session::side::caller};
  tls_session callee{setups[1], tls_session::side::callee};
};

ssize_t write_text(tls_session& to, int socket, std::string text) {
  const iovec piece{text.data(), text.size()};
  return to.write(socket, {&piece, 1});
}

ssize_t read_text(tls_session& from, int socket, std::string& into, std::size_t room = 4096) {
  into.assign(room, '\0');
  const iovec piece{into.data(), room};
  const ssize_t got = from.read(socket, {&piece, 1});
  into.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return got;
}

class tls_sessions : public testing::Test {
 protected:
  void SetUp() override {
    if (!openssl_problem().empty()) GTEST_SKIP() << openssl_problem();
  }

  /// Lets both sides go on until a text has passed, or one fails.
  static bool passes(secured_pair& pair, const std::string& text) {
    std::string got;
    bool written = false;
    for (int turn = 0; turn < 20; ++turn) {
      if (!written) written = write_text(pair.caller, pair.sockets[0], text) > 0;
      if (!written && errno != EAGAIN) return false;
      if (read_text(pair.callee, pair.sockets[1], got) > 0) return got == text;
      if (errno != EAGAIN) return false;
    }
    return false;
  }
};

TEST_F(tls_sessions, two_that_know_the_secret_talk) {
  const job_secret secret = job_secret::mint().value();
  secured_pair pair(secret, secret);
  EXPECT_TRUE(passes(pair, "hello"));
  EXPECT_EQ(write_text(pair.callee, pair.sockets[1], "and back"), 8);
  std::string got;
  EXPECT_EQ(read_text(pair.caller, pair.sockets[0], got), 8);
  EXPECT_EQ(got, "and back");
}

TEST_F(tls_sessions, what_is_said_does_not_stand_on_the_wire) {
  const job_secret secret = job_secret::mint().value();
  secured_pair pair(secret, secret);
  ASSERT_TRUE(passes(pair, "hello"));
  const std::string text = "a text that nobody else may read";
  ASSERT_GT(write_text(pair.caller, pair.sockets[0], text), 0);
  std::string raw(4096, '\0');
  raw.resize(static_cast<std::size_t>(recv(pair.sockets[1], raw.data(), raw.size(), 0)));
  EXPECT_GT(raw.size(), text.size());
  EXPECT_EQ(raw.find(text), std::string::npos);
}

TEST_F(tls_sessions, one_with_another_secret_is_refused) {
  const job_secret ours = job_secret::mint().value(), other = job_secret::mint().value();
  secured_pair pair(other, ours);
  EXPECT_FALSE(passes(pair, "hello"));
  EXPECT_NE(pair.callee.problem().find("failed in TLS"), std::string::npos)
      << pair.callee.problem();
  std::string got;
  EXPECT_EQ(read_text(pair.caller, pair.sockets[0], got), -1);
  EXPECT_EQ(errno, EPROTO);
}

TEST_F(tls_sessions, bytes_that_are_not_tls_are_refused) {
  const job_secret secret = job_secret::mint().value();
  for (const std::string& text :
       {std::string("GET / HTTP/1.1\r\n\r\n"), std::string("terrane\n"), std::string(200, '\0')}) {
    secured_pair pair(secret, secret);
    ASSERT_GT(send(pair.sockets[0], text.data(), text.size(), 0), 0);
    std::string got;
    EXPECT_EQ(read_text(pair.callee, pair.sockets[1], got), -1);
    EXPECT_EQ(errno, EPROTO);
    EXPECT_EQ(read_text(pair.callee, pair.sockets[1], got), -1) << "a failure is for good";
    EXPECT_EQ(write_text(pair.callee, pair.sockets[1], "x"), -1);
  }
}

TEST_F(tls_sessions, a_changed_byte_ends_the_connection) {
  const job_secret secret = job_secret::mint().value();
  std::mt19937 random(2);
  for (int round = 0; round < 50; ++round) {
    secured_pair pair(secret, secret);
    ASSERT_TRUE(passes(pair, "hello"));
    ASSERT_GT(write_text(pair.caller, pair.sockets[0], "a text that nobody may change"), 0);
    unsigned char raw[4096];
    const ssize_t size = recv(pair.sockets[1], raw, sizeof raw, 0);
    ASSERT_GT(size, 0);
    // Behind the record's type and length, which may also make it wait for more.
    raw[5 + random() % static_cast<unsigned>(size - 5)] ^=
        static_cast<unsigned char>(1u << random() % 8);
    ASSERT_EQ(send(pair.sockets[0], raw, static_cast<std::size_t>(size), 0), size);
    std::string got;
    EXPECT_EQ(read_text(pair.callee, pair.sockets[1], got), -1);
    EXPECT_EQ(errno, EPROTO);
    EXPECT_EQ(got, "");
  }
}

TEST_F(tls_sessions, a_repeated_record_ends_the_connection) {
  const job_secret secret = job_secret::mint().value();
  secured_pair pair(secret, secret);
  ASSERT_TRUE(passes(pair, "hello"));
  ASSERT_GT(write_text(pair.caller, pair.sockets[0], "once"), 0);
  unsigned char raw[4096];
  const ssize_t size = recv(pair.sockets[1], raw, sizeof raw, 0);
  for (int i = 0; i < 2; ++i)
    ASSERT_EQ(send(pair.sockets[0], raw, static_cast<std::size_t>(size), 0), size);
  std::string got;
  EXPECT_EQ(read_text(pair.callee, pair.sockets[1], got), 4);
  EXPECT_EQ(read_text(pair.callee, pair.sockets[1], got), -1);
  EXPECT_EQ(errno, EPROTO);
}

TEST_F(tls_sessions, the_end_of_the_other_side_is_seen) {
  const job_secret secret = job_secret::mint().value();
  secured_pair pair(secret, secret);
  ASSERT_TRUE(passes(pair, "hello"));
  shutdown(pair.sockets[0], SHUT_WR);
  std::string got;
  EXPECT_EQ(read_text(pair.callee, pair.sockets[1], got), 0);
}

TEST_F(tls_sessions, what_the_room_does_not_hold_is_reported_as_unread) {
  const job_secret secret = job_secret::mint().value();
  secured_pair pair(secret, secret);
  ASSERT_TRUE(passes(pair, "hello"));
  ASSERT_EQ(write_text(pair.caller, pair.sockets[0], "0123456789"), 10);
  std::string got, all;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(read_text(pair.callee, pair.sockets[1], got, 3), 3);
    all += got;
    EXPECT_TRUE(pair.callee.has_unread());
  }
  EXPECT_EQ(read_text(pair.callee, pair.sockets[1], got, 3), 1);
  EXPECT_EQ(all + got, "0123456789");
  EXPECT_FALSE(pair.callee.has_unread());
}

/// Writes `all` in random pieces, as a queue does that offers again what was not taken.
void write_all(tls_session& to, int socket, const bytes_of_text& all, unsigned seed) {
  std::mt19937 random(seed);
  for (std::size_t at = 0; at < all.size();) {
    std::vector<iovec> pieces;
    for (std::size_t from = at; from < all.size() && pieces.size() < 8;) {
      const std::size_t some = std::min<std::size_t>(all.size() - from, 1 + random() % 40000);
      pieces.push_back({const_cast<unsigned char*>(all.data()) + from, some});
      from += some;
    }
    const ssize_t written = to.write(socket, pieces);
    if (written > 0) at += static_cast<std::size_t>(written);
    if (written < 0) {
      ASSERT_EQ(errno, EAGAIN);
      pollfd wait{socket, POLLOUT, 0};
      poll(&wait, 1, 1);
    }
  }
}

void read_all(tls_session& from, int socket, bytes_of_text& all, std::size_t bytes, unsigned seed) {
  std::mt19937 random(seed);
  bytes_of_text room(60000);
  while (all.size() < bytes) {
    const std::size_t first = 1 + random() % 20000;
    const iovec pieces[] = {{room.data(), first}, {room.data() + first, 1 + random() % 30000}};
    const ssize_t got = from.read(socket, pieces);
    if (got > 0) all.insert(all.end(), room.begin(), room.begin() + got);
    if (got < 0) {
      ASSERT_EQ(errno, EAGAIN);
      ASSERT_FALSE(from.has_unread());
      pollfd wait{socket, POLLIN, 0};
      poll(&wait, 1, 1);
    }
    ASSERT_NE(got, 0);
  }
}

TEST_F(tls_sessions, both_sides_write_and_read_at_once_and_every_byte_arrives) {
  const job_secret secret = job_secret::mint().value();
  secured_pair pair(secret, secret);
  constexpr std::size_t size = 3'000'000;
  bytes_of_text sent[2] = {bytes_of_text(size), bytes_of_text(size)}, got[2];
  std::mt19937 random(9);
  for (auto& each : sent)
    std::generate(each.begin(), each.end(), [&] { return static_cast<unsigned char>(random()); });
  std::thread all[] = {
      std::thread([&] { write_all(pair.caller, pair.sockets[0], sent[0], 1); }),
      std::thread([&] { write_all(pair.callee, pair.sockets[1], sent[1], 2); }),
      std::thread([&] { read_all(pair.caller, pair.sockets[0], got[1], size, 3); }),
      std::thread([&] { read_all(pair.callee, pair.sockets[1], got[0], size, 4); })};
  for (auto& each : all) each.join();
  EXPECT_TRUE(got[0] == sent[0]);
  EXPECT_TRUE(got[1] == sent[1]);
}

}  // namespace
}  // namespace terrane
