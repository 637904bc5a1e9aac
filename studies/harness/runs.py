# SPDX-License-Identifier: Apache-2.0
"""Runs of programs: simulated ones made once and kept by program, build and options.

What repeats is kept; what was measured, or depends on the host's time, is made anew each time.
"""

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

    def words(self):
        words = ["run", "--quiet", "--stats", "json", "--world", self.world,
                 "--nodes", str(self.nodes), "--balancer", self.balancer, "--seed", str(self.seed)]
        if self.processors:
            words += ["--processors", str(self.processors)]
        if self.world == "sim":
            words += ["--network", self.network]
        elif self.world == "local":
            words += ["--enough", "all"]  # as EARTH did, and as world sim does
        return words + shlex.split(self.program)

    def command(self):
        return [str(TERRANE), *self.words()]

    def name(self):
        """The same on any machine: paths by their last part."""
        return " ".join(word.rsplit("/", 1)[-1] for word in self.words())


def label_of(results):
    """What runs are, from their own statistics: simulated or measured, and whether they repeat."""
    found = [(run, each) for run, each in results.items() if "failed" not in each]
    parts = []
    networks = sorted({pathlib.Path(run.network).stem for run, _ in found if run.world == "sim"})
    if networks:
        more = f" and {len(networks) - 3} more" if len(networks) > 3 else ""
        parts.append("SIMULATED, network " + ", ".join(networks[:3]) + more)
    parts += [f"MEASURED on this machine, world {world}"
              for world in sorted({run.world for run, _ in found} - {"sim"})]
    seeds = {run.seed for run, _ in found}
    if found:
        parts.append(f"{len(seeds)} seed{'s' if len(seeds) != 1 else ''}")
    if loose := sum(run.world == "sim" and each.get("repeatable") is False for run, each in found):
        parts.append(f"NOT REPEATABLE: {loose} of {len(found)} runs contain measured time")
    return "; ".join(parts) or "no run ended"


class Runner:
    """Makes runs, at most `jobs` at a time; what is in `folder` is not made again, so that an
    interrupted study goes on where it was. `made` has all that a study asked for."""

    def __init__(self, folder, jobs=2, limit_s=120, show=sys.stderr):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.jobs, self.limit_s, self.show = jobs, limit_s, show
        self.digests, self.made = {}, {}

    def all(self, runs, jobs=None):
        """{run: statistics}; of a run that failed {"failed": why}. jobs: 1 where time counts."""
        wanted = list(dict.fromkeys(runs))
        found = {run: self.made[run] for run in wanted if run in self.made}
        found |= {run: kept for run in wanted
                  if run not in found and (kept := self._kept(run)) is not None}
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
        self.made |= found
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
        if run.world != "sim":
            return None
        file = self.folder / f"{self._key(run)}.json"
        return json.loads(file.read_text())["result"] if file.exists() else None

    def _key(self, run):
        text = "\n".join([*run.words(), self._digest(shlex.split(run.program)[0]),
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
        if done.returncode != 0:
            return {"failed": f"exit {done.returncode}: {done.stderr.strip()[-200:]}"}
        try:
            result = json.loads(done.stderr.splitlines()[-1])
        except (IndexError, ValueError):
            return {"failed": "it said no statistics: " + done.stderr.strip()[-200:]}
        result.pop("pairs", None)
        result["output"] = done.stdout.strip()
        if run.world == "sim" and result.get("repeatable", True):
            file = self.folder / f"{self._key(run)}.json"
            beside = file.with_suffix(f".{os.getpid()}.{id(run)}")
            beside.write_text(json.dumps({"command": run.words(), "result": result}))
            beside.replace(file)  # whole or not at all
        return result
