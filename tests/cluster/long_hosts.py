# SPDX-License-Identifier: Apache-2.0
"""long_hosts.py: all of on_hosts.py, with 20 hosts lost in each way."""

import os

os.environ["TERRANE_RUNS"] = "20"

from on_hosts import BadStarts, Lost, Sound  # noqa: E402

__all__ = ["BadStarts", "Lost", "Sound"]
