// SPDX-License-Identifier: Apache-2.0
// object_task.hpp: the token of a future whose closure, arguments or result are objects: vectors,
// strings, unique_ptrs, types of one's own. The counterpart of future_task.hpp for them.
//
//   std::vector<int> sorted(std::vector<int> all);
//   auto left = spawn<sorted>(std::move(all));      // stays in this node; left.join() is a vector
//
// Purpose     The objects lie in a block of the heap, and the token holds its address. So the
//             future stays in its node; spawn_anywhere.hpp is for what should leave.
// Invariants  The joiner owns the block. Who runs the future elsewhere writes the result into the
//             block before it sends the answer, and touches the block no more. The message of the
//             answer orders memory, so the joiner finds the result.
//             When a token leaves its place, the first word of `args` there changes; the address of
//             the block comes later, and stays (token_stack::take_oldest).
// Cost        A block: one allocation for each future, beyond what future.hpp says.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "terrane/thread/future_task.hpp"

namespace terrane {

/// The closure, its arguments, and in the end the result if another processor ran it.
template <class F, class... P>
struct future_block {
  using result = std::invoke_result_t<F, P...>;
  static_assert(!std::is_reference_v<result>,
                "a future returns a value: the object to which the reference refers may be gone "
                "at the join");
  static_assert(std::is_void_v<result> || std::is_move_constructible_v<result>,
                "the result of a future is moved to the joiner: return a type that can be moved");

  F call;
  std::tuple<P...> values;
  std::conditional_t<std::is_void_v<result>, char, std::optional<std::remove_cv_t<result>>> found{};

  /// Calls the closure; its parameters are moved from the block.
  result run() { return std::apply(std::move(call), std::move(values)); }
  void run_and_keep() {
    if constexpr (std::is_void_v<result>)
      run();
    else
      found.emplace(run());
  }
  result taken() {
    if constexpr (!std::is_void_v<result>) return std::move(*found);
  }
};

/// Joins a future whose token points to `whole`, and frees that. come(block, answer): the result if
/// another processor ran the future. settle_it: as settle_future.
template <class Block, class Settle, class Come>
typename Block::result settle_objects(terrane_token* above, Block* whole, const Settle& settle_it,
                                      const Come& come) {
  terrane_token token;
  future_answer* answer = nullptr;
  const bool answered = settle_it(above, token, answer) == settled::answered;
  const std::unique_ptr<Block> mine(whole);
  if (!answered) return mine->run();
  return come(*mine, *answer);
}

template <class F, class... P>
struct object_task {
  using block = future_block<F, P...>;
  using result = typename block::result;
  struct known {
    template <class G>
    explicit known(const G&) {}
  };
  struct packed {
    terrane_slot_ref answer;
    block* objects;
  };

  static packed& packed_in(terrane_token& token) { return *reinterpret_cast<packed*>(token.args); }
  static known known_in(terrane_token& token) { return known(packed_in(token).objects->call); }

  /// Makes what the token will point to. This runs constructors of the user, which may spawn and
  /// wait, so it comes before the token has a place.
  template <class G, class... A>
  static block* prepare(G&& call, A&&... values) {
    static_assert(sizeof...(A) == sizeof...(P),
                  "spawn takes the function's arguments: one value for each parameter");
    static_cast<void>(&registered);
    return new block{std::forward<G>(call), std::tuple<P...>(std::forward<A>(values)...)};
  }
  static void write(terrane_token& token, block* objects) {
    token.function = &kind;
    ::new (token.args) packed{0, objects};
  }

  static result call(const known&, terrane_token& token) {
    return std::unique_ptr<block>(packed_in(token).objects)->run();
  }

  template <class Settle = decltype(&settle_future)>
  [[gnu::cold, gnu::noinline]] static result settle(terrane_token* above,
                                                    Settle settle_it = settle_future) {
    if (!above) joined_twice();
    return settle_objects(above, packed_in(above[-1]).objects, settle_it,
                          [](block& mine, future_answer& answer) -> result {
                            answer.collect(nullptr, 0);
                            return mine.taken();
                          });
  }
  [[gnu::cold, gnu::noinline]] static void drop(terrane_token* above) noexcept {
    drop_future<object_task>(above);
  }

  static object* leave(terrane_token& token) {
    auto& waits = make_object<future_answer>();
    packed_in(token).answer = waits.name();
    return &waits;
  }
  static void run(terrane_processor*, const void* args) {
    const packed mine = *static_cast<const packed*>(args);
    thread_block::create(future_thread(options_of<F>), [mine] {
      answer_future(mine.answer, [&] {
        mine.objects->run_and_keep();
        send_value(mine.answer, {});
      });
    }).detach();
  }

  static constexpr kept_kind kind{{name_of_task<F>, nullptr, 0, 0, 0, sizeof(packed), run, nullptr,
                                   nullptr, kept_by_owner | stays_in_node},
                                  leave};

 private:
  static inline const registration registered{kind};
};

}  // namespace terrane
