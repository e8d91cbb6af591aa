"""The paper's formulas as they are printed: explicit n x n x d tensors and explicit inverses.

Slow and hungry for memory on purpose; what `scoredag.score` computes must equal this. A leaf
costs one set of tensors and two inverses, one in eq. (3.4) and one in eq. (4.7), as in the
published experiments, whose kernel is also divided by the bandwidth.
"""

import numpy as np


def pairs(X):
    """Differences x_k - x_i, the kernel, and Algorithm 2's bandwidth."""
    differences = X[:, None, :] - X[None, :, :]
    distances = np.sqrt((differences**2).sum(axis=2))
    s = np.median(distances)  # over all i, j = 1, ..., n
    return differences, np.exp(-(distances**2) / (2 * s**2)) / s, s


def inverse(K, eta):
    """(K + eta I)^-1."""
    return np.linalg.inv(K + eta * np.eye(len(K)))


def gradient(differences, K, s, eta):
    """Eq. (3.4): -(K + eta I)^-1 <grad, K>."""
    # grad by x^i of kappa(x^k, x^i) is K_ki (x^k - x^i) / s^2
    return -inverse(K, eta) @ (np.einsum("ki,kij->kj", K, differences) / s**2)


def score(X, eta=1e-3):
    """Eq. (3.4)."""
    return gradient(*pairs(X), eta)


def hessian_diagonal(X, eta=1e-3):
    """Eq. (4.7)."""
    differences, K, s = pairs(X)
    G = gradient(differences, K, s, eta)
    second = np.einsum("ki,kij->kj", K, differences**2 / s**4 - 1 / s**2)
    return -(G**2) + inverse(K, eta) @ second


def jacobian_row(X, row, eta=1e-3):
    """The off-diagonal analogue of eq. (4.7), from the second-order Stein identity (4.4)."""
    differences, K, s = pairs(X)
    G = gradient(differences, K, s, eta)
    mixed = differences * differences[:, :, [row]] / s**4
    mixed[:, :, row] -= 1 / s**2
    return -G * G[:, [row]] + inverse(K, eta) @ np.einsum("ki,kij->kj", K, mixed)


def order(X, eta=1e-3):
    """Algorithm 1, sources first."""
    nodes, found = list(range(X.shape[1])), []
    while nodes:
        leaf = int(np.argmin(hessian_diagonal(X[:, nodes], eta).var(axis=0)))
        found.insert(0, nodes.pop(leaf))
    return np.array(found)
