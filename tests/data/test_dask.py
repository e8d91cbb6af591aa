"""Dask collections as tables in blocks, and sums over rows on a cluster of two workers."""

import functools
import os
import signal
import threading
import time

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from joblib import Parallel, delayed, parallel_config
from numpy.testing import assert_array_equal
from pyarrow import parquet

from scoredag import CAM, SCORE, ScoreGP
from scoredag.data import open_table
from scoredag.data.blocks import ArrayBlocks, ScaledBlocks, fold, parts_of, sample_rows
from scoredag.data.cluster import active_cluster
from scoredag.data.opening import table_in_blocks
from scoredag.exceptions import DataError
from scoredag.jobs import results_of, run_here
from scoredag.prune import cam_prune

dask = pytest.importorskip("dask", reason="needs Dask: pip install 'scoredag[dask]'")
distributed = pytest.importorskip("distributed", reason="needs Dask: pip install 'scoredag[dask]'")
dask_array = pytest.importorskip("dask.array")
dask_frame = pytest.importorskip("dask.dataframe")

# Warnings of Dask and of its event loop are not ours to mend.
pytestmark = pytest.mark.filterwarnings("ignore", "default::scoredag.exceptions.DataWarning")


def samples(n=3000):
    rng = np.random.default_rng(1000)
    x, e, f, z = rng.normal(size=(4, n))
    y = np.sin(2 * x) + 0.5 * e
    return np.column_stack([y**2 / 3 + 0.5 * f, x, y, z])


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    """Blocks of 64 rows, so that three thousand rows make three parts."""
    for module in ("arrow_blocks", "dask_blocks"):
        monkeypatch.setattr(f"scoredag.data.{module}.block_rows", lambda columns: 64)
    # What is handed over in blocks stays there, however small it is.
    monkeypatch.setattr("scoredag.data.opening.LOADED_BYTES", 0)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "table.parquet"
    table = pa.table(dict(zip("cxyz", samples().T, strict=True)))
    parquet.write_table(table, path, row_group_size=1500)
    return path


@pytest.fixture(scope="module")
def cluster():
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "60s"}),
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            host="127.0.0.1",
        ) as found,
    ):
        yield found


@pytest.fixture
def client(cluster):
    with distributed.Client(cluster) as found:
        found.wait_for_workers(2)
        yield found


def gram(block):
    return block.T @ block


def plus(a, b):
    return a + b


def whereabouts(block):
    return {os.getpid()}


def all_places(a, b):
    return a | b


def slow_gram(folder, block):
    """Leave a note of who is at work."""
    (folder / str(os.getpid())).touch()
    time.sleep(0.05)
    return gram(block)


def collections():
    frame = pd.DataFrame(samples(), columns=list("cxyz"))
    return {
        "frame": dask_frame.from_pandas(frame, npartitions=5),
        "array": dask_array.from_array(samples(), chunks=(700, 2)),
        "array of unknown length": dask_frame.from_pandas(frame, npartitions=3).to_dask_array(),
    }


@pytest.mark.parametrize("kind", collections())
def test_collections_are_blocks(kind):
    table = table_in_blocks(collections()[kind])
    assert table.shape == (3000, 4)
    assert_array_equal(np.vstack(list(table)), samples())
    assert max(map(len, table)) <= 64
    assert table.labels == (tuple("cxyz") if kind == "frame" else ("x0", "x1", "x2", "x3"))


@pytest.mark.parametrize("kind", ["frame", "array"])
def test_rows_are_counted_once(kind):
    """Before the first pass of the checks."""
    read = []

    def part(k, kind):  # of each kind, lest Dask takes one collection for the other
        read.append(k)
        return pd.DataFrame(samples(300)[100 * k : 100 * k + 100], columns=list("cxyz"))

    meta = pd.DataFrame(samples(1)[:0], columns=list("cxyz"))
    with dask.config.set(scheduler="synchronous"):
        frame = dask_frame.from_map(part, range(3), kind=kind, meta=meta)
        counted = SCORE()._in_blocks(frame if kind == "frame" else frame.to_dask_array())
    assert counted.shape == (300, 4)
    assert sorted(read) == [0, 1, 2]


