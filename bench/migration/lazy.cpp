// SPDX-License-Identifier: Apache-2.0
// lazy.cpp: moves a stack to another process, either whole, or its active page first and the other
// pages when they are touched (userfaultfd). Prints the median time of each way in µs, by the size
// of the stack and the pages touched.
//
//   lazy [ROUNDS]
//
// The two processes share no memory, just as two hosts do not. A page is fetched by one copy from
// the other process's memory, which takes less time than a network would.
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "bench/report.h"

#ifndef UFFD_USER_MODE_ONLY
#define UFFD_USER_MODE_ONLY 1
#endif

namespace {

constexpr std::size_t page = 4096, most = std::size_t{4} << 20;

struct process {
  pid_t source;
  char* stack;  // `most` bytes, at the same address in both
  int faults = -1;
  bool keeps_pages = false;  // those that an earlier stack left at the next one's place
};
process here;

[[noreturn]] void give_up(const char* what) {
  std::perror(what);
  std::exit(1);
}

void fetch(char* to, const char* from, std::size_t bytes) {
  const iovec mine{to, bytes}, theirs{const_cast<char*>(from), bytes};
  if (process_vm_readv(here.source, &mine, 1, &theirs, 1, 0) != static_cast<ssize_t>(bytes))
    give_up("process_vm_readv");
}

/// Fetches the page of that address and maps it.
void resolve(std::uintptr_t address) {
  alignas(page) char copy[page];
  char* const where = reinterpret_cast<char*>(address & ~(page - 1));
  fetch(copy, where, page);
  uffdio_copy put{reinterpret_cast<std::uintptr_t>(where), reinterpret_cast<std::uintptr_t>(copy),
                  page, 0, 0};
  if (ioctl(here.faults, UFFDIO_COPY, &put) != 0 && errno != EEXIST) give_up("UFFDIO_COPY");
}

void serve() {
  for (;;) {
    pollfd waits{here.faults, POLLIN, 0};
    poll(&waits, 1, -1);
    uffd_msg fault;
    if (read(here.faults, &fault, sizeof fault) == sizeof fault &&
        fault.event == UFFD_EVENT_PAGEFAULT)
      resolve(fault.arg.pagefault.address);
  }
}

void on_fault(int, siginfo_t* about, void*) {
  resolve(reinterpret_cast<std::uintptr_t>(about->si_addr));
}

void open_faults(bool by_signal) {
  here.faults =
      static_cast<int>(syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | UFFD_USER_MODE_ONLY));
  if (here.faults < 0) give_up("userfaultfd");
  uffdio_api api{UFFD_API, by_signal ? UFFD_FEATURE_SIGBUS : 0u, 0};
  if (ioctl(here.faults, UFFDIO_API, &api) != 0) give_up("UFFDIO_API");
  uffdio_register all{
      {reinterpret_cast<std::uintptr_t>(here.stack), most}, UFFDIO_REGISTER_MODE_MISSING, 0};
  if (ioctl(here.faults, UFFDIO_REGISTER, &all) != 0) give_up("UFFDIO_REGISTER");
  if (by_signal) {
    struct sigaction act{};
    act.sa_sigaction = on_fault;
    act.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGBUS, &act, nullptr);
  } else {
    std::thread(serve).detach();
  }
}

void forget_stack() {
  if (!here.keeps_pages) madvise(here.stack, most, MADV_DONTNEED);
}

/// Touches `pages` pages, evenly spread over the uppermost `bytes`, from the top down.
void touch(std::size_t bytes, std::size_t pages) {
  const std::size_t step = bytes / page / pages;
  for (std::size_t i = 0; i < pages; ++i) {
    const char* const at = here.stack + most - page * (1 + i * step);
    if (*reinterpret_cast<const volatile std::uint64_t*>(at) !=
        reinterpret_cast<std::uintptr_t>(at))
      std::abort();
  }
}

template <class Move>
double median(int rounds, Move&& move) {
  std::vector<double> took;
  for (int i = 0; i < rounds; ++i) {
    forget_stack();
    const double start = bench_now();
    move();
    took.push_back(1e6 * (bench_now() - start));
  }
  std::nth_element(took.begin(), took.begin() + rounds / 2, took.end());
  return took[static_cast<std::size_t>(rounds / 2)];
}

void measure(const char* how, int rounds) {
  for (std::size_t bytes = 16 * 1024; bytes <= most; bytes *= 4)
    for (std::size_t pages = 1; pages <= bytes / page; pages *= pages == 1 ? 2 : 4) {
      const double us = median(rounds, [&] {
        if (here.faults < 0)
          fetch(here.stack + most - bytes, here.stack + most - bytes, bytes);
        else
          resolve(reinterpret_cast<std::uintptr_t>(here.stack + most - page));
        touch(bytes, pages);
      });
      std::printf("%s,%zu KiB,%zu,%.2f\n", how, bytes / 1024, pages, us);
      std::fflush(stdout);
    }
}

void run_target(int rounds, void (*set_up)(), const char* how) {
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    set_up();
    measure(how, rounds);
    std::fflush(stdout);
    std::_Exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 201;
  here.source = getpid();
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
  void* const memory =
      mmap(nullptr, most, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) give_up("mmap");
  madvise(memory, most, MADV_NOHUGEPAGE);
  here.stack = static_cast<char*>(memory);
  for (std::size_t at = 0; at < most; at += page) {
    const auto word = reinterpret_cast<std::uintptr_t>(here.stack + at);
    std::memcpy(here.stack + at, &word, sizeof word);
  }
  run_target(rounds, [] { here.keeps_pages = true; }, "whole to pages in use");
  run_target(rounds, [] {}, "whole to new pages");
  run_target(rounds, [] { open_faults(true); }, "by signal");
  run_target(rounds, [] { open_faults(false); }, "by a thread");
}
