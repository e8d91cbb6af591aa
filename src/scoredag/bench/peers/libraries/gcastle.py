"""NOTEARS, RL-BIC, CORL and GraN-DAG from gcastle. This file runs inside gcastle's own venv.

Options are the arguments of gcastle's classes, and its defaults hold. For RL and CORL these mean
hours at d = 10, and a score by linear regression. gcastle 1.0.4 has a quadratic one for RL
(``reg_type="QR"``), and for neither the Gaussian-process regression that their authors use on
data such as the paper's.
"""

from __future__ import annotations

from typing import Any

import numpy as np

LIBRARY = "gcastle"
MODULES = ("torch", "castle.algorithms")


def run_notears(X: np.ndarray, options: dict[str, Any], seed: int) -> dict[str, Any]:
    """NOTEARS, which is linear; weights below 0.3 are dropped by default, and rank the edges."""
    return _learn("Notears", X, options)


def run_notears_mlp(X: np.ndarray, options: dict[str, Any], seed: int) -> dict[str, Any]:
    """NOTEARS with a multi-layer perceptron a node: one hidden layer of 10 units by default."""
    return _learn("NotearsNonlinear", X, options, seed=seed)


def run_rl(X: np.ndarray, options: dict[str, Any], seed: int) -> dict[str, Any]:
    """RL-BIC: 20,000 epochs (``nb_epoch``) and linear regression (``reg_type="LR"``) by default."""
    _refuse_first_guess(options, "nb_epoch", 20_000, looks_every=1000)
    return _learn("RL", X, {"seed": seed, **options})


def run_corl(X: np.ndarray, options: dict[str, Any], seed: int) -> dict[str, Any]:
    """CORL: 10,000 iterations and ``reward_regression_type="LR"`` by default."""
    _refuse_first_guess(options, "iteration", 10_000, looks_every=500)
    return _learn("CORL", X, {"random_seed": seed, **options})


def run_grandag(X: np.ndarray, options: dict[str, Any], seed: int) -> dict[str, Any]:
    """GraN-DAG: 10,000 iterations by default, and no CAM pruning: gcastle has none."""
    return _learn("GraNDAG", X, {"input_dim": X.shape[1], "random_seed": seed, **options})


def _refuse_first_guess(
    options: dict[str, Any], steps: str, default: int, looks_every: int
) -> None:
    """Refuse a run so short that gcastle would answer with its first random guess.

    It looks for the best graph so far at the first step and then at every ``lambda_iter_num``-th.

    Examples
    --------
    >>> _refuse_first_guess({"nb_epoch": 200}, "nb_epoch", 20_000, looks_every=1000)
    Traceback (most recent call last):
        ...
    ValueError: nb_epoch must be at least lambda_iter_num; got 200 and 1000: lower both
    """
    made = options.get(steps, default)
    every = options.get("lambda_iter_num", looks_every)
    if made < every:
        raise ValueError(
            f"{steps} must be at least lambda_iter_num; got {made} and {every}: lower both"
        )


def _learn(
    name: str, X: np.ndarray, options: dict[str, Any], seed: int | None = None
) -> dict[str, Any]:
    import castle.algorithms  # type: ignore[import-not-found]
    import torch  # type: ignore[import-not-found,unused-ignore]

    torch.set_num_threads(1)
    if seed is not None:
        torch.manual_seed(seed)
    model = getattr(castle.algorithms, name)(**options)
    model.learn(X)
    # gcastle's entry [i, j] is i -> j, like ours.
    matrix = (np.asarray(model.causal_matrix) != 0).astype(int)
    weights = getattr(model, "weight_causal_matrix", None)  # not of the neural methods
    ranked = {} if weights is None else {"scores": np.abs(np.asarray(weights, float)).tolist()}
    return {"kind": "dag", "matrix": matrix.tolist(), **ranked}


METHODS = {
    "NOTEARS": run_notears,
    "NOTEARS-MLP": run_notears_mlp,
    "RL": run_rl,
    "CORL": run_corl,
    "GraN-DAG": run_grandag,
}

OPTIONS = {
    "NOTEARS": ("h_tol", "lambda1", "loss_type", "max_iter", "rho_max", "w_threshold"),
    "NOTEARS-MLP": (
        "bias", "expansions", "h_tol", "hidden_layers", "lambda1", "lambda2", "max_iter",
        "model_type", "rho_max", "w_threshold",
    ),
    "RL": (
        "alpha", "batch_size", "bias_initial_value", "decoder_activation", "decoder_hidden_dim",
        "decoder_type", "encoder_type", "hidden_dim", "init_baseline", "input_dimension",
        "l1_graph_reg", "lambda2_update", "lambda_flag_default", "lambda_iter_num",
        "lr1_decay_rate", "lr1_decay_step", "lr1_start", "nb_epoch", "normalize", "num_heads",
        "num_stacks", "reg_type", "residual", "score_bd_tight", "score_lower", "score_type",
        "score_upper", "seed", "transpose", "use_bias", "use_bias_constant", "verbose",
    ),
    "CORL": (
        "actor_lr", "alpha", "batch_size", "critic_lr", "decoder_name", "embed_dim",
        "encoder_blocks", "encoder_dropout_rate", "encoder_heads", "encoder_name",
        "init_baseline", "input_dim", "iteration", "lambda_iter_num", "normalize", "random_seed",
        "reward_gpr_alpha", "reward_mode", "reward_regression_type", "reward_score_type",
    ),
    "GraN-DAG": (
        "batch_size", "edge_clamp_range", "h_threshold", "hidden_dim", "hidden_num", "iterations",
        "jac_thresh", "lambda_init", "lr", "model_name", "mu_init", "nonlinear", "norm_prod",
        "normalize", "num_neighbors", "omega_lambda", "omega_mu", "optimizer", "pns_thresh",
        "precision", "random_seed", "square_prod", "stop_crit_win", "use_pns",
    ),
}  # fmt: skip
