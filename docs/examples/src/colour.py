"""Colours."""

RED = (255, 0, 0)
GREEN = (0, 255, 0)
BLUE = (0, 0, 255)


def mix(a, b):
    """The mean of two colours."""
    return tuple((x + y) // 2 for x, y in zip(a, b))
