// SPDX-License-Identifier: Apache-2.0
// blocked_range.hpp: loops over blocks of one, two and three dimensions.
//
//   parallel_for(blocked_range2d(0, rows, 0, columns), [&](const auto& block) {
//     for (int i = block.rows().begin(); i < block.rows().end(); ++i)
//       for (int j = block.cols().begin(); j < block.cols().end(); ++j) a[i][j] = b[j][i];
//   });
//
// How         A range is halved along the axis that is longest, counted in its grains. With
//             automatic grains there are at most 1,024 blocks.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "terrane/thread/future.hpp"

namespace terrane {

/// [begin, end) of an integral type, right to its ends. grain: the most elements of a piece; 0:
/// automatic.
template <std::integral Index>
class blocked_range {
 public:
  using size_type = std::make_unsigned_t<Index>;
  blocked_range(Index begin, Index end, size_type grain = 0)
      : begin_(begin), end_(end < begin ? begin : end), grain_(grain) {}

  Index begin() const { return begin_; }
  Index end() const { return end_; }
  size_type size() const {
    return static_cast<size_type>(static_cast<size_type>(end_) - static_cast<size_type>(begin_));
  }
  bool empty() const { return begin_ == end_; }
  size_type grainsize() const { return grain_ != 0 ? grain_ : size_type{1}; }
  bool is_automatic() const { return grain_ == 0; }
  bool is_divisible() const { return size() > grainsize(); }
  /// Keeps the left half and returns the right one.
  blocked_range split() {
    const size_type half = static_cast<size_type>(size() / 2);
    const auto middle = static_cast<Index>(static_cast<size_type>(begin_) + half);
    return {middle, std::exchange(end_, middle), grain_};
  }
  /// How long the range is, counted in grains.
  double length() const { return static_cast<double>(size()) / static_cast<double>(grainsize()); }

 private:
  Index begin_, end_;
  size_type grain_;
};

template <std::integral Row, std::integral Col = Row>
class blocked_range2d {
 public:
  blocked_range2d(Row row_begin, Row row_end, Col col_begin, Col col_end)
      : rows_(row_begin, row_end), cols_(col_begin, col_end) {}
  blocked_range2d(Row row_begin, Row row_end, std::size_t row_grain, Col col_begin, Col col_end,
                  std::size_t col_grain)
      : blocked_range2d({row_begin, row_end, static_cast<std::make_unsigned_t<Row>>(row_grain)},
                        {col_begin, col_end, static_cast<std::make_unsigned_t<Col>>(col_grain)}) {}
  blocked_range2d(blocked_range<Row> rows, blocked_range<Col> cols) : rows_(rows), cols_(cols) {}

  const blocked_range<Row>& rows() const { return rows_; }
  const blocked_range<Col>& cols() const { return cols_; }
  bool empty() const { return rows_.empty() || cols_.empty(); }
  bool is_automatic() const { return rows_.is_automatic() && cols_.is_automatic(); }
  bool is_divisible() const { return rows_.is_divisible() || cols_.is_divisible(); }
  blocked_range2d split() {
    blocked_range2d right = *this;
    if (rows_.is_divisible() && (!cols_.is_divisible() || rows_.length() >= cols_.length()))
      right.rows_ = rows_.split();
    else
      right.cols_ = cols_.split();
    return right;
  }

 private:
  blocked_range<Row> rows_;
  blocked_range<Col> cols_;
};

template <std::integral Page, std::integral Row = Page, std::integral Col = Row>
class blocked_range3d {
 public:
  blocked_range3d(Page page_begin, Page page_end, Row row_begin, Row row_end, Col col_begin,
                  Col col_end)
      : pages_(page_begin, page_end), block_(row_begin, row_end, col_begin, col_end) {}
  blocked_range3d(blocked_range<Page> pages, blocked_range<Row> rows, blocked_range<Col> cols)
      : pages_(pages), block_(rows, cols) {}

  const blocked_range<Page>& pages() const { return pages_; }
  const blocked_range<Row>& rows() const { return block_.rows(); }
  const blocked_range<Col>& cols() const { return block_.cols(); }
  bool empty() const { return pages_.empty() || block_.empty(); }
  bool is_automatic() const { return pages_.is_automatic() && block_.is_automatic(); }
  bool is_divisible() const { return pages_.is_divisible() || block_.is_divisible(); }
  blocked_range3d split() {
    blocked_range3d right = *this;
    const double other = rows().length() > cols().length() ? rows().length() : cols().length();
    if (pages_.is_divisible() && (!block_.is_divisible() || pages_.length() >= other))
      right.pages_ = pages_.split();
    else
      right.block_ = block_.split();
    return right;
  }

 private:
  blocked_range<Page> pages_;
  blocked_range2d<Row, Col> block_;
};

/// A range of one's own can be divided, too, if it has these.
template <class Range>
concept divisible_range = std::copy_constructible<Range> && requires(Range all, const Range& seen) {
  { seen.empty() } -> std::convertible_to<bool>;
  { seen.is_divisible() } -> std::convertible_to<bool>;
  { all.split() } -> std::convertible_to<Range>;
};

namespace detail {

inline constexpr int halvings_max = 10;  // of a range with automatic grains

template <class Range>
int halvings_of(const Range& all) {
  if constexpr (requires { all.is_automatic(); })
    if (all.is_automatic()) return halvings_max;
  return 1 << 30;
}

template <class Range, class Body>
void over_blocks(Range all, const Body& body, int halvings) {
  if (halvings == 0 || !all.is_divisible()) return body(all);
  auto right =
      spawn([&body, other = all.split(), halvings] { over_blocks(other, body, halvings - 1); });
  over_blocks(std::move(all), body, halvings - 1);
  right.join();
}

template <class Value, class Range, class Body, class Combine>
Value reduce_blocks(Range all, const Value& identity, const Body& body, const Combine& combine,
                    int halvings) {
  if (halvings == 0 || !all.is_divisible()) return body(all, Value(identity));
  auto right = spawn([&, other = all.split(), halvings] {
    return reduce_blocks(other, identity, body, combine, halvings - 1);
  });
  Value left = reduce_blocks(std::move(all), identity, body, combine, halvings - 1);
  return combine(std::move(left), right.join());
}

}  // namespace detail

/// Calls body(block) for blocks that together are the range, maybe at the same time.
template <divisible_range Range, class Body>
void parallel_for(const Range& all, const Body& body) {
  if (!all.empty()) detail::over_blocks(all, body, detail::halvings_of(all));
}
/// combine(... body(block, identity) ...) of neighbours in their order. The blocks, and so the
/// brackets, are the same on every machine.
template <divisible_range Range, class Value, class Body, class Combine>
Value parallel_reduce(const Range& all, const Value& identity, const Body& body,
                      const Combine& combine) {
  if (all.empty()) return identity;
  return detail::reduce_blocks(all, identity, body, combine, detail::halvings_of(all));
}

}  // namespace terrane
