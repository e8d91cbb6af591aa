"""Numbers for readers: p-values, ticks and parameters."""

from __future__ import annotations

import math

# Below this a double holds no p-value: the tail of the distribution rounds to 0.
SMALLEST_P = 1e-300


def p_text(p_value: float) -> str:
    """Write a p-value with two digits.

    Examples
    --------
    >>> p_text(0.000321), p_text(0.0)
    ('3.2e-04', '< 1e-300')
    """
    return f"{p_value:.1e}" if p_value >= SMALLEST_P else f"< {SMALLEST_P:.0e}"


def p_phrase(p_value: float) -> str:
    """Write a p-value as part of a sentence.

    Examples
    --------
    >>> p_phrase(0.000321), p_phrase(0.0)
    ('p = 3.2e-04', 'p < 1e-300')
    """
    text = p_text(p_value)
    return f"p {text}" if text.startswith("<") else f"p = {text}"


def number_text(value: object) -> str:
    """Write a statistic with three digits, and anything else as it is.

    Examples
    --------
    >>> number_text(1.23456), number_text(1234.5), number_text(3.0), number_text("reml")
    ('1.23', '1230', '3', 'reml')
    """
    if not isinstance(value, float):
        return str(value)
    return f"{float(f'{value:.3g}'):.0f}" if 100 <= abs(value) < 1e6 else f"{value:.3g}"


def statistic_text(name: str, value: float | None) -> str:
    """Write a statistic of an edge: p-values as such, and others with three digits.

    Examples
    --------
    >>> statistic_text("p_value", 0.000321), statistic_text("edf", 3.14159)
    ('3.2e-04', '3.14')
    """
    if value is None or math.isnan(value):
        return "–"
    return p_text(value) if name.endswith("p_value") else number_text(value)


def figure_text(value: float | None) -> str:
    """Write a count as it is, and a share with two decimals.

    Examples
    --------
    >>> figure_text(12), figure_text(0.6), figure_text(None)
    ('12', '0.60', '–')
    """
    if value is None:
        return "–"
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round values that cover an interval: steps of 1, 2 or 5 times a power of ten.

    Examples
    --------
    >>> ticks(0.3, 9.2)
    [2.0, 4.0, 6.0, 8.0]
    """
    span = high - low
    if not span > 0 or not math.isfinite(span):
        return [low]
    raw = span / about
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw * 0.999)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [float(f"{k * step:.12g}") for k in range(first, last + 1)]


def tick_text(value: float) -> str:
    """Write a tick without needless digits.

    Examples
    --------
    >>> tick_text(0.25), tick_text(2000.0), tick_text(3e6), tick_text(-1.0)
    ('0.25', '2000', '3e6', '−1')
    """
    text = f"{value:g}" if 1e-3 <= abs(value) < 1e5 or value == 0 else _scientific(value)
    return text.replace("-", "−", 1) if value < 0 else text


def _scientific(value: float) -> str:
    mantissa, exponent = f"{value:e}".split("e")
    return f"{float(mantissa):g}e{int(exponent)}"
