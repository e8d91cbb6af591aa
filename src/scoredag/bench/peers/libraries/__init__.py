"""The peers: one file a library, and its requirements beside it.

To add one, put two files here; no other file changes.

``mine.txt``
    What its venv holds, for pip, with pinned versions.
``mine.py``
    Runs inside that venv: it may import the standard library, numpy and the peer, never scoredag,
    and the peer only inside functions, since the list of methods is read outside of the venv. It
    defines

    - ``LIBRARY``, the name of the library and the first half of its methods' names;
    - ``MODULES``, what to import before the clock starts;
    - ``METHODS``, a dict of functions ``method(X, options, seed)`` that return a dict with "kind",
      "matrix" and, if there are any, "order" and "scores", as in `scoredag.bench.scoring.Outcome`;
    - ``OPTIONS``, the names of each method's options, so that others are refused before it runs.

A file without requirements is called in our own process: `mgcv`, which calls R.
"""
