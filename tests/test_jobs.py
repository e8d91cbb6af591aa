"""Independent jobs under whatever backend of joblib is active."""

import os
import threading
import time
from functools import partial

import numpy as np
import pytest
from joblib import delayed, parallel_config, register_parallel_backend
from joblib._parallel_backends import ThreadingBackend
from numpy.testing import assert_array_equal

from scoredag.jobs import results_of, run_here, stop_if_interrupted
from scoredag.prune import cam_prune
from scoredag.simulate import paper_dataset


class AllAtOnce(ThreadingBackend):
    """A backend that returns all results at once, as Ray's does."""

    supports_return_generator = False
    used = 0

    def start_call(self):
        AllAtOnce.used += 1


@pytest.mark.parametrize("n_jobs", [None, 1, 2])
def test_results_are_in_order(n_jobs):
    assert list(results_of((delayed(abs)(k) for k in range(-9, 0)), n_jobs)) == list(
        range(9, 0, -1)
    )


def test_results_come_one_by_one():
    """The first is there before the last job is even made."""
    made = []

    def jobs():
        for k in range(100):
            made.append(k)
            yield delayed(abs)(k)

    assert next(results_of(jobs())) == 0
    assert len(made) < 100


@pytest.mark.parametrize("backend", ["all at once", "loky"])
def test_any_backend_gives_the_same_bits(backend):
    register_parallel_backend("all at once", AllAtOnce)
    data = paper_dataset(4, "ER1", seed=1000, n=200)
    candidates = np.triu(np.ones((4, 4)), 1)
    expected = cam_prune(data.X, candidates)
    AllAtOnce.used = 0
    with parallel_config(backend=backend, n_jobs=2):
        found = cam_prune(data.X, candidates)
    assert bool(AllAtOnce.used) == (backend == "all at once")
    assert_array_equal(found.p_values, expected.p_values)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_ray(tmp_path):
    ray = pytest.importorskip("ray", reason="needs Ray: pip install 'scoredag[ray]'")
    from ray.util.joblib import register_ray

    data = paper_dataset(4, "ER1", seed=1000, n=200)
    candidates = np.triu(np.ones((4, 4)), 1)
    expected = cam_prune(data.X, candidates)
    ray.init(num_cpus=2, include_dashboard=False)
    try:
        register_ray()
        with parallel_config(backend="ray", n_jobs=2):
            found = cam_prune(data.X, candidates)
    finally:
        ray.shutdown()
    assert_array_equal(found.p_values, expected.p_values)


@pytest.mark.parametrize("n_jobs", [None, 1, 2, -1])
def test_tasks_that_change_what_is_here_are_all_done(n_jobs):
    done, reports = {}, []
    run_here((partial(done.__setitem__, k, -k) for k in range(9)), n_jobs, reports.append)
    assert done == {k: -k for k in range(9)}
    assert reports == list(range(1, 10))


def test_they_stay_here_whatever_joblib_is_told():
    processes = []
    with parallel_config(backend="loky", n_jobs=2):
        run_here(partial(lambda: processes.append(os.getpid())) for _ in range(4))
    assert set(processes) == {os.getpid()}


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_error_in_a_task_is_raised(n_jobs):
    def fail():
        raise ArithmeticError("no")

    with pytest.raises(ArithmeticError, match="no"):
        run_here([fail, partial(max, 1, 2), partial(max, 1, 2)], n_jobs)


def test_an_error_stops_long_tasks_that_run_beside():
    begun = threading.Event()

    def long():
        begun.set()
        for _ in range(1000):
            stop_if_interrupted()
            time.sleep(0.01)
        raise AssertionError("nobody stopped this task")

    def fails():
        begun.wait()
        raise KeyboardInterrupt

    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        run_here([fails, long], n_jobs=2)
    assert time.monotonic() - start < 5
    stop_if_interrupted()  # only that work was stopped
