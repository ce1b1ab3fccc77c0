"""Fitting: one call, and many."""

from __future__ import annotations

from . import _native
from ._errors import ContextfitError, InvalidRequestError, invalid
from ._json import checked, dumps
from ._values import ChatResult, Model, Result, messages_of, result, values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, Literal, overload

    from ._session import Store
    from .types import ChatStrategy, Chunk, Level, Memory, Message, Pins, Request, Strategy, WireFormat
else:

    def overload(function):
        return function


class Fitter:
    """How to fit chunks, chosen once. Any number of threads may use it. It pickles by its arguments, so that engines
    can send it to their workers.

    Without a budget, the budget is the window of `model` without its longest answer. `tokenizer` is `o200k_base`,
    `cl100k_base`, `chars/4` or the path of a `tokenizer.json`, which is read once for each fitter; without one, it is
    that of the model. `threads` is the number of threads that analyse a request: all cores if it is None
    (`RAYON_NUM_THREADS` limits them), 1 in workers of Ray, Spark or Dask. A forked process may use it too, unless
    another thread was using it at the moment of the fork.
    """

    __slots__ = ("_arguments", "_core")

    def __init__(
        self,
        budget: int | None = None,
        *,
        model: str | None = None,
        tokenizer: str | None = None,
        strategy: Strategy = "auto",
        reserve: int = 0,
        order: Literal["document", "score"] = "document",
        headers: bool = True,
        separator: str = "---",
        omission: bool = True,
        line_numbers: bool = False,
        threads: int | None = None,
    ) -> None:
        if not isinstance(order, str) or order not in ("document", "score"):
            raise invalid("order", f"expected document or score, found {order!r}")
        for path, flag in (("headers", headers), ("omission", omission), ("line_numbers", line_numbers)):
            if not isinstance(flag, bool):
                raise invalid(path, f"expected True or False, found {flag!r}")
        if checked(separator, "separator").splitlines() not in ([], [separator]):
            raise invalid("separator", f"expected a single line, found {separator!r}")
        layout = {
            "headers": headers,
            "separator": separator,
            "omission": omission,
            "line_numbers": line_numbers,
        }
        self._arguments = {
            "budget": _whole("budget", budget),
            "model": _text("model", model),
            "tokenizer": _text("tokenizer", tokenizer),
            "strategy": _text("strategy", strategy) or "auto",
            "reserve": _whole("reserve", reserve),
            "order": order,
            **layout,
            "threads": _whole("threads", threads),
        }
        shared = ("budget", "model", "tokenizer", "strategy", "reserve", "threads")
        self._core = _native.Core(
            **{name: self._arguments[name] for name in shared},
            layout=dumps(layout),
            by_score=order == "score",
        )

    def fit(
        self,
        chunks: Iterable[str | Chunk | Mapping[str, Any]],
        query: str | None = None,
        /,
        *,
        budget: int | None = None,
        store: Store | None = None,
    ) -> Result:
        """Fits chunks or files. Raises InfeasibleError if what must be kept does not fit."""
        return self._fit({"chunks": chunks, "query": query, "budget": budget}, store)

    def _fit(self, request: dict[str, Any], store: Store | None) -> Result:
        return result(self._core.search(dumps(_request(request)), _native_of(store)))

    @overload
    def fit_batch(
        self, requests: Iterable[Request], /, *, errors: Literal["raise"] = "raise"
    ) -> list[Result]: ...
    @overload
    def fit_batch(
        self, requests: Iterable[Request], /, *, errors: Literal["return"]
    ) -> list[Result | ContextfitError]: ...
    def fit_batch(
        self, requests: Iterable[Request], /, *, errors: Literal["raise", "return"] = "raise"
    ) -> list[Any]:
        """A result for each request, in order, on all threads. With `errors="return"`, a request that fails has its
        error in place of a result; else the first error is raised."""
        if errors not in ("raise", "return"):
            raise invalid("errors", f"expected raise or return, found {errors!r}")
        lines: list[str | ContextfitError] = []
        for at, request in enumerate(_several(requests, "requests")):
            try:
                lines.append(dumps(_request(request)))
            except ContextfitError as error:
                if errors == "raise":
                    raise _in_request(error, at) from None
                lines.append(error)
        answers = iter(self._core.search_each([line for line in lines if isinstance(line, str)]))
        results: list[Result | ContextfitError] = []
        for at, line in enumerate(lines):
            answer = next(answers) if isinstance(line, str) else line
            if isinstance(answer, Exception):
                if errors == "raise" or not isinstance(answer, ContextfitError):
                    raise _in_request(answer, at)
                results.append(answer)
            else:
                results.append(result(answer))
        return results

    def fit_columns(
        self,
        texts: Sequence[Sequence[str]],
        queries: Sequence[str | None],
        /,
        *,
        budget: int | None = None,
    ) -> tuple[list[str], list[int]]:
        """Columns of a data frame in, a column of contexts and one of their tokens out. Each row is a request."""
        if len(texts) != len(queries):
            raise invalid(
                "queries", f"expected {len(texts)}, one for each row of texts, found {len(queries)}"
            )
        rows = [
            [checked(text, f"texts[{at}][{n}]") for n, text in enumerate(_several(row, f"texts[{at}]"))]
            for at, row in enumerate(texts)
        ]
        asked = [
            None if query is None else checked(query, f"queries[{at}]") for at, query in enumerate(queries)
        ]
        return self._core.columns(rows, asked, _whole("budget", budget))

    def fit_json(self, lines: Sequence[str], /) -> list[str]:
        """Requests in JSON in, answers in JSON out, as `contextfit search --jsonl` gives them. Their ranges are in
        bytes. A request that fails has an answer with an error."""
        lines = _several(lines, "lines")
        return self._core.answer_lines([checked(line, f"lines[{at}]") for at, line in enumerate(lines)])

    def count(self, text: str, /) -> int:
        """The tokens of a text."""
        return self._core.count([checked(text, "text")])[0]

    def __reduce__(self) -> tuple[Any, ...]:
        return _fitter, (self._arguments,)

    def __repr__(self) -> str:
        changed = (f"{name}={value!r}" for name, value in self._arguments.items() if value != _DEFAULTS[name])
        return f"Fitter({', '.join(changed)})"


