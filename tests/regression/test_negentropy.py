import numpy as np
import pytest

from scoredag.regression.negentropy import negentropy

# Of the densities: 1/2 log(2 pi e variance) less the entropy
KNOWN = {
    "uniform": 0.5 * np.log(2 * np.pi * np.e / 12),
    "exponential": 0.5 * np.log(2 * np.pi * np.e) - 1,
    "laplace": 0.5 * np.log(2 * np.pi * np.e * 2) - 1 - np.log(2),
}


@pytest.mark.parametrize("kind", KNOWN)
def test_it_is_that_of_the_density(kind):
    values = getattr(np.random.default_rng(0), kind)(size=20_000)
    assert negentropy(values) == pytest.approx(KNOWN[kind], abs=0.015)


@pytest.mark.parametrize("seed", range(5))
def test_normal_values_have_next_to_none(seed):
    values = np.random.default_rng(seed).normal(size=1000)
    assert 0 < negentropy(values) < 0.04


def test_units_do_not_matter():
    values = np.random.default_rng(0).exponential(size=300)
    assert negentropy(1e6 * values + 5) == pytest.approx(negentropy(values), abs=1e-6)


@pytest.mark.parametrize("decimals", [2, 3])
@pytest.mark.parametrize("kind", KNOWN)
def test_rounding_does_not_matter(kind, decimals):
    values = getattr(np.random.default_rng(0), kind)(size=1000)
    assert negentropy(values.round(decimals)) == pytest.approx(negentropy(values), abs=0.03)


HEAPED = np.concatenate([np.zeros(60), np.random.default_rng(0).normal(size=340)])


@pytest.mark.parametrize("values", [np.ones(50), np.repeat([0.0, 1.0], 50), HEAPED])
@pytest.mark.parametrize("scale", [1e-3, 1.0])
def test_some_values_have_no_density(values, scale):
    dust = 1e-13 * np.random.default_rng(1).normal(size=len(values))
    assert negentropy(scale * values) == np.inf
    assert len(set(values)) == 1 or negentropy(scale * (values + dust)) == np.inf


def test_a_failed_fit_has_no_shape():
    assert negentropy(np.full(50, np.nan)) == np.inf
