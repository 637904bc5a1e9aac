// SPDX-License-Identifier: Apache-2.0
#include "terrane/talk/istruct.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "terrane/base/check.hpp"
#include "terrane/core/object.hpp"
#include "terrane/core/processor.hpp"
#include "terrane/talk/element_array.hpp"

namespace terrane {

namespace {

enum istruct_operation : std::uint32_t { read_element, write_element, fetch, take_block, free_all };

struct read_request {
  answer_place answer;
  std::uint32_t index, element_bytes;
};

/// A branch asks for an element; the bits say which elements of its block it has already.
struct fetch_request {
  std::uint64_t known;
  std::uint32_t index, unused = 0;
};

/// Elements of one block follow, those whose bits are set.
struct block_filling {
  std::uint64_t filled;
  std::uint32_t first;  // index of the block's first element
  std::uint32_t asked;  // the one that was fetched
};

/// A block is the elements that travel together: 64 at most, about 1 KiB.
std::uint32_t block_elements(std::uint32_t element_bytes) {
  return std::clamp<std::uint32_t>(1024 / element_bytes, 1, 64);
}

/// The cache that a node keeps of an I-structure of another node.
class istruct_branch final : public object {
 public:
  static constexpr char called[] = "I-structure";
  explicit istruct_branch(branch_of whole) : whole_(whole.whole) {}
  void operate(const operation_request& asked) override;
  std::size_t waiting() const override { return waiting_.size(); }  // elements that are awaited

 private:
  void read(const read_request& asked);
  void take(const block_filling& head, bytes_view elements);

  struct block {
    std::uint64_t filled = 0;
    std::vector<unsigned char> data;
  };

  const terrane_slot_ref whole_;
  std::uint32_t element_bytes_ = 0, each_ = 1;       // known from the first read
  std::unordered_map<std::uint32_t, block> blocks_;  // by the index of their first element
  std::unordered_map<std::uint32_t, std::vector<answer_place>> waiting_;  // by index
};

/// The I-structure, at its owner.
class istruct_object final : public object {
 public:
  static constexpr char called[] = "I-structure";
  istruct_object(std::uint32_t elements, std::uint32_t element_bytes)
      : elements_(elements, element_bytes) {}
  void operate(const operation_request& asked) override;
  std::size_t waiting() const override { return waiting_.size(); }  // elements that are awaited

 private:
  struct branch_request {
    processor_id branch;
    std::uint64_t known;
  };
  struct reader {  // a fiber, or a branch
    std::optional<answer_place> answer;
    branch_request fetched;
  };
  void read(const read_request& asked);
  void write(std::uint32_t index, const operation_request& asked);
  void send_block(std::uint32_t index, const branch_request& to);

