# SPDX-License-Identifier: Apache-2.0
"""What runs inside of a Terrane program that has a balancer in Python."""

import pickle
import sys
import traceback

HEARD = ("on_start", "on_idle", "on_surplus", "on_tick", "on_note", "on_token")


def load(file):
    """What makes the policy of a node: the class in the file, with its parameters."""
    with open(file, "rb") as given:
        order = pickle.load(given)
    sys.path[:] = [*order["path"], *(each for each in sys.path if each not in order["path"])]
    import _terrane_node

    from . import balancer

    balancer.ENOUGH_ALL = _terrane_node.ENOUGH_ALL
    chosen = pickle.loads(order["class"])
    # A function that the class does not have is not called: that costs nothing.
    silent = [name for name in HEARD
              if getattr(chosen, name) is getattr(balancer.Balancer, name)]

    def make():
        policy = chosen(**order["parameters"])
        for name in silent:
            setattr(policy, name, None)
        return policy

    return make


def sentence(wrong, where):
    """One line: what was raised, and where in the user's text."""
    frames = traceback.extract_tb(wrong.__traceback__)
    at = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
    return f"{type(wrong).__name__}: {' '.join(str(wrong).split())}{at}"
