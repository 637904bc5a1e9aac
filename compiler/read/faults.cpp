// SPDX-License-Identifier: Apache-2.0
#include "compiler/read/faults.hpp"

#include <iterator>

namespace terrane::compiler {

namespace {

struct sentence {
  fault which;
  clang::DiagnosticIDs::Level level;
  const char* text;
};

constexpr auto wrong = clang::DiagnosticIDs::Error;
constexpr auto doubtful = clang::DiagnosticIDs::Warning;

constexpr sentence sentences[] = {
    {fault::misplaced_word, wrong, "E200: %0; %1"},
    {fault::count_uses_local, wrong,
     "E201: the count of fiber '%0' uses the local variable '%1', which has no value yet: slots "
     "are "
     "set before the initial fiber starts; use constants, parameters, globals, NUM_NODES or "
     "NODE_ID, or write 'FIBER %0' without a count and INIT_SYNC(%0, count, reset)"},
    {fault::threaded_called, wrong,
     "E202: '%0' is a THREADED function and cannot be called: it runs as an activation of its own; "
     "write TOKEN(%0, ...) or INVOKE(node, %0, ...)"},
    {fault::threaded_shape, wrong, "E203: %0; %1"},
    {fault::pointer_parameter, wrong,
     "E204: parameter '%0' of THREADED '%1' holds a local pointer (%2), which means nothing on "
     "another node; pass a handle ('T *GLOBAL', made by TO_GLOBAL) or the value itself, or say at "
     "the call that it stays on its node: LOCAL_ONLY(pointer)"},
    {fault::slot_parameter, wrong,
     "E205: parameter '%0' of THREADED '%1' is a SLOT, which cannot leave its frame; pass an SPTR, "
     "made by TO_SPTR"},
    {fault::array_parameter, wrong,
     "E206: parameter '%0' of THREADED '%1' is an array, which cannot be passed by value; pass a "
     "handle to its first element, or a struct that holds it"},
    {fault::arguments_too_large, wrong,
     "E207: the parameters of THREADED '%0' take %1 bytes and at most 1024 travel with a token; "
     "pass a handle and fetch the rest with BLKMOV_SYNC"},
    {fault::main_shape, wrong,
     "E208: MAIN is %0: the program's root is 'THREADED MAIN()' or 'THREADED MAIN(int argc, char "
     "**argv)'"},
    {fault::fiber_nested, wrong,
     "E210: FIBER '%0' stands inside %1: a fiber is a part of the function, not a statement; move "
     "it to the outermost level of the body"},
    {fault::fiber_return, wrong,
     "E211: a threaded function has nothing to return to; END_FIBER ends this fiber, TERMINATE the "
     "activation, PUT_SYNC sends a result"},
    {fault::jump_across_fibers, wrong,
     "E212: '%0' jumps from one fiber into another: each is run on its own; signal the other with "
     "SYNC instead"},
    {fault::statement_between_fibers, wrong,
     "E213: this statement follows a FIBER and never runs: the initial fiber ends at the first "
     "FIBER; move it before that, or into a fiber"},
    {fault::outside_threaded, wrong, "E214: %0 outside a threaded function: %1"},
    {fault::priority_range, wrong,
     "E215: PRIORITY %0: a priority is a constant from 0 (first) to 7 (last)"},
    {fault::declared_twice, wrong,
     "E216: '%0' is declared twice in this function: fibers and slots share the names of its "
     "variables; rename one"},
    {fault::name_taken, wrong, "E217: the name '%0' is taken: %1; rename it"},
    {fault::handle_dereferenced, wrong,
     "E220: a GLOBAL handle cannot be read or written through: what it names may be on another "
     "node; fetch it with GET_SYNC, write it with PUT_SYNC, or use TO_LOCAL(handle) where "
     "IS_LOCAL(handle)"},
    {fault::handle_mixed, wrong,
     "E220: %0 mixes a GLOBAL handle with a local pointer; TO_GLOBAL(pointer) makes a handle, "
     "TO_LOCAL(handle) gives the pointer on the handle's own node"},
    {fault::variable_length, wrong,
     "E230: the size of array '%0' is not known when the activation is made: it must depend on "
     "parameters alone; use malloc, or a constant size"},
    {fault::frame_too_large, wrong,
     "E232: the frame of '%0' takes %1 bytes and holds at most 1048576; allocate '%2' (%3 bytes) "
     "with malloc, or keep it outside functions"},
    {fault::constant_place, wrong,
     "E233: '%0' is a constant, one for all nodes, and holds the place of '%1', which is not the "
     "same on each; leave out the const"},
    {fault::fiber_local_escapes, wrong,
     "E231: %0 dies with this fiber, before the operation is done; declare it at the head of the "
     "function, where it lives in the frame"},
    {fault::operation_arguments, wrong, "E240: %0 takes %1; here are %2"},
    {fault::operation_argument_kind, wrong, "E241: %0 of %1 must be %2, and this is '%3'"},
    {fault::operation_as_value, wrong, "E242: %0 is an operation and stands as a call: %0(...)"},
    {fault::constant_target, wrong,
     "E243: %0 writes to what argument %1 names, and that is const ('%2'); leave out the const, or "
     "name another place"},
    {fault::count_negative, wrong,
     "E244: the %0 of %1 is %2: a count is at least %3, a reset at least 0 (one-shot)"},
    {fault::slot_index, wrong, "E245: there is no slot '%0[%1]': '%0' has %2, numbered from 0"},
    {fault::local_between_fibers, doubtful,
     "W301: '%0' is declared between fibers: it belongs to the frame and is initialised by the "
     "initial fiber; declare it before the first FIBER"},
    {fault::blocking_call, doubtful,
     "W302: '%0' blocks this processor and every fiber and token on it; use a split-phase "
     "operation, or a timer and a slot"},
    {fault::main_without_end, doubtful,
     "W303: MAIN never says TERMINATE, which ends the program: write it where all is done"},
    {fault::never_written, doubtful,
     "W304: '%0' is read here and nothing in '%1' gives it a value; initialise it, or fetch it "
     "with "
     "GET_SYNC"},
};

}  // namespace

clang::DiagnosticBuilder report(clang::DiagnosticsEngine& engine, clang::SourceLocation where,
                                fault which) {
  const sentence& said = sentences[static_cast<unsigned>(which)];
  const auto id = engine.getDiagnosticIDs()->getCustomDiagID(said.level, said.text);
  return engine.Report(where, id);
}

static_assert(
    [] {
      for (unsigned i = 0; i < std::size(sentences); ++i)
        if (static_cast<unsigned>(sentences[i].which) != i) return false;
      return true;
    }(),
    "the sentences stand in the order of the faults");

}  // namespace terrane::compiler
