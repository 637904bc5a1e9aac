#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that arrows between the parts of the tree point down only.

base <- terrane.h <- core <- {cpp, node_data, threaded_c} <-
{transport, balance, monitor, thread <- talk} <- machine <-
terrane.hpp <- {programs, examples, studies, bench, tests, tools}; transport <- parts

Two rules read off `#include` lines:
  layers  a part includes itself and the parts ALLOWED names for it, nothing else;
  system  a layer of the runtime includes of the outside what LIBRARY and SYSTEM list for it;
and two read off the text of the runtime:
  atomics     compilers' own are used in ATOMICS alone;
  namespaces  those with a name are listed in NAMESPACES.
A unit test beside the code (`*_test.cpp`, `*_test.c` and their headers) belongs to `tests`: it may
stand a machine around the concept it tests, and nothing that ships may include it.
"""

import argparse
import fnmatch
import re
import sys
import tempfile
from pathlib import Path, PurePosixPath

from source_files import source_files

LAYERS = ("base", "trace", "core", "cpp", "node_data", "threaded_c", "transport", "balance",
          "monitor", "thread", "talk", "machine")
# The entries of the C ABI, for users and for what `terrane cc` emits; the rest is in terrane/c/.
C_ABI = ("terrane/terrane.h", "terrane/threaded_c.h")
BELOW_MACHINE = ("terrane.h", *LAYERS[:-1])
RUNTIME = (*BELOW_MACHINE, "machine", "terrane.hpp")
USERS = ("parts", "compiler", "dashboard", "programs", "examples", "studies", "bench", "tools",
         "tests")

# part -> what it may include besides itself
ALLOWED = {
    "base": (),
    "terrane.h": ("terrane.h",),
    "core": ("base", "terrane.h"),
    "cpp": ("base", "terrane.h", "core"),
    "node_data": ("base", "terrane.h", "core"),
    "threaded_c": ("base", "terrane.h", "core"),
    "transport": ("base", "terrane.h", "core", "node_data"),
    "balance": ("base", "terrane.h", "core"),
    "trace": ("base",),
    "monitor": ("base", "terrane.h", "core", "trace"),
    "thread": ("base", "terrane.h", "core", "cpp"),
    "talk": ("base", "terrane.h", "core", "cpp", "thread"),
    "machine": BELOW_MACHINE,
    "terrane.hpp": RUNTIME,
    "parts": ("transport",),  # the tables by which the runtime asks them
    "compiler": ("base",),
    "programs": RUNTIME,
    "examples": RUNTIME,
    "studies": (*RUNTIME, "programs"),
    "bench": (*RUNTIME, "programs"),
    "dashboard": ("base", "trace"),
    "tools": (*RUNTIME, "dashboard"),
    "tests": (*RUNTIME, "compiler", "dashboard", "programs", "tools"),
}

LIBC = set("limits.h stdalign.h stdarg.h stdbool.h stddef.h stdint.h string.h".split())

# What any layer may include: it reaches nothing outside the program.
LIBRARY = set("""
    algorithm array bit cassert cctype cerrno cfloat charconv cinttypes climits cmath compare
    complex concepts cstdarg cstddef cstdint cstdlib cstring deque exception functional
    initializer_list iterator limits list map memory memory_resource new numeric optional queue
    ranges set source_location span stack stdexcept string string_view system_error tuple
    type_traits typeinfo unordered_map unordered_set utility variant vector version
    """.split())

# layer -> what else it may include. A layer that is not here asks its processor for time, waiting
# and chance, and whoever is below it for the rest.
SYSTEM = {
    "base": set("""
        atomic chrono condition_variable cstdio dlfcn.h link.h linux/futex.h malloc.h mutex
        openssl/crypto.h openssl/err.h openssl/evp.h openssl/hmac.h openssl/ssl.h
        pthread.h sanitizer/asan_interface.h sanitizer/common_interface_defs.h
        sanitizer/tsan_interface.h sched.h signal.h sys/epoll.h sys/mman.h sys/syscall.h thread
        time.h ucontext.h unistd.h valgrind/memcheck.h
        """.split()),
    "trace": {"cstdio", "fmt/format.h", "nlohmann/json.hpp"},
    "balance": {"fmt/format.h", "fmt/ranges.h"},  # the lines of a log
    "core": {"mutex"},  # std::lock_guard over base/spin_lock.hpp
    "cpp": {"mutex"},  # the registry of fibers, which any thread may meet
    "thread": set("""
        coroutine cstdio cxxabi.h fcntl.h mutex netdb.h netinet/in.h netinet/tcp.h poll.h
        sanitizer/asan_interface.h stop_token sys/mman.h sys/socket.h sys/types.h unistd.h
        """.split()),  # snprintf; exceptions being handled; what lies on stacks; their slabs;
    # the standard's words for what users write: lock_guard, stop_token, coroutines; the system's
    # calls on files and sockets, which terrane::io gives to threads
    "talk": {"cstdio"},  # snprintf
    "monitor": {"cstdio", "fmt/format.h", "nlohmann/json.hpp"},
    "transport": set("""
        chrono condition_variable cstdio fcntl.h fmt/format.h fstream linux/futex.h mutex netdb.h
        netinet/in.h netinet/tcp.h poll.h pthread.h sanitizer/tsan_interface.h sched.h signal.h
        sstream stddef.h stdint.h sys/epoll.h
        sys/eventfd.h sys/mman.h sys/prctl.h sys/random.h sys/socket.h
        sys/stat.h sys/syscall.h sys/types.h sys/uio.h thread time.h unistd.h
        """.split()),
    # Of the application: its MPI, whose communicators it gives, and its std::execution.
    "terrane.hpp": {"mpi.h", "stdexec/execution.hpp"},
    "machine": set("""
        arpa/inet.h chrono condition_variable csignal cstdio ctime dirent.h dlfcn.h elf.h fcntl.h
        fmt/format.h fstream future hwloc.h ifaddrs.h locale malloc.h mutex net/if.h netdb.h
        netinet/in.h nlohmann/json.hpp poll.h pthread.h sched.h signal.h sstream sys/personality.h
        sys/prctl.h sys/resource.h sys/socket.h sys/stat.h sys/time.h sys/types.h sys/uio.h
        sys/un.h sys/utsname.h sys/wait.h thread unistd.h
        """.split()),
}

# The headers through which everything else uses atomics, so that a model checker can stand in.
ATOMICS = ("terrane/base/atomic.hpp", "terrane/c/atomic.h")
RAW_ATOMIC = re.compile(r"\b__(?:atomic|sync)_\w+|\bstd::atomic\w*")

NAMESPACES = ("terrane", "this_thread", "detail", "terrane::detail", "terrane::balance",
              "terrane::io", "terrane::openmetrics")
NAMESPACE = re.compile(r"^(?:inline )?namespace ([\w:]+)\s*\{", re.MULTILINE)

NOT_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"'
                      r'|"(?:\\.|[^"\\\n])*"', re.DOTALL)
INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*(.*?)[ \t]*$", re.MULTILINE)
NAMED = re.compile(r'^(?:<(?P<angle>[^>]+)>|"(?P<quote>[^"]+)")')


def part_of(path: str) -> str | None:
    """The part a path from the repository root belongs to; None outside the project."""
    steps = PurePosixPath(path).parts
    if steps[0] != "terrane":
        return steps[0] if steps[0] in USERS and len(steps) > 1 else None
    if fnmatch.fnmatch(steps[-1], "*_test.[hc]*"):
        return "tests"
    if steps[1] == "c":
        return "terrane.h"
    if len(steps) > 2:
        return steps[1] if steps[1] in LAYERS else None
    return "terrane.h" if path in C_ABI else "terrane.hpp"


def without_comments(text: str) -> str:
    """`text` with comments and raw strings blanked, line breaks and plain strings kept."""
    def blank(match: re.Match) -> str:
        if match[0].startswith('"'):
            return match[0]
        return re.sub(r"[^\n]", " ", match[0])
    return NOT_CODE.sub(blank, text)


def system_sentence(path: str, part: str, header: str) -> str | None:
    """What is wrong with a file of the runtime including a header that is not the project's."""
    if not path.startswith("terrane/") or part == "tests" or header in LIBRARY:
        return None
    if header in SYSTEM.get(part, ()):
        return None
    return (f"<{header}> is not on the list of {part}: ask the processor or a lower layer for what "
            "it offers, or argue for a line in SYSTEM of tools/check_layers.py")


