"""Every tuned number of ScoreGP, with its unit and the reason for its value.

Two frozen objects: `SearchSettings` for the search over orders and its Gaussian processes,
`EdgeTestSettings` for the edge test and for the warnings about the result. "Decision" quotes the
bold lead of an item in ``docs/decisions/0005-gaussian-processes.md`` or ``0009-free-noise.md``.
Evidence is in nats (natural logarithms of likelihood ratios); a relevance is an inverse
length-scale, in inverse standard deviations of a column; an amplitude is a variance relative to
that of the noise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

__all__ = ["EDGE_TEST", "SEARCH", "EdgeTestSettings", "SearchSettings"]


@dataclass(frozen=True, kw_only=True)
class SearchSettings:
    """Tuned numbers of the search over orders and of its local fits.

    Examples
    --------
    >>> SearchSettings().parent_cost, SearchSettings(parent_cost=3.0).parent_cost
    (2.0, 3.0)
    """

    # --- Rows. Decision "Rows for fits and for comparisons".
    rows: int = 400  # to which hyper-parameters are fitted during the search
    final_rows: int = 1000  # on which fits are compared; the last round also fits to them
    fewest_rows: int = 50  # with fewer, fits are by chance and evidence is overconfident
    start_rows: int = 2000  # for the two starting orders, which the search refines
    rows_to_grow: int = 4000  # of a table from which on a second search begins at the order of the
    # first one, with hyper-parameters fitted to and fits compared on so many rows:
    grown_rows: tuple[int, int] = (1000, 2000)  # Decision "Growing samples" in 0010-scale.md.
    isolated_level: float = 0.01  # at which all rows show that a column which the search has left
    # isolated is related to another one, of all pairs together. Decision "Isolated columns".

    # --- Columns that a second search leaves without parents, or nearly. Decision "Lone columns".
    faint_gain: float = 100.0  # nats below which a fit counts as next to nothing
    faint_rows: int = 20_000  # on which such columns are looked at again, at most: the time of a
    # look grows with the square of the rows, and so does the evidence
    fewest_joint_parents: int = 6  # functions of fewer columns show on fewer rows
    aligned_squares: tuple[float, ...] = (5.0, 10.0)  # sums of squares of equal relevances at which
    # a joint function is looked for
    screened_gain: float = 4.0  # nats below which no relevances are fitted. On 10,000 rows a
    # function of eleven columns had 17, and 80 independent columns at most 0.4
    joint_gain: float = 25.0  # nats that a joint function must gain; missed ones had 410 and more
    alignment_steps: int = 20  # of L-BFGS: a safeguard
    alignment_tolerance: float = 1e-3  # share of the gain that a step must gain
    doubtful_relevance: float = 0.5  # below which a parent of a joint function must gain
    least_aligned_gain: float = 15.0  # so many nats beside the other parents

    # --- Many columns. Decision "Screened search" in 0010-scale.md.
    most_unscreened: int = 100  # columns up to which every column may be a parent of every other;
    # with more a screen chooses, and the order of SCORE is that of its local score
    most_near: int = 30  # columns in the neighbourhood of a column; a column can be in more of them
    most_dependent: int = 20  # columns that depend most on a column, which join its neighbourhood

    # --- Starting orders. Decision "Linear start".
    nonlinear_margin: float = 10.0  # nats by which smooth functions must be likelier than lines
    linear_start_share: float = 0.1  # of the columns with parents: with more nonlinear ones, the
    # search starts at SCORE's order instead of DirectLiNGAM's

    # --- Columns that may be rank-transformed. Decision "Rank transform".
    heavy_tail_ratio: float = 8.0  # middle 99% over middle half; of a normal column 3.8, of a
    # Laplace one 6.6, of Student's t 7.6 with 3 degrees of freedom and 12 with 2
    outlier_distance: float = 20.0  # robust standard deviations from the median; a thousand Laplace
    # values stay below 10, ten thousand below 13

    # --- Moves between orders
    min_gain: float = 1.0  # nats that a move must gain: ten times the tolerance of a fit. Not
    # tuned.
    edges_side_by_side: int = 16  # whose reversals are explored before one of them is made: threads
    # have work, and later edges profit from earlier reversals
    most_sweeps: int = 10  # over all edges, at most: a safeguard, since each sweep lowers the loss
    settled_margin: float = 20.0  # nats above which a direction is not weighed again on more rows.
    # Decision "Last round on all rows".
    first_loss: float = 30.0  # nats that the first of a sequence of reversals may lose, and
    longest_sequence: int = 4  # how many further reversals may make up for it.
    # Decision "Sequences of reversals".
    weak_edge: float = 20.0  # nats below which an edge does not prevent the relocation of a parent
    # behind its child. Decision "Relocations".

    # --- Decision "Negentropy of the residuals".
    negentropy_error_at_1000: float = 10.0  # nats, at 1,000 rows: see `negentropy_error`
    negentropy_rows: int = 400  # used first; all rows are used unless the edge is settled by
    negentropy_settled: float = 60.0  # so many nats, the evidence with normal noise included
    dependent_p_value: float = 1e-4  # below which residuals clearly depend on a parent.
    # Decision "Dependence after a reversal".
    dependence_ratio: float = 1 / 3  # power of the p-value before a reversal that the p-value after
    # the reversal must exceed, where other edges are still wrong
    negentropy_spacing: float = 0.5  # of Vasicek's estimate, times sqrt(n); wider ones vary more
    negentropy_largest_share: float = 0.2  # of values that may be equal; with more, there is no
    # density. Decision "Rounded values".
    diagnostic_rows: int = 500  # for the tests of residuals, whose time is quadratic in the rows.
    # Decision "Dependent noise".

    # --- Density of the residuals with free noise. Decision "Density of the residuals".
    density_bins: int = 64  # equal ones, on the compressed scale
    density_fewest_levels: int = 20  # distinct values below which a column has no density: its
    # noise counts as normal and of constant scale. Decision "Columns without a density".
    density_atom_ratio: float = 3.0  # frequency of a level over those of its neighbours above which
    # it is an atom, and the column has no density. Decision "Columns without a density".
    # A unit is a standard deviation, or with heavy tails a robust one, from the quartiles.
    density_tail: float = 3.0  # units beyond which the scale is logarithmic
    density_robust_below: float = 0.5  # standard deviations: a unit from the quartiles that is
    # smaller takes the place of the standard deviation. Decision "Units of heavy-tailed columns".
    density_margin: float = 1.0  # units beyond the extremes where no end is sharp
    density_at_end: float = 0.08  # density, per unit, near an extreme above which
    # a sharp end of the support is tried; 0.01 to 0.06 for normal values
    density_smoothing: tuple[float, ...] = tuple(10.0 ** (2 - k) for k in range(9))  # penalties
    # on the integrated squared third derivative, from smooth to rough

    # --- Scale of the noise. Decision "Scale of the noise".
    scale_size: int = 7  # coefficients of a spline feature, the constant included
    scale_variances: tuple[float, ...] = (0.01, 0.05, 0.2, 0.8, 3.0)  # of log g^2, a priori
    scale_least_gain: float = 3.0  # nats below which a scale that varies is not tried
    scale_rounds: int = 2  # of estimating g from residuals and f given g
    scale_worse: float = 3.0  # nats below the best at which larger variances are not tried

    # --- Distorted columns. Decision "Distorted columns".
    distorted_least_gain: float = 3.0  # nats by which a column must be likelier than a normal one;
    # with less, the quantiles of its ranks are the column itself
    units_margin: float = 20.0  # nats by which ranks of a heavy-tailed response, or of heavy-tailed
    # parents, must be likelier for their own values to be tried no more.
    # Decision "Units of heavy-tailed columns".

    # --- Penalised evidence of a Gaussian process. Decision "Penalty on relevances".
    relevance_penalty: float = 2.0  # nats for each unit of relevance; between 1 and 3 the parents
    # found hardly differ
    parent_cost: float = 2.0  # nats for each parent where fits are compared.
    # Decision "Cost of a parent".
    log_amplitudes: tuple[float, ...] = (-2.0, -0.5, 1.0)  # a fit starts at the likeliest.
    # Decision "Starting points of a fit".
    log_amplitude_bounds: tuple[float, float] = (-8.0, 14.0)  # a line has a vast amplitude
    largest_relevance: float = 8.0  # upper bound of every relevance
    # A parent stays if its relevance or its slope is large enough. A line whose slope is small
    # relative to the noise is left to the linear model: keeping such lines reversed many edges.
    smallest_relevance: float = 0.04
    smallest_slope: float = 0.25  # prior variance of the slope over that of the noise
    faint_relevance: float = 0.25  # below which a parent is removed where that lowers the loss
    objective_unit: float = 0.3  # nats a row. Unscaled, the first L-BFGS step sends every
    # relevance to zero, which is a stationary point. Decision "Starting points of a fit".
    tolerance: float = 0.1  # nats that a step must gain, and the predicted gain of the next step
    short_step: float = 1.0  # nats below which the gain of the next step is predicted.
    # Decision "Early stopping".
    single_condition: float = 2e4  # bound of the condition number of a kernel matrix below which
    # single precision is used. Decision "Single precision".
    most_steps: int = 40  # of L-BFGS: a safeguard; most fits take fewer than ten

    # --- Decision "Lines".
    line_least_gain: float = 10.0  # nats by which the density of a line's residuals must be
    # likelier than a normal one
    line_log_amplitude: float = 6.0  # of the Gaussian process that starts at a line
    screened_log_amplitude: float = -2.0  # of processes that are tried on the residuals of a line

    # --- Decisions "Starting points of a fit", "Oscillating functions".
    screening_level: float = 0.01  # of the additive regression that proposes parents
    proposed_relevance: float = 0.7  # of the candidates that the regression proposes
    other_relevance: float = 0.1  # of the other candidates
    equal_relevance_squares: float = 5.0  # sum of squares where all candidates start alike; with
    # less, many parents that act jointly are missed
    new_relevance: float = 0.5  # of one or two columns that join a known fit; smaller for more
    least_new_relevance: float = 0.22  # however many columns join a known fit
    # Length-scales of a half to a seventh of a standard deviation: with fewer relevances sin 8x,
    # sin 12x, or sin 5x beside a line are missed.
    fast_relevances: tuple[float, ...] = (2.0, 4.0, 7.0)
    fast_log_amplitudes: tuple[float, ...] = (0.0, 2.0)  # as large as the noise, or larger
    oscillation_rows: int = 200  # in which residuals are tested for oscillation along a column
    oscillation_score: float = 5.0  # standard deviations of von Neumann's ratio

    # --- Additive local score: the defaults of CAM's greedy search, not tuned for the refinement.
    additive_edf: float = 5.0  # effective degrees of freedom of a term
    additive_size: int = 10  # coefficients of a term before it is penalised

    def negentropy_error(self, n_rows: int) -> float:
        """Error in nats of a difference of negentropies of n residuals.

        The standard deviation of the estimate, times n, was 5, 7 and 14 nats at 400, 1,000 and
        4,000 rows, which grows with the square root of n.

        Examples
        --------
        >>> [round(SearchSettings().negentropy_error(n)) for n in (250, 1000, 4000)]
        [5, 10, 20]
        """
        return self.negentropy_error_at_1000 * math.sqrt(n_rows / 1000)


@dataclass(frozen=True, kw_only=True)
class EdgeTestSettings:
    """Tuned numbers of the edge test and of the diagnoses of its result.

    Examples
    --------
    >>> EdgeTestSettings().alpha
    0.03
    """

    # --- Decision "Threshold of the edge test".
    alpha: float = 0.03  # approximate bound of the probability that a root gets a parent
    block_rows: int = 1000  # rows of one Gaussian process where there are more
    # A node whose function shows on many rows only. Decision "Lone columns" in 0010-scale.md.
    wide_block_rows: int = 3000  # rows of one Gaussian process of such a node
    wide_rows: int = 20_000  # most rows on which it is tested
    settled_evidence: float = 15.0  # nats above which a parent is kept without refitting the
    # others, which could only lower its evidence
    polishing_steps: int = 6  # of L-BFGS, without a penalty
    rows_per_term: int = 4  # with fewer rows a candidate, only the strongest candidates are tested
    # --- Decision "Choice of kernel".
    linear_margin: float = 3.0  # nats by which a nonlinear model must be likelier than the linear
    # model of the same parents

    # --- Decisions "Undirected edges", "Doubtful edges".
    doubtful_at_1000: float = 8.0  # nats, at 1,000 rows: see `doubtful`
    fewest_nats: float = 3.0  # however few the rows are
    undirected_line: float = 10.0  # nats below which the direction of linear edges and of edges at
    # rank-transformed columns is not identified, where `doubtful` is less
    mixed_units_at_1000: float = 50.0  # nats, at 1,000 rows: see `mixed_units`.
    # Decision "Mixed units".
    # --- Decision "Dependent noise".
    dependent_noise_level: float = 1e-3  # of all tests of residuals together
    # --- Decision "Columns without noise".
    no_noise_share: float = 1e-5  # share of the variance; noise of 1% of the spread has 1e-4,
    # values that were computed from others have 1e-7 and less

    def doubtful(self, n_rows: int) -> float:
        """Evidence in nats that a small departure from the model can give an edge or a direction.

        With hidden common causes most wrong edges had less than 8 nats at 1,000 rows. Such evidence
        grows with the square root of the rows, as the error of a sum over rows does.

        Examples
        --------
        >>> [round(EdgeTestSettings().doubtful(n)) for n in (100, 1000, 4000)]
        [3, 8, 16]
        """
        return max(self.fewest_nats, self.doubtful_at_1000 * math.sqrt(n_rows / 1000))

    def mixed_units(self, n_rows: int) -> float:
        """Evidence in nats for a direction that units alone can give.

        Between a column by rank and a raw one; log-normal pairs had up to 21
        nats at 250 rows and 34 at 800, which grows with the square root of the rows.

        Examples
        --------
        >>> [round(EdgeTestSettings().mixed_units(n)) for n in (250, 1000)]
        [25, 50]
        """
        return self.mixed_units_at_1000 * math.sqrt(n_rows / 1000)


SEARCH = SearchSettings()
EDGE_TEST = EdgeTestSettings()
