"""Values of Python as JSON, the language of the native half."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def dumps(value: object) -> str:
    """`value` as JSON without white space. Raises InvalidRequestError, with the place, if it cannot be JSON."""
    from ._errors import invalid

    try:
        text = json.dumps(value, default=_plain, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        if not text.isascii():
            text.encode()
        return text
    except (TypeError, ValueError, RecursionError) as error:
        path, problem = _problem(value, "", 0) or ("", str(error))
        # In Python, `request` is the argument `messages`.
        path = f"messages{path[7:]}" if path.startswith("request[") else path.removeprefix("request.")
        raise invalid(path, problem) from error


def checked(text: str, path: str = "") -> str:
    """`text`, if it can be UTF-8."""
    from ._errors import invalid

    if not isinstance(text, str):
        raise invalid(path, f"expected a str, found {type(text).__name__}")
    if problem := _half(text):
        raise invalid(path, problem)
    return text


_DEEPEST = 100


def _problem(value: Any, path: str, depth: int) -> tuple[str, str] | None:
    """Where in `value` something cannot be JSON, and why; None if nothing is found."""
    if depth > _DEEPEST:
        return path, "it is nested too deeply, or contains itself"
    if isinstance(value, str):
        problem = _half(value)
    else:
        try:
            json.dumps(value, default=_plain, allow_nan=False)
            if not isinstance(value, (dict, list, tuple)):
                return None
            problem = None
        except (TypeError, ValueError, RecursionError) as error:
            problem = str(error)
    if isinstance(value, dict):
        parts = [(f"{path}.{key}" if path else str(key), part) for key, part in value.items()]
    elif isinstance(value, (list, tuple)):
        parts = [(f"{path}[{at}]", part) for at, part in enumerate(value)]
    else:
        return (path, problem) if problem else None
    found = (_problem(part, name, depth + 1) for name, part in parts)
    return next((place for place in found if place), (path, problem) if problem else None)


def _half(text: str) -> str | None:
    """What is wrong with a text that cannot be UTF-8."""
    if text.isascii():
        return None
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return f"half of a character, {text[error.start]!a}, at {error.start}: encode it with errors='replace' first"
    return None


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
    raise TypeError(f"expected what JSON has, found {type(value).__name__}")
