import numpy as np
import pytest

from scoredag.diagnosis import about_dependent_noise, about_missing_noise, dependent_noise

NAMES = ["length", "width", "area"]


@pytest.mark.parametrize(("p", "told"), [(4e-4, True), (6e-4, False), (np.nan, False)])
def test_dependent_noise_is_named_by_a_level_for_all_edges(p, told):
    p_values = np.full((3, 3), np.nan)
    p_values[0, 1], p_values[1, 2] = p, 0.5
    p_values[0, 2] = np.nan if np.isfinite(p) else 0.5
    assert np.argwhere(dependent_noise(p_values)).tolist() == ([[0, 1]] if told else [])
    message = about_dependent_noise(p_values, ["a", "b", "c"])
    assert (message is not None) is told
    if told:
        assert "in 1 of 2 edges that were tested: 'a' → 'b'." in message


def test_edges_that_were_not_tested_do_not_contradict_the_model():
    assert not dependent_noise(np.full((3, 3), np.nan)).any()


def test_columns_without_noise_are_named_with_their_causes():
    edges = np.array([[0, 0, 1], [0, 0, 1], [0, 0, 0]]) == 1
    (told,) = about_missing_noise(np.array([1, 1, 1e-8]), edges, NAMES)
    assert told.startswith("'area' can be computed from 'length' and 'width'")
    assert about_missing_noise(np.array([1, 1e-8, 1e-4]), edges, NAMES) == []
