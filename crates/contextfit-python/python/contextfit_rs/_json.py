"""Values of Python as JSON, the language of the native half."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def dumps(value: object) -> str:
    """`value` as JSON without white space. Raises InvalidRequestError if it cannot be JSON."""
    from ._errors import invalid

    try:
        return checked(
            json.dumps(value, default=_plain, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        )
    except (TypeError, ValueError, RecursionError) as error:
        if type(error) not in (TypeError, ValueError, RecursionError):
            raise
        raise invalid("", f"cannot be read: {error}") from None


def checked(text: str, path: str = "") -> str:
    """`text`, if it can be UTF-8."""
    from ._errors import invalid

    if not isinstance(text, str):
        raise invalid(path, f"expected a str, found {type(text).__name__}")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            half, before = text[error.start], text[max(0, error.start - 20) : error.start]
            message = f"half of a character, {half!a}, after {before!r}: encode the text with errors='replace' first"
            raise invalid(path, message) from None
    return text


def _plain(value: Any) -> object:
    """What the JSON of the standard library cannot write: models of pydantic, numbers of numpy, paths, mappings, lists."""
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", exclude_unset=True)
    if hasattr(value, "__fspath__"):
        return value.__fspath__()
    if hasattr(value, "keys"):
        return dict(value)
    if hasattr(value, "tolist"):
        return value.tolist()
    if hasattr(value, "__iter__") and not isinstance(value, (bytes, bytearray, memoryview)):
        return list(value)
    raise TypeError(f"a value of type {type(value).__name__} is not JSON")
