// SPDX-License-Identifier: Apache-2.0
#include "compiler/write/function_writer.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace terrane::compiler {

namespace {

std::string list(const std::vector<parameter>& all, std::string_view lead,
                 std::string (*each)(const parameter&)) {
  std::string text(lead);
  for (const parameter& one : all) {
    if (!text.empty()) text += ", ";
    text += each(one);
  }
  return text;
}

std::string declared(const parameter& one) { return one.declaration; }
std::string named(const parameter& one) { return one.name; }
/// A parameter as it is sent: a local pointer becomes a handle, so that its node is known.
std::string sent(const parameter& one) {
  if (one.function_value) return fmt::format("terrane_value_entry({})", one.name);
  return one.local_pointer ? fmt::format("terrane_to_global({})", one.name) : one.name;
}
std::string arrived(const parameter& one) {
  const std::string field = "terrane_arrived->" + one.name;
  if (one.function_value) return fmt::format("terrane_value_at({})", field);
  return one.local_pointer ? fmt::format("terrane_to_local({})", field) : field;
}
std::string travelling(const parameter& one) {
  if (one.function_value) return "uint64_t " + one.name;
  return one.local_pointer ? "terrane_global " + one.name : one.declaration;
}

/// True for the suffixes of the names made for each threaded function f: f__init and the others.
bool is_part(std::string_view name) {
  static constexpr std::string_view parts[] = {
      "activate", "destroy", "fibers", "init", "invoke", "run", "token", "threaded", "registered"};
  return std::find(std::begin(parts), std::end(parts), name) != std::end(parts);
}

void write_arguments(text_writer& out, const threaded_declaration& of) {
  std::string fields;
  for (const parameter& one : of.parameters) fields += fmt::format("  {};\n", travelling(one));
  out.add(fmt::format("struct {}__arguments {{\n{}}};\n", of.name, fields));
}

}  // namespace

void write_declaration(text_writer& out, const threaded_declaration& of) {
  const std::string_view linkage = of.is_static ? "static " : "";
  out.stand_nowhere();
  write_arguments(out, of);
  out.add(fmt::format("{}const terrane_threaded {}__threaded;\n",
                      of.is_static ? "static " : "extern ", of.name));
  out.add(fmt::format("{}void {}__activate({});\n", linkage, of.name,
                      list(of.parameters, "terrane_processor* terrane_self", declared)));
  const std::string taken = list(of.parameters, "", declared);
  const std::string packed = fmt::format("  const struct {}__arguments terrane_sent = {{{}}};\n",
                                         of.name, list(of.parameters, "", sent));
  out.add(fmt::format(
      "TERRANE_HOT void {0}__token({1}) {{\n"
      "  terrane_processor* const terrane_self = terrane_here;\n"
      "  if (terrane_starts_inline(terrane_self)) {{\n"
      "    {0}__activate({2});\n"
      "    return;\n"
      "  }}\n{3}"
      "  terrane_token_start(terrane_self, &{0}__threaded.function, &terrane_sent);\n"
      "}}\n",
      of.name, taken.empty() ? "void" : taken, list(of.parameters, "terrane_self", named), packed));
  out.add(
      fmt::format("static inline void {0}__invoke({1}) {{\n{2}"
                  "  TERRANE_DO(terrane_at, terrane_invoke(terrane_node, &{0}__threaded.function, "
                  "&terrane_sent));\n"
                  "}}\n",
                  of.name,
                  list(of.parameters,
                       "const terrane_source_place* terrane_at, uint32_t terrane_node", declared),
                  packed));
}

namespace {

class definition_writer {
 public:
  definition_writer(text_writer& out, const unit& from, const threaded_function& what)
      : out_(out), from_(from), what_(what) {}

  void run() {
    for (const fragment& each : what_.file_scope) {
      out_.stand_nowhere();
      out_.add_inline(each.before);
      out_.write_apart(each.tokens);
      out_.add(each.after + "\n");
    }
    out_.stand_nowhere();
    write_frame();
    write_descriptions();
    write_init();
    for (const fiber& each : what_.fibers) write_fiber(each);
    for (const fiber& each : what_.fibers) write_gate(each);
    out_.stand_nowhere();
    write_activate();
    write_run();
    write_destroy();
    write_function();
    if (what_.is_main)
      out_.add(
          "int main(int argc, char** argv) {\n"
          "  return terrane_run" +
          std::string(from_.strict_exit ? "_strictly" : "") +
          "(argc, argv, &MAIN__threaded.function);\n}\n");
  }

