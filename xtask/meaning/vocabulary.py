#!/usr/bin/env python3
"""Chooses the pieces that words are made of, and writes the mined windows and texts as pieces.

A piece is a word that occurs often enough in enough repositories, a letter or a digit. Every word
is divided into pieces from its start, each the longest that continues it, as the crate does.

Reads WORK/mined and writes WORK/pieces.txt and WORK/matrices.npz.
"""

import array
import collections
import string

import numpy as np

import files

LONGEST_PIECE = 24
# A word is a piece if it occurs in this many repositories, this many times in all.
LEAST_REPOSITORIES = 4
LEAST_TIMES = 20


class Rows:
    """The pieces of many texts, one text after the other."""

    def __init__(self, divider):
        self.divider = divider
        self.pieces = array.array("i")
        self.lengths = []

    def add(self, text):
        """Adds a text; words that cannot be divided are left out."""
        before = len(self.pieces)
        for word in text.split():
            self.pieces.extend(self.divider.divide(word))
        self.lengths.append(len(self.pieces) - before)

    def arrays(self):
        """Returns the pieces and the number of pieces of each text."""
        return np.frombuffer(self.pieces, np.int32), np.array(self.lengths)


class Divider:
    """Divides words into known pieces."""

    def __init__(self, pieces):
        self.places = {piece: place for place, piece in enumerate(pieces)}
        self.known = {}

    def divide(self, word):
        """Returns the places of the pieces of a word, or none if it has an unknown letter."""
        if word not in self.known:
            self.known[word] = self._divide(word)
        return self.known[word]

    def _divide(self, word):
        found = []
        start = 0
        while start < len(word):
            for end in range(min(len(word), start + LONGEST_PIECE), start, -1):
                place = self.places.get(word[start:end])
                if place is not None:
                    found.append(place)
                    start = end
                    break
            else:
                return []
        return found


def choose(work, repositories):
    """Returns the pieces in alphabetical order."""
    times = collections.Counter()
    n_repositories = collections.Counter()
    for repository in repositories:
        units, texts = files.read_mined(work, repository)
        own = collections.Counter()
        for unit in units:
            for window in unit["windows"]:
                own.update(window.split())
        for text in texts:
            own.update(text["text"].split())
        times.update(own)
        n_repositories.update(own.keys())
    pieces = set(string.ascii_lowercase + string.digits)
    for word, n in times.items():
        is_frequent = n >= LEAST_TIMES and n_repositories[word] >= LEAST_REPOSITORIES
        if is_frequent and len(word) <= LONGEST_PIECE:
            pieces.add(word)
    covered = sum(times[piece] for piece in pieces) / times.total()
    print(f"{len(times)} words, {len(pieces)} pieces, {covered:.1%} of all words are one piece")
    return sorted(pieces)


def encode(work, repositories, pieces):
    """Writes the windows and texts of all repositories as pieces."""
    divider = Divider(pieces)
    windows = Rows(divider)
    texts = Rows(divider)
    columns = collections.defaultdict(list)
    first_unit = 0
    for place, repository in enumerate(repositories):
        units, own_texts = files.read_mined(work, repository)
        for number, unit in enumerate(units, first_unit):
            columns["is_commit"].append(unit["is_commit"])
            for window in unit["windows"]:
                windows.add(window)
                columns["window_unit"].append(number)
                columns["window_repository"].append(place)
        for text in own_texts:
            texts.add(text["text"])
            columns["text_unit"].append(first_unit + text["unit"])
            columns["text_repository"].append(place)
            columns["text_kind"].append(files.KINDS.index(text["kind"]))
        first_unit += len(units)
    files.write_matrices(work, len(pieces), windows.arrays(), texts.arrays(), columns)
    print(f"{first_unit} units, {len(windows.lengths)} windows, {len(texts.lengths)} texts")


def main():
    work = files.arguments_of(__doc__).parse_args().work
    repositories = files.read_repositories()
    pieces = choose(work, repositories)
    (work / "pieces.txt").write_text("\n".join(pieces) + "\n", encoding="utf-8")
    encode(work, repositories, pieces)


if __name__ == "__main__":
    main()
