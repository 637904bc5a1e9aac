# SPDX-License-Identifier: Apache-2.0
"""long_hostile.py: hostile_test.py with many runs: 200 damaged ones."""

import os

os.environ["TERRANE_RUNS"] = "40"

from hostile_test import Hostile  # noqa: E402

__all__ = ["Hostile"]