  element_array elements_;
  std::unordered_map<std::uint32_t, std::vector<reader>> waiting_;  // by index
  std::set<processor_id> branches_;
};

// --- the owner ---

void istruct_object::operate(const operation_request& asked) {
  switch (asked.what) {
    case read_element: read(asked.as<read_request>()); break;
    case write_element: write(asked.as<std::uint32_t>(), asked); break;
    case fetch: {
      const auto& request = asked.as<fetch_request>();
      branches_.insert(asked.from);
      const branch_request from{asked.from, request.known};
      if (elements_.full(request.index))
        send_block(request.index, from);
      else
        waiting_[request.index].push_back({std::nullopt, from});
      break;
    }
    case free_all:
      require_nobody_waits(*this);
      for (const processor_id each : branches_) ask_at<istruct_branch>(each, name(), free_all);
      free_object(*this);
      break;
  }
}

void istruct_object::read(const read_request& asked) {
  if (elements_.full(asked.index))
    asked.answer.send(elements_[asked.index]);
  else
    waiting_[asked.index].push_back({asked.answer, {}});
}

void istruct_object::write(std::uint32_t index, const operation_request& asked) {
  if (elements_.full(index))
    fail(run_time_error::element_written_twice,
         "processor %u wrote element %u of an I-structure, which has a value: each is written once",
         asked.from, index);
  elements_.fill(index, asked.body.data);
  const auto readers = waiting_.find(index);
  if (readers == waiting_.end()) return;
  for (const reader& each : readers->second)
    if (each.answer)
      each.answer->send(elements_[index]);
    else
      send_block(index, each.fetched);
  waiting_.erase(readers);
}

void istruct_object::send_block(std::uint32_t index, const branch_request& to) {
  const std::uint32_t each = block_elements(elements_.element_bytes());
  block_filling head{0, index / each * each, index};
  std::vector<unsigned char> packed;
  for (std::uint32_t i = 0; i < each && head.first + i < elements_.size(); ++i) {
    const std::uint64_t bit = std::uint64_t{1} << i;
    if (!elements_.full(head.first + i) || (to.known & bit) != 0) continue;
    head.filled |= bit;
    const bytes_view one = elements_[head.first + i];
    const auto* bytes = static_cast<const unsigned char*>(one.data);
    packed.insert(packed.end(), bytes, bytes + one.size);
  }
  ask_at<istruct_branch>(to.branch, name(), take_block, head, {packed.data(), packed.size()});
}

// --- a branch ---

void istruct_branch::operate(const operation_request& asked) {
  switch (asked.what) {
    case read_element: read(asked.as<read_request>()); break;
    case take_block: take(asked.as<block_filling>(), asked.body); break;
    case free_all:
      require_nobody_waits(*this);
      free_branch(whole_);
      break;
  }
}

void istruct_branch::read(const read_request& asked) {
  element_bytes_ = asked.element_bytes;
  each_ = block_elements(element_bytes_);
  const std::uint32_t within = asked.index % each_;
  const block& kept = blocks_[asked.index - within];
  if ((kept.filled >> within & 1) != 0) {
    ++here().counts().cache_hits;
    asked.answer.send({kept.data.data() + std::size_t{within} * element_bytes_, element_bytes_});
    return;
  }
  ++here().counts().cache_misses;
  auto& readers = waiting_[asked.index];
  readers.push_back(asked.answer);
  if (readers.size() == 1)
    ask<istruct_object>(whole_, fetch, fetch_request{kept.filled, asked.index});
}

/// Answers only those who wait for the element that was fetched, though others may have come with
/// it. So no fetch is under way when the last reader has its answer, and all may be freed.
void istruct_branch::take(const block_filling& head, bytes_view elements) {
  block& kept = blocks_[head.first];
  kept.data.resize(std::size_t{each_} * element_bytes_);
  kept.filled |= head.filled;
  const auto* next = static_cast<const unsigned char*>(elements.data);
  for (std::uint64_t left = head.filled; left != 0; left &= left - 1, next += element_bytes_) {
    const auto within = static_cast<std::uint32_t>(__builtin_ctzll(left));
    std::memcpy(kept.data.data() + std::size_t{within} * element_bytes_, next, element_bytes_);
  }
  const auto readers = waiting_.find(head.asked);
  TERRANE_CHECK(readers != waiting_.end());
  const unsigned char* const value =
      kept.data.data() + std::size_t{head.asked - head.first} * element_bytes_;
  for (const answer_place& each : readers->second) each.send({value, element_bytes_});
  waiting_.erase(readers);
}

}  // namespace

}  // namespace terrane

using namespace terrane;

void terrane_istruct_new(terrane_istruct* made, uint32_t elements, uint32_t element_bytes,
                         terrane_slot_ref ready) {
  require_element_bytes(element_bytes, "an I-structure");
  *made = {make_object<istruct_object>(elements, element_bytes).name(), elements, element_bytes};
  signal_if(ready);
}

void terrane_istruct_read(terrane_istruct from, uint32_t index, terrane_global to,
                          terrane_slot_ref done) {
  require_element(from, index, "an I-structure");
  const read_request request{{to, done}, index, from.element_bytes};
  const processor_id station = station_here(from.object);
  if (station == processor_of(from.object))
    ask<istruct_object>(from.object, read_element, request);
  else
    ask_at<istruct_branch>(station, from.object, read_element, request);
}

void terrane_istruct_write(terrane_istruct to, uint32_t index, const void* value) {
  require_element(to, index, "an I-structure");
  ask<istruct_object>(to.object, write_element, index, {value, to.element_bytes});
}

void terrane_istruct_free(terrane_istruct freed) { ask<istruct_object>(freed.object, free_all); }
