"""Conversations that grow, and the originals of what was shortened."""

from __future__ import annotations

from os import fspath
from os.path import abspath

from . import _native
from ._errors import invalid
from ._fitting import _whole
from ._json import checked, dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike
    from typing import Any

    from .types import ChatStrategy, Message, Pins


class Session:
    """A growing conversation: each message is counted once, and cut rarely.

    `request` is a list of messages or a whole request. Above `high` tokens, `prepare` cuts it to `low`, half of `high` if
    it is None. Threads that share a session wait for each other. It pickles with its state.
    """

    __slots__ = ("_counting", "_native")

    def __init__(
        self,
        request: Sequence[Message] | Mapping[str, Any],
        /,
        *,
        high: int,
        low: int | None = None,
        model: str | None = None,
        tokenizer: str | None = None,
        strategy: ChatStrategy = "auto",
        pins: Pins | None = None,
    ) -> None:
        self._counting = (model, tokenizer, strategy)
        self._native = _native.Session(
            _core(model, tokenizer, strategy),
            dumps(request),
            high=_whole("high", high),
            low=_whole("low", low),
            pins=None if pins is None else dumps(pins),
        )

    def push(self, message: Message, /) -> None:
        """Adds a message (an item, in OpenAI responses) and counts only that message."""
        self._native.push(dumps(message))

    def prepare(self) -> bool:
        """Call this before every call of the model. Cuts the request if it exceeds the high mark, and says whether it did.

        Raises InfeasibleError if what must be kept exceeds it; the session is then unchanged.
        """
        return self._native.prepare()

    @property
    def request(self) -> Any:
        """The current request, ready to send."""
        from json import loads

        return loads(self._native.request())

    @property
    def tokens(self) -> int:
        """The tokens of the request."""
        return self._native.tokens()

    def to_json(self) -> str:
        """The state, for `from_json`."""
        return self._native.state()

    @classmethod
    def from_json(
        cls,
        json: str,
        /,
        *,
        model: str | None = None,
        tokenizer: str | None = None,
        strategy: ChatStrategy = "auto",
    ) -> Session:
        """Continues a session. How tokens are counted is not part of its state."""
        session = cls.__new__(cls)
        session._counting = (model, tokenizer, strategy)
        session._native = _native.Session.resume(_core(model, tokenizer, strategy), checked(json, "json"))
        return session

    def __reduce__(self) -> tuple[Any, ...]:
        return _session, (self.to_json(), self._counting)

    def __repr__(self) -> str:
        return f"Session({self.tokens} tokens)"


def _core(model: str | None, tokenizer: str | None, strategy: str) -> _native.Core:
    return _native.Core(model=model, tokenizer=tokenizer, conversations=strategy)


def _session(json: str, counting: tuple[str | None, str | None, Any]) -> Session:
    model, tokenizer, strategy = counting
    return Session.from_json(json, model=model, tokenizer=tokenizer, strategy=strategy)


class Store:
    """Keeps the originals of what was shortened in a folder, which several processes may use. It pickles by its path."""

    __slots__ = ("_folder", "_native")

    def __init__(self, folder: str | PathLike[str], /) -> None:
        if not fspath(folder):
            raise invalid("folder", "expected a folder, found an empty path")
        # It stays the same if the process goes elsewhere, and in other processes.
        self._folder = abspath(folder)
        self._native = _native.Store(self._folder)

    @staticmethod
    def short_handle(text: str, /) -> str:
        """The first eight digits of the handle that a text has, or would have if it were kept."""
        return _native.Store.short_handle(checked(text, "text"))

    def keep(self, text: str, /) -> str:
        """Keeps a text of the caller's own, and returns its handle."""
        return self._native.keep_text(checked(text, "text"))

    def restore(
        self, handle: str, /, *, lines: tuple[int, int] | None = None, match: str | None = None
    ) -> str:
        """The text for a handle, from a marker or from `Block.handle`; a message is its JSON.

        `lines` restores only these lines, from 1 and both included; `match` only those that a regular expression
        matches, each after its number. Raises UnknownHandleError if there is no such text.
        """
        text = self._native.restore(checked(handle, "handle")).decode()
        if lines is None and match is None:
            return text
        try:
            first, last = (int(number) for number in lines or (1, len(text) + 1))
            in_order = 1 <= first <= last
        except (TypeError, ValueError):
            in_order = False
        if not in_order:
            raise invalid("lines", f"expected two numbers from 1, in order, found {lines!r}")
        asked = text.split("\n")[first - 1 : last]
        if match is None:
            return "\n".join(asked)
        import re

        try:
            pattern = re.compile(checked(match, "match"))
        except re.error as error:
            raise invalid("match", f"not a regular expression: {error}") from None
        found = [f"{n}:{line}" for n, line in enumerate(asked, first) if pattern.search(line)]
        return "\n".join(found)

    def __reduce__(self) -> tuple[Any, ...]:
        return Store, (self._folder,)

    def __repr__(self) -> str:
        return f"Store({str(self._folder)!r})"
