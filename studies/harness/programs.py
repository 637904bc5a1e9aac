# SPDX-License-Identifier: Apache-2.0
"""Are the programs of a study there? If not, and there is a build folder, it makes them."""

import subprocess

from . import runs


def missing(names):
    """Those that neither lie beside the command nor are files."""
    beside = runs.TERRANE.parent
    return [name for name in names
            if not ((beside / name).is_file() or (beside / "threaded_c" / name).is_file())]


def build_folder():
    """Of the sources that the command lies in; None: it was installed."""
    folder = runs.TERRANE.parent.parent / "release"
    return folder if (folder / "build.ninja").is_file() else None


def provide(names, say):
    """Builds what is missing, if it can; the names that are still missing, and why."""
    lacking = missing(names)
    folder = build_folder()
    if not lacking or not folder:
        return lacking, "" if not lacking else f"not beside {runs.TERRANE}: ./dev build"
    say(f"terrane: study: builds {', '.join(lacking)}")
    for name in lacking:  # each by itself: a program is C++, or Threaded-C, or both
        for target in (name, f"threaded_c_{name}"):
            done = subprocess.run(["ninja", "-C", str(folder), target], capture_output=True,
                                  text=True, check=False, stdin=subprocess.DEVNULL)
            if done.returncode == 0:
                break
    return missing(lacking), f"cannot be built in {folder}: ./dev build says why"
