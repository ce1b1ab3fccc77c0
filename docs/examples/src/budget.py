"""Budgets."""


def parse(text):
    """Read a budget such as "8k"."""
    number, unit = text[:-1], text[-1]
    return int(number) * {"k": 1000, "m": 1000000}[unit]


def enforce(tokens, limit):
    """Refuse what is over the limit."""
    if tokens > limit:
        raise ValueError(f"{tokens} tokens exceed {limit}")
    return tokens
