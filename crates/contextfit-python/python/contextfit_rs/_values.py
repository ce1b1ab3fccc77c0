"""What comes out: frozen values that compare, pickle and convert to JSON."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeVar

    from ._native import Page
    from .types import Action, Hold, Level

    V = TypeVar("V", bound="Value")
    R = TypeVar("R", bound="Result")


class Value:
    """A frozen value, whose fields are its slots. What a field with an underscore holds does not count."""

    __slots__ = ()

    def __init__(self, **fields: Any) -> None:
        put = object.__setattr__
        for name, value in fields.items():
            put(self, name, value)

    @classmethod
    def _names(cls) -> list[str]:
        slots = (name for base in reversed(cls.__mro__) for name in getattr(base, "__slots__", ()))
        return [name for name in slots if not name.startswith("_")]

    def _fields(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self._names()}

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be deleted")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Value) or type(self) is not type(other):
            return NotImplemented
        return self._fields() == other._fields()

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self._fields().items())
        return f"{type(self).__name__}({fields})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self._fields())


def _again(kind: type[V], fields: dict[str, Any]) -> V:
    return kind(**fields)


class Block(Value):
    """What happened to one chunk, message or memory."""

    __slots__ = ("id", "action", "level", "text", "tokens", "reason", "ranges", "handle")

    id: str
    """The id of the chunk or memory, or the index of the message."""
    action: Action
    level: Level | None
    """3 whole, 2 in part, 1 a line about it, 0 its name; None if it was dropped."""
    text: str
    """As it is shown, without its header; empty if it was dropped."""
    tokens: int
    """The tokens that it takes in the result, with its share of headers."""
    reason: str
    """For people."""
    ranges: tuple[tuple[int, int], ...]
    """The characters of the chunk's text that are shown, ascending, verbatim or without colours and repetitions: indices
    into the `str`, not into its UTF-8. Of a message with several texts, they are those of its texts joined by two line
    feeds."""
    handle: str | None
    """For `Store.restore`, if a store was given and it is not shown whole."""


class Metrics(Value):
    """The figures of a result."""

    __slots__ = ("tokens_before", "tokens_after", "blocks_before", "blocks_after", "estimated")

    tokens_before: int
    tokens_after: int
    blocks_before: int
    blocks_after: int
    estimated: bool
    """Whether another tokenizer stands in for that of the model, so that its own counts are estimates. The budget is
    then for the model, and the tokens are those of the stand-in."""

    @property
    def tokens_saved(self) -> int:
        """The difference, at least zero."""
        return max(0, self.tokens_before - self.tokens_after)

    @property
    def ratio(self) -> float:
        """The share of the tokens that is left, from 0 to 1."""
        return self.tokens_after / self.tokens_before if self.tokens_before else 1.0


class Result(Value):
    """A context that fits. `str(result)` is its text."""

    __slots__ = ("text", "tokens", "budget", "strategy", "blocks", "metrics", "_page")

    text: str
    """The text to put into the prompt."""
    tokens: int
    """The tokens of the text, exactly, and the `overhead` of the chunks that are shown."""
    budget: int
    strategy: str
    """The strategy that made it; the one asked for if it fits as it is."""
    blocks: tuple[Block, ...]
    """What happened to each chunk, message or memory, in the order of the request. A chunk with `exact` lines has a block
    for each run of lines; a whole request has blocks for its system prompt or instructions too."""
    metrics: Metrics
    _page: Page | None

    def explain(self) -> str:
        """What happened to each block, and why, as a table."""
        rows = [("id", "action", "tokens", "reason")]
        rows += [(block.id, block.action, f"{block.tokens:,}", block.reason) for block in self.blocks]
        ids, actions, tokens = (max(len(row[at]) for row in rows) for at in range(3))
        lines = [f"{a:<{ids}}  {b:<{actions}}  {c:>{tokens}}  {d}".rstrip() for a, b, c, d in rows]
        before, after = self.metrics.tokens_before, self.metrics.tokens_after
        lines.append(f"{before:,} tokens -> {after:,} of {self.budget:,}, by {self.strategy}")
        return "\n".join(lines)

    def to_json(self) -> str:
        """The fields under their names, for `from_json`."""
        from ._json import dumps

        fields = self._fields()
        blocks = [block._fields() for block in self.blocks]
        return dumps({**fields, "blocks": blocks, "metrics": self.metrics._fields()})

    @classmethod
    def from_json(cls: type[R], json: str, /) -> R:
        """Reads what `to_json` wrote. Raises InvalidRequestError for anything else."""
        from json import loads

        from ._errors import invalid

        try:
            fields = loads(json)
            blocks = [_exactly(Block, block) for block in fields.pop("blocks")]
            metrics = _exactly(Metrics, fields.pop("metrics"))
            return _exactly(cls, {**fields, "blocks": blocks, "metrics": metrics})
        except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
            raise invalid("", f"expected the JSON of a {cls.__name__}: {error}") from None

    def _repr_html_(self) -> str | None:
        """The page of `contextfit report`, for notebooks; `None` for memories, and for what was unpickled."""
        if self._page is None:
            return None
        from html import escape

        page = escape(self._page.html())
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 40em; border: 0"></iframe>'

    def __init__(self, **fields: Any) -> None:
        super().__init__(**{"_page": None, **fields, "blocks": tuple(fields["blocks"])})

    def __str__(self) -> str:
        return self.text


class ChatResult(Result):
    """A conversation that fits. Its text is for people; `messages` go to the model."""

    __slots__ = ("request", "origins")

    request: Any
    """What came, shortened: a list of messages, or the whole request. A message that was not changed is the same object."""
    origins: tuple[int | None, ...]
    """For each message, its index in the request; None for the record of earlier turns."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(**{**fields, "origins": tuple(fields["origins"])})

    @property
    def messages(self) -> list[Any]:
        """The messages."""
        return messages_of(self.request)

    @property
    def changed(self) -> bool:
        """Whether any message was shortened or left out."""
        return any(block.action != "keep" for block in self.blocks)


