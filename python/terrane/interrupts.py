# SPDX-License-Identifier: Apache-2.0
"""Interrupts (Ctrl-C) that wait while something must not be cut in two."""

import contextlib
import signal
import threading


@contextlib.contextmanager
def held():
    """An interrupt that comes inside is raised at the end. Python raises them in the main thread
    alone, so that other threads hold nothing."""
    earlier = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(earlier):
        yield
        return
    came = []
    signal.signal(signal.SIGINT, lambda *told: came.append(told))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, earlier)
        if came:
            earlier(*came[-1])
