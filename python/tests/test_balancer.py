# SPDX-License-Identifier: Apache-2.0
"""Balancers in Python: they decide as their twins in C++, and fail with a sentence."""

import pytest
import terrane
from terrane import balancer
from terrane.policies import His, Rand

pytestmark = pytest.mark.skipif(not balancer.PLUGIN.exists(),
                                reason="python_balancer.so is built by pip install")
pytest.importorskip("cloudpickle")


@pytest.mark.parametrize(("name", "policy"), [("rand", Rand), ("his", His)])
@pytest.mark.parametrize("network", ["sp2", "modern", "zero"])
@pytest.mark.parametrize("nodes", [1, 2, 9, 32])
def test_a_twin_in_python_gives_the_same_event_log(name, policy, network, nodes):
    machine = {"nodes": nodes, "world": "sim", "network": network, "seed": 5}
    in_cpp = terrane.run("queens", 8, 3, balancer=name, **machine)
    in_python = terrane.run("queens", 8, 3, balancer=policy, **machine)
    assert in_python.event_log_hash == in_cpp.event_log_hash
    assert in_python.notes_sent == in_cpp.notes_sent
    assert in_python.repeatable


def test_parameters_reach_the_constructor():
    machine = {"nodes": 8, "world": "sim", "network": "sp2"}
    in_cpp = terrane.run("queens", 8, 3, balancer="rand:probes=2,threshold=8", **machine)
    in_python = terrane.run("queens", 8, 3, balancer=Rand,
                            parameters={"probes": 2, "threshold": 8}, **machine)
    assert in_python.event_log_hash == in_cpp.event_log_hash


@pytest.mark.parametrize("policy", [Rand, His])
def test_in_the_world_local_all_work_is_done_once(policy):
    result = terrane.run("queens", 9, 3, nodes=4, processors=1, balancer=policy)
    assert result.answer == "queens(9) = 352"
    assert result.tokens_generated == terrane.run("queens", 9, 3).tokens_generated


def test_a_class_of_a_notebook_needs_no_file():
    class Mine(terrane.Balancer):
        def on_idle(self, node):
            if node.load == 0:
                node.tell(node.random_other(), about=node.me)

        def on_note(self, node, source, note):
            node.give_oldest(note.about)

    result = terrane.run("queens", 8, 3, nodes=8, world="sim", balancer=Mine)
    assert result.answer == "queens(8) = 92" and result.tokens_moved > 0


def test_what_a_balancer_raises_is_one_sentence():
    class Wrong(terrane.Balancer):
        def on_idle(self, node):
            node.tell(node.nodes)

    class NoStart(terrane.Balancer):
        def __init__(self):
            raise ValueError("not today")

    with pytest.raises(terrane.RunTimeError) as raised:
        terrane.run("queens", 8, 3, nodes=4, world="sim", balancer=Wrong)
    assert raised.value.number == "R-310" and "\n" not in raised.value.sentence
    assert "on_idle" in raised.value.sentence
    assert "IndexError: there is no node 4" in raised.value.sentence
    assert "test_balancer.py:" in raised.value.sentence
    with pytest.raises(terrane.Error, match="ValueError: not today"):
        terrane.run("queens", 8, 3, nodes=4, world="sim", balancer=NoStart)


def test_a_node_is_asked_only_while_a_function_runs():
    class Keeps(terrane.Balancer):
        kept = []

        def on_start(self, node):
            self.kept.append(node)

        def on_idle(self, node):
            for each in self.kept:
                if each is not node:
                    each.tell(node.me)  # of another node: it does not run a function now

    with pytest.raises(terrane.RunTimeError, match="only while one of the balancer's functions"):
        terrane.run("queens", 8, 3, nodes=4, world="sim", balancer=Keeps)


def test_other_worlds_are_refused():
    with pytest.raises(terrane.UsageError, match="worlds sim and local, not in shm"):
        terrane.run("fib", 10, nodes=2, world="shm", balancer=Rand)
