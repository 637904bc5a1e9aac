# SPDX-License-Identifier: Apache-2.0
"""matrix.py: which benchmark programs there are, and how each is built.

Purpose     One row of LIBRARIES per library; `cells` crosses them with problems and compilers.
Invariants  Everything built lies under build/bench. A program is built again when its source, a
            shared header, the runtime's library or the command itself has changed.
Errors      `Skip` carries the reason why one cell cannot be built; the others go on.
"""

import dataclasses
import os
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
BENCH = ROOT / "bench"
BUILD = ROOT / "build" / "bench"
OPTIMISED = ["-O3", "-march=native", "-pthread"]

# heavy: for libraries whose tasks cost tens of ns, so that all take about a second.
# most: the largest n whose known answer the programs carry. task: what ns are of.
# folder: where the programs lie, if it is not the problem's name. terrane: the form of Terrane that
# stands for it in the table of who is ahead.
PROBLEMS = {
    "fib": {"full": 38, "full_heavy": 32, "quick": 34, "quick_heavy": 28, "most": 50,
            "task": "call"},
    "queens": {"full": 13, "full_heavy": 13, "quick": 12, "quick_heavy": 12, "most": 16,
               "task": "placement"},
    "uts_t1": {"full": 1, "quick": 1, "most": 3, "task": "node", "folder": "uts"},
    "uts_t3": {"full": 3, "quick": 3, "most": 3, "task": "node", "folder": "uts"},
    "skynet": {"full": 7, "full_heavy": 6, "quick": 6, "quick_heavy": 5, "most": 9,
               "task": "node"},
    "mergesort": {"full": 22, "quick": 20, "most": 27, "task": "number"},
    "matmul": {"full": 1024, "quick": 512, "most": 8192, "task": "1000 products"},
    "wavefront": {"full": 2000, "quick": 500, "most": 20000, "task": "cell",
                  "terrane": "terrane"},
    "queue": {"full": 1000, "full_heavy": 200, "quick": 100, "quick_heavy": 50, "most": 1000000,
              "task": "item"},
}
TASKS = ("fib", "queens")  # what is measured if nothing else is asked for


class Skip(Exception):
    """This cell cannot be built here; the message is the reason, one clause."""


@dataclasses.dataclass(frozen=True)
class Library:
    name: str
    suffix: str = ".cpp"
    standard: str = "c++20"
    flags: tuple = ()  # after the source
    heavy: bool = False
    needs: str = ""  # said when the compiler fails
    checkout: str = ""  # the environment variable that names the peer's checkout
    proof: str = ""  # a file which that checkout must have
    include: str = "."  # the include folder inside the checkout
    sources: tuple = ()  # more sources, inside the checkout
    runtime: bool = False  # links Terrane


LIBRARIES = [
    Library("sequential"),
    Library("terrane", runtime=True),
    Library("terrane_futures", runtime=True),
    Library("terrane_c", suffix=".c", standard="gnu11", runtime=True),
    Library("go", suffix=".go", heavy=True),
    Library("lace", suffix=".c", standard="gnu11", checkout="LACE_DIR", proof="src/lace.h",
            include="src", sources=("src/lace.c",), flags=("-lm",)),
    Library("rayon", suffix=".rs", needs="cargo, and the crates of bench/rayon/Cargo.lock"),
    Library("libfork", standard="c++23", flags=("-w",), checkout="LIBFORK_DIR",
            proof="include/libfork.hpp", include="include"),
    Library("openmp", flags=("-fopenmp",), heavy=True,
            needs="the package libomp-19-dev for clang++-19"),
    Library("taskflow", flags=("-w",), heavy=True, checkout="TASKFLOW_DIR",
            proof="taskflow/taskflow.hpp"),
    Library("onetbb", flags=("-ltbb",), heavy=True, needs="the package libtbb-dev"),
]


@dataclasses.dataclass
class Cell:
    problem: str
    library: Library
    compiler: str
    program: pathlib.Path = None  # set by `build`
    skipped: str = ""  # or the reason

    def arguments(self, workers, n):
        if self.library.runtime:
            return ["--nodes", "1", "--processors", str(workers), "--pinning", "on", str(n)]
        return [str(workers), str(n)]

    def size(self, quick):
        sizes, key = PROBLEMS[self.problem], "quick" if quick else "full"
        return sizes.get(key + "_heavy" * self.library.heavy, sizes[key])

    def name(self):
        return f"{self.problem}/{self.library.name} {self.compiler}"


def cells(problems, libraries, compilers):
    """Every program asked for, built or not. Not every library has a program for every problem."""
    for problem in problems:
        for library in libraries:
            if not source_of(problem, library).exists():
                continue
            own = {"rayon": ["rustc"], "go": ["go"]}
            for compiler in own.get(library.name, compilers):
                yield Cell(problem, library, compiler)


def folder_of(problem):
    return PROBLEMS[problem].get("folder", problem)


def source_of(problem, library):
    """A library's own program for the problem, else the one for all libraries that fork."""
    folder = BENCH / folder_of(problem)
    own = folder / (library.name + library.suffix)
    return folder / "forked.cpp" if not own.exists() and forks_of(library).exists() else own


