# SPDX-License-Identifier: Apache-2.0
"""Runs of programs: each made once, kept by program, build and options, several at a time."""

import concurrent.futures
import dataclasses
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import sys
import time

TERRANE = pathlib.Path(os.environ.get("TERRANE_BIN", "build/bin/terrane")).resolve()


@dataclasses.dataclass(frozen=True)
class Run:
    """One run: `program` with its arguments, as `terrane run` takes them."""
    program: str
    nodes: int = 1
    balancer: str = "nop"
    seed: int = 1
    world: str = "sim"
    network: str = "sp2"
    processors: int | None = None  # of a node; None: as the command has it

    def command(self):
        words = [str(TERRANE), "run", "--quiet", "--stats", "json", "--world", self.world,
                 "--nodes", str(self.nodes), "--balancer", self.balancer, "--seed", str(self.seed)]
        if self.processors:
            words += ["--processors", str(self.processors)]
        if self.world == "sim":
            words += ["--network", self.network]
        elif self.world == "local":
            words += ["--enough", "all"]  # as EARTH did, and as world sim does
        return words + shlex.split(self.program)


class Runner:
    """Makes runs, at most `jobs` at a time; what is in `folder` is not made again, so that an
    interrupted study goes on where it was."""

    def __init__(self, folder, jobs=2, limit_s=120, show=sys.stderr):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.jobs, self.limit_s, self.show = jobs, limit_s, show
        self.digests = {}

    def all(self, runs, jobs=None):
        """{run: statistics}; of a run that failed {"failed": why}. jobs: 1 where time counts."""
        wanted = list(dict.fromkeys(runs))
        found = {run: kept for run in wanted if (kept := self._kept(run)) is not None}
        missing = [run for run in wanted if run not in found]
        started = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(jobs or self.jobs) as pool:
            futures = {pool.submit(self._make, run): run for run in missing}
            try:
                for future in concurrent.futures.as_completed(futures):
                    found[futures[future]] = future.result()
                    self._progress(len(found), len(wanted), started)
            except KeyboardInterrupt:
                pool.shutdown(cancel_futures=True)
                raise
        if missing and self.show.isatty():
            self.show.write("\n")
        return found

    def _progress(self, done, whole, started):
        if not self.show.isatty():
            return
        width = 40
        bar = "#" * (width * done // whole)
        self.show.write(f"\r[{bar:<{width}}] {done}/{whole} runs, "
                        f"{time.monotonic() - started:.0f} s ")
        self.show.flush()

    def _kept(self, run):
        file = self.folder / f"{self._key(run)}.json"
        return json.loads(file.read_text())["result"] if file.exists() else None

    def _key(self, run):
        text = "\n".join([*run.command()[1:], self._digest(shlex.split(run.program)[0]),
                          self._digest(run.balancer.rsplit(":", 1)[0]),
                          self._digest(run.network)])
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    def _digest(self, name):
        """Of the file that the name stands for: a program beside the command, or a path."""
        if name not in self.digests:
            near = [TERRANE.parent / name, TERRANE.parent / "threaded_c" / name,
                    pathlib.Path(name)]
            files = [file for file in near if file.is_file()]
            content = b"".join(file.read_bytes() for file in files)
            self.digests[name] = hashlib.sha256(content).hexdigest()
        return self.digests[name]

    def _make(self, run):
        try:
            done = subprocess.run(run.command(), stdin=subprocess.DEVNULL, capture_output=True,
                                  text=True, timeout=self.limit_s, check=False)
        except subprocess.TimeoutExpired:
            return {"failed": f"no end within {self.limit_s} s"}  # not kept: time may help
        try:
            result = json.loads(done.stderr.splitlines()[-1])
        except (IndexError, ValueError):
            result = {"failed": done.stderr.strip().splitlines()[-1:] or f"exit {done.returncode}"}
        if done.returncode != 0:
            result = {"failed": f"exit {done.returncode}: {done.stderr.strip()[-200:]}"}
        result.pop("pairs", None)
        result["output"] = done.stdout.strip()
        file = self.folder / f"{self._key(run)}.json"
        beside = file.with_suffix(f".{os.getpid()}.{id(run)}")
        beside.write_text(json.dumps({"command": run.command()[1:], "result": result}))
        beside.replace(file)  # whole or not at all
        return result
