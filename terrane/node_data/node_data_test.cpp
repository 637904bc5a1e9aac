// SPDX-License-Identifier: Apache-2.0
// node_data_test.cpp: variables and objects that exist once per node, in C and in C++.
#include "terrane/node_data/node_data.hpp"

#include <string>
#include <vector>

#include "terrane/node_data/node_data_test.h"
#include "tests/support/run_to_failure.hpp"
#include "tests/support/small_machines.hpp"

namespace terrane {
namespace {

class node_variables : public on_a_small_machine {};
INSTANTIATE_TEST_SUITE_P(everywhere, node_variables, small_machines(), machine_name);

/// Invokes Child on each processor, one after the other; each adds its faults.
template <class Child>
struct on_each : threaded<on_each<Child>> {
  using self = on_each;
  int* faults;
  std::uint32_t next = 0;
  int found = 0;
  slot answered = self::template on<&self::another>(1);

  step start(int* count) {
    faults = count;
    *faults = 0;
    return another();
  }
  step another() {
    *faults += found;
    found = 0;
    if (next == processors()) return self::done;
    self::template invoke<Child>(next++, to_global(found), self::ref(answered));
    return self::wait;
  }
};

bool first_of_node() { return this_processor() % (processors() / nodes()) == 0; }

/// The node's first processor finds all variables with their initial values, and changes them all.
struct first_looks : threaded<first_looks> {
  step start(global<int> found, slot_ref lists) {
    int fault = 0;
    if (first_of_node()) {
      fault = node_data_fault();
      node_data_change();
    }
    // The node's other processors see what the first one has written.
    fault += TERRANE_NODE_VARIABLE(node_hits) != -1;
    fault += TERRANE_NODE_VARIABLE(node_letters)[2] != 'q';
    put(fault, found, lists);
    return done;
  }
};

TEST_P(node_variables, begin_alike_on_each_node_in_each_run_and_are_shared_by_its_processors) {
  expect_no_faults<on_each<first_looks>>();  // two runs
}

struct pointed_at : threaded<pointed_at> {
  step start(global<int> found, slot_ref lists) {
    const long expected = first_of_node() ? 10 : 20;
    put(node_data_through_pointers() != expected, found, lists);
    return done;
  }
};

TEST_P(node_variables, pointers_of_a_copy_point_into_that_copy) {
  expect_no_faults<on_each<pointed_at>>();
}

struct own_image : threaded<own_image> {
  step start(global<int> found, slot_ref lists) {
    const bool in_image = &TERRANE_NODE_VARIABLE(node_hits) == &node_hits;
    put(terrane_node_of(this_processor()) == 0 && !in_image, found, lists);
    return done;
  }
};

TEST_P(node_variables, of_node_0_are_the_variables_themselves) {
  expect_no_faults<on_each<own_image>>();
}

// --- node_local ---

int made = 0, destroyed = 0;  // on the test's own thread

/// A type that must be constructed and destroyed, not copied as bytes.
class counted {
 public:
  counted(int first, std::string name) : value(first), name_(std::move(name)) { ++made; }
  counted(const counted&) = delete;
  counted& operator=(const counted&) = delete;
  ~counted() { ++destroyed; }
  int value;
  bool intact(const char* name) const { return name_ == name && self_ == this; }

 private:
  std::string name_;
  const counted* self_ = this;
};

node_local<char> initial{'c'};
node_local<int> hits{40};
node_local<std::vector<int>> lists;
node_local<counted> object{5, "a name too long to lie within its string"};
struct alignas(64) line {
  char bytes[64] = {};
};
node_local<line> aligned;

struct uses_objects : threaded<uses_objects> {
  step start(global<int> found, slot_ref answered) {
    const int before_us = static_cast<int>(this_processor() - this_processor() / each() * each());
    int fault = *initial != 'c' || *hits != 40 + before_us;
    fault += lists->size() != static_cast<std::size_t>(before_us);
    fault += object->value != 5 + before_us;
    fault += !object->intact("a name too long to lie within its string");
    fault += reinterpret_cast<std::uintptr_t>(&aligned.get()) % 64 != 0;
    ++*hits;
    ++object.get().value;
    lists->push_back(1);
    put(fault, found, answered);
    return done;
  }
  static std::uint32_t each() { return processors() / nodes(); }
};

TEST_P(node_variables, objects_are_made_and_destroyed_once_per_node_in_each_run) {
  const int nodes_here = find_world(GetParam().world).value()->make ? GetParam().nodes : 1;
  made = destroyed = 0;
  expect_no_faults<on_each<uses_objects>>();
  EXPECT_EQ(made, 2 * nodes_here);
  EXPECT_EQ(destroyed, made);
}

// --- misuse ---

struct late : threaded<late> {
  step start(int) {
    static node_local<int> too_late{1};
    return done;
  }
};

using node_variable_errors = run_to_failure;
TEST_F(node_variable_errors, an_object_made_during_a_run_is_named) {
  expect_failure<patient<late>>(machine_of(1),
                                "R-272: a node_local was made during a run: declare it at "
                                "namespace scope",
                                0);
}

struct runs_another : threaded<runs_another> {
  step start(int) {
    run_machine<patient<late>>(machine_of(1), 0);
    return done;
  }
};

TEST_F(node_variable_errors, a_run_within_a_run_is_named) {
  expect_failure<patient<runs_another>>(machine_of(1), "R-272: a second run began", 0);
}

}  // namespace
}  // namespace terrane