 private:
  template <class... Values>
  void say(fmt::format_string<Values...> text, Values&&... values) {
    out_.add(fmt::format(text, std::forward<Values>(values)...));
  }
  std::string located(place where) const {
    return fmt::format("{}, {}", quoted(from_.files[where.file]), where.line);
  }
  /// The C function of a fiber: f__N, the name that gdb shows.
  std::string code_of(const fiber& each) const {
    return fmt::format("{}__{}{}", what_.name, each.name, is_part(each.name) ? "_fiber" : "");
  }
  /// The runtime's description of the fiber that a slot of that name enables.
  std::string fiber_of(const std::string& slot) const {
    return fmt::format("terrane_fiber_{}__{}", what_.name, slot);
  }
  std::string frame_type() const { return fmt::format("struct {}__frame", what_.name); }

  void write_frame() {
    say("{} {{\n  terrane_frame terrane_head;\n", frame_type());
    for (const fiber& each : what_.fibers) say("  terrane_slot {};\n", each.name);
    for (const fiber& each : what_.fibers) {
      if (gated(each)) say("  terrane_slot terrane_complete_{};\n", each.name);
      if (!each.parameters.empty()) say("  terrane_arguments terrane_arguments_{};\n", each.name);
    }
    for (const plain_slot& each : what_.slots)
      say("  terrane_slot {}{};\n", each.name,
          each.elements ? fmt::format("[{}]", each.elements) : "");
    for (const parameter& each : what_.parameters)
      if (each.in_frame) say("  {};\n", each.declaration);
    for (const std::string& each : what_.fields) say("  {};\n", each);
    say("}};\n");
    say("_Static_assert(sizeof({}) <= TERRANE_FRAME_BYTES_MAX, \"the variables of {} take more "
        "than a frame holds: allocate the large ones\");\n",
        frame_type(), what_.name);
  }

  void write_descriptions() {
    for (const fiber& each : what_.fibers)
      say("static terrane_step {}(terrane_frame*);\n", code_of(each));
    for (const fiber& each : what_.fibers)
      if (gated(each))
        say("static terrane_step terrane_gate_{0}__{1}(terrane_frame*);\n"
            "static const terrane_fiber terrane_signals_{0}__{1} = {{terrane_gate_{0}__{1}, "
            "&{0}__threaded.function, \"signals of {1}\", {2}, {3}, false}};\n",
            what_.name, each.name, located(each.where), each.priority);
    for (const fiber& each : what_.fibers)
      say("static const terrane_fiber {0} = {{{1}, &{2}__threaded.function, \"{3}\", {4}, {5}, "
          "false}};\n",
          fiber_of(each.name), code_of(each), what_.name, each.name, located(each.where),
          each.priority);
    for (const plain_slot& each : what_.slots)
      say("static const terrane_fiber {0} = {{0, &{1}__threaded.function, \"{2}\", {3}, {4}, "
          "false}};\n",
          fiber_of(each.name), what_.name, each.name, located(each.where), 4);
    say("static const terrane_fiber* const {}__fibers[] = {{", what_.name);
    for (const fiber& each : what_.fibers) {
      say("&{}, ", fiber_of(each.name));
      if (gated(each)) say("&terrane_signals_{}__{}, ", what_.name, each.name);
    }
    for (const plain_slot& each : what_.slots) say("&{}, ", fiber_of(each.name));
    say("0}};\n");
  }

  void write_init() {
    out_.stand_at(what_.where);
    say("static inline terrane_step {}__init({}) {{", what_.name,
        list(what_.parameters, frame_type() + "* const " + what_.frame, declared));
    declare_no_work();
    for (const fragment& each : what_.init) {
      if (!each.before.empty()) {
        if (!each.tokens.empty()) out_.stand_at(place_of(each.tokens));
        out_.add_inline(each.before);
      }
      out_.write(each.tokens);
      out_.add_inline(each.after);
    }
    if (what_.early_end) say(" terrane_ended:;");
    for (const parameter& each : what_.parameters)
      if (each.in_frame && each.saved) say(" {0}->{1} = {1};", what_.frame, each.name);
    if (what_.held.empty())
      say(" return TERRANE_WAIT;\n}}\n");
    else
      say(" return terrane_give_up_hold(&{}->{});\n}}\n", what_.frame, what_.held);
  }
  place place_of(token_range range) const {
    for (const piece& each : from_.pieces)
      if (each.tokens.end > range.begin) return each.where;
    return what_.where;
  }

