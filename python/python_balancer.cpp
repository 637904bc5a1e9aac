// SPDX-License-Identifier: Apache-2.0
// python_balancer.cpp: a balancer that passes what it hears to one written in Python.
//
// Purpose     terrane.run(balancer=Mine) gives this library to --balancer, and the class in a file
//             that TERRANE_PYTHON_BALANCER names. The first balancer that is made starts Python.
// Invariants  Python's lock is held only within a call of a policy; a thread keeps its Python state
//             between calls. A node's view is valid within a call: afterwards the Python object
//             refuses.
// Cost        Half a microsecond for a call that does nothing. Under world `sim` a policy's calls
//             cost what the network file says, whatever language they are written in.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <cstdlib>
#include <set>
#include <stdexcept>
#include <string>

#include "terrane/balance/plugin.hpp"

namespace nb = nanobind;
using namespace terrane;

namespace {

/// What a Python policy has of its node.
struct held_view {
  node_view* now = nullptr;  // null outside of a call

  node_view& get() const {
    if (!now)
      throw std::runtime_error(
          "a node can be asked only while one of the balancer's functions runs");
    return *now;
  }
};

node_id checked(const held_view& node, std::int64_t other) {
  if (other < 0 || other >= static_cast<std::int64_t>(node.get().nodes()))
    throw nb::index_error(("there is no node " + std::to_string(other)).c_str());
  return static_cast<node_id>(other);
}

/// A decision's words live as long as the program, as a string literal would.
const char* kept(const std::string& words) {
  static std::set<std::string> all;  // under Python's lock
  return all.insert(words).first->c_str();
}

}  // namespace

NB_MODULE(_terrane_node, m) {
  nb::set_leak_warnings(false);  // the program ends without an end of Python
  nb::class_<note>(m, "Note")
      .def_ro("kind", &note::kind)
      .def_ro("about", &note::about)
      .def_ro("value", &note::value);
  nb::class_<load_hint>(m, "Hint")
      .def_ro("load", &load_hint::load)
      .def_ro("origin", &load_hint::origin);
  nb::class_<held_view>(m, "Node")
      .def_prop_ro("me", [](const held_view& it) { return it.get().me(); })
      .def_prop_ro("nodes", [](const held_view& it) { return it.get().nodes(); })
      .def_prop_ro("left", [](const held_view& it) { return it.get().left(); })
      .def_prop_ro("right", [](const held_view& it) { return it.get().right(); })
      .def_prop_ro("load", [](const held_view& it) { return it.get().load(); })
      .def_prop_ro("now", [](const held_view& it) { return it.get().now(); })
      .def_prop_ro("waits_for_data", [](const held_view& it) { return it.get().waits_for_data(); })
      .def("random_other", [](const held_view& it) { return it.get().random_other(); })
      .def("known_load", [](const held_view& it,
                            std::int64_t other) { return it.get().known_load(checked(it, other)); })
      .def("look", [](const held_view& it,
                      std::int64_t other) { return it.get().look(checked(it, other)); })
      .def(
          "give_oldest",
          [](const held_view& it, std::int64_t to, int how_many) {
            return it.get().give_oldest(checked(it, to), how_many);
          },
          nb::arg("to"), nb::arg("how_many") = 1)
      .def("give_newest", [](const held_view& it,
                             std::int64_t to) { return it.get().give_newest(checked(it, to)); })
      .def("pass_oldest",
           [](const held_view& it, std::int64_t to, std::int64_t origin) {
             return it.get().pass_oldest(checked(it, to), checked(it, origin));
           })
      .def(
          "take_oldest",
          [](const held_view& it, std::int64_t from, int how_many) {
            return it.get().take_oldest(checked(it, from), how_many);
          },
          nb::arg("source"), nb::arg("how_many") = 1)
      .def(
          "tell",
          [](const held_view& it, std::int64_t to, std::uint32_t kind, node_id about,
             std::int64_t value) { it.get().tell(checked(it, to), {kind, about, value}); },
          nb::arg("to"), nb::arg("kind") = 0, nb::arg("about") = 0, nb::arg("value") = 0)
      .def("set_surplus", [](const held_view& it, int tokens) { it.get().set_surplus(tokens); })
      .def("set_enough", [](const held_view& it, int tokens) { it.get().set_enough(tokens); })
      .def("every", [](const held_view& it, std::uint64_t ns) { it.get().every(ns); })
      .def(
          "log",
          [](const held_view& it, const std::string& what, std::int64_t about, std::int64_t first,
             std::int64_t second) { it.get().log({kept(what), about, first, second}); },
          nb::arg("what"), nb::arg("about") = 0, nb::arg("first") = 0, nb::arg("second") = 0);
  m.attr("ENOUGH_ALL") = node_view::enough_all;
}

