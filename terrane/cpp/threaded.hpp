// SPDX-License-Identifier: Apache-2.0
// threaded.hpp: threaded functions as structs whose member functions are fibers.
//
//   struct fib : threaded<fib> {
//     reply<long> out;
//     long x, y;
//     join both = on<&fib::sum>();
//     step start(int n, reply<long> to) {
//       if (n <= 1) { to.send(1); return done; }
//       out = to;
//       spawn<fib>(n - 1, both.into(x));        // a token: any node may run it
//       spawn<fib>(n - 2, both.into(y));
//       return await(both);
//     }
//     step sum() { out.send(x + y); return done; }
//   };
//
// Invariants  The struct lies after its terrane_frame in the arena. It is made when the activation
//             starts and destroyed when it ends, on one processor. Its fibers never run at the same
//             time.
// Leaf        An activation that answers and ends needs no frame. If a struct has
//               static bool leaf(int n, reply<long> to) {
//                 if (n <= 1) to.send(1);
//                 return n <= 1;         // true: it has ended
//               }
//             it is called first, and a frame is made only if it says false.
// Cost        spawn, when enough is queued: a frame from the free list and a direct call. If the
//             fiber that is awaited is named (await<&fib::sum>(both)), it is called directly, too.
// Source      [EARTH-SMP §2, Fig. 2]; docs/threaded-c-rules.md §3, §4.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <source_location>
#include <type_traits>
#include <utility>

#include "terrane/core/entries.hpp"
#include "terrane/cpp/arguments.hpp"
#include "terrane/cpp/names.hpp"
#include "terrane/cpp/slot.hpp"
#include "terrane/terrane.h"

namespace terrane {

/// What a fiber returns: `done` ends the activation, `wait` leaves it waiting for its slots, and
/// await(join) waits for that join.
struct step {
  terrane_step raw;
  terrane_step (*code)(terrane_frame*) = nullptr;  // of the fiber that follows at once, if known
};

template <class Start>
struct start_parameters;
template <class F, class... P>
struct start_parameters<step (F::*)(P...)> {
  using packed = arguments<std::remove_const_t<P>...>;
};
template <class F, class... P>
struct start_parameters<step (F::*)(P...) noexcept> : start_parameters<step (F::*)(P...)> {};

/// True if F has a `static bool leaf(parameters of start)`: it says whether the activation has
/// answered and ended, and thus needs no frame. If not, `start` follows.
template <class F, class... P>
concept ends_at_once = requires(P... values) {
  { F::leaf(values...) } -> std::same_as<bool>;
};

template <class F>
concept names_a_leaf =
    requires { &F::leaf; } && !std::is_member_object_pointer_v<decltype(&F::leaf)>;

/// Starts one activation of F with packed arguments.
template <class F, bool Root>
struct activation;

/// Records where a fiber is first waited for, so that reports can name it. May be called by any
/// thread.
[[gnu::cold]] void register_fiber(const terrane_fiber& fiber, const std::source_location& where);
[[gnu::always_inline]] inline void note_place(const terrane_fiber& fiber,
                                              std::source_location where) {
  // relaxed: this only tests whether the fiber is registered; the registry has its own lock.
  if (TERRANE_UNLIKELY(TERRANE_LOAD_RELAXED(&fiber.line) == 0)) register_fiber(fiber, where);
}
/// True if `candidate` is the address of a registered fiber, or of one that `function` lists.
bool is_fiber_of(const void* candidate, const terrane_function& function);

/// For a new frame that is larger than TERRANE_SLOT_REACH: R-271 if a slot of it lies out of reach.
void require_slots_in_reach(const terrane_frame& frame);

[[noreturn, gnu::cold]] void exception_left_fiber(const terrane_function& function,
                                                  const char* fiber);

template <class Self>
class threaded {
 public:
  threaded(const threaded&) = delete;
  threaded& operator=(const threaded&) = delete;

  static constexpr step done{TERRANE_DONE};
  static constexpr step wait{TERRANE_WAIT};

 protected:
  threaded() {}  // leaves the members of Self as they are: fibers write before they read