def _fitter(arguments: dict[str, Any]) -> Fitter:
    return Fitter(**arguments)


_DEFAULTS = {"budget": None, **(Fitter.__init__.__kwdefaults__ or {})}


def fit(
    chunks: Iterable[str | Chunk | Mapping[str, Any]],
    query: str | None = None,
    /,
    *,
    budget: int | None = None,
    model: str | None = None,
    tokenizer: str | None = None,
    strategy: Strategy = "auto",
    reserve: int = 0,
    order: Literal["document", "score"] = "document",
    headers: bool = True,
    separator: str = "---",
    omission: bool = True,
    line_numbers: bool = False,
    store: Store | None = None,
) -> Result:
    """Fits retrieved chunks or files into `budget` tokens of `model`; the arguments are those of `Fitter`.

    Chunks of one document that overlap or touch are shown as one. With a `store`, what is not shown whole can be
    restored by the handles in the text and in the blocks.

    Raises InfeasibleError if what must be kept does not fit.
    """
    fitter = _kept(
        model=model,
        tokenizer=tokenizer,
        strategy=strategy,
        order=order,
        headers=headers,
        separator=separator,
        omission=omission,
        line_numbers=line_numbers,
    )
    return fitter._fit({"chunks": chunks, "query": query, "budget": budget, "reserve": reserve}, store)


def fit_messages(
    messages: Sequence[Message] | Mapping[str, Any],
    /,
    budget: int | None = None,
    *,
    target: int | None = None,
    query: str | None = None,
    model: str | None = None,
    tokenizer: str | None = None,
    strategy: ChatStrategy = "auto",
    reserve: int = 0,
    format: WireFormat | None = None,
    pins: Pins | None = None,
    record_role: Literal["user", "developer", "system"] = "user",
    store: Store | None = None,
    _loose_pins: bool = False,
) -> ChatResult:
    """Keeps a conversation in its budget: messages of OpenAI or Anthropic, or a whole request with tools and system prompt,
    which then count.

    With `target`, nothing happens up to `budget`; above it, the conversation is cut to `target` if what must be kept
    allows it, so that it is cut rarely and prompt caches stay warm. `record_role` is the role of the message that holds
    the record of earlier turns.

    Raises InfeasibleError if what must be kept does not fit: instructions, the user's last message, and pins.
    """
    if isinstance(messages, (str, bytes)) or not hasattr(messages, "__iter__"):
        raise invalid("messages", f"expected messages or a request, found {type(messages).__name__}")
    if pins is not None and not hasattr(pins, "keys"):
        raise invalid("pins", f"expected a mapping, found {type(pins).__name__}")
    if record_role not in ("user", "developer", "system"):
        raise invalid("record_role", f"expected user, developer or system, found {record_role!r}")
    given: Any = messages
    if not hasattr(given, "keys"):
        given = list(given)
    elif hasattr(given.get("messages"), "__next__"):
        # It can be read only once.
        given = {**given, "messages": list(given["messages"])}
    most, reserved, least = _whole("budget", budget), _whole("reserve", reserve), _whole("target", target)
    if least is not None:
        if most is not None and least > most:
            raise invalid("target", f"expected at most the budget of {most}, found {least}")
        least = max(least, reserved)
    request = {
        "request": given,
        "budget": most,
        "reserve": reserved,
        "query": query,
        "strategy": strategy,
        "format": format,
        "pins": pins,
    }
    core = _core(model, tokenizer)
    answer = core.chat(
        dumps({name: value for name, value in request.items() if value is not None}),
        record_role,
        least,
        _native_of(store),
        _loose_pins,
    )
    fields, origins = values(answer["result"]), answer["origins"]
    return ChatResult(**fields, request=_with_same(given, answer["request"], origins), origins=origins)


