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
/// As it travels: a local pointer as a handle, so that its node is known.
std::string sent(const parameter& one) {
  if (one.function_value) return fmt::format("terrane_value_entry({})", one.name);
  return one.local_pointer ? fmt::format("terrane_to_global({})", one.name) : one.name;
}
std::string arrived(const parameter& one) {
  const std::string field = "arguments__->" + one.name;
  if (one.function_value) return fmt::format("terrane_value_at({})", field);
  return one.local_pointer ? fmt::format("terrane_to_local({})", field) : field;
}
std::string travelling(const parameter& one) {
  if (one.function_value) return "uint64_t " + one.name;
  return one.local_pointer ? "terrane_global " + one.name : one.declaration;
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
                      list(of.parameters, "terrane_processor* here__", declared)));
  const std::string taken = list(of.parameters, "", declared);
  const std::string packed = fmt::format("  const struct {}__arguments arguments__ = {{{}}};\n",
                                         of.name, list(of.parameters, "", sent));
  out.add(fmt::format(
      "TERRANE_HOT void {0}__token({1}) {{\n"
      "  if (terrane_spawn_inline(terrane_here)) {{\n"
      "    {0}__activate({2});\n"
      "    return;\n"
      "  }}\n{3}"
      "  TERRANE_PUSH(&{0}__threaded.function, arguments__);\n"
      "}}\n",
      of.name, taken.empty() ? "void" : taken, list(of.parameters, "terrane_here", named), packed));
  out.add(fmt::format(
      "static inline void {0}__invoke({1}) {{\n{2}"
      "  TERRANE_DO(at__, terrane_invoke(node__, &{0}__threaded.function, &arguments__));\n"
      "}}\n",
      of.name, list(of.parameters, "const terrane_source_place* at__, uint32_t node__", declared),
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
  std::string frame_type() const { return fmt::format("struct {}__frame", what_.name); }

  void write_frame() {
    say("{} {{\n  terrane_frame frame__;\n", frame_type());
    for (const fiber& each : what_.fibers) say("  terrane_slot {};\n", each.name);
    for (const fiber& each : what_.fibers) {
      if (gated(each)) say("  terrane_slot {}__complete;\n", each.name);
      if (!each.parameters.empty()) say("  terrane_arguments {}__arguments;\n", each.name);
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
      say("static terrane_step {}__{}(terrane_frame*);\n", what_.name, each.name);
    for (const fiber& each : what_.fibers)
      if (gated(each))
        say("static terrane_step {0}__signals_of_{1}(terrane_frame*);\n"
            "static const terrane_fiber {0}__{1}_signals = {{{0}__signals_of_{1}, "
            "&{0}__threaded.function, \"signals of {1}\", {2}, {3}, false}};\n",
            what_.name, each.name, located(each.where), each.priority);
    for (const fiber& each : what_.fibers)
      say("static const terrane_fiber {0}__{1}_fiber = {{{0}__{1}, &{0}__threaded.function, "
          "\"{1}\", {2}, {3}, false}};\n",
          what_.name, each.name, located(each.where), each.priority);
    for (const plain_slot& each : what_.slots)
      say("static const terrane_fiber {0}__{1}_fiber = {{0, &{0}__threaded.function, \"{1}\", {2}, "
          "{3}, false}};\n",
          what_.name, each.name, located(each.where), 4);
    say("static const terrane_fiber* const {}__fibers[] = {{", what_.name);
    for (const fiber& each : what_.fibers) {
      say("&{}__{}_fiber, ", what_.name, each.name);
      if (gated(each)) say("&{}__{}_signals, ", what_.name, each.name);
    }
    for (const plain_slot& each : what_.slots) say("&{}__{}_fiber, ", what_.name, each.name);
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
    if (what_.early_end) say(" ended__:;");
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
    say("static terrane_step {0}__{1}(terrane_frame* frame__) {{ {2}* const {3} = ({2}*)frame__; "
        "(void){3};",
        what_.name, each.name, frame_type(), what_.frame);
    declare_no_work();
    write_taking(each);
    out_.write(each.body);
    say(" return TERRANE_WAIT;\n}}\n");
  }

  /// Wants plain signals besides its arguments.
  static bool gated(const fiber& each) { return !each.parameters.empty() && each.count; }
  static std::size_t queues_of(const fiber& each) {
    return each.parameters.size() + (gated(each) ? 1 : 0);
  }

  void write_gate(const fiber& each) {
    if (!gated(each)) return;
    out_.stand_at(each.where);
    say("static terrane_step {0}__signals_of_{1}(terrane_frame* frame__) {{ "
        "terrane_argument_send(terrane_argument((({2}*)frame__)->{1}__arguments, {3}), \"\", 1); "
        "return TERRANE_WAIT; }}\n",
        what_.name, each.name, frame_type(), each.parameters.size());
  }

  /// The arguments of this instance, from their queues.
  void write_taking(const fiber& each) {
    int queue = 0;
    for (const parameter& one : each.parameters)
      out_.add_inline(
          fmt::format(" {}; TERRANE_C_PLACED(terrane_argument_take({}->{}__arguments, {}, &{}, "
                      "sizeof {}));",
                      one.declaration, what_.frame, each.name, queue++, one.name, one.name));
    if (gated(each))
      out_.add_inline(fmt::format(
          " char signals__; terrane_argument_take({}->{}__arguments, {}, &signals__, 1);",
          what_.frame, each.name, queue));
  }

  void declare_no_work() {
    if (from_.declares_work) out_.add_inline(" terrane_charge(&terrane_no_work, 0);");
  }

  void write_activate() {
    say("{}__attribute__((noinline)) void {}__activate({}) {{\n", what_.is_static ? "static " : "",
        what_.name, list(what_.parameters, "terrane_processor* here__", declared));
    say("  {0}* const {1} = ({0}*)terrane_frame_new(here__, &{2}__threaded.function, "
        "TERRANE_FRAME_CLASS(sizeof({0})));\n",
        frame_type(), what_.frame, what_.name);
    for (const fiber& each : what_.fibers) write_slot(each);
    for (const plain_slot& each : what_.slots) write_plain_slot(each);
    for (const parameter& each : what_.parameters)
      if (each.in_frame && !each.saved) say("  {0}->{1} = {1};\n", what_.frame, each.name);
    for (const std::string& each : what_.arrays) say("  {}->{}__block = 0;\n", what_.frame, each);
    say("  terrane_proceed(here__, &{0}->frame__, {1}__init({2}), &{1}__threaded.function);\n}}\n",
        what_.frame, what_.name, list(what_.parameters, what_.frame, named));
  }

  void write_slot(const fiber& each) {
    if (!each.parameters.empty()) return write_argument_slot(each);
    if (!each.count) {
      say("  terrane_slot_unarmed(&{0}->{1}, &{2}__{1}_fiber);\n", what_.frame, each.name,
          what_.name);
      return;
    }
    write_counted_slot(each, "fiber");
  }
  /// continuation: `fiber` or `signals`, what follows when the count is used up.
  void write_counted_slot(const fiber& each, std::string_view continuation) {
    say("  terrane_slot_set(&{}->{}, {}(", what_.frame, each.name,
        each.name == what_.held ? "1 + " : "");
    out_.write_apart(*each.count);
    say("), (");
    out_.write_apart(each.reset ? *each.reset : *each.count);
    say("), &{}__{}_{});\n", what_.name, each.name, continuation);
    out_.stand_nowhere();
  }
  /// Each complete set of arguments enables an instance. Plain signals that it wants besides are
  /// one queue more, which a fiber of their own fills.
  void write_argument_slot(const fiber& each) {
    const std::string complete = each.name + (gated(each) ? "__complete" : "");
    if (gated(each)) write_counted_slot(each, "signals");
    say("  terrane_slot_set(&{}->{}, 1, 1, &{}__{}_fiber);\n", what_.frame, complete, what_.name,
        each.name);
    say("  terrane_arguments_new(&{0}->{1}__arguments, {2}, TERRANE_SLOT({0}, {3}));\n",
        what_.frame, each.name, queues_of(each), complete);
  }

  void write_plain_slot(const plain_slot& each) {
    if (each.elements == 0) {
      say("  terrane_slot_unarmed(&{0}->{1}, &{2}__{1}_fiber);\n", what_.frame, each.name,
          what_.name);
    } else {
      say("  for (int i__ = 0; i__ < {3}; ++i__) terrane_slot_unarmed(&{0}->{1}[i__], "
          "&{2}__{1}_fiber);\n",
          what_.frame, each.name, what_.name, each.elements);
    }
  }

  void write_run() {
    say("static void {0}__run(terrane_processor* here__, const void* raw__) {{\n"
        "  const struct {0}__arguments* const arguments__ = raw__;\n  (void)arguments__;\n"
        "  {0}__activate({1});\n}}\n",
        what_.name, list(what_.parameters, "here__", arrived));
  }

  bool has_destroy() const {
    return !what_.arrays.empty() ||
           std::any_of(what_.fibers.begin(), what_.fibers.end(),
                       [](const fiber& each) { return !each.parameters.empty(); });
  }

  void write_destroy() {
    if (!has_destroy()) return;
    say("static void {0}__destroy(terrane_frame* frame__) {{\n", what_.name);
    for (const std::string& each : what_.arrays)
      say("  terrane_frame_unblock((({}*)frame__)->{}__block);\n", frame_type(), each);
    for (const fiber& each : what_.fibers)
      if (!each.parameters.empty())
        say("  if (terrane_is_processor())\n"
            "    terrane_arguments_free((({}*)frame__)->{}__arguments);\n",
            frame_type(), each.name);
    if (what_.is_main) say("  terrane_root_ended(frame__);\n");
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
        "{4}, {1}__fibers}}, {5}}};\n",
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
