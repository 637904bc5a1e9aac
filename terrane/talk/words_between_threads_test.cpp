// SPDX-License-Identifier: Apache-2.0
// words_between_threads_test.cpp: messages between threads by name: order, sizes, wildcards,
// requests, probes, threads that move between two messages, and cancelled threads.
#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "terrane/core/node.hpp"
#include "terrane/talk/send_recv.hpp"
#include "terrane/thread/create_on.hpp"
#include "terrane/thread/thread_heap.hpp"
#include "tests/support/moving_threads.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace {

class threads_that_talk : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, threads_that_talk, small_machines(), machine_name);

node_id far_node() { return terrane_nodes() - 1; }
constexpr terrane_operation test_work{"talk_test", 1000};
void computes() { terrane_charge(&test_work, 1); }

/// A thread on that node.
template <class F, class... A>
thread on_node(node_id node, const F& call, const A&... values) {
  thread made = thread::create_on(node, {.name = "talker"}, call, values...);
  computes();
  return made;
}
thread_id id_of(const thread& one) { return {one.name()}; }

TEST_P(threads_that_talk, exchange_values_by_name) {
  expect([](faults& wrong) {
    for (node_id there = 0; there < terrane_nodes(); ++there) {
      thread other = on_node(
          there,
          [](thread_id asks) {
            for (int i = 0; i < 50; ++i) {
              const double x = recv<double>(asks, 4);
              computes();
              send(asks, 5, i * x);
            }
          },
          this_thread::id());
      for (int i = 0; i < 50; ++i) {
        send(id_of(other), 4, i + 0.5);
        wrong.unless(recv<double>(id_of(other), 5) == i * (i + 0.5));
        computes();
      }
      other.join();
    }
  });
}

