// SPDX-License-Identifier: Apache-2.0
// embedded.cpp: an application of MPI that gives phases of its work to Terrane. Built with each
// MPI.
//
//   embedded LEVEL MODE     LEVEL: single, funneled or multiple, asked of MPI_Init_thread
//
//   phases    three phases on all ranks, while messages of the application with tags that Terrane
//             uses, too, are under way
//   halves    the ranks' halves run different programs at once, each three times
//   after     a run of world local ends before MPI begins
//   errors    the application's errors come back to it, before and after a phase
//   waits     a thread waits for messages of the application while others run
//   then      a fiber awaits one
//   cost      microseconds of a phase that does nothing, and nanoseconds of mpi_wait
//   nested, early, late   wrong uses
//   abort     rank 1 calls MPI_Abort(5) while the others are in a phase
//   wait      a phase that lasts
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "programs/fib/fib.hpp"
#include "terrane/mpi.hpp"
#include "terrane/threads.hpp"

namespace {

using terrane::step;
using terrane::threaded;
using terrane::programs::fib;

[[noreturn]] void fail(const char* what, long got, long due) {
  std::printf("%s: %ld instead of %ld\n", what, got, due);
  std::fflush(stdout);
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}
void expect(const char* what, long got, long due) {
  if (got != due) fail(what, got, due);
}

struct fib_root : threaded<fib_root> {
  long value, *said;
  terrane::join came = on<&fib_root::end>();
  step start(int n, long* answer) {
    said = answer;
    spawn<fib>(n, came.into(value));
    return await(came);
  }
  step end() {
    *said = value;
    return done;
  }
};

long plain_fib(int n) { return n <= 1 ? 1 : plain_fib(n - 1) + plain_fib(n - 2); }

int rank_of(MPI_Comm communicator) {
  int rank;
  MPI_Comm_rank(communicator, &rank);
  return rank;
}
int size_of(MPI_Comm communicator) {
  int size;
  MPI_Comm_size(communicator, &size);
  return size;
}

void phase(MPI_Comm communicator, int n) {
  long answer = 0;
  expect("exit code", terrane::run_on<fib_root>(communicator, n, &answer), 0);
  if (rank_of(communicator) == 0) expect("fib", answer, plain_fib(n));
}

/// Messages of the application around a ring, with the tags 0 to 7.
class own_messages {
 public:
  own_messages() {
    const int me = rank_of(MPI_COMM_WORLD), all = size_of(MPI_COMM_WORLD);
    for (int tag = 0; tag < tags; ++tag) {
      come_[tag].resize(bytes);
      go_[tag].assign(bytes, static_cast<char>(16 * me + tag));
      MPI_Irecv(come_[tag].data(), bytes, MPI_BYTE, (me + all - 1) % all, tag, MPI_COMM_WORLD,
                &requests_[2 * tag]);
    }
    for (int tag = 0; tag < tags; ++tag)
      MPI_Isend(go_[tag].data(), bytes, MPI_BYTE, (me + 1) % all, tag, MPI_COMM_WORLD,
                &requests_[2 * tag + 1]);
  }
  void finish() {
    const int me = rank_of(MPI_COMM_WORLD), all = size_of(MPI_COMM_WORLD);
    MPI_Waitall(2 * tags, requests_, MPI_STATUSES_IGNORE);
    for (int tag = 0; tag < tags; ++tag) {
      const char due = static_cast<char>(16 * ((me + all - 1) % all) + tag);
      expect("own bytes", std::count(come_[tag].begin(), come_[tag].end(), due), bytes);
    }
  }

 private:
  static constexpr int tags = 8, bytes = 40'000;
  std::vector<char> come_[tags], go_[tags];
  MPI_Request requests_[2 * tags];
};

void phases() {
  for (int i = 0; i < 3; ++i) {
    own_messages mine;
    phase(MPI_COMM_WORLD, 18 + i);
    mine.finish();
  }
}

void halves() {
  const int me = rank_of(MPI_COMM_WORLD);
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &half);
  for (int i = 0; i < 3; ++i) {
    own_messages mine;
    if (me % 2 == 0)
      phase(half, 17 + i);
    else
      expect("exit code", terrane::run_on(half, [] { terrane::set_exit_code(7); }), 7);
    mine.finish();
  }
  MPI_Comm_free(&half);
  phase(MPI_COMM_WORLD, 15);
}

void errors() {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const auto wrong = [] {
    int number = 0;
    return MPI_Send(&number, 1, MPI_INT, 1000, 0, MPI_COMM_WORLD) != MPI_SUCCESS;
  };
  expect("an error before", wrong(), 1);
  phase(MPI_COMM_WORLD, 15);
  expect("an error after", wrong(), 1);
}

