"""What goes wrong. All of it pickles."""

from __future__ import annotations

from ._values import Blocker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class ContextfitError(Exception):
    """The base of all errors of this package."""

    code: str = "internal"
    """The kind of error, as in the JSON answers of the command line. Stable between versions."""


class InvalidRequestError(ContextfitError, ValueError):
    """The input is not of the right shape."""

    code = "invalid-request"
    path: str = ""
    """The place of the problem, such as `chunks[3].start_line`; empty if it is the input as a whole."""


class UnknownModelError(InvalidRequestError):
    """No model has this name."""

    code = "unknown-model"
    nearest: list[str] = []
    """The most similar names, often none."""


class UnknownStrategyError(InvalidRequestError):
    """No strategy has this name."""

    code = "unknown-strategy"


class InfeasibleError(ContextfitError):
    """What must be kept does not fit."""

    code = "infeasible"
    needed: int = 0
    """The tokens of the smallest possible result."""
    available: int = 0
    """The tokens of the budget, without its reserve."""
    blockers: list[Blocker] = []
    """What must be kept, the largest first."""


class StoreError(ContextfitError):
    """The store of originals cannot be read or written, or is damaged."""


class UnknownHandleError(StoreError, KeyError):
    """No text is stored for this handle."""

    def __str__(self) -> str:
        # A KeyError would quote it.
        return str(self.args[0]) if self.args else ""


_BY_CODE: dict[str, type[ContextfitError]] = {
    "invalid-request": InvalidRequestError,
    "missing-budget": InvalidRequestError,
    "invalid-budget": InvalidRequestError,
    "unknown-tokenizer": InvalidRequestError,
    "unknown-model": UnknownModelError,
    "unknown-strategy": UnknownStrategyError,
    "infeasible": InfeasibleError,
    "store": StoreError,
    "unknown-handle": UnknownHandleError,
}
_PATHS = {
    "missing-budget": "budget",
    "invalid-budget": "budget",
    "unknown-tokenizer": "tokenizer",
    "unknown-model": "model",
    "unknown-strategy": "strategy",
}


def of(code: str, message: str, **facts: Any) -> ContextfitError:
    """The error with this `code`, as the native half raises it."""
    # Python's names are the others of the same keys.
    if "unknown key" in message:
        start = message.find('", did') if '", did' in message else message.find('" (')
        message = message[:start] + _in_snake_case(message[start:])
    if code in _PATHS:
        facts.setdefault("path", _PATHS[code])
    if "blockers" in facts:
        facts["blockers"] = [
            Blocker(id=name, tokens=tokens, hold=hold) for name, tokens, hold in facts["blockers"]
        ]
    error = _BY_CODE.get(code, ContextfitError)(message)
    error.code = code
    for name, value in facts.items():
        setattr(error, name, value)
    return error


def _in_snake_case(names: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in names)


def invalid(path: str, message: str) -> InvalidRequestError:
    error = InvalidRequestError(f"{path}: {message}" if path else message)
    error.path = path
    return error
