"""What the package claims, measured: ``python -m benchmarks`` prints every figure and its target.

One module a subject, each with a function ``figures()`` that yields `benchmarks.figure.Figure`.
Times are CPU seconds of one process with one BLAS thread, the best of several, and always shown
as a ratio to something measured in the same run.
"""