  void write_fiber(const fiber& each) {
    out_.stand_at(each.where);
    say("static terrane_step {0}(terrane_frame* terrane_raw) {{ {1}* const {2} = "
        "({1}*)terrane_raw; (void){2};",
        code_of(each), frame_type(), what_.frame);
    declare_no_work();
    write_taking(each);
    out_.write(each.body);
    say(" return TERRANE_WAIT;\n}}\n");
  }

  /// True if the fiber waits for plain signals besides its arguments.
  static bool gated(const fiber& each) { return !each.parameters.empty() && each.count; }
  static std::size_t queues_of(const fiber& each) {
    return each.parameters.size() + (gated(each) ? 1 : 0);
  }

  void write_gate(const fiber& each) {
    if (!gated(each)) return;
    out_.stand_at(each.where);
    say("static terrane_step terrane_gate_{0}__{1}(terrane_frame* terrane_raw) {{ "
        "terrane_argument_send(terrane_argument((({2}*)terrane_raw)->terrane_arguments_{1}, {3}), "
        "\"\", 1); return TERRANE_WAIT; }}\n",
        what_.name, each.name, frame_type(), each.parameters.size());
  }

  /// Writes the code that takes the arguments of this instance from their queues.
  void write_taking(const fiber& each) {
    int queue = 0;
    for (const parameter& one : each.parameters)
      out_.add_inline(
          fmt::format(" {}; TERRANE_C_PLACED(terrane_argument_take({}->terrane_arguments_{}, {}, "
                      "&{}, sizeof {}));",
                      one.declaration, what_.frame, each.name, queue++, one.name, one.name));
    if (gated(each))
      out_.add_inline(
          fmt::format(" char terrane_signals; terrane_argument_take({}->terrane_arguments_{}, {}, "
                      "&terrane_signals, 1);",
                      what_.frame, each.name, queue));
  }

  void declare_no_work() {
    if (from_.declares_work) out_.add_inline(" terrane_charge(&terrane_no_work, 0);");
  }

  void write_activate() {
    say("{}__attribute__((noinline)) void {}__activate({}) {{\n", what_.is_static ? "static " : "",
        what_.name, list(what_.parameters, "terrane_processor* terrane_self", declared));
    say("  {0}* const {1} = ({0}*)terrane_frame_new(terrane_self, &{2}__threaded.function, "
        "TERRANE_FRAME_CLASS(sizeof({0})));\n",
        frame_type(), what_.frame, what_.name);
    for (const fiber& each : what_.fibers) write_slot(each);
    for (const plain_slot& each : what_.slots) write_plain_slot(each);
    for (const parameter& each : what_.parameters)
      if (each.in_frame && !each.saved) say("  {0}->{1} = {1};\n", what_.frame, each.name);
    for (const std::string& each : what_.arrays) say("  {}->{} = 0;\n", what_.frame, each);
    say("  const terrane_step terrane_said = {}__init({});\n", what_.name,
        list(what_.parameters, what_.frame, named));
    for (const fiber& each : what_.fibers)
      if (fires_by_itself(each))
        say("  if (TERRANE_UNLIKELY(terrane_fires_{0}) && terrane_said != TERRANE_DONE)\n"
            "    terrane_fiber_ready(&{1}->terrane_head, &{2});\n",
            each.name, what_.frame, followed_by(each));
    say("  terrane_proceed_first(terrane_self, &{0}->terrane_head, terrane_said, "
        "&{1}__threaded.function);\n}}\n",
        what_.frame, what_.name);
  }
  /// True if the count may be 0 at run time: then nothing else makes the fiber ready.
  bool fires_by_itself(const fiber& each) const {
    return each.count && !each.counts_known && each.name != what_.held;
  }
  /// What runs when a count is used up: the fiber itself; or, if the fiber also takes arguments,
  /// another one that records the signals beside these.
  std::string followed_by(const fiber& each) const {
    return gated(each) ? fmt::format("terrane_signals_{}__{}", what_.name, each.name)
                       : fiber_of(each.name);
  }

