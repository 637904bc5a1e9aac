#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lists the project's own source files: what git tracks or would track, and never what it ignores.

Where the tree is no git checkout (an unpacked archive), every file counts except build outputs.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

BUILD_OUTPUTS = {"build", "target", "__pycache__", ".git"}


def git_files(root: Path, folders: list[str]) -> list[str] | None:
    """The files git knows or would add, or None where `root` is not the top of a checkout."""
    if not (root / ".git").exists():
        return None
    command = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others",
               "--exclude-standard", "--", *folders]
    try:
        done = subprocess.run(command, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return [name for name in os.fsdecode(done.stdout).split("\0") if name]


def walked_files(root: Path, folders: list[str]) -> list[str]:
    found = []
    for folder in folders:
        for place, inner, names in os.walk(root / folder):
            inner[:] = [name for name in inner if name not in BUILD_OUTPUTS]
            found += [str((Path(place) / name).relative_to(root)) for name in names]
    return found


def source_files(root: Path, folders: list[str], suffixes: tuple[str, ...]) -> list[str]:
    """Paths relative to `root`, sorted, of the files under `folders` that end in a suffix."""
    found = git_files(root, folders)
    if found is None:
        found = walked_files(root, folders)
    return sorted({name for name in found if name.endswith(suffixes) and (root / name).is_file()})


def main() -> int:
    parser = argparse.ArgumentParser(description="Lists source files, one a line.")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--suffixes", default=".hpp,.cpp,.h,.c", help="default: %(default)s")
    options = parser.parse_args()
    root = Path(__file__).resolve().parent.parent
    for name in source_files(root, options.folders, tuple(options.suffixes.split(","))):
        print(name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
