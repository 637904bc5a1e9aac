// SPDX-License-Identifier: Apache-2.0
// spawn_anywhere.hpp: futures of objects that any node may take.
//
//   std::vector<word> count(std::string text);
//   auto left = spawn_anywhere<count>(text.substr(0, half));     // any processor of the machine
//
// Purpose     spawn keeps objects in their node. This packs them when another node may take the
//             token (cpp/packed_value.hpp); what cannot be packed does not compile.
// Invariants  The joiner owns the block of the objects (object_task.hpp). The bytes lie in the
//             block, are written before the token leaves its processor, and do not change until
//             the answer has come. Another node fetches them with one message to and fro.
// Cost        As a future of objects while it stays with its processor. A token that leaves its
//             processor is packed, if the machine has other nodes; in its own node it is run with
//             the objects themselves.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "terrane/cpp/packed_value.hpp"
#include "terrane/thread/future.hpp"
#include "terrane/thread/global_ptr.hpp"

namespace terrane {

template <class F, class... P>
struct packed_task {
  static_assert(call_travels<F>,
                "a closure with captures stays in its node: name a function and pass the captures "
                "as arguments");
  using code = future_code<F>;
  using objects = future_block<F, P...>;
  using result = typename objects::result;
  using known = typename object_task<F, P...>::known;
  struct block : objects {
    std::vector<unsigned char> bytes;  // the arguments, when the token has left
  };
  struct packed {
    terrane_slot_ref answer;
    block* whole;
    terrane_global place;  // of the bytes
    std::uint64_t bytes;
    [[no_unique_address]] typename code::kept call;
  };
  static_assert(sizeof(packed) <= TERRANE_TOKEN_ARGS, "pass what the closure captures");
  static_assert((std::is_default_constructible_v<P> && ...),
                "an argument that leaves its node is made anew there: give it a constructor "
                "without arguments");

  static packed& packed_in(terrane_token& token) { return *reinterpret_cast<packed*>(token.args); }
  static known known_in(terrane_token& token) { return known(packed_in(token).whole->call); }

  template <class G, class... A>
  static block* prepare(G&& call, A&&... values) {
    static_assert(sizeof...(A) == sizeof...(P),
                  "spawn takes the function's arguments: one value for each parameter");
    (require_packable<P>(), ...);
    require_packable<result>();
    static_cast<void>(&registered);
    return new block{{std::forward<G>(call), std::tuple<P...>(std::forward<A>(values)...)}, {}};
  }
  static void write(terrane_token& token, block* whole) {
    token.function = &kind;
    ::new (token.args) packed{0, whole, 0, 0, code::keep(whole->call)};
  }
  static result call(const known&, terrane_token& token) {
    return std::unique_ptr<block>(packed_in(token).whole)->run();
  }
  template <class Settle = decltype(&settle_future)>
  [[gnu::cold, gnu::noinline]] static result settle(terrane_token* above,
                                                    Settle settle_it = settle_future) {
    if (!above) joined_twice();
    return settle_objects(above, packed_in(above[-1]).whole, settle_it,
                          [](block& mine, future_answer& answer) -> result {
                            std::vector<unsigned char> come(answer.bytes());
                            answer.collect(come.data(), come.size());
                            return result_of(mine, come);
                          });
  }
  [[gnu::cold, gnu::noinline]] static void drop(terrane_token* above) noexcept {
    drop_future<packed_task>(above);
  }

  static object* leave(terrane_token& token) {
    packed& mine = packed_in(token);
    if (terrane_nodes() > 1) {
      packing into;
      into(mine.whole->values);
      mine.whole->bytes = into.take();
      mine.place = terrane_to_global(mine.whole->bytes.data());
      mine.bytes = mine.whole->bytes.size();
    }
    auto& waits = make_object<future_answer>();
    mine.answer = waits.name();
    code::leave(mine.call);
    return &waits;
  }
  static void run(terrane_processor*, const void* args) {
    packed mine = *static_cast<const packed*>(args);
    code::arrive(mine.call);
    thread_block::create(future_thread(options_of<F>), [mine] {
      answer_future(mine.answer, [&] { answer(mine); });
    }).detach();
  }

  static constexpr kept_kind kind{
      {name_of_task<F>, nullptr, 0, 0, 0, sizeof(packed), run, nullptr, nullptr, kept_by_owner},
      leave};

 private:
  static inline const registration registered{kind};

  static bool in_this_node(processor_id other) {
    return terrane_node_of(other) == terrane_node_of(terrane_here->number);
  }
  /// Runs in a thread of the processor that took the token.
  static void answer(const packed& mine) {
    if (in_this_node(processor_of(mine.answer))) {
      mine.whole->run_and_keep();
      return send_value(mine.answer, {});
    }
    std::vector<unsigned char> come(mine.bytes);
    if (mine.bytes != 0) read_place(mine.place, come.data(), come.size());
    objects here{code::callable(code::known_of(mine.call), mine.call), {}};
    unpacking from(come.data(), come.size());
    from(here.values);
    packing into;
    if constexpr (std::is_void_v<result>)
      here.run();
    else
      into(here.run());
    const std::vector<unsigned char> back = into.take();
    send_value(mine.answer, {back.data(), back.size()});
  }
  /// The result is in the block if the future ran in this node.
  static result result_of(block& mine, const std::vector<unsigned char>& come) {
    if constexpr (!std::is_void_v<result>) {
      if (mine.found) return mine.taken();
      std::remove_cv_t<result> found{};
      unpacking from(come.data(), come.size());
      from(found);
      return found;
    }
  }
};

namespace detail {
template <class F, class... P>
inline constexpr bool all_wire =
    (std::is_void_v<std::invoke_result_t<F, P...>> || wire_value<std::invoke_result_t<F, P...>>) &&
    (wire_value<P> && ...) && call_travels<F>;
template <class F, class... P>
using task_for_anywhere =
    std::conditional_t<all_wire<F, P...>, future_task<F, P...>, packed_task<F, P...>>;
}  // namespace detail

/// Makes a future of function(values...), which any processor of the machine may run. Its arguments
/// and its result are wire values, or can be packed.
template <class F, class... A>
[[nodiscard]] inline auto spawn_anywhere(F&& function, A&&... values) {
  using task =
      typename choose_task<detail::task_for_anywhere, std::decay_t<F>, std::decay_t<A>...>::type;
  return spawn_task<task>(std::forward<F>(function), std::forward<A>(values)...);
}
template <auto Function, class... A>
[[nodiscard]] inline auto spawn_anywhere(A&&... values) {
  return spawn_anywhere(named_function<Function>{}, std::forward<A>(values)...);
}

}  // namespace terrane
