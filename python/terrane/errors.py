# SPDX-License-Identifier: Apache-2.0
"""What a run that went wrong raises: its exit code and its sentence."""

from __future__ import annotations

import re


class Error(Exception):
    """A run that did not end well. `code`: its exit code; `number`: that of the error, such as
    "R-201", or None; `sentence`: what the command said."""

    def __init__(self, code: int, sentence: str, output: str = ""):
        super().__init__(sentence)
        self.code, self.sentence, self.output = code, sentence, output
        found = re.search(r"\bR-\d+\b", sentence)
        self.number: str | None = found[0] if found else None


class UsageError(Error):
    """Wrong options, an unknown program, or no command."""


class Deadlock(Error):
    """The machine was quiet before the program had ended."""


class RunTimeError(Error):
    """An error at run time."""


class NodeLost(Error):
    """A node's process ended too early."""


class ProgramFailed(Error):
    """The program itself ended with another exit code than 0."""


class TimedOut(Error):
    """The run did not end within its limit."""


_BY_CODE = {2: UsageError, 121: Deadlock, 122: RunTimeError, 123: NodeLost}


def error_of(code: int, messages: str, output: str = "") -> Error:
    """The exception for an exit code and what was said on stderr."""
    lines = [line for line in messages.splitlines() if line.strip() and not line.startswith("{")]
    said = [line for line in lines if line.startswith("terrane: ")]
    with_number = [line for line in said if re.search(r"\bR-\d+\b", line)]
    line = (with_number or said[:1] or lines[-1:] or [f"the program ended with {code}"])[0]
    kind = RunTimeError if code < 0 and with_number else _BY_CODE.get(code, ProgramFailed)
    return kind(code, line.removeprefix("terrane: "), output)
