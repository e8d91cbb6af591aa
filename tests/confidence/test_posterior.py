"""The sampler against the enumeration of all DAGs of known parent sets."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scoredag import Knowledge
from scoredag.confidence import graph_posterior
from tests.order.table_score import TableFit


def is_acyclic(parents):
    left = set(range(len(parents)))
    while left:
        roots = {v for v in left if not parents[v] & left}
        if not roots:
            return False
        left -= roots
    return True


def closure(parents):
    reach = np.array([[float(i in p) for p in parents] for i in range(len(parents))])
    for _ in parents:
        reach = np.minimum(1.0, reach + reach @ reach)
    return reach


def enumerated(fits, temperature=1.0, accepted=lambda parents: True):
    """Edge and ancestor probabilities by all DAGs."""
    d = len(fits)
    edges, ancestors, total = np.zeros((d, d)), np.zeros((d, d)), 0.0
    for chosen in product(*fits):
        parents = [fit.parents for fit in chosen]
        if not is_acyclic(parents) or not accepted(parents):
            continue
        weight = np.exp(-sum(fit.loss for fit in chosen) / temperature)
        total += weight
        for v, found in enumerate(parents):
            edges[sorted(found), v] += weight
        ancestors += weight * closure(parents)
    return edges / total, ancestors / total


def random_fits(d, seed, spread=4.0, share=0.6):
    rng = np.random.default_rng(seed)
    fits = []
    for v in range(d):
        others = [k for k in range(d) if k != v]
        sets = [frozenset(k for k in others if rng.random() < 0.4) for _ in range(12)]
        kept = {frozenset(), *(s for s in sets if rng.random() < share)}
        fits.append(
            [TableFit(s, float(spread * rng.normal() * len(s))) for s in sorted(kept, key=sorted)]
        )
    return fits


@pytest.mark.parametrize("d", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("spread", [1.0, 5.0, 30.0])
def test_probabilities_are_those_of_all_dags(d, spread):
    for seed in range(4):
        fits = random_fits(d, seed, spread)
        found = graph_posterior(fits, n_steps=3000, rng=seed)
        edges, ancestors = enumerated(fits)
        assert_allclose(found.edge_probability, edges, atol=0.02)
        assert_allclose(found.ancestor_probability, ancestors, atol=0.03)


def test_the_temperature_divides_evidence():
    fits = random_fits(4, 1)
    found = graph_posterior(fits, temperature=3.0, n_steps=3000)
    assert_allclose(found.edge_probability, enumerated(fits, 3.0)[0], atol=0.02)


def test_every_rule_is_obeyed():
    names = list("abcde")
    rules = Knowledge(required=["a -> b"], forbidden=["c -> d"], roots=["e"]).resolve(names)
    fits = random_fits(5, 3)
    allowed = [
        [
            TableFit(fit.parents | ({0} if v == 1 else set()), fit.loss)
            for fit in known
            if all(rules.allowed[k, v] for k in fit.parents)
        ]
        for v, known in enumerate(fits)
    ]
    least = [
        [
            min((f for f in known if f.parents == s), key=lambda f: f.loss)
            for s in {f.parents for f in known}
        ]
        for known in allowed
    ]
    found = graph_posterior(fits, constraints=rules, n_steps=3000)
    assert_allclose(found.edge_probability, enumerated(least)[0], atol=0.02)
    assert found.edge_probability[0, 1] == pytest.approx(1.0)
    assert found.edge_probability[2, 3] == 0
    assert not found.edge_probability[:, 4].any()


def test_order_probabilities_sum_to_one():
    found = graph_posterior(random_fits(5, 2), n_steps=500)
    total = found.order_probability + found.order_probability.T
    assert_allclose(total, 1 - np.eye(5))


def test_more_than_64_columns():
    d = 70
    fits = [[TableFit(frozenset(), 0.0)] for _ in range(d)]
    fits[69].append(TableFit(frozenset({0, 66}), -8.0))
    fits[0].append(TableFit(frozenset({69}), -9.0))
    found = graph_posterior(fits, n_steps=4000)
    forward, backward, neither = np.exp(8), np.exp(9), 1.0
    total = forward + backward + neither
    assert found.edge_probability[66, 69] == pytest.approx(forward / total, abs=0.05)
    assert found.edge_probability[69, 0] == pytest.approx(backward / total, abs=0.05)


def test_the_same_seed_gives_the_same_bits():
    fits = random_fits(6, 4)
    one, two = (graph_posterior(fits, n_steps=200, rng=7) for _ in range(2))
    assert np.array_equal(one.edge_probability, two.edge_probability)
