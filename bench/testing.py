# SPDX-License-Identifier: Apache-2.0
"""testing.py: what the tests of the measuring scripts share."""

import importlib.machinery
import importlib.util
import pathlib
import sys


def load_script(name, path):
    """The script at `path`, which has no suffix, as a module."""
    loader = importlib.machinery.SourceFileLoader(name, str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    sys.modules[name] = module
    loader.exec_module(module)
    return module


def shell_program(folder, script):
    """A program in `folder` that is the given shell script."""
    program = pathlib.Path(folder) / "program"
    program.write_text("#!/bin/sh\n" + script)
    program.chmod(0o755)
    return program