namespace {

/// Holds Python's lock while it lives, in the Python state that this thread keeps.
class with_python {
 public:
  with_python() {
    if (depth_++ > 0) return;
    if (!state_) state_ = PyThreadState_New(PyInterpreterState_Main());
    PyEval_RestoreThread(state_);
  }
  with_python(const with_python&) = delete;
  with_python& operator=(const with_python&) = delete;
  ~with_python() {
    if (--depth_ == 0) PyEval_SaveThread();
  }
  static void adopt(PyThreadState* state) { state_ = state; }

 private:
  static inline thread_local PyThreadState* state_ = nullptr;
  static inline thread_local int depth_ = 0;  // a policy's note may call another node's policy
};

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

void require(const PyStatus& status) {
  if (PyStatus_Exception(status))
    throw std::runtime_error(std::string("Python could not be started: ") +
                             (status.err_msg ? status.err_msg : "for no known reason"));
}

/// Starts Python as the program that called terrane.run has it; returns what makes a policy.
PyObject* start_python() {
  if (variable("TERRANE_PYTHON_BALANCER").empty())
    throw std::runtime_error("a balancer in Python is started by terrane.run, in Python");
  PyImport_AppendInittab("_terrane_node", PyInit__terrane_node);
  PyConfig config;
  PyConfig_InitPythonConfig(&config);
  config.install_signal_handlers = 0;
  config.parse_argv = 0;
  const std::string executable = variable("TERRANE_PYTHON_EXECUTABLE");
  if (!executable.empty())
    require(PyConfig_SetBytesString(&config, &config.executable, executable.c_str()));
  require(Py_InitializeFromConfig(&config));
  PyConfig_Clear(&config);
  PyObject* maker = nullptr;
  std::string fault;
  try {
    if (!PyImport_ImportModule("_terrane_node"))
      throw nb::python_error();  // before nanobind is used
    nb::list path = nb::module_::import_("sys").attr("path");
    path.insert(0, nb::str(variable("TERRANE_PYTHON_FOLDER").c_str()));
    maker = nb::module_::import_("terrane._embedded")
                .attr("load")(nb::str(variable("TERRANE_PYTHON_BALANCER").c_str()))
                .release()
                .ptr();
  } catch (const nb::python_error& wrong) { fault = wrong.what(); }
  with_python::adopt(PyEval_SaveThread());
  if (!maker) throw std::runtime_error(fault);
  return maker;
}

class python_balancer final : public balancer {
 public:
  python_balancer() {
    static PyObject* const maker = start_python();
    const with_python lock;
    guarded("__init__", [&] {
      policy_ = nb::borrow(maker)();
      view_ = nb::cast(held_view{});
      held_ = &nb::cast<held_view&>(view_);
      for (int i = 0; i < functions; ++i)
        if (nb::object its = nb::getattr(policy_, names[i], nb::none()); !its.is_none())
          its_[i] = its.release().ptr();
    });
  }
  // Objects of Python's live on: the program may end while no thread may take its lock.
  ~python_balancer() override {
    policy_.release();
    view_.release();
  }

  void on_start(node_view& node) override { call(node, start); }
  void on_idle(node_view& node) override { call(node, idle); }
  void on_surplus(node_view& node) override { call(node, surplus); }
  void on_tick(node_view& node) override { call(node, tick); }
  void on_note(node_view& node, node_id from, const note& what) override {
    call(node, told, from, what);
  }
  void on_token(node_view& node, node_id from, const load_hint& hint) override {
    call(node, token, from, hint);
  }

 private:
  enum function { start, idle, surplus, tick, told, token, functions };
  static constexpr const char* names[functions] = {"on_start", "on_idle", "on_surplus",
                                                   "on_tick",  "on_note", "on_token"};

  template <class... Given>
  void call(node_view& node, function which, const Given&... given) {
    if (!its_[which]) return;  // the class does not hear of it
    const with_python lock;
    node_view* const outer = held_->now;
    held_->now = &node;
    try {
      guarded(names[which], [&] {
        const nb::handle heard(its_[which]);
        heard(view_, given...);
      });
    } catch (...) {
      held_->now = outer;
      throw;
    }
    held_->now = outer;
  }

  /// Turns what Python raised into what names itself, without Python's objects.
  template <class Work>
  static void guarded(const char* where, Work&& work) {
    std::string fault;
    try {
      work();
    } catch (nb::python_error& wrong) {
      fault = nb::cast<std::string>(nb::module_::import_("terrane._embedded")
                                        .attr("sentence")(nb::handle(wrong.value()), where));
    }
    if (!fault.empty()) throw std::runtime_error(fault);
  }

  nb::object policy_, view_;
  held_view* held_ = nullptr;
  PyObject* its_[functions] = {};
};

}  // namespace

TERRANE_BALANCER(python_balancer, "one written in Python, which terrane.run chooses")
