# SPDX-License-Identifier: Apache-2.0
"""One folder with all that a report is made from: results, command lines, seeds, versions, networks
and claims. `terrane study NAME --from FOLDER` makes the report again without a run."""

import json
import pathlib
import platform
import re
import shlex
import shutil
import subprocess

from . import runs

# What a study reads of a run's statistics.
FIELDS = ("elapsed_seconds", "tokens_generated", "fibers_executed", "interface_overflows",
          "interface_peak", "repeatable", "event_log_hash", "tokens_moved", "messages_sent",
          "failed", "output")
PARTS = ("node", "run_seconds", "balance_seconds", "poll_seconds", "switch_seconds",
         "idle_seconds")


def kept_part(run, result):
    part = {name: result[name] for name in FIELDS if result.get(name) not in (None, "")}
    if len(part.get("output", "")) > runs.OUTPUT_MOST:
        del part["output"]
    if "output" in part:  # where a tree of files lay says nothing
        part["output"] = re.sub(r"(?m)^/\S*?/trees/", "trees/", part["output"])
    if run.nodes == 8:  # the figures that split each node's time
        part["per_processor"] = [{name: each[name] for name in PARTS if name in each}
                                 for each in result.get("per_processor", ())]
    return part


def said_by(*words):
    try:
        return subprocess.run(words, capture_output=True, text=True, check=False,
                              stdin=subprocess.DEVNULL).stdout
    except OSError:
        return ""


def read(file):
    return json.loads(file.read_text()) if file.is_file() else {}


def seeds_of(folder, study, otherwise):
    """How many seeds that study was made with in an archive."""
    return read(pathlib.Path(folder) / "studies.json").get(study, {}).get("seeds", otherwise)


def command_of(study, seeds, words):
    """The command that makes the same results, wherever it is given. words: those beside the
    study's name."""
    words = list(words)
    for option in ("--out", "--archive", "--from", "--seeds", "--jobs"):
        if option in words:
            del words[words.index(option):words.index(option) + 2]
    return shlex.join(["terrane", "study", study, *words, "--seeds", str(seeds)])


def write(folder, runner, studies, words, out):
    """Adds to what the folder has already. studies: {name: seeds}."""
    folder = pathlib.Path(folder)
    (folder / "networks").mkdir(parents=True, exist_ok=True)
    found = read(folder / "runs.json") | {run.name(): kept_part(run, result)
                                          for run, result in runner.made.items()}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(found[name])}" for name in sorted(found))
    (folder / "runs.json").write_text("{\n" + lines + "\n}\n")
    for name, value in (("measured", runner.extra), ("studies", {
            study: {"seeds": seeds, "command": command_of(study, seeds, words)}
            for study, seeds in studies.items()})):
        file = folder / f"{name}.json"
        file.write_text(json.dumps(read(file) | value, indent=1, sort_keys=True) + "\n")
    for network in sorted({run.network for run in runner.made if run.world == "sim"}):
        target = folder / "networks" / f"{pathlib.Path(network).stem}.net"
        if pathlib.Path(network).is_file():
            shutil.copyfile(network, target)
        elif text := said_by(str(runs.TERRANE), "networks", network):
            target.write_text(text)
    here = pathlib.Path(__file__).resolve().parent.parent
    shutil.copyfile(here / "claims.toml", folder / "claims.toml")
    for name in studies:
        for file in out.glob(f"{name}*.txt"):
            shutil.copyfile(file, folder / file.name)
    (folder / "versions.json").write_text(json.dumps({
        "terrane": said_by(str(runs.TERRANE), "--version").strip(),
        "python": platform.python_version(), "machine": platform.machine()}, indent=1) + "\n")


class Kept:
    """Stands for a Runner: gives what the archive has, and makes no run."""

    def __init__(self, folder):
        folder = pathlib.Path(folder)
        self.results, self.made = read(folder / "runs.json"), {}
        self.extra, self.asked = read(folder / "measured.json"), {}

    def measure(self, name, function):
        del function
        return self.extra.get(name, "not in the archive")

    def all(self, wanted, jobs=None):
        del jobs
        found = {run: self.results.get(run.name(), {"failed": "not in the archive"})
                 for run in dict.fromkeys(wanted)}
        self.made |= found
        self.asked |= found
        return found
