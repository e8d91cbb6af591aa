import importlib
import subprocess
import sys
from functools import partial

import pytest

from scoredag.plugins import accepted, names, pick, piece, shelf

SHELVES = [
    "scoredag.estimators",
    "scoredag.graph.formats",
    "scoredag.order.criteria",
    "scoredag.order.local_scores",
    "scoredag.order.refiners",
    "scoredag.prune.pruners",
    "scoredag.regression.bases",
    "scoredag.regression.smoothing",
    "scoredag.score.fields",
    "scoredag.screening.screens",
    "scoredag.simulate.graphs",
    "scoredag.simulate.mechanisms",
    "scoredag.simulate.models",
    "scoredag.simulate.noises",
]


@pytest.mark.parametrize("package", SHELVES)
def test_every_file_on_a_shelf_is_a_piece(package):
    pieces = shelf(package)
    assert sorted(pieces) == names(package)
    for name, found in pieces.items():
        assert callable(found)
        assert f"{found.__module__}.".startswith(f"{package}.{name}.")


def test_listing_names_imports_nothing():
    code = (
        "import sys; from scoredag.plugins import names; names('scoredag.estimators');"
        "sys.exit('sklearn' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_picking_one_piece_imports_no_other(tmp_path, monkeypatch):
    """A file that cannot be imported, as for want of an extra, spoils only itself."""
    criteria = importlib.import_module("scoredag.order.criteria")
    monkeypatch.setattr(criteria, "__path__", [*criteria.__path__, str(tmp_path)])
    (tmp_path / "broken.py").write_text("import nothing_of_this_name")
    assert pick("scoredag.order.criteria", "variance", "criterion").__name__ == "variance"
    with pytest.raises(ImportError):
        piece("scoredag.order.criteria", "broken")


def test_a_shelf_is_read_wherever_its_path_leads(tmp_path, monkeypatch):
    criteria = importlib.import_module("scoredag.order.criteria")
    (tmp_path / "elsewhere.py").write_text("def elsewhere(field): ...\nPIECE = elsewhere")
    (tmp_path / "_hidden.py").write_text("")
    assert names("scoredag.order.criteria") == ["nogam", "scale_free", "variance"]
    monkeypatch.setattr(criteria, "__path__", [*criteria.__path__, str(tmp_path)])
    monkeypatch.delitem(sys.modules, "scoredag.order.criteria.elsewhere", raising=False)
    assert names("scoredag.order.criteria") == ["elsewhere", "nogam", "scale_free", "variance"]
    assert pick("scoredag.order.criteria", "elsewhere", "criterion").__name__ == "elsewhere"
    sys.modules.pop("scoredag.order.criteria.elsewhere")


def test_a_file_without_its_piece_says_so(tmp_path, monkeypatch):
    criteria = importlib.import_module("scoredag.order.criteria")
    monkeypatch.setattr(criteria, "__path__", [*criteria.__path__, str(tmp_path)])
    (tmp_path / "empty_handed.py").write_text("def something_else(): ...")
    with pytest.raises(ImportError, match="must name its piece"):
        piece("scoredag.order.criteria", "empty_handed")


def test_accepted():
    def prune(X, alpha=0.1, *, eta=1.0): ...

    def takes_all(X, **options): ...

    options = {"alpha": 0.2, "eta": 3.0, "n_jobs": 2}
    assert accepted(prune, options) == {"alpha": 0.2, "eta": 3.0}
    assert accepted(partial(prune, alpha=0.5), options) == {"eta": 3.0}
    assert accepted(takes_all, options) == options
    assert accepted(partial(takes_all, n_jobs=1), options) == {"alpha": 0.2, "eta": 3.0}
