// SPDX-License-Identifier: Apache-2.0
// threaded_c_objects_test.cpp: the library's objects as a C program uses them.
#include "terrane/talk/threaded_c_objects_test.h"

#include "tests/support/small_machines.hpp"

namespace terrane {
namespace {

class objects_in_c : public on_a_small_machine {};
INSTANTIATE_TEST_SUITE_P(everywhere, objects_in_c, small_machines(), machine_name);

}  // namespace

template <>
inline constexpr bool position_independent<c_objects> = true;

namespace {

struct uses_them : threaded<uses_them> {
  step start(c_objects all, global<c_answers> to, slot_ref answered) {
    c_objects_use(&all, to.raw, answered.raw);
    return done;
  }
};
struct makes_them : threaded<makes_them> {
  int* faults;
  c_objects all;
  c_answers answers{};
  slot ready = on<&makes_them::use>(7, 0);
  slot answered = on<&makes_them::check>(10, 0);

  step start(int* count) {
    faults = count;
    c_objects_make(&all, &answers, ref(ready).raw, ref(answered).raw);
    return wait;
  }
  step use() {
    invoke<uses_them>(processors() - 1, all, to_global(answers), ref(answered));
    return wait;
  }
  step check() {
    *faults = c_answers_fault(&answers);
    c_objects_free(&all);
    return done;
  }
};

TEST_P(objects_in_c, do_what_their_names_say) { expect_no_faults<makes_them>(); }

struct drops : threaded<drops> {
  step start(terrane_global box) {
    terrane_mailbox_drop(box, "short", 6);
    terrane_mailbox_drop(box, "a longer item", 14);
    return done;
  }
};
struct keeps_a_box : threaded<keeps_a_box> {
  int* faults;
  terrane_mailbox box;
  slot arrived = on<&keeps_a_box::look>(2, 0);
  step start(int* count) {
    faults = count;
    terrane_mailbox_new(&box, ref(arrived).raw);
    invoke<drops>(processors() - 1, terrane_to_global(&box));
    return wait;
  }
  step look() {
    *faults = c_mailbox_fault(box);
    terrane_mailbox_free(box);
    return done;
  }
};

TEST_P(objects_in_c, mailboxes_give_out_what_was_dropped) { expect_no_faults<keeps_a_box>(); }

}  // namespace
}  // namespace terrane
