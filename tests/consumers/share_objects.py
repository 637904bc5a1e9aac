#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A launcher of a compiler: share_objects.py FOLDER COMPILER WORDS...

Two outside projects compile the same sources of Terrane, with the same words but for the names of
folders. What the first has compiled lies in FOLDER, and the second takes it from there."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

# The folders of Terrane's sources and of its build in either project.
FOLDERS = ("_deps/terrane-build/", "terrane/")


def main() -> int:
    folder, words = Path(sys.argv[1]), sys.argv[2:]
    if "-o" not in words or "-c" not in words:
        return subprocess.run(words, check=False).returncode
    out = words.index("-o") + 1
    source = Path(words[-1]).read_bytes()
    here, key = os.getcwd() + "/", hashlib.sha256(source)
    for at, word in enumerate(words):
        if at == out or words[at - 1] in ("-MF", "-MT"):
            continue
        for each in FOLDERS:
            word = word.replace(here + each, "")
        key.update(word.encode() + b"\0")
    kept = folder / key.hexdigest()
    if kept.exists():
        shutil.copyfile(kept, words[out])
        if "-MF" in words:
            Path(words[words.index("-MF") + 1]).write_text(f"{words[out]}: {words[-1]}\n")
        return 0
    code = subprocess.run(words, check=False).returncode
    if code == 0:
        shutil.copyfile(words[out], f"{kept}.{os.getpid()}")
        os.replace(f"{kept}.{os.getpid()}", kept)
    return code


if __name__ == "__main__":
    sys.exit(main())
