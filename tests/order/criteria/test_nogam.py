from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import GridSearchCV, KFold, cross_val_predict

from scoredag import SCORE, Knowledge
from scoredag.exceptions import DataWarning
from scoredag.order import peel
from scoredag.order.criteria.nogam import nogam
from scoredag.order.criteria.variance import variance
from scoredag.score import SteinField
from scoredag.simulate import paper_dataset


class FixedField:
    """Samples with a score that is given."""

    def __init__(self, X, S):
        self.X, self._score, self.columns = X, S, np.arange(X.shape[1])

    def score(self):
        return self._score


def naive_nogam(X, S, folds=5):
    """The paper's algorithm as it is printed, with scikit-learn's regressions in five folds."""
    split = KFold(folds, shuffle=True, random_state=0)
    Z, errors = (X - X.mean(axis=0)) / X.std(axis=0), []
    for j in range(X.shape[1]):
        others = np.delete(Z, j, axis=1)
        distances = np.sqrt(((others[:, None] - others[None]) ** 2).sum(axis=2))
        gamma = 0.5 / np.median(distances[np.triu_indices(len(X), 1)]) ** 2
        regression = KernelRidge(alpha=0.3, kernel="rbf", gamma=gamma)
        x = X[:, j] - X[:, j].mean()
        residual = x - cross_val_predict(regression, others, x, cv=split)
        r, s = (residual / residual.std())[:, None], S[:, j] - S[:, j].mean()
        ridges = {"alpha": [0.01, 0.1, 1.0, 10.0]}
        curve = KernelRidge(kernel="rbf", gamma=0.5 / 0.3**2)
        search = GridSearchCV(curve, ridges, scoring="neg_mean_squared_error", cv=split).fit(r, s)
        errors.append(-search.best_score_)
    return np.array(errors)


def exponential_chain(n, seed):
    """0 -> 1 -> 2 with exponential noise."""
    rng = np.random.default_rng(seed)
    X = rng.exponential(0.7, size=(n, 3))
    X[:, 1] += np.sin(2 * X[:, 0])
    X[:, 2] += np.sin(2 * X[:, 1]) + X[:, 1]
    return X


@pytest.mark.parametrize("seed", range(3))
def test_close_to_the_printed_algorithm_in_five_folds(seed):
    X = paper_dataset(4, "ER1", "laplace", seed=300 + seed, n=300).X
    field = SteinField(X)
    ours, theirs = nogam(field), naive_nogam(field.X, field.score())
    assert_allclose(ours, theirs, rtol=0.15)
    assert ours.argmin() == theirs.argmin()


@pytest.mark.parametrize("seed", range(5))
def test_finds_the_leaf_of_a_chain_with_exponential_noise(seed):
    assert nogam(SteinField(exponential_chain(500, seed))).argmin() == 2


def test_directs_pairs_with_exponential_noise_that_the_variance_reverses():
    right = {nogam: 0, variance: 0}
    for seed in range(10):
        rng = np.random.default_rng(seed)
        x = rng.normal(size=300)
        y = np.sin(2 * x) + 0.5 * rng.exponential(size=300)
        for criterion in right:
            right[criterion] += criterion(SteinField(np.column_stack([x, y]))).argmin() == 1
    assert right[nogam] >= 8
    assert right[variance] <= 3


def test_a_score_that_the_residual_determines_is_predicted():
    rng = np.random.default_rng(0)
    x, noise = rng.normal(size=(2, 400))
    X = np.column_stack([x, x + noise])
    field = FixedField(X, np.column_stack([np.sin(3 * x) + noise, -noise]))
    values = nogam(field, relative=True)
    assert values[1] < 0.1  # r_1 is the noise itself
    assert values[0] > 0.3  # r_0 = x - E[x | x + noise] says nothing exact about x


def test_units_enter_the_absolute_error_by_the_declared_power():
    X = paper_dataset(4, "ER1", seed=300, n=150).X
    S = SteinField(X).score()
    units = np.array([1.0, 10.0, 0.01, 3.0])
    ours = nogam(FixedField(X, S))
    scaled = nogam(FixedField(X * units, S / units))
    assert_allclose(scaled, ours * units**nogam.unit_exponent, rtol=1e-5)
    relative = partial(nogam, relative=True)
    assert_allclose(
        relative(FixedField(X * units, S / units)), relative(FixedField(X, S)), rtol=1e-5
    )


def test_order_of_standardised_data_ignores_units():
    X = paper_dataset(5, "ER1", "gumbel", seed=301, n=150).X
    units = np.array([1e-3, 1.0, 20.0, 1e4, 0.5])

    def order(Y):
        return peel((Y - Y.mean(axis=0)) / Y.std(axis=0), criterion="nogam")

    assert_array_equal(order(X * units - 7), order(X))


def test_permuting_the_columns_permutes_the_values():
    X = paper_dataset(5, "ER4", "uniform", seed=302, n=150).X
    columns = np.random.default_rng(0).permutation(5)
    permuted = nogam(SteinField(X[:, columns]))
    assert_allclose(permuted, nogam(SteinField(X))[columns], rtol=1e-6)


@pytest.mark.parametrize("relative", [False, True])
def test_a_constant_score_has_no_error(relative):
    X = np.random.default_rng(0).normal(size=(50, 3))
    assert_array_equal(nogam(FixedField(X, np.full((50, 3), 2.0)), relative=relative), 0.0)


@pytest.mark.parametrize(("n", "d"), [(10, 2), (10, 4), (3, 2), (60, 1)])
def test_small_tables_have_values(n, d):
    values = nogam(SteinField(np.random.default_rng(0).normal(size=(n, d))))
    assert values.shape == (d,)
    assert np.isfinite(values).all()
    assert (values >= 0).all()


def test_equal_rows_and_exact_functions_have_values():
    X = np.random.default_rng(0).normal(size=(60, 3)).round()
    X[:, 2] = X[:, 0] ** 2
    assert np.isfinite(nogam(SteinField(X))).all()
    constant = np.column_stack([X[:, :1], np.zeros(60)])
    assert np.isfinite(nogam(FixedField(constant, X[:, :2]))).all()


def test_knowledge_steers_the_search():
    X = exponential_chain(100, 0)
    order = peel(X, criterion="nogam", knowledge=Knowledge(roots=[2]))
    assert order[0] == 2


def test_a_field_without_samples_is_refused_by_name():
    class Moments:
        columns = np.arange(3)

        def score(self):
            return np.zeros((20, 3))

        def remove(self, column): ...

    X = np.random.default_rng(0).normal(size=(20, 3))
    with pytest.raises(TypeError, match="Moments lacks X, which the leaf criterion asks for"):
        peel(X, criterion="nogam", score_estimator=lambda table: Moments())


def test_score_warns_about_edges_that_rest_on_units():
    X = exponential_chain(200, 1) * [1.0, 1.0, 1e-2]
    with pytest.warns(DataWarning, match="may rest on the units"):
        SCORE(criterion="nogam").fit(X)
