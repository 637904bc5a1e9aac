// SPDX-License-Identifier: Apache-2.0
// reduce.hpp: the threaded functions of the program reduce: producers everywhere, one mailbox.
#pragma once

#include <cstdint>
#include <cstdio>

#include "programs/arguments.hpp"
#include "terrane/terrane.hpp"

namespace terrane::programs {

/// Work in world `sim`: an item taken and added, as on a current core. There is no other work.
constexpr operation reduce_item{"reduce_item", 1.0};

struct reduce_producer : threaded<reduce_producer> {
  step start(global<mailbox> box) {
    charge(reduce_item, 0);
    drop_in(box, this_processor());
    return done;
  }
};

struct reduce_main : threaded<reduce_main> {
  long total;
  slot all_in = on<&reduce_main::print>(static_cast<std::int32_t>(processors()));
  slot arrived = on<&reduce_main::cumulate>(1);
  mailbox box{ref(arrived)};

  step start(int argc, char** argv) {
    charge(reduce_item, 0);
    program_arguments given(argc, argv);
    if (!given.complete()) return done;
    total = 0;
    for (std::uint32_t i = 0; i < processors(); ++i) invoke<reduce_producer>(i, to_global(box));
    return wait;
  }
  step cumulate() {
    charge(reduce_item);
    std::uint32_t item = 0;
    box.retrieve(item);
    total += item;
    signal(all_in);
    return wait;
  }
  step print() {
    charge(reduce_item, 0);
    std::printf("total = %ld\n", total);
    return done;
  }
};

}  // namespace terrane::programs
