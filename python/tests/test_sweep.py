# SPDX-License-Identifier: Apache-2.0
"""terrane.sweep: one frame of all runs, each made once."""

import pytest
import terrane

pytest.importorskip("pandas")


def test_a_row_for_each_run(tmp_path):
    frame = terrane.sweep(["fib 12", "queens 6 3"], ["rand", "his"], nodes=[2, 4], seeds=3,
                          cache=tmp_path)
    assert len(frame) == 2 * 2 * 2 * 3
    assert list(frame.columns[:4]) == ["program", "balancer", "nodes", "seed"]
    assert (frame.groupby("program")["tokens_generated"].nunique() == 1).all()
    kept = sorted(tmp_path.iterdir())
    assert len(kept) == len(frame)
    before = [each.stat().st_mtime_ns for each in kept]
    again = terrane.sweep(["fib 12", "queens 6 3"], ["rand", "his"], nodes=[2, 4], seeds=3,
                          cache=tmp_path)
    assert again.equals(frame)
    assert [each.stat().st_mtime_ns for each in kept] == before


def test_a_run_that_fails_is_a_row_with_its_sentence():
    frame = terrane.sweep(["fib 12", "no_such_program"], seeds=[7])
    assert frame["failed"].isna().tolist() == [True, False]
    assert "there is no program" in frame["failed"][1]


def test_a_class_is_one_of_the_balancers(tmp_path):
    pytest.importorskip("cloudpickle")
    if not terrane.balancer.PLUGIN.exists():
        pytest.skip("python_balancer.so is built by pip install")
    from terrane.policies import His

    frame = terrane.sweep(["queens 6 3"], ["his", His], nodes=[8], cache=tmp_path)
    assert frame["event_log_hash"].nunique() == 1
    assert frame["balancer"].tolist() == ["his", "His"]
    assert len(list(tmp_path.iterdir())) == 2
