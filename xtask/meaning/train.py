#!/usr/bin/env python3
"""Trains the vectors: texts and the code they are about come near each other.

A text and a window of code are each the mean of the vectors of their pieces, at unit length, minus
the mean of all windows of the repository, at unit length again. Of each batch, a text is to be
nearer to its own window than to those of the other texts and to some hard ones, and a window to its
own text than to the others: cross entropy over cosines, minimized by Adam. After each epoch the
vectors are judged by repositories that are not trained on, and those of the best epoch are kept.

Reads WORK/matrices.npz and WORK/start.npy and writes WORK/vectors.bin: signed bytes, row by row.
"""

import time
from typing import NamedTuple

import numpy as np
import scipy.sparse

import files

SEED = 1
EPOCHS = 6
LEARNING_RATE = 0.001
# The learning rate rises for this number of steps, then falls to a twentieth.
WARM_UP_STEPS = 100
# Texts of a batch; a remainder that is no larger than the second is left out.
BATCH = 256
LEAST_BATCH = 8
# Cosines are multiplied by it before the softmax.
SCALE = 16
# The share of pieces that are left out, at random.
DROPOUT = 0.15
# How often any window of a unit is the one to come near, instead of the nearest.
ANY_WINDOW = 0.2
# Hard windows: one of the nearest of a sample of the repository, for each text.
SAMPLE = 1500
NEAREST = 8
# The weight of the loss from windows to texts, compared with that from texts to windows.
WINDOW_LOSS = 0.5
# The maximum number of texts of a repository that vectors are judged by.
JUDGED_TEXTS = 1200
# The share of all numbers that a byte can express; the others are clipped.
EXPRESSED = 0.9995


class Batch(NamedTuple):
    """Texts of a repository with the windows to come near, and windows to stay away from."""

    mean: np.ndarray
    texts: np.ndarray
    windows: np.ndarray
    hard_windows: np.ndarray


def at_unit_length(x):
    """Returns the rows at unit length."""
    return x / np.maximum(np.sqrt((x * x).sum(1, keepdims=True)), 1e-9)


def lengths(x):
    """Returns the lengths of the rows, for a division."""
    return np.maximum(np.sqrt((x * x).sum(1, keepdims=True)), 1e-6)


def back_through_unit_length(gradient, x, length):
    """Returns the gradient of `x`, given that of `x / length`."""
    unit = x / length
    return (gradient - unit * (gradient * unit).sum(1, keepdims=True)) / length


class Corpus:
    """The windows and texts, by repository."""

    def __init__(self, matrices):
        self.matrices = matrices
        n_units = len(matrices.is_commit)
        # The windows of unit u are those from first_window[u] to first_window[u + 1].
        self.first_window = np.searchsorted(matrices.window_unit, np.arange(n_units + 1))

    def texts_of(self, repository):
        """Returns the places of the texts of a repository."""
        return np.where(self.matrices.text_repository == repository)[0]

    def windows_of(self, repository, vectors):
        """Returns the windows of a repository as vectors, their mean and the place of the first."""
        places = [repository, repository + 1]
        first, end = np.searchsorted(self.matrices.window_repository, places)
        windows = at_unit_length(self.matrices.windows[first:end] @ vectors)
        mean = windows.mean(0)
        return at_unit_length(windows - mean), mean, first

    def embed_texts(self, places, vectors, mean):
        """Returns texts as vectors."""
        return at_unit_length(at_unit_length(self.matrices.texts[places] @ vectors) - mean)


