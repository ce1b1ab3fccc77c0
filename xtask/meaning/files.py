"""The files that one step writes and the next ones read.

All of them are in one folder, the working folder:

    mined/OWNER+NAME.units.jsonl   what texts are about: the windows of a function or commit
    mined/OWNER+NAME.texts.jsonl   the texts, each with the number of its unit
    pieces.txt                     the vocabulary, one piece a line
    matrices.npz                   windows and texts as pieces
    start.npy                      the vectors that training starts from
    vectors.bin                    the trained vectors as signed bytes
"""

import argparse
import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
import scipy.sparse

# The kinds of texts: comments of functions, paragraphs of documents, subjects of commits.
KINDS = ["doc", "md", "commit"]


class Repository(NamedTuple):
    """A line of repositories.txt."""

    name: str
    licence: str
    commit: str
    # Whether it measures how good the vectors are instead of training them.
    is_validation: bool

    @property
    def file_name(self):
        """The name as a part of a path."""
        return self.name.replace("/", "+")


def arguments_of(documentation):
    """Returns a parser whose first argument is the working folder."""
    parser = argparse.ArgumentParser(description=documentation.split("\n", 1)[0])
    parser.add_argument("work", type=Path, help="the working folder")
    return parser


def read_repositories():
    """Returns the repositories of repositories.txt, which is next to this file."""
    text = Path(__file__).with_name("repositories.txt").read_text(encoding="utf-8")
    lines = [line.split() for line in text.splitlines() if not line.startswith("#")]
    return [
        Repository(name, licence, commit, use == ["validation"])
        for name, licence, commit, *use in lines
    ]


def write_mined(work, repository, units, texts):
    """Writes what was mined of a repository."""
    folder = work / "mined"
    folder.mkdir(parents=True, exist_ok=True)
    for kind, rows in (("units", units), ("texts", texts)):
        path = folder / f"{repository.file_name}.{kind}.jsonl"
        with path.open("w", encoding="utf-8") as file:
            for row in rows:
                print(json.dumps(row), file=file)


def read_mined(work, repository):
    """Returns the units and the texts that were mined of a repository."""
    both = []
    for kind in ("units", "texts"):
        path = work / "mined" / f"{repository.file_name}.{kind}.jsonl"
        with path.open(encoding="utf-8") as file:
            both.append([json.loads(line) for line in file])
    return both


class Matrices(NamedTuple):
    """All windows and texts as numbers. Rows are in the order of repositories and units."""

    # The share of each piece in a window or text, one row each.
    windows: scipy.sparse.csr_matrix
    texts: scipy.sparse.csr_matrix
    # The place of the repository and of the unit of each row.
    window_repository: np.ndarray
    window_unit: np.ndarray
    text_repository: np.ndarray
    text_unit: np.ndarray
    # The place in `KINDS` of each text.
    text_kind: np.ndarray
    # Whether each unit is a commit; the others are functions.
    is_commit: np.ndarray


def write_matrices(work, n_pieces, windows, texts, columns):
    """Writes matrices: `windows` and `texts` are the pieces and the lengths of the rows."""
    arrays = {"n_pieces": n_pieces, **columns}
    for name, (pieces, lengths) in (("windows", windows), ("texts", texts)):
        arrays[f"{name}_pieces"] = pieces
        arrays[f"{name}_lengths"] = lengths
    np.savez(work / "matrices.npz", **arrays)


def read_matrices(work):
    """Returns what `write_matrices` wrote."""
    with np.load(work / "matrices.npz") as file:
        arrays = dict(file)
    n_pieces = int(arrays.pop("n_pieces"))
    both = []
    for name in ("windows", "texts"):
        pieces = arrays.pop(f"{name}_pieces")
        lengths = arrays.pop(f"{name}_lengths")
        ends = np.concatenate([[0], np.cumsum(lengths)])
        shares = np.repeat(1 / np.maximum(lengths, 1), lengths).astype(np.float32)
        # A piece that occurs twice has two entries, and dropout during training drops one.
        shape = (len(lengths), n_pieces)
        both.append(scipy.sparse.csr_matrix((shares, pieces, ends), shape=shape))
    return Matrices(*both, **arrays)


def read_pieces(work):
    """Returns the pieces of the vocabulary in the order of their vectors."""
    return (work / "pieces.txt").read_text(encoding="utf-8").split()