def include_sentence(root: Path, path: str, target: str, quoted: bool) -> str | None:
    """What is wrong with `path` including `target`, or None."""
    part = part_of(path)
    target_part = part_of(target)
    if target_part is not None:
        if target_part != part and target_part not in ALLOWED[part]:
            allowed = ", ".join((*ALLOWED[part], part))
            return f"{part} may not include {target}: {part} includes only {allowed}"
        return None
    if target.startswith("terrane/"):
        return f"{target} lies in no layer: the layers are {', '.join(LAYERS)}"
    if quoted:
        beside = (root / path).parent / target
        if beside.exists() and part in RUNTIME:
            return f'"{target}" is not written from the repository root'
        if ".." in PurePosixPath(target).parts:
            return f'"{target}" climbs out of its folder: write it from the repository root'
        return None
    if part == "terrane.h":
        return None if target in LIBC else f"the C ABI includes {', '.join(sorted(LIBC))} alone"
    return system_sentence(path, part, target)


def foreign_namespaces(path: str, text: str) -> list[str]:
    return [f"{path}:{1 + text[:match.start()].count(chr(10))}: namespace {match[1]} is none of "
            f"{', '.join(NAMESPACES)}" for match in NAMESPACE.finditer(text)
            if match[1] not in NAMESPACES]


