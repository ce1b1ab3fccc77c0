"""Fits search results, files, conversations, memories and tool outputs into a token budget.

>>> import contextfit_rs as contextfit
>>> page = "Tokens are counted once. " + "Nothing else is said here. " * 80
>>> result = contextfit.fit([page], "how are tokens counted", budget=60)
>>> "Tokens are counted once." in result.text, result.tokens <= 60
(True, True)
"""

from __future__ import annotations

from ._errors import (
    ContextfitError,
    InfeasibleError,
    InvalidRequestError,
    StoreError,
    UnknownHandleError,
    UnknownModelError,
    UnknownStrategyError,
)
from ._fitting import (
    Fitter,
    afit,
    afit_messages,
    count,
    excerpt,
    fit,
    fit_memories,
    fit_messages,
    model,
    models,
    shorten_output,
)
from ._native import __version__
from ._session import Session, Store
from ._values import Block, Blocker, ChatResult, Metrics, Model, Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .types import (
        Action,
        ChatStrategy,
        Chunk,
        Hold,
        Level,
        Memory,
        Message,
        Pins,
        Request,
        Strategy,
        Symbols,
        WireFormat,
    )

__all__ = [
    "Action",
    "Block",
    "Blocker",
    "ChatResult",
    "ChatStrategy",
    "Chunk",
    "ContextfitError",
    "Fitter",
    "Hold",
    "InfeasibleError",
    "InvalidRequestError",
    "Level",
    "Memory",
    "Message",
    "Metrics",
    "Model",
    "Pins",
    "Request",
    "Result",
    "Session",
    "Store",
    "StoreError",
    "Strategy",
    "Symbols",
    "UnknownHandleError",
    "UnknownModelError",
    "UnknownStrategyError",
    "WireFormat",
    "__version__",
    "afit",
    "afit_messages",
    "count",
    "excerpt",
    "fit",
    "fit_memories",
    "fit_messages",
    "model",
    "models",
    "shorten_output",
]


def __getattr__(name: str) -> object:
    # Types of arguments are for checkers; `typing` takes longer to import than all of this.
    if name in __all__:
        from . import types

        return getattr(types, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
