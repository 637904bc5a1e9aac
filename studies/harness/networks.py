# SPDX-License-Identifier: Apache-2.0
"""Files of networks that differ from a preset in a few numbers."""

import pathlib
import re
import subprocess

from . import runs

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "terrane" / "transport" / "networks"


def preset(name):
    """The text of the preset's file: of the sources, or what the command says."""
    file = SOURCES / f"{name}.net"
    if file.is_file():
        return file.read_text()
    return subprocess.run([str(runs.TERRANE), "networks", name], capture_output=True, text=True,
                          check=True, stdin=subprocess.DEVNULL).stdout


def changed(folder, name, numbers, of="sp2"):
    """The path of a file with these numbers in place of the preset's; made once for its name."""
    title = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    file = folder / f"{title}.net"
    lines = [line for line in preset(of).splitlines()
             if line.split("=")[0].strip() not in numbers]
    text = "\n".join([*lines, f"# {name}", *(f"{key} = {value}" for key, value in
                                             numbers.items())]) + "\n"
    folder.mkdir(parents=True, exist_ok=True)
    if not file.is_file() or file.read_text() != text:
        file.write_text(text)
    return str(file)
