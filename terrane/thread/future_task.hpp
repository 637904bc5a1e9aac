// SPDX-License-Identifier: Apache-2.0
// future_task.hpp: what the token of a future carries, and how it is run: by the join, from its
// place in the token stack; by another processor, in a thread.
//
// Invariants  While a token lies in its processor's token stack it holds a function's address and
//             no answer. When it leaves, these become the function's distance from the executable's
//             start, and the name of the future_answer that waits.
// Layout      answer, code (nothing for a closure without captures), values. If these take more
//             than TERRANE_TOKEN_ARGS bytes, the token holds the address of a block with them.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "terrane/core/entries.hpp"
#include "terrane/core/token.hpp"
#include "terrane/cpp/names.hpp"
#include "terrane/cpp/threaded.hpp"
#include "terrane/cpp/wire_value.hpp"
#include "terrane/thread/future_answer.hpp"
#include "terrane/thread/thread_block.hpp"

namespace terrane {

/// The code of a future: here a closure, which lies in the token; the future knows its type.
template <class F>
struct future_code {
  static constexpr bool travels = std::is_empty_v<F> || position_independent<F>;
  using kept = F;
  struct known {
    explicit known(const F&) {}
  };
  template <class G>
  static kept keep(G&& call) {
    return std::forward<G>(call);
  }
  static known known_of(const kept& call) { return known(call); }
  static F callable(known, const kept& call) { return call; }
  static F& callable(known, kept& call) { return call; }
  static void leave(kept&) {}
  static void arrive(kept&) {}
};
/// The code of a future: here a function. The future holds its address too, so that the join can
/// call it directly.
template <class R, class... P>
struct future_code<R (*)(P...)> {
  static constexpr bool travels = true;
  using kept = std::uint64_t;
  using known = R (*)(P...);
  static kept keep(known call) { return reinterpret_cast<std::uintptr_t>(call); }
  static known known_of(kept call) { return reinterpret_cast<known>(call); }
  static known callable(known call, kept) { return call; }
  static void leave(kept& call) { call = code_distance(call); }
  static void arrive(kept& call) { call = code_address(call); }
};

/// A function known at the spawn, as an object without state.
template <auto Function, future_options How = future_options{}>
struct named_function {
  template <class... P>
  auto operator()(P&&... values) const noexcept(noexcept(Function(std::forward<P>(values)...))) {
    return Function(std::forward<P>(values)...);
  }
};

/// A closure with options.
template <class F, future_options How>
struct closure_with_options : F {};
template <class F, future_options How>
inline constexpr bool position_independent<closure_with_options<F, How>> = position_independent<F>;

template <class F>
inline constexpr const char* name_of_task = type_name<F>::text.data();
template <auto Function, future_options How>
inline constexpr const char* name_of_task<named_function<Function, How>> =
    function_name<Function>::text.data();

template <class F>
inline constexpr future_options options_of{};
template <auto Function, future_options How>
inline constexpr future_options options_of<named_function<Function, How>> = How;
template <class F, future_options How>
inline constexpr future_options options_of<closure_with_options<F, How>> = How;

/// Joins a future at the end of its scope; its result or exception is lost. After the run, when
/// no processor is left to run it, this does nothing.
template <class Task>
void drop_future(terrane_token* above) noexcept {
  if (!terrane_is_processor()) return;
  try {
    Task::settle(above);
  } catch (...) {}  // only join() reports exceptions
}

/// Does the work of a future that another processor took, which sends the value to its joiner; if
/// the work throws, the joiner gets the exception.
template <class Work>
void answer_future(terrane_slot_ref joiner, Work&& work) {
  std::exception_ptr failure;
  try {
    work();
  } catch (...) { failure = std::current_exception(); }
  // Sent outside the handler: now the joiner is the exception's only holder, and frees it.
  if (failure) send_failure(joiner, std::move(failure));
}

template <class F, class... P>
struct future_task {
  using code = future_code<F>;
  using known = typename code::known;
  using result = std::invoke_result_t<F, P...>;
  struct packed {
    terrane_slot_ref answer;
    [[no_unique_address]] typename code::kept call;
    [[no_unique_address]] arguments<P...> values;
  };
  static constexpr bool in_block = sizeof(packed) > TERRANE_TOKEN_ARGS;
  static_assert(alignof(packed) <= 8,
                "the arguments of a token are aligned to 8 bytes: take the value apart");

