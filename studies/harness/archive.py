# SPDX-License-Identifier: Apache-2.0
"""One folder with all that a report is made from: results, command lines, seeds, versions, networks
and claims. `terrane study NAME --from FOLDER` makes the report again without a run."""

import json
import pathlib
import platform
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
    if run.nodes <= 8:  # the figures that split each node's time
        part["per_processor"] = [{name: each[name] for name in PARTS if name in each}
                                 for each in result.get("per_processor", ())]
    return part


def said_by(*words):
    try:
        return subprocess.run(words, capture_output=True, text=True, check=False,
                              stdin=subprocess.DEVNULL).stdout
    except OSError:
        return ""


def write(folder, runner, studies, words, out):
    folder = pathlib.Path(folder)
    (folder / "networks").mkdir(parents=True, exist_ok=True)
    found = sorted(((run.name(), {"words": run.words(), **kept_part(run, result)})
                    for run, result in runner.made.items()), key=lambda each: each[0])
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(each)}" for name, each in found)
    (folder / "runs.json").write_text("{\n" + lines + "\n}\n")
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
        "command": "terrane study " + shlex.join(words),
        "terrane": said_by(str(runs.TERRANE), "--version").strip(),
        "python": platform.python_version(), "machine": platform.machine()}, indent=1) + "\n")


class Kept:
    """Stands for a Runner: gives what the archive has, and makes no run."""

    def __init__(self, folder):
        text = (pathlib.Path(folder) / "runs.json").read_text()
        self.results, self.made = json.loads(text), {}

    def all(self, wanted, jobs=None):
        del jobs
        found = {run: self.results.get(run.name(), {"failed": "not in the archive"})
                 for run in dict.fromkeys(wanted)}
        self.made |= found
        return found