def _with_same(given: Any, answered: str, origins: Sequence[int | None]) -> Any:
    """The conversation that was `answered`, with the objects that were `given` wherever they are equal."""
    from json import loads

    def same(old: Any, new: Any) -> Any:
        # Models, tuples and the like become equal only on their way through JSON.
        return old if old == new or loads(dumps(old)) == new else new

    shortened = loads(answered)
    before, after = messages_of(given), messages_of(shortened)
    after = [new if at is None else same(before[at], new) for at, new in zip(origins, after)]
    if not hasattr(given, "keys"):
        return after
    body = {name: same(given[name], new) for name, new in shortened.items()}
    field = "messages" if "messages" in body else "input"
    if not isinstance(body[field], str):
        body[field] = after
    return body


def fit_memories(
    memories: Iterable[Memory],
    /,
    budget: int,
    *,
    query: str | None = None,
    model: str | None = None,
    tokenizer: str | None = None,
    shares: Mapping[str, float] | None = None,
    min_level: Level = 0,
    max_level: Level = 3,
) -> Result:
    """Packs memories, each at one of four levels. `shares` offers types of memories a share of the budget, from 0 to 1."""
    request = {
        "memories": list(_several(memories, "memories")),
        "budget": _whole("budget", budget),
        "query": query,
    }
    pairs = []
    for name, share in (shares or {}).items():
        if not hasattr(share, "__float__") or not 0 <= float(share) <= 1:
            raise invalid(f"shares.{name}", f"expected a share from 0 to 1, found {share!r}")
        pairs.append((name, float(share)))
    for path, level in (("min_level", min_level), ("max_level", max_level)):
        if level not in (0, 1, 2, 3):
            raise invalid(path, f"expected a level from 0 to 3, found {level!r}")
    if min_level > max_level:
        raise invalid("min_level", f"expected at most max_level, {max_level}, found {min_level}")
    return result(_core(model, tokenizer).memory(dumps(request), pairs, min_level, max_level))


def excerpt(
    text: str,
    /,
    budget: int,
    *,
    query: str | None = None,
    model: str | None = None,
    tokenizer: str | None = None,
) -> Result:
    """The important parts of a tool's output: errors, totals, changes, and what is close to the query. A text that fits
    is returned as it is."""
    request = {"text": checked(text, "text"), "budget": _whole("budget", budget), "query": query}
    return result(_core(model, tokenizer).excerpt(dumps(request)))


def shorten_output(
    text: str,
    /,
    budget: int | None = None,
    *,
    note: str = "",
    model: str | None = None,
    tokenizer: str | None = None,
) -> str | None:
    """What an agent is shown of a tool's output: an excerpt, and a last line `[contextfit: 76 of 697 lines]`, which ends
    with `note`. Both are within `budget`, by default 1,000 tokens for logs, test runs and JSON, and 3,000 for findings.

    None if it stays as it is: source code, which an agent needs letter by letter; what fits; and, without a budget, what
    has at most 8,000 characters. Raises InfeasibleError if not even the shortest excerpt fits.
    """
    core = _core(model, tokenizer)
    return core.output(checked(text, "text"), _whole("budget", budget), checked(note, "note"))


