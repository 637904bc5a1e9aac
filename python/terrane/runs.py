# SPDX-License-Identifier: Apache-2.0
"""Runs of programs: each made once, kept by program, build and options, several at a time."""

from __future__ import annotations

import concurrent.futures
import dataclasses
import functools
import hashlib
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from . import balancer as in_python
from . import interrupts
from .errors import Error, TimedOut, UsageError, error_of
from .progress import progress_of


def find_command() -> Path:
    """The command terrane: the one that TERRANE_BIN names, the package's own, one in PATH, or that
    of the sources that the package lies in."""
    named = os.environ.get("TERRANE_BIN")
    here = Path(__file__).resolve().parent
    near = [Path(named)] if named else [here / "bin" / "terrane"]
    if not named:
        near += [Path(found)] if (found := shutil.which("terrane")) else []
        near += [here.parent.parent / "build" / "bin" / "terrane"]
    for file in near:
        if file.is_file():
            return file.resolve()
    raise UsageError(2, "the command terrane was not found: put it into PATH, or its path into the "
                        "environment variable TERRANE_BIN")


@dataclasses.dataclass(frozen=True)
class Run:
    """One run: a program and its arguments, and the machine. `balancer` is a name with parameters
    as `terrane balancers` lists them, the path of a library, or a class (see terrane.Balancer)."""

    program: tuple[str, ...] | str  # a string is split as a shell would
    nodes: int = 1
    balancer: Any = "nop"
    seed: int = 1
    world: str = "sim"
    network: str | None = "sp2"  # of world sim
    processors: int | None = None  # of a node; None: as the command has it
    options: tuple[str, ...] = ()  # further ones, as on the command line
    parameters: tuple[tuple[str, Any], ...] = ()  # of a balancer that is a class

    def __post_init__(self):
        if isinstance(self.program, str):
            object.__setattr__(self, "program", tuple(shlex.split(self.program)))
        if self.is_in_python and self.world not in ("sim", "local"):
            raise UsageError(2, f"a balancer in Python runs in the worlds sim and local, not in "
                                f"{self.world}")

    @property
    def is_in_python(self) -> bool:
        return isinstance(self.balancer, type)

    @functools.cached_property
    def order(self) -> bytes:
        """The balancer for the program's process; empty unless it is a class."""
        return in_python.order(self.balancer, dict(self.parameters)) if self.is_in_python else b""

    def words(self) -> list[str]:
        """What follows the command's name."""
        chosen = str(in_python.PLUGIN) if self.is_in_python else self.balancer
        words = ["run", "--quiet", "--stats", "json", "--world", self.world, "--nodes",
                 str(self.nodes), "--balancer", chosen, "--seed", str(self.seed)]
        if self.processors:
            words += ["--processors", str(self.processors)]
        if self.world == "sim" and self.network:
            words += ["--network", self.network]
        return [*words, *self.options, *self.program]

    def name(self) -> str:
        """The same on any machine: paths by their last part."""
        return " ".join(word.rsplit("/", 1)[-1] for word in self.words())


def make(run: Run, terrane: Path | None = None, limit_s: float | None = None,
         ) -> tuple[dict[str, Any], str]:
    """Makes one run; returns its statistics and its output. Raises an Error if it did not end
    well. An interrupt (Ctrl-C) ends the program too."""
    variables, file = in_python.environment(run.order) if run.is_in_python else ({}, None)
    command = [str(terrane or find_command()), *run.words()]
    program = None
    try:
        with interrupts.held():  # or one could come before it has its name
            program = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True, errors="replace",
                                       env={**os.environ, **variables})
        output, messages = program.communicate(timeout=limit_s)
    except BaseException as wrong:
        if program is None:
            raise
        program.send_signal(signal.SIGINT)
        try:
            program.communicate(timeout=2)
        except subprocess.TimeoutExpired:
            program.kill()
            program.communicate()
        if isinstance(wrong, subprocess.TimeoutExpired):
            raise TimedOut(124, f"no end within {limit_s:g} s") from None
        raise
    finally:
        if file:
            os.unlink(file)
    if program.returncode != 0:
        raise error_of(program.returncode, messages, output)
    try:
        return json.loads(messages.splitlines()[-1]), output
    except (IndexError, ValueError):
        raise error_of(0, messages or "the run said no statistics", output) from None


def usual_jobs(world):
    """Runs at a time unless said: simulated ones on every processor that this process may use. The
    time of others is measured, so that they go one after the other."""
    return len(os.sched_getaffinity(0)) if world == "sim" else 1


class Runner:
    """Makes runs, at most `jobs` at a time; None: as many as the processors of this host. Simulated
    ones that repeat are kept in `folder` and not made again, so that an interrupted study goes on
    where it was; None: nothing is kept. `made` has all that was asked for."""

    def __init__(self, folder=None, jobs=None, limit_s=120, show=sys.stderr, command=None):
        self.folder = Path(folder) if folder is not None else None
        if self.folder:
            self.folder.mkdir(parents=True, exist_ok=True)
        self.jobs, self.limit_s, self.show = jobs or usual_jobs("sim"), limit_s, show
        self.command = Path(command).resolve() if command else find_command()
        self.digests, self.made = {}, {}

    def all(self, runs, jobs=None):
        """{run: statistics}; of a run that failed {"failed": why}. jobs: 1 where time counts."""
        wanted = list(dict.fromkeys(runs))
        found = {run: self.made[run] for run in wanted if run in self.made}
        found |= {run: kept for run in wanted
                  if run not in found and (kept := self._kept(run)) is not None}
        missing = [run for run in wanted if run not in found]
        with concurrent.futures.ThreadPoolExecutor(jobs or self.jobs) as pool, \
                progress_of(len(wanted), self.show if missing else None) as step:
            step(len(found))
            futures = {pool.submit(self._make, run): run for run in missing}
            try:
                for future in concurrent.futures.as_completed(futures):
                    found[futures[future]] = future.result()
                    step(1)
            except KeyboardInterrupt:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        self.made |= found
        return found

    def _kept(self, run):
        file = self._file(run)
        return json.loads(file.read_text())["result"] if file and file.exists() else None

    def _file(self, run):
        if self.folder is None or run.world != "sim":
            return None  # what was measured is made anew
        return self.folder / f"{self._key(run)}.json"

    def _key(self, run):
        text = "\n".join([*run.words(), self._digest(run.program[0]),
                          hashlib.sha256(run.order).hexdigest() if run.is_in_python
                          else self._digest(run.balancer.rsplit(":", 1)[0]),
                          self._digest(run.network or "")])
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    def _digest(self, name):
        """Of the file that the name stands for: a program beside the command, or a path."""
        if name not in self.digests:
            beside = self.command.parent
            near = [beside / name, beside / "threaded_c" / name,
                    beside.parent / "libexec" / "terrane" / name, Path(name)]
            files = [file for file in near if file.is_file()]
            content = b"".join(file.read_bytes() for file in files)
            self.digests[name] = hashlib.sha256(content).hexdigest()
        return self.digests[name]

    def _make(self, run):
        try:
            result, output = make(run, self.command, self.limit_s)
        except TimedOut as late:
            return {"failed": late.sentence}  # not kept: time may help
        except Error as wrong:
            return {"failed": f"exit {wrong.code}: {wrong.sentence}"}
        result.pop("pairs", None)
        result["output"] = output.strip()
        if result.get("repeatable", True) and (file := self._file(run)):
            beside = file.with_suffix(f".{os.getpid()}.{id(run)}")
            beside.write_text(json.dumps({"command": run.words(), "result": result}))
            beside.replace(file)  # whole or not at all
        return result
