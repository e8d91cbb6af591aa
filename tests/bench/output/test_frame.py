"""Options of the data."""

from scoredag.bench.output.frame import data_options


def test_every_option_of_every_data_set_is_known():
    assert {"data", "d", "graph", "noise", "n", "scale", "collection"} <= set(data_options())
    assert "seed" not in data_options()
