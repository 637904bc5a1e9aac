// SPDX-License-Identifier: Apache-2.0
#include "terrane/talk/reduction.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <vector>

#include "terrane/core/object.hpp"
#include "terrane/core/processor.hpp"

namespace terrane {

namespace {

/// How two values are combined.
struct combination {
  std::int64_t function;
  std::uint32_t bytes;
  std::uint16_t operation, type;
  void apply(void* into, const void* value) const;
};

/// Several values of a node, combined.
struct contribution {
  std::uint32_t count;
};

enum reduction_operation : std::uint32_t { put_value, contribute, accepted, refused, dissolve };

/// Wraps around; a signed overflow would be undefined.
template <class T, class Wide>
T combined(std::uint16_t operation, T a, T b) {
  switch (operation) {
    case TERRANE_MINIMUM: return std::min(a, b);
    case TERRANE_MAXIMUM: return std::max(a, b);
    case TERRANE_PRODUCT: return static_cast<T>(static_cast<Wide>(a) * static_cast<Wide>(b));
    default: return static_cast<T>(static_cast<Wide>(a) + static_cast<Wide>(b));
  }
}
template <class T, class Wide = T>
void combine(std::uint16_t operation, void* into, const void* value) {
  T a, b;
  std::memcpy(&a, into, sizeof a);
  std::memcpy(&b, value, sizeof b);
  a = combined<T, Wide>(operation, a, b);
  std::memcpy(into, &a, sizeof a);
}

/// Functions are named by their distance from here, which is the same in every process of the
/// executable.
std::intptr_t anchor() { return reinterpret_cast<std::intptr_t>(&terrane_reduction_new); }

void combination::apply(void* into, const void* value) const {
  if (function != 0)
    reinterpret_cast<terrane_reduction_function>(anchor() + function)(into, value);
  else if (type == TERRANE_INT32)
    combine<std::int32_t, std::uint32_t>(operation, into, value);
  else if (type == TERRANE_INT64)
    combine<std::int64_t, std::uint64_t>(operation, into, value);
  else
    combine<double>(operation, into, value);
}

/// A node's branch of a reduction of another node.
class reduction_branch final : public object {
 public:
  static constexpr char called[] = "reduction";
  explicit reduction_branch(branch_of whole) : whole_(whole.whole) {}

  void operate(const operation_request& asked) override;

 private:
  std::uint32_t kept() const { return static_cast<std::uint32_t>(values_.size() / how_.bytes); }
  void send_first(std::uint32_t count);

  const terrane_slot_ref whole_;
  combination how_{};
  std::vector<unsigned char> values_;  // not yet accepted, oldest first
  std::uint32_t under_way_ = 0;        // the first of them
};

/// The reduction, at its owner.
class reduction_object final : public object {
 public:
  static constexpr char called[] = "reduction";
  reduction_object(const combination& how, int n, const answer_place& result)
      : how_(how), n_(static_cast<std::uint32_t>(n)), result_(result), so_far_(how.bytes) {}

  void operate(const operation_request& asked) override;

 private:
  void add(const void* value, std::uint32_t count);

  const combination how_;
  const std::uint32_t n_;
  const answer_place result_;
  std::uint32_t count_ = 0;  // values of this round, always fewer than n
  std::vector<unsigned char> so_far_;
  std::set<processor_id> branches_;
};

// --- the owner ---

void reduction_object::operate(const operation_request& asked) {
  switch (asked.what) {
    case put_value: add(asked.body.data, 1); break;
    case contribute: {
      const auto count = asked.as<contribution>().count;
      branches_.insert(asked.from);
      const std::uint32_t room = n_ - count_;
      if (count > room) {
        ask_at<reduction_branch>(asked.from, name(), refused, contribution{room});
        break;
      }
      add(asked.body.data, count);
      ask_at<reduction_branch>(asked.from, name(), accepted);
      break;
    }
    case dissolve:
      for (const processor_id each : branches_) ask_at<reduction_branch>(each, name(), dissolve);
      free_object(*this);
      break;
  }
}

void reduction_object::add(const void* value, std::uint32_t count) {
  if (count_ == 0)
    std::memcpy(so_far_.data(), value, how_.bytes);
  else
    how_.apply(so_far_.data(), value);
  count_ += count;
  if (count_ < n_) return;
  count_ = 0;
  result_.send({so_far_.data(), how_.bytes});
}

// --- a branch ---

void reduction_branch::operate(const operation_request& asked) {
  switch (asked.what) {
    case put_value: {
      how_ = asked.as<combination>();
      const auto* value = static_cast<const unsigned char*>(asked.body.data);
      values_.insert(values_.end(), value, value + how_.bytes);
      if (under_way_ == 0) send_first(kept());
      break;
    }
    case accepted:
      values_.erase(values_.begin(), values_.begin() + std::ptrdiff_t{under_way_} * how_.bytes);
      under_way_ = 0;
      if (!values_.empty()) send_first(kept());
      break;
    case refused: send_first(asked.as<contribution>().count); break;
    case dissolve: free_branch(whole_); break;
  }
}

void reduction_branch::send_first(std::uint32_t count) {
  std::vector<unsigned char> sum(values_.begin(), values_.begin() + how_.bytes);
  under_way_ = std::min(count, kept());
  for (std::uint32_t i = 1; i < under_way_; ++i)
    how_.apply(sum.data(), values_.data() + std::size_t{i} * how_.bytes);
  ask<reduction_object>(whole_, contribute, contribution{under_way_}, {sum.data(), sum.size()});
}

void make(terrane_reduction* made, const combination& how, int n, const answer_place& result) {
  if (n < 1)
    fail(run_time_error::size_out_of_range, "a reduction of %d values was asked for: 1 at least",
         n);
  *made = {make_object<reduction_object>(how, n, result).name(), how.function, how.bytes,
           how.operation, how.type};
}

}  // namespace

}  // namespace terrane

using namespace terrane;

void terrane_reduction_new(terrane_reduction* made, terrane_reduction_operation operation,
                           terrane_reduction_type type, int n, terrane_global result,
                           terrane_slot_ref done) {
  make(made,
       {0, type == TERRANE_INT32 ? 4u : 8u, static_cast<std::uint16_t>(operation),
        static_cast<std::uint16_t>(type)},
       n, {result, done});
}

void terrane_reduction_new_function(terrane_reduction* made, terrane_reduction_function function,
                                    int bytes, int n, terrane_global result,
                                    terrane_slot_ref done) {
  if (bytes < 1)
    fail(run_time_error::size_out_of_range, "a reduction of values of %d bytes was asked for",
         bytes);
  make(made,
       {reinterpret_cast<std::intptr_t>(function) - anchor(), static_cast<std::uint32_t>(bytes), 0,
        0},
       n, {result, done});
}

void terrane_reduction_put(terrane_reduction to, const void* value) {
  const bytes_view body{value, to.bytes};
  const processor_id station = station_here(to.object);
  if (station == processor_of(to.object))
    ask<reduction_object>(to.object, put_value, body);
  else
    ask_at<reduction_branch>(station, to.object, put_value,
                             combination{to.function, to.bytes, to.operation, to.type}, body);
}

void terrane_reduction_free(terrane_reduction freed) {
  ask<reduction_object>(freed.object, dissolve);
}
