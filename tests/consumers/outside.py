# SPDX-License-Identifier: Apache-2.0
"""What the tests of outside projects share: an installed Terrane, and how a project is built."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
BUILD = os.environ["TERRANE_BUILD"]
PROGRAMS = HERE / "programs"
MACHINES = ("--nodes 2", "--world sim --nodes 5", "--world shm --nodes 2",
            "--world shm --nodes 2 --layout own")


def run(*words, folder=None, check=True, **variables):
    """Runs a command; its output and messages together."""
    clean = {name: value for name, value in os.environ.items()
             if name not in ("TERRANE_OPTIONS", "CMAKE_PREFIX_PATH", "MAKEFLAGS")}
    done = subprocess.run([str(word) for word in words], cwd=folder, text=True, check=False,
                          env={**clean, **variables}, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
    if check and done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, words))} ended with {done.returncode}:\n"
                             f"{done.stdout}")
    return done.stdout


def new_folder(test_class) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="terrane-"))
    test_class.addClassCleanup(shutil.rmtree, folder)
    return folder


def install(prefix: Path) -> None:
    run("cmake", "--install", BUILD, "--prefix", prefix)


def configure(project: Path, build: Path, *options, check=True) -> str:
    return run("cmake", "-G", "Ninja", "-S", project, "-B", build, f"-DPROGRAMS={PROGRAMS}",
               f"-DSOURCES={SOURCE}", *options, check=check)


def build(project: Path, folder: Path, *options) -> None:
    configure(project, folder, *options)
    run("cmake", "--build", folder)


def files_of_tree() -> list[str]:
    """What a clone would hold if everything were committed, but for what no build needs."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=SOURCE, text=True,
                            capture_output=True, check=False)
    names = listed.stdout.splitlines() if listed.returncode == 0 else [
        str(each.relative_to(SOURCE)) for each in SOURCE.rglob("*")
        if each.is_file() and "build" not in each.relative_to(SOURCE).parts[:1]]
    return [name for name in names if (SOURCE / name).is_file()]


def make_repository(folder: Path) -> None:
    """A repository of what the tree holds now, on its branch main."""
    for name in files_of_tree():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(SOURCE / name, folder / name)
    git = ("git", "-c", "user.name=test", "-c", "user.email=test@localhost")
    run(*git, "init", "-q", "-b", "main", folder=folder)
    run(*git, "add", "-A", folder=folder)
    run(*git, "commit", "-q", "-m", "what the tree holds", folder=folder)


class ConsumerTest(unittest.TestCase):
    def assert_sums(self, program, **variables):
        """The program gives the right sum on machines of each kind, with node variables."""
        for options in MACHINES:
            said = run(program, "1000", TERRANE_OPTIONS=options, **variables)
            nodes = options.split("--nodes ")[1].split()[0]
            self.assertEqual(said, f"sum to 1000: 500500, nodes reached: {nodes}\n", options)
