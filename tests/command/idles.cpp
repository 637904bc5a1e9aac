// SPDX-License-Identifier: Apache-2.0
// idles.cpp: programs whose idleness is known beforehand, for machines of two processors in world
// sim. The first argument chooses one.
//
//   data    the first processor reads ten times, one after another, from the last
//   pinned  ten activations that were put on the first processor, each of 1 ms
//   stock   one fiber makes ten tokens of 1 ms, and then works for 10 ms
#include <cstdio>
#include <string_view>

#include "terrane/terrane.hpp"

namespace {

using namespace terrane;

constexpr operation work{"work", 1e6};
constexpr operation nothing{"nothing", 0};
constexpr int times = 10;

struct holder : threaded<holder> {
  int number = 7;
  reply<void> gone;
  slot released = on<&holder::leave>(1);
  step start(reply<global<int>> here, reply<slot_ref> how, reply<void> when_gone) {
    charge(nothing);
    gone = when_gone;
    how.send(ref(released));
    here.send(to_global(number));
    return wait;
  }
  step leave() {
    charge(nothing);
    gone.send();
    return done;
  }
};

struct piece : threaded<piece> {
  step start(reply<void> end) {
    charge(work);
    end.send();
    return done;
  }
};

struct idles_main : threaded<idles_main> {
  global<int> place;
  slot_ref release;
  int number, reads;
  join found = on<&idles_main::read>();
  join gone = on<&idles_main::end>();

  step start(int argc, char** argv) {
    charge(nothing);
    const std::string_view what = argc > 1 ? argv[1] : "";
    if (what == "data") {
      reads = 0;
      invoke<holder>(processors() - 1, found.into(place), found.into(release), gone.into());
      return await(found);
    }
    if (what == "pinned")
      for (int i = 0; i < times; ++i) invoke<piece>(0, gone.into());
    if (what == "stock") {
      for (int i = 0; i < times; ++i) spawn<piece>(gone.into());
      charge(work, times);
    }
    return await(gone);
  }
  step read() {
    charge(nothing);
    if (reads++ == times) {
      release.signal();
      return await(gone);
    }
    get(place, number, found.one());
    return await(found);
  }
  step end() {
    charge(nothing);
    return done;
  }
};

}  // namespace

int main(int argc, char** argv) { return terrane::run<idles_main>(argc, argv); }
