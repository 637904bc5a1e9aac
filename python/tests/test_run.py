# SPDX-License-Identifier: Apache-2.0
"""terrane.run: results, errors, interrupts."""

import os
import signal
import subprocess
import sys
import time

import pytest
import terrane


def test_a_result_has_the_answer_and_typed_statistics():
    result = terrane.run("queens", 8, 3, nodes=4, world="sim", network="sp2", balancer="his",
                         seed=3)
    assert result.answer == "queens(8) = 92"
    assert (result.world, result.nodes, result.balancer, result.seed) == ("sim", 4, "his", 3)
    assert isinstance(result.virtual_seconds, float) and result.virtual_seconds > 0
    assert result.tokens_generated == sum(each.tokens_generated for each in result.per_processor)
    again = terrane.run("queens", 8, 3, nodes=4, world="sim", network="sp2", balancer="his",
                        seed=3)
    assert again.event_log_hash == result.event_log_hash and result.repeatable


def test_what_the_simulated_machine_alone_knows_is_none_elsewhere():
    result = terrane.run("fib", 15, nodes=2)
    assert result.answer == "fib(15) = 987"
    assert result.virtual_seconds is None and result.event_log_hash is None


def test_frames():
    pandas = pytest.importorskip("pandas")
    result = terrane.run("queens", 8, 3, nodes=4, world="sim", trace=True)
    frame = result.frame()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == 4
    assert frame["tokens_generated"].sum() == result.tokens_generated
    assert len(result.trace()) == result.events
    assert set(result.traffic().columns) == {"from", "to", "messages", "bytes"}
    with pytest.raises(terrane.UsageError, match="no trace was asked for"):
        terrane.run("fib", 5).trace()


@pytest.mark.parametrize(("call", "kind", "code", "words"), [
    (lambda: terrane.run("quens"), terrane.UsageError, 2, "did you mean queens"),
    (lambda: terrane.run("fib", 5, balancer="hiss"), terrane.UsageError, 2, "no balancer 'hiss'"),
    (lambda: terrane.run("fib", 5, world="moon"), terrane.UsageError, 2, "--world"),
    (lambda: terrane.run("fib", 5, nodes=0), terrane.UsageError, 2, "--nodes"),
    (lambda: terrane.run("fib", 5, trace=True), terrane.UsageError, 2, "needs world='sim'"),
])
def test_misuse_is_an_exception_with_the_code_and_one_sentence(call, kind, code, words):
    with pytest.raises(kind) as raised:
        call()
    assert raised.value.code == code
    assert words in raised.value.sentence and "\n" not in raised.value.sentence


def test_a_command_that_is_not_there_is_named(monkeypatch):
    monkeypatch.setenv("TERRANE_BIN", "/nowhere/terrane")
    with pytest.raises(terrane.UsageError, match="TERRANE_BIN"):
        terrane.run("fib", 5)


def test_a_run_that_takes_too_long_is_ended():
    with pytest.raises(terrane.TimedOut, match=r"no end within 0\.3 s"):
        terrane.run("fib", 60, limit_s=0.3)


def test_an_interrupt_ends_the_program_too():
    script = "import terrane; terrane.run('fib', 61)"
    process = subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.PIPE, text=True)
    try:
        deadline = time.monotonic() + 60
        while not (children := children_of(process.pid)):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    finally:
        process.kill()
    assert said.rstrip().endswith("KeyboardInterrupt")
    for child in children:
        assert not os.path.exists(f"/proc/{child}/exe")


def test_an_interrupt_while_the_program_starts_ends_it(monkeypatch):
    started = []

    class Interrupted(subprocess.Popen):
        def __init__(self, *words, **options):
            super().__init__(*words, **options)
            started.append(self)
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.5)  # an interrupt that is not held would come here

    monkeypatch.setattr(subprocess, "Popen", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        terrane.run("fib", 61)
    assert [program.poll() is not None for program in started] == [True]


def children_of(parent):
    """Those that run a program by now, and not Python any more."""
    found = []
    with open(f"/proc/{parent}/task/{parent}/children") as listed:
        for child in listed.read().split():
            try:
                if os.path.basename(os.readlink(f"/proc/{child}/exe")) in ("terrane", "fib"):
                    found.append(child)
            except OSError:
                pass
    return found