class Blocker(Value):
    """What even the smallest possible result must contain."""

    __slots__ = ("id", "tokens", "hold")

    id: str
    tokens: int
    hold: Hold


class Model(Value):
    """A language model."""

    __slots__ = ("name", "encoding", "exact", "window", "output")

    name: str
    encoding: str
    """The tokenizer to count with."""
    exact: bool
    """Whether it is the model's own."""
    window: int
    """The most tokens of prompt and answer together."""
    output: int
    """The most tokens of one answer."""


def result(fields: dict[str, Any]) -> Result:
    return Result(**values(fields))


def values(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of a result from those of the native half, which are changed: copies would take as long again. Warns if
    originals could not be stored."""
    for block in fields["blocks"]:
        block["ranges"] = tuple(block["ranges"])
    fields["blocks"] = [Block(**block) for block in fields["blocks"]]
    fields["metrics"] = Metrics(**fields["metrics"])
    fields["_page"] = fields.pop("page")
    if unkept := fields.pop("unkept"):
        from warnings import warn

        warn(f"the originals are not stored, so handles cannot be restored: {unkept}", stacklevel=4)
    return fields


def messages_of(request: Any) -> list[Any]:
    """The messages of a request to a model, or of a bare list of them."""
    if not hasattr(request, "keys"):
        return list(request)
    messages = request["messages"] if "messages" in request else request["input"]
    return [messages] if isinstance(messages, str) else list(messages)


def _exactly(kind: type[V], fields: Mapping[str, Any]) -> V:
    """The value with these `fields`, which must be all of its own, as JSON has them."""
    names = kind._names()
    if wrong := set(fields) ^ set(names):
        raise ValueError(f"{kind.__name__}: {', '.join(sorted(wrong))}")
    if "ranges" in fields:
        fields = {**fields, "ranges": tuple((start, end) for start, end in fields["ranges"])}
    return kind(**fields)
