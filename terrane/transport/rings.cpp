// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/rings.hpp"

#include <sched.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "terrane/base/check.hpp"
#include "terrane/base/sanitizers.hpp"
#include "terrane/core/failure.hpp"
#include "terrane/core/node.hpp"

#ifdef TERRANE_TSAN
#include <sanitizer/tsan_interface.h>
extern "C" void AnnotateIgnoreWritesBegin(const char* file, int line);
extern "C" void AnnotateIgnoreWritesEnd(const char* file, int line);
#endif

namespace terrane {

namespace {

constexpr std::size_t packed_record_bytes = 4096;
constexpr std::uint64_t behind_lines = 64;  // messages to a reader further behind are packed
constexpr std::size_t outbox_bytes_max = std::size_t{1} << 20;  // beyond this no fiber runs

}  // namespace

void rings::unmap::operator()(unsigned char* places) const { munmap(places, bytes); }

rings::own_places rings::map_places(std::uint32_t processors) {
  const std::size_t bytes = place_bytes * processors;
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return {memory == MAP_FAILED ? nullptr : static_cast<unsigned char*>(memory), unmap{bytes}};
}

void rings::make_places(unsigned char* places, std::uint32_t processors) {
  for (std::uint32_t i = 0; i < processors; ++i) {
    unsigned char* const memory = places + place_bytes * i;
    ::new (memory) ring_place;
    record_ring::make_in(memory + sizeof(ring_place), ring_lines, static_cast<std::uint16_t>(i));
  }
}

// --- sending ---

inline outbox& rings::outbox_of(const processor& here) { return *outboxes_[here.number - first_]; }

// Two processors of this process may write one line of another process's ring, one after the other.
// The ring's reader orders these writes: it acquires the header and releases head_.
// ThreadSanitizer does not see that process, so these annotations declare the order: writes before
// publish() happen before writes after a later reserve(). The store of the header comes after that
// release, so it is not recorded. Likewise, what goes to other processes happens before what comes
// from them later, since the first may cause the second.
[[gnu::always_inline]] inline void* rings::reserve(processor_id to, std::size_t bytes,
                                                   writer_word& mine) {
  void* room = nullptr;
  if (TERRANE_RARE("local.inbox_is_full", (room = ring(to).reserve(bytes, mine)) == nullptr))
    return nullptr;
#ifdef TERRANE_TSAN
  if (!is_here(to)) __tsan_acquire(&ring(to));
#endif
  return room;
}
[[gnu::always_inline]] inline void rings::publish(processor_id to, void* room, std::size_t bytes,
                                                  const writer_word& mine) {
#ifdef TERRANE_TSAN
  const bool elsewhere = !is_here(to);
  if (elsewhere) {
    __tsan_release(&ring(to));
    __tsan_release(this);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  }
  ring(to).publish(room, bytes, mine);
  if (elsewhere) AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
#else
  ring(to).publish(room, bytes, mine);
#endif
  roused(to);
}

/// Writes into the receiver's ring if the outbox is empty and the reader is not behind; else begins
/// a new record in the outbox.
[[gnu::noinline]] void rings::send_apart(processor& from, processor_id to, packed_head about,
                                         bytes_view head, bytes_view body) {
  outbox& mine = outbox_of(from);
  const std::size_t bytes = packed_bytes(about.size());
  record_ring& target = ring(to);
  writer_word& word = place(from.number).writes_at;
  const auto behind = [&] {
    return target.backlog_seen() > behind_lines && target.backlog() > behind_lines;
  };
  if (mine.empty()) {
    if (!behind())
      if (void* room = reserve(to, bytes, word)) {
        pack(static_cast<unsigned char*>(room), about, head, body);
        return publish(to, room, bytes, word);
      }
    from.notice();  // to send it at the next poll
  }
  pack(mine.room_apart(to, bytes), about, head, body);
}

/// Joins the outbox's last record if it goes to the same receiver; else calls send_apart().
[[gnu::always_inline]] inline void rings::send_small(processor& from, processor_id to,
                                                     packed_head about, bytes_view head,
                                                     bytes_view body) {
  if (unsigned char* const room =
          outbox_of(from).room_beside_last(to, packed_bytes(head.size + body.size)))
    return pack(room, about, head, body);
  send_apart(from, to, about, head, body);
}

void rings::send(processor& from, processor_id to, entry kind, bytes_view head, bytes_view body) {
  const std::size_t size = head.size + body.size;
  if (TERRANE_UNLIKELY(size > small_bytes_max)) return send_large(from, to, kind, head, body);
  send_small(from, to, {kind, false, from.number, size, from.sends_for()}, head, body);
}

void rings::send_large(processor& from, processor_id to, entry kind, bytes_view head,
                       bytes_view body) {
  const std::size_t size = head.size + body.size;
  const large_message where{new_block(from, size), size};
  std::memcpy(where.block, head.data, head.size);
  if (body.size != 0) std::memcpy(where.block + head.size, body.data, body.size);
  send_small(from, to, {kind, true, from.number, sizeof where, from.sends_for()},
             {&where, sizeof where}, {});
}

void rings::roused(processor_id to) {
  parker& sleep = place(to).sleep;
  if (sleep.is_busy())
    rouse(to);
  else if (sleep.is_parked())
    crew_.wake_sleeper(to);
}

bool rings::put(const outbox::view& full, writer_word& mine) {
  void* room = reserve(full.to, full.bytes, mine);
  if (!room) return false;
  std::memcpy(room, full.data, full.bytes);
  publish(full.to, room, full.bytes, mine);
  return true;
}

bool rings::push(const outbox::view& full) {
  writer_word mine{record_ring::nowhere};
  return put(full, mine);
}

/// Sends records in order until a receiver's ring is full. That one also holds back the records for
/// others: this way order costs nothing, and a full ring is rare. True when the outbox is empty.
bool rings::flush(const processor& here) {
  outbox& mine = outbox_of(here);
  const auto nobody_reads = [this](processor_id to) { return lost_ && lost_->is_lost(to); };
  while (!mine.empty() &&
         (nobody_reads(mine.front().to) || put(mine.front(), place(here.number).writes_at)))
    mine.pop();
  return mine.empty();
}

bool rings::finish(processor& here) { return flush(here); }

// --- receiving ---

void rings::poll(processor& here) {
  crew_.attend_if_listening(here);
  outbox& mine = outbox_of(here);
  for (;;) {
    take_all(here);
    if (TERRANE_UNLIKELY(lost_ && lost_->round() != 0)) take_behind_lost(here);
    if (flush(here)) return;
    if (mine.bytes() <= outbox_bytes_max) break;
    sched_yield();  // its receiver may need this core
  }
  here.notice();
}

template <class Each>
void rings::for_each_message(const unsigned char* data, std::size_t bytes, Each&& each) {
  for (const unsigned char* const end = data + bytes; data < end;) {
    const packed_head about(data);
    each(about, data + sizeof about);
    data += packed_bytes(about.size());
  }
}

void rings::take_all(processor& here) {
  record_ring& mine = ring(here.number);
  const auto take = [&](packed_head about, const unsigned char* data) {
#ifdef TERRANE_TSAN
    if (!is_here(about.from())) __tsan_acquire(this);
#endif
    message what{about.kind(), about.from(), about.size(), data, about.said_at()};
    if (TERRANE_LIKELY(!about.large())) return handle(here, what);
    large_message where;
    std::memcpy(&where, data, sizeof where);
    what.size = where.size;
    what.data = where.block;
    handle(here, what);
    block_read(where);
  };
  record_ring::record oldest = mine.front();
  for (; oldest; oldest = mine.front()) {
    for_each_message(oldest.data, oldest.bytes, take);
    mine.pop(oldest);
  }
  if (TERRANE_UNLIKELY(oldest.bytes != 0)) overwritten(here);
}

/// A lost processor may have reserved room in the ring and published nothing.
[[gnu::noinline]] void rings::take_behind_lost(processor& here) {
  const auto word_of = [this](std::size_t p) -> auto& {
    return place(static_cast<processor_id>(p)).writes_at;
  };
  const auto is_lost = [this](std::size_t p) {
    return lost_->is_lost(static_cast<processor_id>(p));
  };
  while (ring(here.number).skip_lost(processors_, word_of, is_lost)) take_all(here);
}

/// Without the look at the counts a processor might sleep for ever beside messages for it.
bool rings::prepare_sleep(processor& here) {
  if (!ring(here.number).is_sound()) overwritten(here);
  return !has_news(here);
}

void rings::overwritten(const processor& here) {
  fail(run_time_error::malformed_message,
       "the memory that the processors share was overwritten: in the ring of messages for "
       "processor %u stands what no runtime writes there",
       here.number);
}

unsigned char* rings::new_block(processor&, std::size_t bytes) {
  void* const block = std::malloc(bytes);
  if (!block) fail(run_time_error::out_of_memory, "no memory for a message of %zu bytes", bytes);
  return static_cast<unsigned char*>(block);
}

void rings::block_read(const large_message& where) { std::free(where.block); }

void rings::drop_large_left() {
  const auto look = [this](packed_head about, const unsigned char* data) {
    if (!about.large()) return;
    large_message where;
    std::memcpy(&where, data, sizeof where);
    block_read(where);
  };
  for (processor_id each = 0; each < processors_; ++each)
    while (const auto oldest = ring(each).front()) {
      for_each_message(oldest.data, oldest.bytes, look);
      ring(each).pop(oldest);
    }
  for (auto& each : outboxes_)
    for (; !each->empty(); each->pop())
      for_each_message(each->front().data, each->front().bytes, look);
}

void rings::begin(std::span<processor* const> processors) {
  first_ = processors.front()->number;
  for (std::size_t i = 0; i < processors.size(); ++i)
    outboxes_.push_back(std::make_unique<outbox>(packed_record_bytes));
}

}  // namespace terrane
