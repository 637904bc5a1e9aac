# SPDX-License-Identifier: Apache-2.0
"""libraries.py: who is measured sending messages, how each is built, and how it is started.

Invariants  `figures` names what a library can measure; every program takes <figure> <bytes>
            <messages> and prints the line of figure.h, but for ucx_perftest and iperf3, which
            are their own: `ask_ucx` and `ask_iperf` start their two processes and make the line of
            what they print.
Pitfall     mpiexec may bind a process to a processor of its choice, and so narrow what is allowed:
            Open MPI's is told not to.
"""

import dataclasses
import json
import os
import pathlib
import shutil
import socket
import subprocess
import time

import matrix
from rounds import Failure, answer_of

HERE = pathlib.Path(__file__).resolve().parent
ALL = ("one_way", "parked", "bandwidth", "rate")
OF_MPI = ("one_way", "bandwidth", "rate")  # it never parks
UCX_TESTS = {"one_way": "ucp_am_lat", "bandwidth": "ucp_am_bw", "rate": "ucp_am_bw"}
UCX_START_SECONDS = 10


@dataclasses.dataclass(frozen=True)
class Library:
    name: str
    figures: tuple = ALL
    peer: bool = False
    runtime: bool = False  # links Terrane
    compiler: str = "g++"
    launcher: tuple = ()  # before the program
    options: tuple = ()  # of Terrane
    perftest: str = ""  # a program that is already there, and not of these sources
    package: str = ""  # said when it is missing
    source: str = ""  # whose program it is, if not its own
    wire: str = "memory"  # or tcp: what the two processes talk through
    world: str = ""  # of Terrane; empty: that of the wire

    def program_name(self):
        return self.source or self.name


OPENMPI = ("mpiexec.openmpi", *(("--allow-run-as-root",) if os.geteuid() == 0 else ()),
           "--bind-to", "none", "-n", "2")
LIBRARIES = [
    Library("ring", figures=OF_MPI),
    Library("terrane_message", figures=("one_way", "rate"), runtime=True),
    Library("terrane_put", figures=("one_way", "rate"), runtime=True),
    Library("terrane_move", figures=("bandwidth",), runtime=True),
    Library("openmpi", figures=OF_MPI, peer=True, compiler="mpicc.openmpi", launcher=OPENMPI,
            package="libopenmpi-dev and openmpi-bin"),
    Library("mpich", figures=OF_MPI, peer=True, compiler="mpicc.mpich",
            launcher=("mpiexec.mpich", "-n", "2"), package="libmpich-dev and mpich"),
    *(Library(f"terrane_{what}_{mpi}", source=f"terrane_{what}", figures=figures, runtime=True,
              launcher=launcher, package=package)
      for mpi, launcher, package in (("openmpi", OPENMPI, "openmpi-bin and libopenmpi-dev"),
                                     ("mpich", ("mpiexec.mpich", "-n", "2"),
                                      "mpich and libmpich-dev"))
      for what, figures in (("message", ("one_way", "rate")), ("move", ("bandwidth",)))),
    Library("ucx", figures=OF_MPI, peer=True, perftest="ucx_perftest", package="ucx-utils"),
    *(Library(f"terrane_{what}_ucx", source=f"terrane_{what}", figures=figures, runtime=True,
              world="tcp", options=("--wire", "ucx"), package="libucx-dev")
      for what, figures in (("message", ("one_way", "rate")), ("move", ("bandwidth",)))),
    Library("tcp", wire="tcp"),
    Library("terrane_message_tcp", source="terrane_message", figures=("one_way", "parked", "rate"),
            runtime=True, wire="tcp"),
    Library("terrane_message_tls", source="terrane_message", figures=("one_way", "rate"),
            runtime=True, options=("--tls",), wire="tcp"),
    Library("terrane_move_tcp", source="terrane_move", figures=("bandwidth",), runtime=True,
            wire="tcp"),
    Library("iperf3", figures=("bandwidth",), peer=True, perftest="iperf3", package="iperf3",
            wire="tcp"),
    Library("openmpi_tcp", source="openmpi", figures=OF_MPI, peer=True, compiler="mpicc.openmpi",
            launcher=(*OPENMPI[:-2], "--mca", "pml", "ob1", "--mca", "btl", "self,tcp",
                      "--mca", "btl_tcp_if_include", "lo", *OPENMPI[-2:]),
            package="libopenmpi-dev and openmpi-bin", wire="tcp"),
    Library("mpich_tcp", source="mpich", figures=OF_MPI, peer=True, compiler="mpicc.mpich",
            launcher=("mpiexec.mpich", "-env", "MPIR_CVAR_NOLOCAL", "1", "-env", "UCX_TLS",
                      "tcp,self", "-env", "UCX_NET_DEVICES", "lo", "-n", "2"),
            package="libmpich-dev and mpich", wire="tcp"),
]


