from itertools import pairwise, permutations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from scoredag.report.crossings import count_crossings, fewest_crossings

links = st.tuples(st.integers(1, 6), st.integers(1, 6), st.integers(1, 6)).flatmap(
    lambda sizes: st.tuples(
        *(hnp.arrays(float, pair, elements=st.sampled_from([0.0, 1.0])) for pair in pairwise(sizes))
    )
)


def counted_by_hand(link, upper, lower):
    rank_up, rank_low = np.argsort(upper), np.argsort(lower)
    ends = [(rank_up[i], rank_low[j]) for i, j in np.argwhere(link)]
    return sum((a - c) * (b - d) < 0 for k, (a, b) in enumerate(ends) for c, d in ends[k + 1 :])


@settings(deadline=None, max_examples=40)
@given(links, st.randoms(use_true_random=False))
def test_count(two_links, random):
    first, second = two_links
    orders = [
        np.array(random.sample(range(size), size)) for size in (*first.shape, second.shape[1])
    ]
    expected = counted_by_hand(first, *orders[:2]) + counted_by_hand(second, *orders[1:])
    assert count_crossings(list(two_links), orders) == expected


@settings(deadline=None, max_examples=40)
@given(links)
def test_orders_are_permutations_and_no_worse_than_the_start(two_links):
    sizes = [*two_links[0].shape, two_links[1].shape[1]]
    orders = fewest_crossings(list(two_links), sizes)
    for order, size in zip(orders, sizes, strict=True):
        assert sorted(order) == list(range(size))
    start = [np.arange(size) for size in sizes]
    assert count_crossings(list(two_links), orders) <= count_crossings(list(two_links), start)


def test_a_long_zigzag_unfolds():
    """One path through both layers, hidden by the labels: barycentres alone stay far from 0."""
    rng = np.random.default_rng(1)
    upper, lower = rng.permutation(30), rng.permutation(30)
    link = np.zeros((30, 30))
    link[upper, lower] = 1
    link[upper[:-1], lower[1:]] = 1
    assert count_crossings([link], [np.arange(30), np.arange(30)]) > 500
    assert count_crossings([link], fewest_crossings([link], [30, 30])) == 0


def test_finds_the_optimum_of_small_graphs():
    """Against every pair of orders of 4 x 4 slots."""
    rng = np.random.default_rng(1)
    orders = [np.array(order) for order in permutations(range(4))]
    for _ in range(10):
        link = (rng.random((4, 4)) < 0.5).astype(float)
        optimum = min(count_crossings([link], [up, low]) for up in orders for low in orders)
        assert count_crossings([link], fewest_crossings([link], [4, 4])) == optimum
