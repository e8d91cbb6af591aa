"""Every tuned number of ScoreGP, with its unit and the reason for its value.

Two frozen objects: `SearchSettings` for the search over orders and its Gaussian processes,
`EdgeTestSettings` for the test of edges and for what is said about the result. "Decision" names a
paragraph of ``docs/decisions/0005-gaussian-processes.md``. Evidence is in nats (natural logarithms
of likelihood ratios); a relevance is an inverse length-scale, in inverse standard deviations of a
column; an amplitude is a variance relative to that of the noise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

__all__ = ["EDGE_TEST", "SEARCH", "EdgeTestSettings", "SearchSettings"]


@dataclass(frozen=True, kw_only=True)
class SearchSettings:
    """What the search over orders and its local fits were tuned to.

    Examples
    --------
    >>> SearchSettings().parent_cost, SearchSettings(parent_cost=3.0).parent_cost
    (2.0, 3.0)
    """

    # --- Rows. Decision "Fitted to few rows, compared on all".
    rows: int = 400  # to which hyper-parameters are fitted during the search
    final_rows: int = 1000  # on which fits are compared, and fitted to in the last round
    fewest_rows: int = 50  # fewer fit by chance, and directions look surer than they are
    start_rows: int = 2000  # for the first orders; the refinement looks again

    # --- Columns that may enter by their ranks. Decision "Ranks only where they are likelier".
    heavy_tail_ratio: float = 8.0  # middle 99% over middle half; of a normal column 3.8, of a
    # Laplace one 6.6, of Student's t 7.6 with 3 degrees of freedom and 12 with 2
    outlier_distance: float = 20.0  # robust standard deviations from the median; a thousand Laplace
    # values stay below 10, ten thousand below 13

    # --- Moves between orders
    min_gain: float = 1.0  # nats that a move must gain
    most_sweeps: int = 10  # over all edges; two or three are usual
    settled_margin: float = 20.0  # nats beyond which a direction is not asked about again on more
    # rows. Decision "Fitted to few rows".
    first_loss: float = 30.0  # nats that the first of a sequence of reversals may lose, and
    longest_sequence: int = 4  # how many further reversals may make up for it.
    # Decision "Turning against the evidence".
    weak_edge: float = 20.0  # nats below which an edge does not hold a column back that is moved
    # behind its child. Decision "Columns that seem to depend on nothing".

    # --- Negentropy of the residuals. Decision "The shape of the noise".
    negentropy_error_at_1000: float = 10.0  # nats, at 1,000 rows: see `negentropy_error`
    negentropy_rows: int = 400  # looked at first, and all rows if the sum with the evidence of
    negentropy_settled: float = 60.0  # normal noise is below so many nats
    dependent_p_value: float = 1e-4  # below which residuals plainly depend on a parent
    dependence_ratio: float = 1 / 3  # power of the p-value before a reversal that the one after the
    # reversal must exceed, where other edges are still wrong
    negentropy_spacing: float = 0.5  # of Vasicek's estimate, times sqrt(n); wider ones vary more
    negentropy_largest_share: float = 0.2  # of values that may be equal; with more, no density
    diagnostic_rows: int = 500  # for the tests of residuals, whose time grows with the square

    # --- Penalised evidence of a Gaussian process. Decision "Relevances r, not r squared".
    relevance_penalty: float = 2.0  # nats for each unit of relevance; between 1 and 3 the parents
    # found hardly differ
    parent_cost: float = 2.0  # nats for each parent where fits are compared. Decision "The cost of
    # a cause is 2 nats".
    log_amplitudes: tuple[float, ...] = (-2.0, -0.5, 1.0)  # a fit starts at the likeliest.
    # Decision "Where a fit begins".
    log_amplitude_bounds: tuple[float, float] = (-8.0, 14.0)  # a line has a vast amplitude
    largest_relevance: float = 8.0
    # A parent stays if its relevance or its slope is large enough. A line that is not steep beside
    # the noise is left to the linear model: keeping all of them reversed many edges.
    smallest_relevance: float = 0.04
    smallest_slope: float = 0.25  # prior variance of the slope over that of the noise
    faint_relevance: float = 0.25  # below it a parent is taken out where that lowers the loss
    objective_unit: float = 0.3  # nats a row. Unscaled, the first L-BFGS step sends every
    # relevance to zero, which is a stationary point. Decision "Where a fit begins".
    tolerance: float = 0.1  # nats that a step must gain, and that the next one must promise
    short_step: float = 1.0  # nats below which the gain of the next step is predicted.
    # Decision "The last step is not taken".
    most_steps: int = 40  # of L-BFGS

    # --- Starting points of a fit. Decisions "Where a fit begins", "Functions that turn often".
    screening_level: float = 0.01  # of the additive regression that proposes parents
    proposed_relevance: float = 0.7  # of what the regression proposes
    other_relevance: float = 0.1  # of what it does not
    equal_relevance_squares: float = 5.0  # sum of squares where all start alike; with less, many
    # parents that act together are missed
    new_relevance: float = 0.5  # of two columns that join a known fit; of more, less
    least_new_relevance: float = 0.22
    # Functions that oscillate within a half to a seventh of a standard deviation, as large as the
    # noise or larger: with fewer of them sin 8x, sin 12x, or sin 5x beside a line are missed.
    fast_relevances: tuple[float, ...] = (2.0, 4.0, 7.0)
    fast_log_amplitudes: tuple[float, ...] = (0.0, 2.0)
    oscillation_rows: int = 200  # in which residuals are tested for following a column
    oscillation_score: float = 5.0  # standard deviations of von Neumann's ratio

    # --- Additive local score, CAM's. Chosen on seeds 40 to 44 of the paper's data, d = 20 and 50.
    additive_edf: float = 5.0  # effective degrees of freedom of a term
    additive_size: int = 10  # coefficients of a term before it is penalised

    def negentropy_error(self, n_rows: int) -> float:
        """Nats within which a difference of negentropies of n residuals is known.

        The standard deviation of the estimate, times n, was 5, 7 and 14 nats at 400, 1,000 and
        4,000 rows: it grows with the square root of n.

        Examples
        --------
        >>> [round(SearchSettings().negentropy_error(n)) for n in (250, 1000, 4000)]
        [5, 10, 20]
        """
        return self.negentropy_error_at_1000 * math.sqrt(n_rows / 1000)


@dataclass(frozen=True, kw_only=True)
class EdgeTestSettings:
    """What the test of edges, and the doubts about the result, were tuned to.

    Examples
    --------
    >>> EdgeTestSettings().alpha
    0.03
    """

    # --- Decision "The threshold"
    alpha: float = 0.03  # probability that a column without parents gets one, about, at most
    block_rows: int = 1000  # rows of one Gaussian process where there are more
    settled_evidence: float = 15.0  # nats above which a parent is kept without refitting the
    # others, which could only lower its evidence
    polishing_steps: int = 6  # of L-BFGS, without a penalty
    rows_per_term: int = 4  # fewer rows a candidate, and only the strongest candidates are tested
    # --- Decision "One kernel or several"
    linear_margin: float = (
        3.0  # nats by which curves must be likelier than lines in the same parents
    )

    # --- Decision "Which directions are open"
    undirected: float = 3.0  # nats below which a direction is not identified,
    undirected_line: float = 10.0  # and of lines and of columns that enter by rank
    # --- Decision "Noise against the model"
    dependent_noise_level: float = 1e-3  # of all tests of residuals together
    # --- Decision "No noise at all": noise of 1% of the spread has a share of 1e-4 of the variance,
    # values that were computed from others 1e-7 and less.
    no_noise_share: float = 1e-5


SEARCH = SearchSettings()
EDGE_TEST = EdgeTestSettings()
