// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/io.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "terrane/thread/alarm_clock.hpp"
#include "terrane/thread/blocking.hpp"
#include "terrane/thread/migration.hpp"
#include "terrane/thread/thread_seat.hpp"

namespace terrane::io {

namespace {

constexpr std::uint64_t for_ever = ~std::uint64_t{0};
constexpr std::uint64_t simulated_pause_ns = 10'000;

[[noreturn]] void fail(int problem, const char* name) {
  throw std::system_error(problem, std::generic_category(), name);
}

/// The alarm of a timed wait, on the stack of the thread that waits. Of the alarm and the watching
/// thread the one that takes the name from the file's list signals the slot.
class wait_alarm final : public alarm_clock {
 public:
  wait_alarm(watched_file& what, watched_file::side which, terrane_slot_ref slot,
             outside_signals& from)
      : what_(what), which_(which), slot_(slot), from_(from) {}
  void ring() override {
    if (!what_.withdraw(which_, slot_)) return;
    from_.withdraw();
    expired_ = true;
    terrane_signal(slot_);
  }
  bool expired() const { return expired_; }

 private:
  watched_file& what_;
  const watched_file::side which_;
  const terrane_slot_ref slot_;
  outside_signals& from_;
  bool expired_ = false;
};

/// Waits for a change of that side. False: it took longer.
bool wait(watched_file& what, watched_file::side which, std::uint64_t nanoseconds) {
  thread_block& me = thread_block::current("a wait for a file");
  outside_signals& outside = me.seat().outside();
  const terrane_slot_ref slot = me.expect();
  if (what.try_again(which, slot, outside.expect())) {
    outside.withdraw();
    terrane_signal(slot);
    me.block();
    return true;
  }
  const this_thread::stay_here descriptors_are_of_this_process;
  const char* const for_what =
      which == watched_file::reading ? "a file to read" : "a file to write";
  if (nanoseconds == for_ever) {
    me.block(for_what);
    return true;
  }
  wait_alarm alarm(what, which, slot, outside);
  me.block_with_alarm(nanoseconds, alarm, for_what);
  return !alarm.expired();
}

/// True if the system says that the call would not wait now; asks it for so long.
bool is_ready(int descriptor, watched_file::side which, int milliseconds = 0) {
  const short wanted = which == watched_file::reading ? POLLIN : POLLOUT;
  pollfd asked{descriptor, wanted, 0};
  return ::poll(&asked, 1, milliseconds) > 0;
}

/// Under world sim: other threads run, then the system is asked again.
void wait_simulated(int descriptor, watched_file::side which) {
  this_thread::sleep_for(simulated_pause_ns);
  is_ready(descriptor, which, 1);
}

}  // namespace

file::file(int descriptor) : descriptor_(descriptor), process_(watched_file::process()) {
  const int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0) fail(errno, "a file");
  if ((flags & O_NONBLOCK) == 0) fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
  try {
    watched_ = watched_file::make(descriptor);
  } catch (...) {
    ::close(descriptor);
    throw;
  }
}

file::~file() {
  if (!is_open() || process_ != watched_file::process()) {
    static_cast<void>(watched_.release());  // another process's
    return;
  }
  watched_.reset();
  ::close(descriptor_);
}

void file::stop() {
  if (watched_) watched_->stop();
}

void file::require_open(const char* name) const {
  if (!is_open() || process_ != watched_file::process()) fail(EBADF, name);
}

template <class Try>
auto file::repeat(const char* name, watched_file::side which, Try&& attempt)
    -> decltype(attempt()) {
  require_open(name);
  if (!watched_) {
    const auto done = blocking(attempt);
    if (done < 0) fail(errno, name);
    return done;
  }
  while (true) {
    if (watched_->is_stopped()) fail(ECANCELED, name);
    const auto done = attempt();
    if (done >= 0) return done;
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) fail(errno, name);
    if (here().is_simulated())
      wait_simulated(descriptor_, which);
    else
      wait(*watched_, which, for_ever);
  }
}

std::size_t file::read(void* into, std::size_t bytes) {
  return static_cast<std::size_t>(
      repeat("read", watched_file::reading, [&] { return ::read(descriptor_, into, bytes); }));
}

bool file::read_all(void* into, std::size_t bytes) {
  for (char* to = static_cast<char*>(into); bytes != 0;) {
    const std::size_t got = read(to, bytes);
    if (got == 0) return false;
    to += got;
    bytes -= got;
  }
  return true;
}

void file::write(const void* from, std::size_t bytes) {
  const char* next = static_cast<const char*>(from);
  while (bytes != 0) {
    const auto done = static_cast<std::size_t>(repeat("write", watched_file::writing, [&] {
      // Of a socket, so that a peer that has gone is an error and no signal.
      const ssize_t sent = ::send(descriptor_, next, bytes, MSG_NOSIGNAL);
      return sent < 0 && errno == ENOTSOCK ? ::write(descriptor_, next, bytes) : sent;
    }));
    next += done;
    bytes -= done;
  }
}

file file::accept() {
  return file(repeat("accept", watched_file::reading, [&] {
    return ::accept4(descriptor_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  }));
}

bool file::ready_within(watched_file::side which, how_long time) {
  const char* const name = which == watched_file::reading ? "readable_within" : "writable_within";
  require_open(name);
  if (!watched_) return true;
  const world& clock = here().world();
  const std::uint64_t now = clock.now(), length = time.nanoseconds();
  const std::uint64_t end = length > for_ever - now ? for_ever : now + length;
  while (!is_ready(descriptor_, which)) {
    if (watched_->is_stopped()) fail(ECANCELED, name);
    const std::uint64_t moment = clock.now();
    if (moment >= end) return false;
    if (here().is_simulated())
      wait_simulated(descriptor_, which);
    else
      wait(*watched_, which, end == for_ever ? for_ever : end - moment);
  }
  return true;
}

}  // namespace terrane::io