def raw_atomics(path: str, text: str) -> list[str]:
    return [f"{path}:{1 + text[:match.start()].count(chr(10))}: {match[0]} stands outside "
            f"{' and '.join(ATOMICS)}: use what they offer" for match in RAW_ATOMIC.finditer(text)]


def check(root: Path) -> list[str]:
    """Every violation under `root`, as `file:line: sentence`."""
    found = []
    for path in source_files(root, ["terrane", *USERS], (".hpp", ".cpp", ".h", ".c", ".S")):
        if part_of(path) is None:
            found.append(f"{path}:1: lies in no layer: the layers are {', '.join(LAYERS)}")
            continue
        text = without_comments((root / path).read_text(errors="replace"))
        for match in INCLUDE.finditer(text):
            line = text.count("\n", 0, match.start(1)) + 1
            named = NAMED.match(match[1])
            if named is None:
                sentence = f"#include {match[1]} hides what is included: name the file"
            else:
                target = named["angle"] or named["quote"]
                sentence = include_sentence(root, path, target, named["quote"] is not None)
            if sentence:
                found.append(f"{path}:{line}: {sentence}")
        if path.startswith("terrane/") and part_of(path) != "tests":
            found += [] if path in ATOMICS else raw_atomics(path, text)
            found += foreign_namespaces(path, text)
    return found