@dataclasses.dataclass
class Entrant:
    """A library that takes part, or the reason why it does not."""
    library: Library
    program: str = ""
    skipped: str = ""

    def name(self):
        return self.library.name

    def command(self, figure, messages):
        words = [figure.name, str(figure.bytes), str(messages)]
        if self.library.runtime and self.library.launcher:  # world mpi
            return [*self.library.launcher, self.program, "--processors", "1", "--pinning", "on",
                    *words]
        if self.library.runtime:
            world = self.library.world or ("tcp" if self.library.wire == "tcp" else "shm")
            return [self.program, "--world", world, "--nodes", "2", "--processors", "1",
                    "--pinning", "on", *self.library.options, *words]
        return [*self.library.launcher, self.program, *words]

    def ask(self, figure, messages):
        """The lines that one measurement printed."""
        shown = f"messages/{self.name()}, {figure.shown()}"
        if self.library.perftest:
            ask = ask_ucx if self.library.perftest == "ucx_perftest" else ask_iperf
            return ask(self.program, figure, messages, shown)
        return answer_of(self.command(figure, messages), shown)


def prepare(library):
    """Builds what is missing."""
    entrant = Entrant(library)
    try:
        entrant.program = str(build(library))
    except matrix.Skip as reason:
        entrant.skipped = str(reason)
    return entrant


def build(library):
    for command in (library.perftest or library.compiler, *library.launcher[:1]):
        if not shutil.which(command):
            raise matrix.Skip(f"{command} is not installed (packages {library.package})")
    if library.perftest:
        return shutil.which(library.perftest)
    is_c = library.compiler.startswith("mpicc")
    source = HERE / ("mpi.c" if is_c else f"{library.program_name()}.cpp")
    command = [library.compiler, "-std=gnu11" if is_c else "-std=c++20", *matrix.OPTIMISED,
               "-D_GNU_SOURCE", "-Wall", "-Wextra", f"-I{matrix.ROOT}"]
    newer_than = [source, *HERE.glob("*.h*"), *matrix.BENCH.glob("*.h*")]
    after = []
    if library.runtime:
        archive = matrix.runtime_archive()
        newer_than += [archive, *(matrix.ROOT / "terrane").glob("**/*.h*")]
        after = [str(archive), "-ldl"]
    program = matrix.BUILD / f"messages_{library.program_name()}"
    return matrix.compile_program(program, source, command, after, newer_than, library.package)


def ask_ucx(program, figure, messages, shown):
    """One process waits for the other on a port of this host; they agree on shared memory."""
    port = free_port()
    processors = sorted(os.sched_getaffinity(0))[:2]
    common = [program, "-p", port]
    server = subprocess.Popen([*common, "-c", str(processors[-1])], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)
    try:
        await_listener(int(port), server, shown)
        lines = answer_of([*common, "-c", str(processors[0]), "-t", UCX_TESTS[figure.name],
                           "-s", str(figure.bytes), "-n", str(messages), "-w", "200", "-f", "-v",
                           "127.0.0.1"], shown)
    finally:
        server.kill()
        server.wait()
    return [ucx_line(lines, figure, messages, shown)]


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return str(free.getsockname()[1])


def ask_iperf(program, figure, messages, shown):
    """One stream over loopback, each write of the message's size."""
    port = free_port()
    processors = sorted(os.sched_getaffinity(0))[:2]
    server = subprocess.Popen([program, "-s", "-1", "-4", "-p", port, "-A", str(processors[-1])],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        await_listener(int(port), server, shown)
        text = "\n".join(answer_of(
            [program, "-c", "127.0.0.1", "-p", port, "-A", str(processors[0]), "-l",
             str(figure.bytes), "-n", str(figure.bytes * messages), "-J"], shown))
    finally:
        server.kill()
        server.wait()
    got = json.loads(text)["end"]["sum_received"]
    ns_each = 8e9 * figure.bytes / got["bits_per_second"]
    return [f"messages,iperf3,iperf3,{figure.name},{figure.bytes},{messages},{got['seconds']},"
            f"{ns_each:.3f}"]


def await_listener(port, server, shown):
    """Looks into the kernel's table: a connection would be taken for the other process."""
    until = time.monotonic() + UCX_START_SECONDS
    while f":{port:04X} 00000000:0000 0A" not in pathlib.Path("/proc/net/tcp").read_text():
        if server.poll() is not None or time.monotonic() > until:
            raise Failure(f"{shown}: the process that was to wait for the other one did not start")
        time.sleep(0.01)


def ucx_line(lines, figure, messages, shown):
    """Its last line: iterations, then, thrice, what we want in the second of a pair."""
    try:
        microseconds = float(lines[-1].split(",")[3])
    except (IndexError, ValueError):
        raise Failure(f"{shown} printed no result: {' '.join(lines)}") from None
    return (f"messages,ucx,ucx_perftest,{figure.name},{figure.bytes},{messages},"
            f"{microseconds * messages / 1e6:.9f},{microseconds * 1e3:.3f}")
