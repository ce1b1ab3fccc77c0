"""Texts that tests share."""

from __future__ import annotations

import random

PAGE = "Tokens are counted once. " + "Nothing else is said here. " * 80
LOG = "\n".join(f"10:00:{n % 60:02} INFO lock {n} is closed" for n in range(600)) + "\nERROR disk 7 is full\n"
ALPHABET = "abc déßñ.\n\t漢字 🎉👩‍👩‍👧 \u0301\u200b\ufeff"


def words(seed: int, length: int = 300) -> str:
    """A text of any Unicode."""
    drawn = random.Random(seed)
    return "".join(drawn.choice(ALPHABET) for _ in range(length))


def conversation(turns: int = 40) -> list[dict[str, str]]:
    said = [
        {"role": "assistant" if n % 2 else "user", "content": f"Message {n}. " + "So it goes on. " * 20}
        for n in range(turns)
    ]
    return [{"role": "system", "content": "Be brief."}, *said, {"role": "user", "content": "What now?"}]