  static packed& packed_in(terrane_token& token) {
    unsigned char* place = token.args;
    if constexpr (in_block) std::memcpy(&place, token.args, sizeof place);
    return *reinterpret_cast<packed*>(place);
  }
  static known known_in(terrane_token& token) { return code::known_of(packed_in(token).call); }

  // --- the spawn ---

  template <class... A>
  [[gnu::always_inline]] static void write(terrane_token& token, const F& call, A&&... values) {
    static_assert(sizeof...(A) == sizeof...(P),
                  "spawn takes the function's arguments: one value for each parameter");
    check();
    token.function = &kind;
    if constexpr (in_block) {
      void* const block = std::malloc(sizeof(packed));
      if (!block) throw std::bad_alloc();
      std::memcpy(token.args, &block, sizeof block);
    }
    packed& mine = packed_in(token);
    ::new (&mine.call) typename code::kept(code::keep(call));
    write_arguments(mine.values, static_cast<P>(std::forward<A>(values))...);
  }

  // --- the join ---

  /// Runs a token that lies in the token stack. Further tokens may be written there meanwhile.
  [[gnu::always_inline]] static result call(known known_code, terrane_token& token) {
    if constexpr (in_block) {
      packed& block = packed_in(token);
      packed mine = block;
      std::free(&block);
      return apply(known_code, mine);
    } else {
      packed& mine = packed_in(token);
      return apply(known_code, mine);
    }
  }

  /// Joins a token that is not the newest; it ends at `above`. settle_it: as settle_future.
  template <class Settle = decltype(&settle_future)>
  [[gnu::cold, gnu::noinline]] static result settle(terrane_token* above,
                                                    Settle settle_it = settle_future) {
    terrane_token token;
    future_answer* answer = nullptr;
    const settled how = settle_it(above, token, answer);
    if (how == settled::answered) return collect(*answer);
    if (how == settled::found) code::arrive(packed_in(token).call);
    return call(known_in(token), token);
  }

  [[gnu::cold, gnu::noinline]] static void drop(terrane_token* above) noexcept {
    drop_future<future_task>(above);
  }

  // --- elsewhere ---

  static object* leave(terrane_token& token) {
    packed& mine = packed_in(token);
    auto& waits = make_object<future_answer>();
    mine.answer = waits.name();
    code::leave(mine.call);
    return &waits;
  }

  static void run(terrane_processor*, const void* args) {
    packed mine = *static_cast<const packed*>(args);
    code::arrive(mine.call);
    thread_block::create(future_thread(options_of<F>), [mine] { answer(mine); }).detach();
  }

  static constexpr std::uint8_t traits =
      code::travels ? kept_by_owner : kept_by_owner | stays_in_node;
  static constexpr kept_kind kind{
      {name_of_task<F>, nullptr, 0, 0, 0, sizeof(packed), run, nullptr, nullptr, traits}, leave};

 private:
  static inline const registration registered{kind};

  static constexpr void check() {
    static_cast<void>(&registered);
    if constexpr (code::travels) {
      (require_wire_value<P>(), ...);
      if constexpr (!std::is_void_v<result>) require_wire_value<result>();
    } else {
      static_assert((std::is_trivially_copyable_v<P> && ...) &&
                        (std::is_void_v<result> || std::is_trivially_copyable_v<result>),
                    "arguments and result of a future are copied as bytes");
    }
  }

  /// Calls the function with copies of the values: spawns within the call may write where the token
  /// lay.
  [[gnu::always_inline]] static result apply(known known_code, const packed& mine) {
    return call_with(mine.values, code::callable(known_code, mine.call));
  }

  static result collect(future_answer& answer) {
    if constexpr (std::is_void_v<result>) {
      answer.collect(nullptr, 0);
    } else {
      union place {
        place() {}  // `value` may have a constructor
        result value;
        unsigned char bytes[sizeof(result)];
      } come;
      answer.collect(come.bytes, sizeof come.bytes);
      return come.value;
    }
  }

  static void answer(packed mine) {
    const known known_code = code::known_of(mine.call);
    answer_future(mine.answer, [&] {
      if constexpr (std::is_void_v<result>) {
        apply(known_code, mine);
        send_value(mine.answer, {});
      } else {
        const result found = apply(known_code, mine);
        send_value(mine.answer, {&found, sizeof found});
      }
    });
  }
};

}  // namespace terrane