TEST_P(threads_that_talk, bring_data_of_any_size_in_the_order_of_their_tags) {
  expect([](faults& wrong) {
    static constexpr std::array<std::size_t, 7> sizes{0, 1, 17, 2000, 2048, 70'000, 250'000};
    for (const node_id there : {node_id{0}, far_node()}) {
      thread other = on_node(
          there,
          [](thread_id to) {
            for (const std::size_t size : sizes) {
              std::vector<int> items(size);
              std::iota(items.begin(), items.end(), static_cast<int>(size));
              computes();
              send(to, static_cast<int>(size), items);
            }
            computes();
          },
          this_thread::id());
      std::vector<int> items(250'000);
      for (const std::size_t size : sizes) {
        const status got = recv(id_of(other), static_cast<int>(size), items);
        computes();
        bool right = got.count<int>() == size && got.source == id_of(other);
        for (std::size_t i = 0; i < size; ++i)
          right = right && items[i] == static_cast<int>(size + i);
        wrong.unless(right);
      }
      other.join();
    }
  });
}

TEST_P(threads_that_talk, take_what_came_first_with_wildcards) {
  expect([](faults& wrong) {
    std::vector<thread> others;
    const thread_id me = this_thread::id();
    for (int i = 0; i < 6; ++i)
      others.push_back(on_node(
          static_cast<node_id>(i) % terrane_nodes(),
          [](int number, thread_id to) {
            for (int k = 0; k < 20; ++k) {
              send(to, number, k);
              computes();
            }
          },
          i, me));
    std::array<int, 6> next{};
    for (int k = 0; k < 120; ++k) {
      int value = -1;
      const status got = recv(any_source, any_tag, value);
      computes();
      const auto from = static_cast<std::size_t>(got.tag);
      wrong.unless(from < 6 && got.source == id_of(others[from]) && value == next[from]++);
    }
    for (thread& each : others) each.join();
  });
}

TEST_P(threads_that_talk, match_receives_in_the_order_of_their_posting) {
  expect([](faults& wrong) {
    const thread_id me = this_thread::id();
    int a = 0, b = 0, c = 0, d = 0;
    std::vector<request> all;
    all.push_back(irecv(any_source, any_tag, a));
    all.push_back(irecv(any_source, 2, b));
    all.push_back(irecv(me, 2, c));
    all.push_back(irecv(me, any_tag, d));
    for (const int value : {10, 20, 30, 40}) send(me, 2, value);
    wait_all(all);
    computes();
    wrong.unless(a == 10 && b == 20 && c == 30 && d == 40);
    // Many receives with exact tags, and one message for each, from the last tag to the first.
    constexpr int many = 300;
    std::vector<int> got(many);
    all.clear();
    for (int i = 0; i < many; ++i) all.push_back(irecv(me, i, got[static_cast<std::size_t>(i)]));
    wrong.unless(!all[0].test());
    for (int i = many; i-- > 0;) send(me, i, 7 * i);
    wait_all(all);
    for (int i = 0; i < many; ++i) wrong.unless(got[static_cast<std::size_t>(i)] == 7 * i);
    // And the other way round: messages that wait for receives.
    for (int i = 0; i < many; ++i) send(me, i % 10, i);
    for (int tag = 10; tag-- > 0;)
      for (int i = tag; i < many; i += 10) wrong.unless(recv<int>(me, tag) == i);
    computes();
  });
}

TEST_P(threads_that_talk, wait_for_any_and_some_and_probe) {
  expect([](faults& wrong) {
    const thread_id me = this_thread::id();
    thread other = on_node(
        far_node(),
        [](thread_id to) {
          for (int i = 0; i < 4; ++i) {
            const int tag = recv<int>(to, 100);
            computes();
            ssend(to, tag, 10 * tag);
            computes();
          }
        },
        me);
    std::array<int, 4> got{};
    std::vector<request> all;
    for (std::size_t i = 0; i < 4; ++i)
      all.push_back(irecv(id_of(other), static_cast<int>(i), got[i]));
    for (const int tag : {2, 0}) {
      send(id_of(other), 100, tag);
      status how;
      const auto which = wait_any(all, &how);
      computes();
      wrong.unless(which && static_cast<int>(*which) == tag && how.tag == tag);
    }
    send(id_of(other), 100, 1);
    const auto some = wait_some(all);
    computes();
    wrong.unless(some.size() == 1 && some[0] == 1 && got[1] == 10 && got[2] == 20);
    send(id_of(other), 100, 3);
    all[3].wait();
    computes();
    wrong.unless(!wait_any(all) && !iprobe(any_source, any_tag));
    other.join();
    send(me, 8, 1.5);
    const status seen = probe(any_source, any_tag);
    wrong.unless(seen.tag == 8 && seen.bytes == 8 && iprobe(me, 8));
    found_message mine = mprobe(me, any_tag);
    wrong.unless(!iprobe(any_source, any_tag) && mine.what().tag == 8);
    double value = 0;
    mine.recv(value);
    wrong.unless(value == 1.5);
    send(no_thread, 3, 1);
    wrong.unless(recv(no_thread, 3, value).source == no_thread);
    double back = 0;
    sendrecv(me, 1, 2.5, me, 1, back);
    wrong.unless(back == 2.5);
    computes();
  });
}

/// Receives numbered messages, with moves between them, and sends their sum.
long receives_on_the_way(thread_id from, int count) {
  long sum = 0;
  for (int i = 0; i < count; ++i) {
    long early = -1, late = -1;
    request first = irecv(from, 1, early);
    computes();
    this_thread::push_self(static_cast<node_id>(i) % terrane_nodes(), all_forms[i % 3]);
    computes();
    recv(from, 1, late);
    first.wait();
    computes();
    sum += early == 2 * i && late == 2 * i + 1 ? early + late : -1'000'000;
  }
  return sum;
}

TEST_P(threads_that_talk, keep_their_names_order_and_receives_when_they_move) {
  expect([](faults& wrong) {
    constexpr int rounds = 30;
    const thread_id me = this_thread::id();
    thread receiver = on_node(
        far_node(),
        [](thread_id tell) {
          send(tell, 9, receives_on_the_way(recv<thread_id>(tell, 7), rounds));
        },
        me);
    thread sender = on_node(
        0,
        [](thread_id to) {
          for (long i = 0; i < 2 * rounds; ++i) {
            computes();
            send(to, 1, i);
            if (i % 3 == 0) this_thread::push_self(static_cast<node_id>(i) % terrane_nodes());
          }
          computes();
        },
        id_of(receiver));
    send(id_of(receiver), 7, id_of(sender));
    wrong.unless(recv<long>(id_of(receiver), 9) == 60 * 59 / 2);
    computes();
    sender.join();
    receiver.join();
  });
}

/// Messages that have not been received travel with their thread.
TEST_P(threads_that_talk, take_their_messages_along) {
  expect([](faults& wrong) {
    const thread_id me = this_thread::id();
    thread other = on_node(
        far_node(),
        [](thread_id to) {
          recv<int>(to, 1);
          for (node_id next = 0; next < terrane_nodes(); ++next) {
            computes();
            this_thread::push_self(next);
          }
          long sum = 0;
          for (int i = 50; i-- > 0;) sum += recv<long>(to, 10 + i);
          computes();
          send(to, 2, sum);
        },
        me);
    for (long i = 0; i < 50; ++i) send(id_of(other), 10 + static_cast<int>(i), i * i);
    send(id_of(other), 1, 0);
    wrong.unless(recv<long>(id_of(other), 2) == 40425);
    computes();
    other.join();
  });
}

/// It lies on that node.
TEST_P(threads_that_talk, stay_until_a_message_that_they_found_is_received) {
  expect([](faults& wrong) {
    thread finds = on_node(
        0,
        [](thread_id tell) {
          send(this_thread::id(), 5, 17L);
          found_message mine = mprobe(any_source, 5);
          computes();
          const migration how = this_thread::push_self(terrane_nodes() - 1);
          long value = 0;
          mine.recv(value);
          computes();
          send(tell, 2, value == 17 && how != migration::moved);
        },
        this_thread::id());
    wrong.unless(recv<bool>(id_of(finds), 2));
    computes();
    finds.join();
  });
}

TEST_P(threads_that_talk, hold_few_bytes_of_many_messages) {
  expect([](faults& wrong) {
    const thread_id me = this_thread::id();
    thread other = on_node(
        far_node(),
        [](thread_id to) {
          std::array<long, 8> item{};
          for (long i = 0; i < 20'000; ++i) {
            item[7] = i;
            send(to, 1, item);
            computes();
          }
        },
        me);
    std::array<long, 8> item{};
    bool right = true;
    for (long i = 0; i < 20'000; ++i) {
      recv(id_of(other), 1, item);
      computes();
      right = right && item[7] == i;
    }
    wrong.unless(right);
    other.join();
  });
}

/// A fiber sends, and hears that its message is over.
struct sending_fiber : threaded<sending_fiber> {
  long value = 17;
  terrane_slot_ref heard = 0;
  slot over = on<&sending_fiber::finish>(1);
  step start(terrane_slot_ref to, terrane_slot_ref told) {
    heard = told;
    isend(thread_id{to}, 3, value, ref(over));
    return wait;
  }
  step finish() {
    terrane_signal(heard);
    return done;
  }
};

TEST_P(threads_that_talk, hear_of_fibers) {
  expect([](faults& wrong) {
    thread_block& me = thread_block::current("a test");
    activation<sending_fiber, false>::invoke(terrane_processors() - 1, this_thread::id().name,
                                             me.expect());
    long value = 0;
    const status got = recv(any_source, 3, value);
    computes();
    wrong.unless(value == 17 && got.source.home() == terrane_processors() - 1);
    me.block();  // or the run might end before the fiber does
  });
}

TEST_P(threads_that_talk, are_cancelled_where_they_wait) {
  expect([](faults& wrong) {
    for (const node_id there : {node_id{0}, far_node()}) {
      thread waits = on_node(there, [](thread_id from) { recv<int>(from, 1); }, this_thread::id());
      const thread_id its = id_of(waits);
      computes();
      this_thread::yield();
      cancel(its);
      bool ended = false;
      try {
        waits.join();
      } catch (const std::exception& thrown) {
        ended = std::string(thrown.what()).find("thread_cancelled") != std::string::npos;
      }
      wrong.unless(ended);
      computes();
    }
  });
}

}  // namespace
}  // namespace terrane
