// SPDX-License-Identifier: Apache-2.0
#include "terrane/base/file_watch.hpp"

#include <sched.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "terrane/base/signals_blocked.hpp"

namespace terrane {

/// The watching thread of this process, and the system's list of files. It is made on first use and
/// lives as long as the process does.
class file_watch {
 public:
  static file_watch& here() {
    static file_watch* const one = new file_watch;  // never destroyed: its thread goes on
    return *one;
  }

  /// False: such a file is not watched.
  bool add(watched_file& one) {
    epoll_event about{};
    about.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
    about.data.ptr = &one;
    if (epoll_ctl(list_, EPOLL_CTL_ADD, one.file_, &about) == 0) return true;
    if (errno == EPERM) return false;
    throw std::system_error(errno, std::generic_category(), "a file cannot be waited for");
  }

  /// Fails where the file has been closed already: then the system has taken it from the list.
  void remove(watched_file* one) {
    epoll_ctl(list_, EPOLL_CTL_DEL, one->file_, nullptr);
    const std::lock_guard hold(lock_);
    removed_.emplace_back(one);
  }

  int process() const { return process_; }

 private:
  file_watch() : list_(epoll_create1(EPOLL_CLOEXEC)) {
    if (list_ < 0) throw std::system_error(errno, std::generic_category(), "epoll_create1");
    const signals_blocked none_here;
    std::thread([this] { watch(); }).detach();
  }

  [[noreturn]] void watch() {
    std::array<epoll_event, 1024> events;
    // It does not interrupt a processor that has work: the more it hears at once, the cheaper.
    const sched_param no_priority{};
    sched_setscheduler(0, SCHED_BATCH, &no_priority);
    while (true) {
      {
        const std::lock_guard hold(lock_);
        removed_.clear();
      }
      const int heard = epoll_wait(list_, events.data(), events.size(), -1);
      for (int i = 0; i < heard; ++i) {
        auto& one = *static_cast<watched_file*>(events[static_cast<std::size_t>(i)].data.ptr);
        const std::uint32_t what = events[static_cast<std::size_t>(i)].events;
        constexpr std::uint32_t both = EPOLLERR | EPOLLHUP;
        if ((what & (EPOLLIN | EPOLLRDHUP | both)) != 0) one.changed(watched_file::reading);
        if ((what & (EPOLLOUT | both)) != 0) one.changed(watched_file::writing);
      }
    }
  }

  const int list_;
  const int process_ = getpid();  // kept: asking is a system call
  std::mutex lock_;
  std::vector<std::unique_ptr<watched_file>> removed_;  // under lock_
};

watched_file::owner watched_file::make(int file) {
  file_watch& watch = file_watch::here();  // before there is an owner, which needs it to let go
  owner made(new watched_file(file));
  if (watch.add(*made)) return made;
  delete made.release();
  return {};
}

int watched_file::process() { return file_watch::here().process(); }

void watched_file::forget::operator()(watched_file* one) const { file_watch::here().remove(one); }

bool watched_file::try_again(side which, std::uint64_t name,
                             const std::shared_ptr<outside_signals::listener>& to) {
  const std::lock_guard hold(lock_);
  one_side& mine = sides_[which];
  if (is_stopped() || std::exchange(mine.changed, false)) return true;
  mine.waiters.push_back({name, to});
  return false;
}

bool watched_file::withdraw(side which, std::uint64_t name) {
  const std::lock_guard hold(lock_);
  return std::erase_if(sides_[which].waiters,
                       [&](const waiter& one) { return one.name == name; }) != 0;
}

// Nobody is told under the lock: that may be a system call, and processors would wait for it.
void watched_file::changed(side which) {
  thread_local std::vector<waiter> told;  // kept for its room
  {
    const std::lock_guard hold(lock_);
    one_side& mine = sides_[which];
    mine.changed = mine.waiters.empty();
    told.swap(mine.waiters);
  }
  for (const waiter& each : told) each.told->say(each.name);
  told.clear();
}

void watched_file::stop() {
  stopped_.store(true, memory_order_relaxed);  // visible with the lock that changed() takes
  changed(reading);
  changed(writing);
}

}  // namespace terrane