  /// A join whose fiber is Fiber.
  template <auto Fiber, int Priority = TERRANE_PRIORITY_DEFAULT>
  [[gnu::always_inline]] join on() {
    if constexpr (sizeof(Self) + sizeof(terrane_frame) > TERRANE_SLOT_REACH)
      note_place(fiber<Fiber, Priority, true>::entry, std::source_location::current());
    return join(fiber<Fiber, Priority, true>::entry, frame());
  }
  /// A slot that makes Fiber ready after `count` signals, then every `reset` signals; 0: never
  /// again.
  template <auto Fiber, int Priority = TERRANE_PRIORITY_DEFAULT>
  slot on(std::int32_t count, std::int32_t reset,
          std::source_location where = std::source_location::current()) {
    return slot(fiber<Fiber, Priority, false>::entry_at(where), count, reset);
  }
  template <auto Fiber, int Priority = TERRANE_PRIORITY_DEFAULT>
  slot on(std::int32_t count, std::source_location where = std::source_location::current()) {
    return slot(fiber<Fiber, Priority, false>::entry_at(where), count, count);
  }
  /// A slot to be armed before its first signal (R-204 otherwise).
  template <auto Fiber, int Priority = TERRANE_PRIORITY_DEFAULT>
  slot unarmed(std::source_location where = std::source_location::current()) {
    return slot(fiber<Fiber, Priority, false>::entry_at(where), TERRANE_UNARMED, 0);
  }

  /// The name of a slot of this frame, which others may signal.
  slot_ref ref(const slot& mine) const { return {terrane_ref(frame(), &mine)}; }
  /// Signals a slot of this frame.
  void signal(slot& mine) { terrane_signal(ref(mine).raw); }
  static void signal(slot_ref anywhere) { anywhere.signal(); }

  /// Runs the join's fiber when all its replies have arrived; at once if they have already.
  [[gnu::always_inline]] static step await(
      join& all, std::source_location where = std::source_location::current()) {
    const terrane_step next = terrane_await(&all);
    if (TERRANE_UNLIKELY(next == TERRANE_WAIT)) note_place(*all.fiber, where);
    return {next};
  }

  /// The same for a fiber that is named here, whatever the join was declared with. After `start` it
  /// is called directly.
  template <auto Fiber, int Priority = TERRANE_PRIORITY_DEFAULT>
  [[gnu::always_inline]] static step await(
      join& all, std::source_location where = std::source_location::current()) {
    using named = fiber<Fiber, Priority, true>;
    all.fiber = &named::entry;
    const terrane_step next = terrane_await(&all);
    if (TERRANE_LIKELY(next != TERRANE_WAIT)) return {next, named::code};
    note_place(named::entry, where);
    return wait;
  }

  /// TOKEN: F is activated on any processor; here and at once if enough tokens are queued.
  template <class F, class... A>
  [[gnu::always_inline]] static void spawn(A&&... values) {
    activation<F, false>::spawn(std::forward<A>(values)...);
  }
  /// INVOKE: F is activated on that processor. R-210 if there is no processor with this number.
  template <class F, class... A>
  static void invoke(std::uint32_t target, A&&... values) {
    activation<F, false>::invoke(target, std::forward<A>(values)...);
  }

 private:
  template <class, bool>
  friend struct activation;

  [[gnu::always_inline]] const terrane_frame* frame() const {
    return reinterpret_cast<const terrane_frame*>(static_cast<const Self*>(this)) - 1;
  }

  /// The description of a fiber: one object per (fiber, priority, kind of slot).
  template <auto Fiber, int Priority, bool Join>
  struct fiber {
    static_assert(Priority >= 0 && Priority <= 7, "fiber priorities go from 0 (first) to 7 (last)");
    static_assert(
        std::is_convertible_v<decltype(Fiber), step (Self::*)()>,
        "a fiber is a member `step name()` of the struct that declares the slot, or of its base");

    static terrane_step code(terrane_frame* frame) {
      try {
        return (reinterpret_cast<Self*>(frame + 1)->*Fiber)().raw;
      } catch (...) { exception_left_fiber(*frame->function, entry.name); }
    }
    static inline terrane_fiber entry{code,
                                      &activation<Self, false>::function,
                                      function_name<Fiber>::text.data(),
                                      nullptr,
                                      0,
                                      Priority,
                                      Join};

    static const terrane_fiber& entry_at(const std::source_location& where) {
      note_place(entry, where);
      return entry;
    }
  };
};

template <class F, bool Root>
struct activation {
  using parameters = start_parameters<decltype(&F::start)>;
  using packed = typename parameters::packed;

  static_assert(alignof(packed) <= 8,
                "the arguments of a token are aligned to 8 bytes: take the value apart");
  static constexpr bool has_destructor = !std::is_trivially_destructible_v<F>;

  static void destroy(terrane_frame* frame) {
    if constexpr (has_destructor) reinterpret_cast<F*>(frame + 1)->~F();
    if constexpr (Root) terrane_root_ended(frame);
  }

  /// Starts an activation with these arguments, if it is more than a leaf.
  template <class... P>
  [[gnu::noinline]] static void begin(P... values) {
    static_assert(!names_a_leaf<F> || ends_at_once<F, P...>,
                  "a leaf is a public `static bool leaf(the parameters of start)`");
    if constexpr (!Root && ends_at_once<F, P...>) {
      try {
        if (F::leaf(values...)) return;
      } catch (...) { exception_left_fiber(function, "leaf"); }
    }
    make_frame(values...);
  }

