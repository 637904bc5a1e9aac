// SPDX-License-Identifier: Apache-2.0
// watched_files_test.cpp: threads that read, write and wait for files of the system (io.hpp).
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>
#include <vector>

#include "terrane/thread/io.hpp"
#include "terrane/thread/latch.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace watched_files_test {
namespace {

class watched_files : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, watched_files, small_machines(), machine_name);

template <class F>
int problem_of(F&& call) {
  try {
    call();
  } catch (const std::system_error& error) { return error.code().value(); }
  return 0;
}

TEST_P(watched_files, a_pipe_carries_more_than_it_holds) {
  expect([](faults& wrong) {
    auto [out, in] = io::pipe();
    constexpr std::size_t bytes = 300'000;
    thread writes([&in] {
      std::vector<char> all(bytes);
      for (std::size_t i = 0; i < bytes; ++i) all[i] = static_cast<char>(i % 251);
      in.write(all.data(), all.size());
      in.close();
    });
    std::vector<char> got(bytes);
    wrong.unless(out.read_all(got.data(), bytes));
    bool same = true;
    for (std::size_t i = 0; i < bytes; ++i) same &= got[i] == static_cast<char>(i % 251);
    wrong.unless(same);
    char more;
    wrong.unless(out.read(&more, 1) == 0 && !out.read_all(&more, 1));
    writes.join();
  });
}

void echo(io::file& caller) {
  char text[64];
  while (const std::size_t got = caller.read(text, sizeof text)) caller.write(text, got);
}

TEST_P(watched_files, each_connection_has_a_thread) {
  expect([](faults& wrong) {
    constexpr int callers = 100, rounds = 5;
    io::file listener = io::listen("127.0.0.1", 0);
    const std::uint16_t port = io::port_of(listener);
    thread serves([&listener] {
      std::vector<thread> for_each;
      for (int i = 0; i < callers; ++i)
        for_each.emplace_back([caller = listener.accept()]() mutable { echo(caller); });
    });
    latch connected(callers);
    int answered = 0;
    {
      std::vector<thread> all;
      for (int i = 0; i < callers; ++i)
        all.emplace_back([&, i] {
          io::file server = io::connect("127.0.0.1", port);
          connected.count_down();
          connected.wait();  // all are open at once
          const std::string said = "from " + std::to_string(i);
          char heard[64];
          bool right = true;
          for (int round = 0; round < rounds; ++round) {
            server.write(said);
            right = right && server.read_all(heard, said.size()) &&
                    std::memcmp(heard, said.data(), said.size()) == 0;
          }
          answered += right;
        });
    }
    serves.join();
    wrong.unless(answered == callers);
  });
}

TEST_P(watched_files, a_wait_may_have_an_end) {
  expect([](faults& wrong) {
    auto [out, in] = io::pipe();
    wrong.unless(!out.readable_within(2'000'000));
    wrong.unless(in.writable_within(0));
    in.write("x");
    wrong.unless(out.readable_within(0));
    wrong.unless(out.readable_within(~std::uint64_t{0}));
    char got;
    wrong.unless(out.read(&got, 1) == 1 && got == 'x');
    wrong.unless(!out.readable_within(0));
    thread later([&in] {
      this_thread::sleep_for(2'000'000);
      in.write("y");
    });
    wrong.unless(out.readable_within(60'000'000'000));
    later.join();
  });
}

TEST_P(watched_files, a_stopped_file_ends_who_waits) {
  expect([](faults& wrong) {
    io::file listener = io::listen("127.0.0.1", 0);
    int ended = 0;
    {
      std::vector<thread> waiting;
      for (int i = 0; i < 3; ++i)
        waiting.emplace_back([&] { ended += problem_of([&] { listener.accept(); }) == ECANCELED; });
      this_thread::sleep_for(1'000'000);
      listener.stop();
    }
    wrong.unless(ended == 3);
    wrong.unless(problem_of([&] { listener.accept(); }) == ECANCELED);
    wrong.unless(problem_of([&] { listener.readable_within(0); }) == ECANCELED);
  });
}

TEST_P(watched_files, errors_are_the_system_s) {
  expect([](faults& wrong) {
    char room[8];
    io::file none;
    wrong.unless(!none.is_open() && problem_of([&] { none.read(room, 1); }) == EBADF);
    wrong.unless(problem_of([] { io::file(-1); }) == EBADF);
    auto [out, in] = io::pipe();
    out.close();
    wrong.unless(!out.is_open());
    io::file listener = io::listen("127.0.0.1", 0);
    const std::uint16_t port = io::port_of(listener);
    wrong.unless(problem_of([&] { io::listen("127.0.0.1", port); }) == EADDRINUSE);
    listener.close();
    wrong.unless(problem_of([&] { io::connect("127.0.0.1", port); }) == ECONNREFUSED);
    try {
      io::connect("no.such.host.invalid", 1);
      wrong.unless(false);
    } catch (const std::system_error& error) {
      wrong.unless(std::string(error.what()).find("no.such.host.invalid, port 1") !=
                   std::string::npos);
    }
  });
}

TEST_P(watched_files, a_peer_that_has_gone_is_an_error_and_no_signal) {
  expect([](faults& wrong) {
    io::file listener = io::listen("127.0.0.1", 0);
    io::file caller = io::connect("127.0.0.1", io::port_of(listener));
    io::file served = listener.accept();
    caller.close();
    int problem = 0;
    for (int i = 0; i < 1000 && problem == 0; ++i) {
      problem = problem_of([&] { served.write("who is there"); });
      this_thread::sleep_for(100'000);
    }
    wrong.unless(problem == EPIPE || problem == ECONNRESET);
  });
}

TEST_P(watched_files, an_ordinary_file_is_always_ready) {
  expect([](faults& wrong) {
    char name[] = "/tmp/terrane-io-XXXXXX";
    const int made = mkstemp(name);
    unlink(name);
    io::file text(made);
    text.write("some words");
    wrong.unless(lseek(text.descriptor(), 0, SEEK_SET) == 0 && text.readable_within(0));
    char got[32];
    wrong.unless(text.read(got, sizeof got) == 10 && std::memcmp(got, "some words", 10) == 0);
    wrong.unless(text.read(got, sizeof got) == 0);
  });
}

TEST_P(watched_files, a_moved_file_is_the_same_file) {
  expect([](faults& wrong) {
    auto [out, in] = io::pipe();
    io::file other = std::move(out);
    wrong.unless(!out.is_open() && other.is_open());
    in.write("z");
    char got;
    wrong.unless(other.read(&got, 1) == 1 && got == 'z');
    out = std::move(other);
    wrong.unless(out.is_open() && !other.is_open());
  });
}

// Files come and go while others are waited for, so that the watching thread meets some that have
// just been closed.
TEST_P(watched_files, files_come_and_go) {
  expect([](faults& wrong) {
    std::vector<thread> pairs;
    int right = 0;
    for (int i = 0; i < 8; ++i)
      pairs.emplace_back([&right] {
        for (int round = 0; round < 50; ++round) {
          auto ends = io::pipe();
          thread writes([&ends] { ends.second.write("w"); });
          char got;
          right += ends.first.read(&got, 1) == 1;
          writes.join();
        }
      });
    pairs.clear();
    wrong.unless(right == 8 * 50);
  });
}

}  // namespace
}  // namespace watched_files_test
}  // namespace terrane