BAD = {
    "text": lambda t: t.assign(site="Bern", day=pd.Timestamp("2026-11-17")),
    "few words": lambda t: t.assign(z=t.z.astype(object).where(t.index != 1700, "?"), x=1.0),
    "objects": lambda t: t.assign(z=[(k,) for k in range(len(t))]),
    "gaps": lambda t: t.assign(x=t.x.where(t.index != 1700)),
    "names": lambda t: t.rename(columns={"x": "y", "z": " "}),
    "copies": lambda t: t.assign(z=2 * t.x, y=1.0),
    "too few": lambda t: t[:4],
}


@pytest.mark.parametrize("kind", BAD)
def test_same_refusals_as_of_pandas(kind):
    table = BAD[kind](pd.DataFrame(samples(), columns=list("cxyz")))
    with pytest.raises(DataError) as expected:
        SCORE().fit(table)
    with dask.config.set({"dataframe.convert-string": False}):  # otherwise objects become text
        collection = dask_frame.from_pandas(table, npartitions=3)
    with pytest.raises(DataError) as caught:
        SCORE().fit(collection)
    assert str(caught.value) == str(expected.value)


def test_without_a_client_nothing_is_a_task(path):
    assert active_cluster() is None
    assert fold(whereabouts, all_places, open_table(path)) == {os.getpid()}


def test_workers_read_and_sum_up(client, path):
    blocks = open_table(path)
    assert len(parts_of(blocks)) == 3
    places = fold(whereabouts, all_places, blocks)
    assert places <= set(client.run(os.getpid).values())


def test_rows_in_memory_stay_here(client):
    assert fold(whereabouts, all_places, ArrayBlocks(samples())) == {os.getpid()}


@pytest.mark.parametrize("scaled", [False, True])
def test_same_bits_on_the_cluster(cluster, path, scaled):
    blocks = open_table(path)
    if scaled:
        blocks = ScaledBlocks(blocks, blocks.scan.mean, np.sqrt(blocks.scan.variance))
    frame = table_in_blocks(dask_frame.read_parquet(path, split_row_groups=True))
    here = [fold(gram, plus, blocks, jobs) for jobs in (1, 2)]
    with distributed.Client(cluster):
        there = fold(gram, plus, blocks)
        by_frame = fold(gram, plus, frame)
        drawn = sample_rows(blocks, 100, np.random.default_rng(0))
    assert_array_equal(here[0], here[1])
    assert_array_equal(there, here[0])
    assert_array_equal(drawn, sample_rows(blocks, 100, np.random.default_rng(0)))
    if not scaled:
        assert_array_equal(by_frame, here[0])


def kill_the_first_of(folder):
    """Kill the first worker that leaves a note, while it is at work."""

    def kill():
        while not (at_work := [int(note.name) for note in folder.iterdir()]):
            time.sleep(0.01)
        os.kill(at_work[0], signal.SIGKILL)

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    return killer


def test_killed_worker_changes_no_bit(client, path, tmp_path):
    blocks = open_table(path)
    killer = kill_the_first_of(tmp_path)  # in the middle of its 16 blocks, which take 0.8 s
    found = fold(functools.partial(slow_gram, tmp_path), plus, blocks)
    killer.join(timeout=1)
    assert not killer.is_alive()
    assert_array_equal(found, fold(gram, plus, blocks))
    np.testing.assert_allclose(found, samples().T @ samples(), rtol=1e-12)


