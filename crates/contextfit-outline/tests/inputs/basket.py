"""A basket of things to buy."""

import functools
from collections import Counter

LIMIT = 40


class Full(Exception):
    """There is no room."""


class Basket:
    """What is in the basket."""

    def __init__(self):
        self.counts = Counter()
        self.paid = False

    @functools.cache
    def names(self):
        """All names, in order."""
        names = []
        for name in self.counts:
            names.append(name)
        return sorted(names)

    def add(
        self,
        thing,
        n=1,
    ):
        """Puts more of a thing in."""
        if self.total() + n > LIMIT:
            raise Full(thing)
        self.counts[thing] += n
        self.paid = False

    def total(self):
        # Counters can do this too.
        total = 0
        for count in self.counts.values():
            total += count
        return total