  template <class... P>
  [[gnu::noinline]] static void make_frame(P... values) {
    terrane_processor* here = terrane_here;
    static_assert(alignof(F) <= 16,
                  "a frame is aligned to 16 bytes: put the member behind a pointer");
    static_assert(sizeof(F) + sizeof(terrane_frame) <= TERRANE_FRAME_BYTES_MAX,
                  "a frame holds at most 1 MiB: put large members behind a std::unique_ptr");
    terrane_frame* frame = terrane_frame_new(here, &function, function.frame_class);
    step ended{};
    try {
      auto* self = ::new (frame + 1) F;
      if constexpr (sizeof(F) + sizeof(terrane_frame) > TERRANE_SLOT_REACH) {
        [[maybe_unused]] static const bool checked = (require_slots_in_reach(*frame), true);
      }
      ended = self->start(values...);
    } catch (...) { exception_left_fiber(function, "start"); }
    if (ended.code) {
      ++here->fibers;
      ended.raw = ended.code(frame);
    }
    terrane_proceed(here, frame, ended.raw, &function);
  }

  template <class... P>
  static void unpack(const arguments<>&, P... values) {
    begin(values...);
  }
  template <class First, class... Rest, class... P>
  [[gnu::always_inline]] static void unpack(const arguments<First, Rest...>& all, P... values) {
    if constexpr (sizeof...(Rest) == 0)
      begin(values..., all.first);
    else
      unpack(all.rest, values..., all.first);
  }
  static void run(terrane_processor*, const void* args) {
    unpack(*static_cast<const packed*>(args));
  }

  static constexpr terrane_function function{
      type_name<F>::text.data(),
      nullptr,
      0,
      TERRANE_FRAME_CLASS(static_cast<std::uint32_t>(sizeof(F) + sizeof(terrane_frame))),
      static_cast<std::uint32_t>(sizeof(F) + sizeof(terrane_frame)),
      static_cast<std::uint32_t>(sizeof(packed)),
      run,
      has_destructor || Root ? destroy : nullptr,
      nullptr,
      0};

  /// Code that can send F to another node also registers F, in every process.
  static inline const registration registered{function};

  /// Calls `use` with the values converted to the parameters of start, of F or a base of it.
  template <class Use, class Declares, class... P, class... A>
  [[gnu::always_inline]] static void convert(step (Declares::*)(P...), Use&& use, A&&... values) {
    static_assert(sizeof...(P) == sizeof...(A),
                  "spawn and invoke take the parameters of start, all");
    if constexpr (!Root) {  // a root is never sent to another node
      (require_wire_value<P>(), ...);
      static_cast<void>(&registered);
    }
    use(static_cast<std::remove_const_t<P>>(std::forward<A>(values))...);
  }

  template <class... P>
  static constexpr arguments<P...> pack(P... values) {
    if constexpr (sizeof...(P) == 0)
      return {};
    else
      return pack_next<P...>(values...);
  }
  template <class First, class... Rest>
  static constexpr arguments<First, Rest...> pack_next(First first, Rest... rest) {
    if constexpr (sizeof...(Rest) == 0)
      return {first, {}};
    else
      return {first, pack_next<Rest...>(rest...)};
  }

  /// Constructs the arguments in that memory. Debug builds clear it first: what leaves a process is
  /// searched for addresses, and none may be left over in the gaps between arguments.
  template <class... P>
  [[gnu::always_inline]] static const packed* pack_at(void* place, P... values) {
#ifndef NDEBUG
    std::memset(place, 0, sizeof(packed));
#endif
    return ::new (place) packed(pack(values...));
  }

  template <class... A>
  [[gnu::always_inline]] static void spawn(A&&... values) {
    convert(
        &F::start,
        [](auto... converted) __attribute__((always_inline)) {
          terrane_processor* here = terrane_here;
          if (terrane_spawn_inline(here)) {
            begin(converted...);
          } else if constexpr (sizeof(packed) <= TERRANE_TOKEN_ARGS) {
            pack_at(terrane_token_push(here, &function), converted...);
          } else {
            alignas(packed) unsigned char place[sizeof(packed)];
            terrane_token_push_spilled(here, &function, pack_at(place, converted...));
          }
        },
        std::forward<A>(values)...);
  }

  template <class... A>
  static void invoke(std::uint32_t target, A&&... values) {
    convert(
        &F::start,
        [target](auto... converted) {
          alignas(packed) unsigned char place[sizeof(packed)];
          terrane_invoke(target, &function, pack_at(place, converted...));
        },
        std::forward<A>(values)...);
  }
};

}  // namespace terrane