def test_the_same_graph_everywhere(cluster, path):
    """SCORE on a file in threads, on the cluster, and on a Dask data frame of the same blocks."""

    def evidence(model):
        return model.causal_order_.tolist(), model.p_values_

    table = open_table(path)
    fits = [SCORE(n_jobs=jobs).fit(table) for jobs in (1, 2)]
    with distributed.Client(cluster):
        fits.append(SCORE().fit(table))
        fits.append(SCORE().fit(dask_frame.read_parquet(path, split_row_groups=True)))
    for other in fits[1:]:
        assert evidence(other)[0] == evidence(fits[0])[0]
        assert_array_equal(evidence(other)[1], evidence(fits[0])[1])
    assert fits[3].graph_.has_edge("x", "y")
    assert fits[3].graph_.has_edge("y", "c")


def order_and_p_values(seed, rows=200):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=rows)
    model = SCORE().fit(np.column_stack([np.sin(2 * x) + 0.5 * rng.normal(size=rows), x]))
    return os.getpid(), model.p_values_


def test_independent_fits_move_to_the_cluster(client):
    """Users' own Parallel, with joblib's backend for Dask."""
    here = [order_and_p_values(seed)[1] for seed in range(1000, 1006)]
    with parallel_config(backend="dask"):
        there = Parallel()(delayed(order_and_p_values)(seed) for seed in range(1000, 1006))
    assert {place for place, _ in there} <= set(client.run(os.getpid).values())
    assert_array_equal([p for _, p in there], here)


def noted_fit(folder, seed):
    (folder / str(os.getpid())).touch()
    time.sleep(0.3)
    return order_and_p_values(seed)[1]


def test_killed_worker_loses_no_independent_fit(client, tmp_path):
    here = [order_and_p_values(seed)[1] for seed in range(1000, 1008)]
    killer = kill_the_first_of(tmp_path)
    with parallel_config(backend="dask"):
        there = Parallel()(delayed(noted_fit)(tmp_path, seed) for seed in range(1000, 1008))
    killer.join(timeout=1)
    assert not killer.is_alive()
    assert_array_equal(there, here)


@pytest.mark.parametrize("make", [SCORE, CAM, functools.partial(ScoreGP, rows=60, final_rows=80)])
def test_own_parallel_calls_give_the_same_bits(client, make):
    X = samples(150)[:, :3]
    expected = make().fit(X)
    with parallel_config(backend="dask"):
        found = make().fit(X)
    assert_array_equal(found.edge_statistic_, expected.edge_statistic_)
    assert_array_equal(found.causal_order_, expected.causal_order_)


def test_pruning_on_the_cluster(client, path):
    candidates = np.triu(np.ones((4, 4)), 1)
    found = cam_prune(open_table(path), candidates)
    expected = cam_prune(samples(), candidates)
    np.testing.assert_allclose(found.p_values, expected.p_values, rtol=1e-6)


@pytest.mark.parametrize(
    ("array", "words"),
    [
        (np.zeros(9), "got shape"),
        (np.zeros((9, 2), dtype=complex), "Dask array of complex128"),
        (np.zeros((9, 2), dtype="datetime64[D]"), "Dask array of datetime64"),
        (np.full((9, 2), "a"), "Dask array of <U1"),
    ],
)
def test_arrays_that_are_no_tables_of_numbers(array, words, monkeypatch):
    monkeypatch.setattr("scoredag.data.opening.LOADED_BYTES", 0)
    with pytest.raises(DataError, match=words):
        SCORE().fit(dask_array.from_array(array, chunks=3))


def nested_processes():
    """Where the jobs of a job work: `joblib` gives Dask's backend to what a task calls."""
    with parallel_config(backend="dask"):
        listed = list(results_of(delayed(os.getpid)() for _ in range(4)))
    here = []
    run_here(functools.partial(lambda: here.append(os.getpid())) for _ in range(4))
    return os.getpid(), {*listed, *here}


def test_jobs_inside_a_task_make_no_further_tasks(client):
    process, places = client.submit(nested_processes, pure=False).result()
    assert process != os.getpid()
    assert places == {process}