/// Rank 1's messages are sent before the phase. The thread asks for them last to first, so that it
/// has to wait; the fib that it starts goes on meanwhile.
void waits() {
  constexpr int count = 5, length = 100'000;
  const int me = rank_of(MPI_COMM_WORLD);
  std::vector<std::vector<int>> numbers(count, std::vector<int>(length, me));
  std::vector<MPI_Request> sends(count);
  if (me == 1)
    for (int i = 0; i < count; ++i)
      MPI_Isend(numbers[i].data(), length, MPI_INT, 0, i, MPI_COMM_WORLD, &sends[i]);
  const int code = terrane::run_on(MPI_COMM_WORLD, [&] {
    auto beside = terrane::spawn([] { return plain_fib(24); });
    MPI_Request receives[count];
    for (int i = 0; i < count; ++i)
      MPI_Irecv(numbers[i].data(), length, MPI_INT, 1, i, MPI_COMM_WORLD, &receives[i]);
    MPI_Status status;
    expect("a wait", terrane::mpi_wait(&receives[count - 1], &status), MPI_SUCCESS);
    expect("its source", status.MPI_SOURCE, 1);
    expect("all waits", terrane::mpi_waitall(count - 1, receives), MPI_SUCCESS);
    int done = 0;
    terrane::mpi_test(&receives[0], &done);
    expect("a test of none", done, 1);
    expect("a future", beside.join(), plain_fib(24));
  });
  expect("exit code", code, 0);
  if (me == 1) MPI_Waitall(count, sends.data(), MPI_STATUSES_IGNORE);
  if (me == 0)
    for (const auto& each : numbers)
      expect("a sum", std::accumulate(each.begin(), each.end(), 0), length);
}

struct awaiting : threaded<awaiting> {
  int number = 0;
  int* said;
  terrane::join come = on<&awaiting::end>();
  step start(int* answer) {
    said = answer;
    MPI_Request request;
    MPI_Irecv(&number, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, &request);
    terrane::mpi_then(&request, come.one());
    return await(come);
  }
  step end() {
    *said = number;
    return done;
  }
};

void then() {
  int number = 4711, got = 0;
  MPI_Request sent = MPI_REQUEST_NULL;
  if (rank_of(MPI_COMM_WORLD) == 1) MPI_Isend(&number, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, &sent);
  expect("exit code", terrane::run_on<awaiting>(MPI_COMM_WORLD, &got), 0);
  MPI_Wait(&sent, MPI_STATUS_IGNORE);
  if (rank_of(MPI_COMM_WORLD) == 0) expect("what a fiber awaited", got, number);
}

double now_us() {
  return std::chrono::duration<double, std::micro>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void cost() {
  std::vector<double> phases;
  for (int i = 0; i < 60; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begun = now_us();
    terrane::run_on(MPI_COMM_WORLD, [] {});
    phases.push_back(now_us() - begun);
  }
  std::sort(phases.begin(), phases.end());
  double tested = 0, waited = 0;
  terrane::run_on(MPI_COMM_WORLD, [&] {
    constexpr int times = 200'000;
    const double begun = now_us();
    for (int i = 0; i < times; ++i) {
      MPI_Request none = MPI_REQUEST_NULL;
      int done;
      MPI_Test(&none, &done, MPI_STATUS_IGNORE);
    }
    tested = (now_us() - begun) / times * 1000;
    const double then = now_us();
    for (int i = 0; i < times; ++i) {
      MPI_Request none = MPI_REQUEST_NULL;
      terrane::mpi_wait(&none);
    }
    waited = (now_us() - then) / times * 1000;
  });
  if (rank_of(MPI_COMM_WORLD) == 0)
    std::printf("phase_us %.0f\nmpi_test_ns %.0f\nmpi_wait_ns %.0f\n", phases[phases.size() / 2],
                tested, waited);
}

struct local_root : threaded<local_root> {
  long value;
  terrane::join came = on<&local_root::end>();
  step start(int, char**) {
    spawn<fib>(15, came.into(value));
    return await(came);
  }
  step end() {
    expect("a local fib", value, plain_fib(15));
    return done;
  }
};

void run_locally(char* program) {
  char option[] = "--world", name[] = "local";
  char* words[] = {program, option, name, nullptr};
  expect("a local run", terrane::run<local_root>(3, words), 0);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string asked = argc > 1 ? argv[1] : "", mode = argc > 2 ? argv[2] : "";
  const int level = asked == "multiple"   ? MPI_THREAD_MULTIPLE
                    : asked == "funneled" ? MPI_THREAD_FUNNELED
                                          : MPI_THREAD_SINGLE;
  if (mode == "early") terrane::run_on(MPI_COMM_WORLD, [] {});
  if (mode == "after") run_locally(argv[0]);
  int provided;
  MPI_Init_thread(&argc, &argv, level, &provided);
  if (mode == "phases" || mode == "after") phases();
  if (mode == "halves") halves();
  if (mode == "errors") errors();
  if (mode == "waits") waits();
  if (mode == "then") then();
  if (mode == "cost") cost();
  if (mode == "nested")
    terrane::run_on(MPI_COMM_WORLD, [] { terrane::run_on(MPI_COMM_WORLD, [] {}); });
  if (mode == "abort" && rank_of(MPI_COMM_WORLD) == 1) {
    usleep(200'000);
    MPI_Abort(MPI_COMM_WORLD, 5);
  }
  if (mode == "abort" || mode == "wait")
    terrane::run_on(MPI_COMM_WORLD, [] { terrane::blocking([] { return sleep(60); }); });
  if (rank_of(MPI_COMM_WORLD) == 0 && mode != "cost") std::printf("all is well\n");
  MPI_Finalize();
  if (mode == "late") terrane::run_on(MPI_COMM_WORLD, [] {});
  return 0;
}