# name -> (files, the `file:line` of each violation in order)
SELF_TEST = {
    "a tree whose arrows point down passes": ({
        "terrane/base/check.hpp": "#include <thread>\n#include <sys/mman.h>\n",
        "terrane/terrane.h": "#include <stdint.h>\n",
        "terrane/cpp/slot.hpp": '#include "terrane/base/check.hpp"\n'
                                 '#include "terrane/terrane.h"\n',
        "terrane/talk/rope.hpp": '#include "terrane/thread/stack.hpp"\n',
        "terrane/thread/stack.hpp": "#include <sys/mman.h>\n",
        "terrane/monitor/report.cpp": "#include <cstdio>\n#include <fmt/format.h>\n",
        "terrane/core/failure.cpp": "#include <cstdarg>\n#include <mutex>\n",
        "terrane/machine/run.cpp": '#include "terrane/talk/rope.hpp"\n#include <chrono>\n',
        "terrane/terrane.hpp": '#include "terrane/machine/run.hpp"\n',
        "programs/fib/fib.cpp": '#include <iostream>\n#include "terrane/terrane.hpp"\n'
                                '#include "sequential.hpp"\n',
        "tests/scenario/fib_test.cpp": '#include "programs/fib/sequential.hpp"\n',
    }, []),
    "base includes nothing above it": (
        {"terrane/base/a.hpp": '\n#include "terrane/cpp/slot.hpp"\n'}, ["terrane/base/a.hpp:2"]),
    "base does not know the C ABI": (
        {"terrane/base/a.hpp": '#include "terrane/terrane.h"\n'}, ["terrane/base/a.hpp:1"]),
    "the C ABI includes libc alone": (
        {"terrane/terrane.h": '#include "terrane/base/a.hpp"\n#include <vector>\n'
                              "#include <unistd.h>\n"},
        ["terrane/terrane.h:1", "terrane/terrane.h:2", "terrane/terrane.h:3"]),
    "core does not know a transport": (
        {"terrane/core/a.cpp": '#include "terrane/transport/sim.hpp"\n'}, ["terrane/core/a.cpp:1"]),
    "transport, balance and monitor do not know one another": ({
        "terrane/balance/a.cpp": '#include "terrane/transport/sim.hpp"\n',
        "terrane/monitor/a.cpp": '#include "terrane/balance/dual.hpp"\n',
        "terrane/transport/a.cpp": '#include "terrane/monitor/trace.hpp"\n',
    }, ["terrane/balance/a.cpp:1", "terrane/monitor/a.cpp:1", "terrane/transport/a.cpp:1"]),
    "thread does not know talk": (
        {"terrane/thread/a.hpp": '#include "terrane/talk/rope.hpp"\n'}, ["terrane/thread/a.hpp:1"]),
    "nothing below the façade includes it": ({
        "terrane/machine/run.cpp": '#include "terrane/terrane.hpp"\n',
        "terrane/talk/a.cpp": '#include "terrane/terrane.hpp"\n',
    }, ["terrane/machine/run.cpp:1", "terrane/talk/a.cpp:1"]),
    "the runtime does not know its users": (
        {"terrane/machine/a.cpp": '#include "programs/fib/fib.hpp"\n#include "tools/x/y.hpp"\n'},
        ["terrane/machine/a.cpp:1", "terrane/machine/a.cpp:2"]),
    "a program does not know a tool": (
        {"programs/fib/fib.cpp": '#include "tools/terrane/run.hpp"\n'}, ["programs/fib/fib.cpp:1"]),
    "nothing that ships includes a test": (
        {"terrane/core/a.cpp": '#include "terrane/core/fake_test.hpp"\n'},
        ["terrane/core/a.cpp:1"]),
    "a unit test may stand a machine around its concept": (
        {"terrane/core/a_test.cpp": '#include <thread>\n#include "terrane/machine/run.hpp"\n'}, []),
    "a layer includes what is listed for it, and nothing else of the system": ({
        "terrane/balance/a.cpp": "#include <random>\n",
        "terrane/core/a.cpp": "#include <vector>\n#include <chrono>\n#include <sys/mman.h>\n"
                              "#include <pthread.h>\n",
        "terrane/monitor/a.cpp": "#include <thread>\n",
        "terrane/terrane.hpp": "#include <ctime>\n",
    }, ["terrane/balance/a.cpp:1", "terrane/core/a.cpp:2", "terrane/core/a.cpp:3",
        "terrane/core/a.cpp:4", "terrane/monitor/a.cpp:1", "terrane/terrane.hpp:1"]),
    "a header that nobody thought of is refused too": ({
        "terrane/core/a.cpp": "".join(f"#include <{header}>\n" for header in (
            "sched.h", "signal.h", "dlfcn.h", "linux/futex.h", "condition_variable",
            "shared_mutex", "future", "stdio.h", "cstdio", "csignal", "atomic", "made/up.h")),
    }, [f"terrane/core/a.cpp:{line}" for line in range(1, 13)]),
    "atomics come from base/atomic.hpp alone": ({
        "terrane/base/atomic.hpp": "#include <atomic>\n",
        "terrane/transport/a.cpp": "#include <atomic>\n",
        "terrane/machine/a.cpp": "#include <atomic>\n",
    }, ["terrane/machine/a.cpp:1", "terrane/transport/a.cpp:1"]),
    "a namespace of another name is found": ({
        "terrane/core/a.hpp": "namespace terrane {\nnamespace detail {\n}\n}\n",
        "terrane/core/b.hpp": "namespace terrane::core {\n}\nnamespace {\n}\nnamespace fs = x;\n",
        "terrane/core/b_test.cpp": "namespace mine {\n}\n",
        "terrane/talk/a.cpp": "using namespace std;\n\nnamespace talk {\n}\n",
    }, ["terrane/core/b.hpp:1", "terrane/talk/a.cpp:3"]),
    "nor do compilers' own atomics go by them": ({
        "terrane/base/atomic.hpp": "using std::atomic;\n",
        "terrane/c/atomic.h": "#define LOAD(x) __atomic_load_n(x, 0)\n",
        "terrane/core/a.cpp": "int f() {\n  return __atomic_load_n(&x, 0);\n}\n",
        "terrane/core/a_test.cpp": "std::atomic<int> x;\n",
        "terrane/core/b.hpp": "// __sync_synchronize\nstd::atomic<int> x;\n",
        "terrane/terrane.h": "int f() { __sync_synchronize(); }\n",
    }, ["terrane/core/a.cpp:2", "terrane/core/b.hpp:2", "terrane/terrane.h:1"]),
    "an open layer has its list, too": ({
        "terrane/machine/a.cpp": "#include <sys/mman.h>\n",
        "terrane/transport/a.cpp": "#include <dlfcn.h>\n#include <sched.h>\n",
    }, ["terrane/machine/a.cpp:1", "terrane/transport/a.cpp:1"]),
    "a file prints, opens and maps only where its layer may": ({
        "terrane/core/failure.cpp": "#include <cstdio>\n#include <fstream>\n",
        "terrane/core/node.cpp": "#include <cstdio>\n",
        "terrane/talk/a.cpp": "#include <sys/mman.h>\n",
        "terrane/thread/a.cpp": "#include <sys/epoll.h>\n",
    }, ["terrane/core/failure.cpp:1", "terrane/core/failure.cpp:2", "terrane/core/node.cpp:1",
        "terrane/talk/a.cpp:1", "terrane/thread/a.cpp:1"]),
    "angle brackets and blanks do not hide an include": (
        {"terrane/base/a.hpp": "  #  include <terrane/cpp/slot.hpp>\n"}, ["terrane/base/a.hpp:1"]),
    "a macro may not stand for a file": (
        {"terrane/base/a.hpp": "#include HEADER\n"}, ["terrane/base/a.hpp:1"]),
    "an include is written from the root": (
        {"terrane/core/a.cpp": '#include "a.hpp"\n#include "../base/b.hpp"\n',
         "terrane/core/a.hpp": "", "terrane/base/b.hpp": ""},
        ["terrane/core/a.cpp:1", "terrane/core/a.cpp:2"]),
    "the folder of the C headers belongs to the C ABI": ({
        "terrane/c/objects.h": '#include "terrane/terrane.h"\n#include <vector>\n',
        "terrane/terrane.h": '#include "terrane/c/objects.h"\n',
        "terrane/core/a.hpp": '#include "terrane/c/objects.h"\n',
        "terrane/base/a.hpp": '#include "terrane/c/objects.h"\n',
    }, ["terrane/base/a.hpp:1", "terrane/c/objects.h:2"]),
    "a folder that is no layer is named": (
        {"terrane/utils/a.hpp": ""}, ["terrane/utils/a.hpp:1"]),
    "comments and raw strings include nothing, and lines still count": (
        {"terrane/base/a.hpp": '// #include "terrane/core/a.hpp"\n'
                               '/*\n#include "terrane/core/b.hpp"\n*/\n'
                               'auto text = R"(\n#include "terrane/core/c.hpp"\n)";\n'
                               '#include "terrane/core/d.hpp"  // here\n'},
        ["terrane/base/a.hpp:8"]),
}


def self_test() -> int:
    failures = 0
    for name, (files, expected) in SELF_TEST.items():
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for path, text in files.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
            found = check(root)
        if [line.split(": ", 1)[0] for line in found] != expected:
            failures += 1
            print(f"FAILED: {name}\n  expected {expected}\n  found    {found}")
    print(f"{len(SELF_TEST) - failures} of {len(SELF_TEST)} cases hold")
    return 1 if failures else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", nargs="?", type=Path, help="default: the tree this script lies in",
                        default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--self-test", action="store_true",
                        help="prove on small made-up trees that each violation is found")
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    found = check(options.root.resolve())
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