def forks_of(library):
    return BENCH / "forks" / (library.name + ".hpp")


def build(cell):
    """Builds what is missing; sets `program`, or `skipped` to the reason."""
    try:
        build_with = {"rayon": build_rayon, "go": build_go}.get(cell.library.name, compile_cell)
        cell.program = build_with(cell)
    except Skip as reason:
        cell.skipped = str(reason)


def build_hop(compiler):
    return compile_program(
        BUILD / "hop", BENCH / "hop.cpp",
        [compiler, "-std=c++20", *OPTIMISED, f"-I{ROOT}"], [], [BENCH / "hop.cpp"])


def compile_cell(cell):
    library, source = cell.library, source_of(cell.problem, cell.library)
    compiler = c_compiler(cell.compiler) if library.suffix == ".c" else cell.compiler
    command = [compiler, f"-std={library.standard}", *OPTIMISED, "-Wall", "-Wextra", f"-I{ROOT}"]
    if library.suffix == ".c":
        command.append("-D_GNU_SOURCE")
    after = list(library.flags)
    newer_than = [source, *BENCH.glob("*.h*"), *BENCH.glob("forks/*"), *source.parent.glob("*.h*")]
    if source.name == "forked.cpp":
        command += ["-include", str(forks_of(library))]
    if library.checkout:
        checkout = checkout_of(library)
        command.append(f"-I{checkout / library.include}")
        after = [str(checkout / extra) for extra in library.sources] + after
    if library.name == "lace":
        command.append(f"-I{lace_config(checkout)}")
    if library.runtime:
        archive = runtime_archive()
        newer_than += [archive, *(ROOT / "terrane").glob("**/*.h*")]
        after += [str(archive), "-ldl"]
        if library.suffix == ".c":
            after += ["-lstdc++", "-lm"]
    program = BUILD / f"{folder_of(cell.problem)}_{library.name}_{cell.compiler}"
    return compile_program(program, source, command, after, newer_than, library.needs)


def c_compiler(compiler):
    return compiler.replace("clang++", "clang").replace("g++", "gcc")


def checkout_of(library):
    folder = os.environ.get(library.checkout, "")
    if not folder:
        raise Skip(f"{library.checkout} does not name a checkout (see bench/README.md)")
    if not (pathlib.Path(folder) / library.proof).exists():
        raise Skip(f"{library.checkout} names a folder without {library.proof}")
    return pathlib.Path(folder).resolve()


def lace_config(checkout):
    """Lace's lace_config.h with every measurement switched off; returns the folder it lies in."""
    folder = BUILD / "lace"
    folder.mkdir(parents=True, exist_ok=True)
    template = (checkout / "src" / "lace_config.h.in").read_text()
    names = [line.split()[1] for line in template.splitlines() if line.startswith("#cmakedefine01")]
    (folder / "lace_config.h").write_text("".join(f"#define {name} 0\n" for name in names))
    return folder


def runtime_archive():
    archive = ROOT / "build" / "release" / "lib" / "libterrane.a"
    if not archive.exists():
        raise Skip("build/release/lib holds no libterrane.a: run ./dev build first")
    return archive


def compile_program(program, source, command, after, newer_than, needs=""):
    if not shutil.which(command[0]):
        raise Skip(f"{command[0]} is not installed")
    command = [*command, str(source), *after, "-o", str(program)]
    stamp = program.with_name(program.name + ".command")
    if is_fresh(program, stamp, command, newer_than):
        return program
    program.parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Skip(why_failed(done.stderr, needs))
    stamp.write_text("\n".join(command))
    return program


def is_fresh(program, stamp, command, newer_than):
    if not program.exists() or not stamp.exists() or stamp.read_text() != "\n".join(command):
        return False
    built = program.stat().st_mtime
    return all(path.stat().st_mtime < built for path in newer_than)


def build_rayon(cell):
    if not shutil.which("cargo"):
        raise Skip("cargo is not installed")
    version = subprocess.run(["rustc", "--version"], capture_output=True, text=True).stdout.split()
    environment = dict(os.environ, RUSTFLAGS="-C target-cpu=native", CARGO_TERM_COLOR="never",
                       BENCH_COMPILER="-".join(version[:2]) or "rustc")
    target, name = BUILD / "rayon", folder_of(cell.problem)
    command = ["cargo", "build", "--release", "--locked", "--bin", name,
               "--manifest-path", str(BENCH / "rayon" / "Cargo.toml"), "--target-dir", str(target)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        raise Skip(why_failed(done.stderr, cell.library.needs))
    return target / "release" / name


def build_go(cell):
    if not shutil.which("go"):
        raise Skip("go is not installed")
    program = BUILD / f"{cell.problem}_go"
    source = source_of(cell.problem, cell.library).relative_to(BENCH)
    done = subprocess.run(["go", "build", "-o", str(program), str(source)], cwd=BENCH,
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise Skip(why_failed(done.stderr, "Go 1.22 or newer"))
    return program


def why_failed(stderr, needs):
    lines = [line.strip() for line in stderr.splitlines()]
    errors = [line for line in lines if "error" in line] or lines or ["the compiler failed"]
    said = errors[0].replace(f"{ROOT}/", "")
    return f"{said} (it needs {needs})" if needs else said