  void write_slot(const fiber& each) {
    if (!each.parameters.empty()) return write_argument_slot(each);
    if (each.count) return write_counted_slot(each);
    say("  terrane_slot_unarmed(&{}->{}, &{});\n", what_.frame, each.name, fiber_of(each.name));
  }
  void write_counted_slot(const fiber& each) {
    const bool held = each.name == what_.held;
    if (each.counts_known)
      say("  terrane_slot_set(&{}->{}, {}(", what_.frame, each.name, held ? "1 + " : "");
    else if (held)
      say("  terrane_slot_count(&{}->{}, 1, (", what_.frame, each.name);
    else
      say("  const bool terrane_fires_{1} = terrane_slot_count(&{0}->{1}, 0, (", what_.frame,
          each.name);
    out_.write_apart(*each.count);
    say("), (");
    out_.write_apart(each.reset ? *each.reset : *each.count);
    say("), &{});\n", followed_by(each));
    out_.stand_nowhere();
  }
  /// Each complete set of arguments enables an instance. If the fiber also waits for plain signals,
  /// these have one more queue, which a fiber of their own fills.
  void write_argument_slot(const fiber& each) {
    const std::string complete =
        gated(each) ? fmt::format("terrane_complete_{}", each.name) : each.name;
    if (gated(each)) write_counted_slot(each);
    say("  terrane_slot_set(&{}->{}, 1, 1, &{});\n", what_.frame, complete, fiber_of(each.name));
    say("  terrane_arguments_new(&{0}->terrane_arguments_{1}, {2}, TERRANE_SLOT({0}, {3}));\n",
        what_.frame, each.name, queues_of(each), complete);
  }

  void write_plain_slot(const plain_slot& each) {
    if (each.elements == 0) {
      say("  terrane_slot_unarmed(&{}->{}, &{});\n", what_.frame, each.name, fiber_of(each.name));
    } else {
      say("  for (int terrane_i = 0; terrane_i < {2}; ++terrane_i) "
          "terrane_slot_unarmed(&{0}->{1}[terrane_i], &{3});\n",
          what_.frame, each.name, each.elements, fiber_of(each.name));
    }
  }

  void write_run() {
    say("static void {0}__run(terrane_processor* terrane_self, const void* terrane_sent) {{\n"
        "  const struct {0}__arguments* const terrane_arrived = terrane_sent;\n  "
        "(void)terrane_arrived;\n"
        "  {0}__activate({1});\n}}\n",
        what_.name, list(what_.parameters, "terrane_self", arrived));
  }

  bool has_destroy() const {
    return !what_.arrays.empty() ||
           std::any_of(what_.fibers.begin(), what_.fibers.end(),
                       [](const fiber& each) { return !each.parameters.empty(); });
  }

  void write_destroy() {
    if (!has_destroy()) return;
    say("static void {0}__destroy(terrane_frame* terrane_raw) {{\n", what_.name);
    for (const std::string& each : what_.arrays)
      say("  terrane_frame_unblock((({}*)terrane_raw)->{});\n", frame_type(), each);
    for (const fiber& each : what_.fibers)
      if (!each.parameters.empty())
        say("  if (terrane_is_processor())\n"
            "    terrane_arguments_free((({}*)terrane_raw)->terrane_arguments_{});\n",
            frame_type(), each.name);
    if (what_.is_main) say("  terrane_root_ended(terrane_raw);\n");
    say("}}\n");
  }

  void write_function() {
    const std::string destroy = has_destroy()   ? what_.name + "__destroy"
                                : what_.is_main ? "terrane_root_ended"
                                                : "0";
    std::string arguments;
    for (const parameter& each : what_.parameters)
      arguments += (arguments.empty() ? "" : ", ") + each.type;
    say("{0}const terrane_threaded {1}__threaded = {{{{\"{1}\", {2}, "
        "TERRANE_FRAME_CLASS(sizeof({3})), sizeof({3}), sizeof(struct {1}__arguments), {1}__run, "
        "{4}, {1}__fibers, 0}}, {5}}};\n",
        what_.is_static ? "static " : "", what_.name, located(what_.where), frame_type(), destroy,
        quoted(arguments));
    say("TERRANE_REGISTER_THREADED({})\n", what_.name);
  }

  text_writer& out_;
  const unit& from_;
  const threaded_function& what_;
};

}  // namespace

void write_definition(text_writer& out, const unit& from, const threaded_function& what) {
  definition_writer(out, from, what).run();
}

}  // namespace terrane::compiler