@overload
def count(text: str, /, *, model: str | None = None, tokenizer: str | None = None) -> int: ...
@overload
def count(
    text: list[str] | tuple[str, ...], /, *, model: str | None = None, tokenizer: str | None = None
) -> list[int]: ...
def count(
    text: str | list[str] | tuple[str, ...],
    /,
    *,
    model: str | None = None,
    tokenizer: str | None = None,
) -> int | list[int]:
    """The tokens of a text, or of each of several."""
    core = _core(model, tokenizer)
    if isinstance(text, (list, tuple)):
        return core.count([checked(one, f"texts[{at}]") for at, one in enumerate(text)])
    return core.count([checked(text, "text")])[0]


async def afit(*args: Any, **kwargs: Any) -> Result:
    """`fit` in a thread."""
    from asyncio import to_thread

    return await to_thread(fit, *args, **kwargs)


async def afit_messages(*args: Any, **kwargs: Any) -> ChatResult:
    """`fit_messages` in a thread."""
    from asyncio import to_thread

    return await to_thread(fit_messages, *args, **kwargs)


def models() -> list[Model]:
    """All models that are known, by vendor and family."""
    return [_model(facts) for facts in _native.all_models()]


def model(name: str, /) -> Model:
    """The model with this name. Raises UnknownModelError with the nearest names."""
    return _model(_native.model_facts(checked(name, "model")))


def _model(facts: tuple[str, str, bool, int, int]) -> Model:
    return Model(**dict(zip(Model.__slots__, facts)))


_KEPT: dict[tuple[Any, ...], Fitter] = {}
_MOST_KEPT = 64


def _kept(**arguments: Any) -> Fitter:
    """A fitter. The last ones are kept: reading a `tokenizer.json` takes longer than most requests."""
    key = tuple((name, type(value), value) for name, value in arguments.items())
    fitter = _KEPT.get(key)
    if fitter is None:
        fitter = Fitter(**arguments)
        if len(_KEPT) >= _MOST_KEPT:
            _KEPT.clear()
        _KEPT[key] = fitter
    return fitter


def _core(model: str | None, tokenizer: str | None) -> _native.Core:
    return _kept(model=model, tokenizer=tokenizer)._core


def _request(request: Mapping[str, Any]) -> dict[str, Any]:
    """A request for search results, without what is None, and with texts as chunks."""
    if not hasattr(request, "keys"):
        raise invalid("", f"expected a request: a mapping with chunks, found {type(request).__name__}")
    whole = {name: value for name, value in request.items() if value is not None}
    if "chunks" in whole:
        chunks = enumerate(_several(whole["chunks"], "chunks"))
        whole["chunks"] = [_chunk(chunk, at) for at, chunk in chunks]
    for name in ("budget", "reserve"):
        if name in whole:
            whole[name] = _whole(name, whole[name])
    return whole


def _chunk(chunk: Any, at: int) -> Any:
    if isinstance(chunk, str):
        return {"text": chunk}
    if hasattr(chunk, "keys") or hasattr(chunk, "model_dump"):
        return chunk
    raise invalid(f"chunks[{at}]", f"expected a str or a mapping with text, found {type(chunk).__name__}")


def _several(values: Any, path: str) -> Any:
    """`values`, if it is not a single one: a str is a sequence of str."""
    # A series of pandas has keys too.
    is_mapping = hasattr(values, "keys") and not hasattr(values, "tolist")
    if isinstance(values, (str, bytes)) or is_mapping or not hasattr(values, "__iter__"):
        raise invalid(path, f"expected a list, found a single {type(values).__name__}")
    return values


_MOST = 10**12


def _whole(path: str, number: Any) -> Any:
    """A number of tokens or threads as an int: numpy has numbers of its own, and some are floats like 1200.0."""
    if number is None:
        return None
    is_whole = hasattr(number, "__index__") or isinstance(number, float) and number.is_integer()
    if isinstance(number, bool) or not is_whole or not 0 <= number <= _MOST:
        raise invalid(path, f"expected a whole number from 0 to {_MOST:,}, found {number!r}")
    return int(number)


def _text(path: str, text: Any) -> Any:
    """A name or a path, if there is one."""
    text = text.__fspath__() if hasattr(text, "__fspath__") else text
    return None if text is None else checked(text, path)


def _native_of(store: Any) -> _native.Store | None:
    if store is None:
        return None
    if not isinstance(getattr(store, "_native", None), _native.Store):
        raise invalid("store", f"expected a Store, found {type(store).__name__}")
    native: _native.Store = store._native
    return native


def _in_request(error: Exception, at: int) -> Exception:
    """`error` with the request that it is from."""
    error.args = (f"requests[{at}]: {error}",)
    if isinstance(error, InvalidRequestError):
        error.path = f"requests[{at}].{error.path}".rstrip(".")
    return error
