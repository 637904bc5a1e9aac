# SPDX-License-Identifier: Apache-2.0
"""What the tests of Threaded-C share: the compiler, and runs of what it made."""

import functools
import json
import os
import re
import subprocess
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
TERRANE = os.environ["TERRANE_BIN"]
CC = str(Path(TERRANE).parent / "terrane-cc")
PROGRAMS = Path(TERRANE).parent / "threaded_c"


def without_blanks(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def compile_program(output: Path, *words: str, cwd: Path = FOLDER,
                    options: tuple[str, ...] = ("-Wall", "-O1")) -> None:
    """Compiles and links, and raises with the messages if that fails or says anything."""
    done = subprocess.run([CC, *options, "-o", str(output), *words], cwd=cwd, text=True,
                          capture_output=True, check=False, timeout=120)
    if done.returncode != 0 or done.stderr:
        raise AssertionError(f"terrane cc {' '.join(words)} ended with {done.returncode}:\n"
                             f"{done.stderr}")


def run(program: Path | str, *words: str, options: tuple[str, ...] = (), timeout: int = 120):
    """Runs it on a machine; returns exit code, stdout, stderr."""
    done = subprocess.run([TERRANE, "run", *options, str(program), *words], text=True, check=False,
                          capture_output=True, timeout=timeout)
    return done.returncode, done.stdout, done.stderr


@functools.cache
def balancers() -> list[str]:
    """The names of all of them."""
    listed = subprocess.run([TERRANE, "balancers"], capture_output=True, text=True, check=True)
    return [line.split()[0] for line in listed.stdout.split("\n\n")[0].split("\n")
            if line[:1].isalpha()]


def statistics(stderr: str) -> dict:
    """What --stats json put into the last line."""
    return json.loads(stderr.strip().split("\n")[-1])