def reciprocal_ranks(corpus, repository, vectors):
    """Returns, for each kind of text, how high the own unit of each text is ranked.

    A text is compared with the nearest window of each unit: a subject of a commit with commits,
    other texts with functions.
    """
    matrices = corpus.matrices
    windows, mean, first = corpus.windows_of(repository, vectors)
    places = corpus.texts_of(repository)
    if len(places) >= JUDGED_TEXTS:
        places = places[:: len(places) // JUDGED_TEXTS + 1]
    texts = corpus.embed_texts(places, vectors, mean)
    window_unit = matrices.window_unit[first : first + len(windows)]
    starts = np.r_[0, np.where(np.diff(window_unit))[0] + 1]
    units = window_unit[starts]
    # In parts, to save memory.
    nearness = np.concatenate(
        [
            np.maximum.reduceat(texts[start : start + 300] @ windows.T, starts, axis=1)
            for start in range(0, len(places), 300)
        ]
    )
    ranks = []
    for kind, name in enumerate(files.KINDS):
        rows = np.where(matrices.text_kind[places] == kind)[0]
        columns = np.where(matrices.is_commit[units] == (name == "commit"))[0]
        own_units = matrices.text_unit[places[rows]]
        of_kind = nearness[rows][:, columns]
        own = of_kind[np.arange(len(rows)), np.searchsorted(units[columns], own_units)]
        ranks.append(1 / (1 + (of_kind > own[:, None]).sum(1)))
    return ranks


def validate(corpus, repositories, vectors):
    """Returns the mean reciprocal rank of each kind of text."""
    ranks = [reciprocal_ranks(corpus, repository, vectors) for repository in repositories]
    return [np.mean(np.concatenate(of_kind)) for of_kind in zip(*ranks)]


class Sampler:
    """Draws the batches of an epoch."""

    def __init__(self, corpus, random):
        self.corpus = corpus
        self.random = random

    def epoch(self, repositories, vectors):
        """Returns the batches of an epoch, each of one repository, in random order."""
        batches = []
        for repository in repositories:
            batches += self._batches(repository, vectors)
        self.random.shuffle(batches)
        return batches

    def _batches(self, repository, vectors):
        windows, mean, first = self.corpus.windows_of(repository, vectors)
        places = self.corpus.texts_of(repository)
        self.random.shuffle(places)
        texts = self.corpus.embed_texts(places, vectors, mean)
        own_windows = self._own_windows(places, texts, windows, first)
        batches = []
        for start in range(0, len(places), BATCH):
            batch = slice(start, start + BATCH)
            hard = self._hard_windows(places[batch], texts[batch], windows, first)
            if len(places[batch]) > LEAST_BATCH:
                batches.append(Batch(mean, places[batch], own_windows[batch], hard))
        return batches

    def _own_windows(self, places, texts, windows, first):
        """Returns the place of a window of the unit of each text: mostly the nearest."""
        own = np.zeros(len(places), int)
        for row, unit in enumerate(self.corpus.matrices.text_unit[places]):
            start, end = self.corpus.first_window[unit : unit + 2] - first
            if self.random.random() < ANY_WINDOW:
                own[row] = first + start + self.random.integers(end - start)
            else:
                own[row] = first + start + np.argmax(windows[start:end] @ texts[row])
        return own

    def _hard_windows(self, places, texts, windows, first):
        """Returns places of windows that are near to a text but not of its unit."""
        matrices = self.corpus.matrices
        n_windows = len(windows)
        sample = self.random.choice(n_windows, min(SAMPLE, n_windows), replace=False)
        nearness = texts @ windows[sample].T
        is_own = matrices.text_unit[places][:, None] == matrices.window_unit[first + sample][None]
        nearness[is_own] = -9
        nearest = np.argpartition(-nearness, NEAREST, axis=1)[:, :NEAREST]
        one = self.random.integers(NEAREST, size=len(places))
        return np.unique(first + sample[nearest[np.arange(len(places)), one]])


class Optimizer:
    """Adam on the rows that a batch has; the others keep their moments."""

    MEAN_DECAY = 0.9
    SQUARE_DECAY = 0.99

    def __init__(self, vectors, n_steps):
        self.vectors = vectors
        self.n_steps = n_steps
        self.step = 0
        self.means = np.zeros_like(vectors)
        self.squares = np.zeros_like(vectors)

    def update(self, rows, gradient):
        """Moves some rows against their gradient."""
        self.step += 1
        # In double precision, and so is the step below.
        rate = np.float64(LEARNING_RATE) * min(1, self.step / WARM_UP_STEPS)
        rate *= 1 - self.step / self.n_steps * 0.95
        mean = self.means[rows] * self.MEAN_DECAY + gradient * 0.1
        square = self.squares[rows] * self.SQUARE_DECAY + gradient * gradient * 0.01
        self.means[rows] = mean
        self.squares[rows] = square
        # Both are too small at first. Much later the corrections are one.
        mean = mean / (1 - self.MEAN_DECAY ** min(self.step, 300))
        square = square / (1 - self.SQUARE_DECAY ** min(self.step, 2000))
        self.vectors[rows] -= rate * mean / (np.sqrt(square) + 1e-8)


def drop(matrix, random):
    """Returns a matrix without a random part of its entries, the others larger accordingly."""
    matrix = matrix.copy()
    is_kept = random.random(matrix.nnz) >= DROPOUT
    matrix.data = matrix.data * is_kept / (1 - DROPOUT)
    return matrix


def learn(batch, matrices, optimizer, random):
    """Moves the vectors of the pieces of a batch. Returns its mean loss."""
    n_texts = len(batch.texts)
    windows = np.r_[batch.windows, batch.hard_windows]
    rows = scipy.sparse.vstack([matrices.texts[batch.texts], matrices.windows[windows]]).tocsr()
    rows = drop(rows, random)
    pieces, places = np.unique(rows.indices, return_inverse=True)
    shape = (rows.shape[0], len(pieces))
    rows = scipy.sparse.csr_matrix((rows.data, places, rows.indptr), shape=shape)

    x = rows @ optimizer.vectors[pieces]
    x_length = lengths(x)
    y = x / x_length - batch.mean
    y_length = lengths(y)
    z = y / y_length
    # Another window of the own unit is neither right nor wrong.
    is_own = matrices.text_unit[batch.texts][:, None] == matrices.window_unit[windows][None]
    is_own[np.arange(n_texts), np.arange(n_texts)] = False
    loss, gradient = loss_and_gradient(z[:n_texts], z[n_texts:], is_own)

    gradient = back_through_unit_length(gradient, y, y_length)
    gradient = back_through_unit_length(gradient, x, x_length)
    optimizer.update(pieces, rows.T @ gradient.astype(np.float32))
    return loss


def loss_and_gradient(texts, windows, is_left_out):
    """Returns the mean loss and its gradient for texts and windows, in this order.

    Row i of `windows` belongs to row i of `texts`; further rows are hard windows.
    """
    n_texts = len(texts)
    diagonal = np.arange(n_texts)
    scores = SCALE * (texts @ windows.T)
    scores[is_left_out] = -50
    gradient = np.exp(scores - scores.max(1, keepdims=True))
    gradient /= gradient.sum(1, keepdims=True)
    loss = -np.log(gradient[diagonal, diagonal] + 1e-9).mean()
    gradient[diagonal, diagonal] -= 1

    square = scores[:, :n_texts]
    of_windows = np.exp(square - square.max(0, keepdims=True))
    of_windows /= of_windows.sum(0, keepdims=True)
    of_windows[diagonal, diagonal] -= 1
    gradient[:, :n_texts] += WINDOW_LOSS * of_windows

    gradient *= SCALE / n_texts
    gradient[is_left_out] = 0
    return loss, np.concatenate([gradient @ windows, gradient.T @ texts])


def train(corpus, repositories, vectors):
    """Returns the vectors of the epoch that is best by the validation repositories."""
    validation = [place for place, one in enumerate(repositories) if one.is_validation]
    training = [place for place, one in enumerate(repositories) if not one.is_validation]
    n_batches = [-(-len(corpus.texts_of(repository)) // BATCH) for repository in training]
    vectors = vectors / np.sqrt((vectors**2).sum(1).mean())
    optimizer = Optimizer(vectors, EPOCHS * sum(n_batches))
    random = np.random.default_rng(SEED)
    sampler = Sampler(corpus, random)
    best, best_score = None, 0
    started = time.monotonic()

    def report(name, ranks):
        judged = ", ".join(f"{kind} {rank:.4f}" for kind, rank in zip(files.KINDS, ranks))
        seconds = time.monotonic() - started
        print(f"{name}: mean reciprocal rank {judged} ({seconds:.0f} s)", flush=True)

    report("start", validate(corpus, validation, vectors))
    for epoch in range(1, EPOCHS + 1):
        batches = sampler.epoch(training, vectors)
        losses = [learn(batch, corpus.matrices, optimizer, random) for batch in batches]
        ranks = validate(corpus, validation, vectors)
        report(f"epoch {epoch}, loss {np.mean(losses):.3f}", ranks)
        doc, md, commit = ranks
        score = doc + 0.5 * md + 0.5 * commit
        if score > best_score:
            best, best_score = vectors.copy(), score
    return best


def as_bytes(vectors):
    """Returns the vectors as signed bytes; all have the same scale, as lengths have a meaning."""
    largest = np.quantile(np.abs(vectors), EXPRESSED)
    return np.clip(np.round(vectors / largest * 127), -127, 127).astype(np.int8)


def main():
    work = files.arguments_of(__doc__).parse_args().work
    corpus = Corpus(files.read_matrices(work))
    start = np.load(work / "start.npy")
    vectors = train(corpus, files.read_repositories(), start)
    as_bytes(vectors).tofile(work / "vectors.bin")


if __name__ == "__main__":
    main()
