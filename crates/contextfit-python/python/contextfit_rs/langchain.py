"""contextfit in LangChain: a middleware for tool results, a middleware for conversations, a compressor of documents.

>>> from langchain.agents import create_agent
>>> from contextfit_rs.langchain import ToolResultMiddleware
>>> agent = create_agent(model, tools, middleware=[ToolResultMiddleware()])  # doctest: +SKIP

All of them change texts in place in the messages they got: ids, artifacts and blocks that are not text survive.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

from langchain.agents.middleware import AgentMiddleware, AgentState
from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.callbacks import Callbacks
from langchain_core.documents import BaseDocumentCompressor, Document
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    RemoveMessage,
    SystemMessage,
    ToolMessage,
    convert_to_openai_data_block,
    is_data_content_block,
)
from langchain_core.tools import tool
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.runtime import Runtime
from langgraph.types import Command
from pydantic import ConfigDict

from . import (
    ContextfitError,
    InfeasibleError,
    Pins,
    Store,
    count,
    fit,
    fit_messages,
    shorten_output,
)
from ._errors import invalid
from .types import ChatStrategy, Strategy

__all__ = ["ConversationMiddleware", "DocumentCompressor", "ToolResultMiddleware"]

_RESTORE = "restore_output"


class ToolResultMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Shortens the results of tools when they arrive, so that nothing changes that the model has read.

    Without a budget, texts of at most 8,000 characters stay; source code always does. If not even the shortest excerpt is
    within the budget, it is shown. `tools` names the tools whose results are shortened, all if it is None, and `keep`
    those whose results are not. With a `store`, the whole results are kept in it, and the agent has one tool more,
    `restore_output`. An agent may have several, for different tools, each with a `name` of its own.
    """

    def __init__(
        self,
        budget: int | None = None,
        *,
        model: str | None = None,
        tools: Iterable[str] | None = None,
        keep: Iterable[str] = (),
        store: Store | None = None,
        name: str = "ToolResultMiddleware",
    ) -> None:
        super().__init__()
        for path, names in (("tools", tools), ("keep", keep)):
            if isinstance(names, str):
                raise invalid(path, "expected a list of names, found a single str")
        shorten_output("", budget, model=model)
        self._budget = budget
        self._model = model
        self._only = None if tools is None else frozenset(tools)
        self._keep = frozenset(keep) | {_RESTORE}
        self._store = store
        self._name = name
        self.tools = [] if store is None else [_restorer(store)]

    @property
    def name(self) -> str:
        return self._name

    def wrap_tool_call(
        self,
        request: ToolCallRequest,
        handler: Callable[[ToolCallRequest], ToolMessage | Command[Any]],
    ) -> ToolMessage | Command[Any]:
        return self._shortened(handler(request))

    async def awrap_tool_call(
        self,
        request: ToolCallRequest,
        handler: Callable[[ToolCallRequest], Awaitable[ToolMessage | Command[Any]]],
    ) -> ToolMessage | Command[Any]:
        return await asyncio.to_thread(self._shortened, await handler(request))

    def _shortened(self, result: ToolMessage | Command[Any]) -> ToolMessage | Command[Any]:
        if isinstance(result, ToolMessage):
            return self._message(result)
        update = result.update
        if not isinstance(update, dict) or not isinstance(update.get("messages"), (list, tuple)):
            return result
        before = update["messages"]
        after = [self._message(it) if isinstance(it, ToolMessage) else it for it in before]
        if all(new is old for new, old in zip(after, before)):
            return result
        update = {**update, "messages": after}
        return Command(graph=result.graph, update=update, resume=result.resume, goto=result.goto)

    def _message(self, message: ToolMessage) -> ToolMessage:
        name = message.name or ""
        if name in self._keep or (self._only is not None and name not in self._only):
            return message
        texts = _texts(message.content)
        budgets = self._budgets(texts)
        shorter = {at: self._text(text, budgets.get(at)) for at, text in texts.items()}
        changed = {at: text for at, text in shorter.items() if text is not None}
        return _with_texts(message, changed) if changed else message

    def _budgets(self, texts: dict[int, str]) -> dict[int, int]:
        """The budget of each text: what short ones leave is for the long ones."""
        left = self._budget
        if left is None:
            return {}
        sizes = sorted((count(text, model=self._model), at) for at, text in texts.items())
        budgets = {}
        for n, (size, at) in enumerate(sizes):
            budgets[at] = left // (len(sizes) - n)
            left -= min(size, budgets[at])
        return budgets

    def _text(self, text: str, budget: int | None) -> str | None:
        store = self._store
        note = "" if store is None else f"; {_RESTORE} {store.short_handle(text)} shows the rest"
        try:
            try:
                shorter = shorten_output(text, budget, note=note, model=self._model)
            except InfeasibleError as error:
                shorter = shorten_output(text, error.needed, note=note, model=self._model)
            if store is not None and shorter is not None:
                store.keep(text)
            return shorter
        except ContextfitError:
            # The agent goes on as if this were not here.
            return None


def _restorer(store: Store) -> Any:
    @tool(_RESTORE)
    def restore_output(handle: str, first_line: int = 1, last_line: int = 0, match: str = "") -> str:
        """Shows the whole of a shortened output, or some of its lines, or those that match a regular expression."""
        lines = (first_line, last_line or 10**9) if first_line != 1 or last_line else None
        try:
            return store.restore(handle, lines=lines, match=match or None)
        except ContextfitError as error:
            return f"error: {error}"

    return restore_output


class ConversationMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Keeps the messages of an agent between two limits: above `high` tokens they are cut to `low`, so rarely that prompt
    caches stay warm. The messages in the agent's state are replaced.

    The system prompt and the descriptions of tools are not among the messages: `reserve` tokens are set aside for them in
    both limits. Without `low`, it is halfway between `reserve` and `high`. A pin that matches no message yet has no
    effect; `ids` are those of messages or of calls, and `indices` are refused, because messages move. Raises
    InfeasibleError if what must be kept exceeds `high`.
    """

    def __init__(
        self,
        high: int,
        low: int | None = None,
        *,
        reserve: int = 0,
        model: str | None = None,
        strategy: ChatStrategy = "auto",
        pins: Pins | None = None,
    ) -> None:
        super().__init__()
        if pins and "indices" in pins:
            raise invalid(
                "pins.indices", "messages move when a conversation is cut: pin ids, tools or markers"
            )
        self._high = high
        if low is not None and not reserve <= low <= high:
            raise invalid("low", f"expected {reserve} to {high}, found {low}")
        self._low = min(high, (high + reserve) // 2) if low is None else low
        self._reserve = reserve
        self._model = model
        self._strategy: ChatStrategy = strategy
        self._pins: Pins = pins or {}
        self.shortened([])

    def before_model(self, state: AgentState[Any], runtime: Runtime[Any]) -> dict[str, Any] | None:
        messages = self.shortened(state["messages"])
        return None if messages is None else {"messages": [RemoveMessage(id=REMOVE_ALL_MESSAGES), *messages]}

    async def abefore_model(self, state: AgentState[Any], runtime: Runtime[Any]) -> dict[str, Any] | None:
        return await asyncio.to_thread(self.before_model, state, runtime)

    def shortened(self, messages: Sequence[BaseMessage]) -> list[BaseMessage] | None:
        """The messages to send instead; None if they are within the limit."""
        ids = frozenset(self._pins.get("ids", ()))
        pinned: Pins = {**self._pins, "indices": [at for at, it in enumerate(messages) if it.id in ids]}
        result = fit_messages(
            [_wire(message) for message in messages],
            self._high,
            target=self._low,
            reserve=self._reserve,
            model=self._model,
            strategy=self._strategy,
            format="openai-chat",
            pins=pinned,
            _loose_pins=True,
        )
        if not result.changed:
            return None
        pairs = zip(result.messages, result.origins)
        return [_read(wire, None if at is None else messages[at]) for wire, at in pairs]


class DocumentCompressor(BaseDocumentCompressor):
    """Fits retrieved documents into a budget: the parts that answer the query, and nothing beyond `budget` tokens.

    `overhead` is the number of tokens that the application puts around each document, by default those of an empty line.
    """

    model_config = ConfigDict(extra="forbid")

    budget: int
    model: str | None = None
    strategy: Strategy = "auto"
    reserve: int = 0
    overhead: int = 2

    def model_post_init(self, context: Any) -> None:
        # What is wrong is told now.
        self.compress_documents([], "")

    def compress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Callbacks | None = None
    ) -> Sequence[Document]:
        """The documents that are shown, in their order, with what is shown of their texts."""
        chunks = []
        for document in documents:
            chunk: dict[str, Any] = {"text": _clean(document.page_content), "overhead": self.overhead}
            source = document.metadata.get("source")
            if isinstance(source, str):
                chunk["title"] = _clean(source)
            chunks.append(chunk)
        result = fit(
            chunks,
            query,
            budget=self.budget,
            model=self.model,
            strategy=self.strategy,
            reserve=self.reserve,
            headers=False,
            separator="",
            omission=False,
        )
        pairs = zip(documents, result.blocks)
        return [
            document if block.action == "keep" else document.model_copy(update={"page_content": block.text})
            for document, block in pairs
            if block.action != "drop"
        ]


def _texts(content: Any) -> dict[int, str]:
    """The texts of a content by the index of their block; a content that is a text is block 0."""
    if isinstance(content, str):
        return {0: _clean(content)}
    texts = {}
    for at, block in enumerate(content):
        if isinstance(block, str):
            texts[at] = _clean(block)
        elif block.get("type") == "text" and isinstance(block.get("text"), str):
            texts[at] = _clean(block["text"])
    return texts


def _clean(text: str) -> str:
    """`text` without halves of characters, which nothing can encode."""
    return text if text.isascii() else text.encode(errors="replace").decode()


def _with_texts(message: Any, texts: dict[int, str], dropped: frozenset[int] = frozenset()) -> Any:
    """`message` with other texts, without those `dropped`."""
    content = message.content
    if isinstance(content, str):
        return message.model_copy(update={"content": texts.get(0, "" if dropped else content)})
    blocks = [
        block if at not in texts else (texts[at] if isinstance(block, str) else {**block, "text": texts[at]})
        for at, block in enumerate(content)
        if at not in dropped
    ]
    return message.model_copy(update={"content": blocks})


_ROLES = {HumanMessage: "user", AIMessage: "assistant", ToolMessage: "tool", SystemMessage: "system"}
_BLOCK = "block"


def _wire(message: BaseMessage) -> dict[str, Any]:
    """`message` as OpenAI has it, to be read and counted. Texts in a list remember their block."""
    role = next((role for kind, role in _ROLES.items() if isinstance(message, kind)), None)
    wire: dict[str, Any] = {"role": role or getattr(message, "role", "user")}
    calls = _calls(message) if isinstance(message, AIMessage) else []
    texts = _texts(message.content)
    if isinstance(message.content, str):
        wire["content"] = texts[0]
    else:
        ids = {call["id"] for call in calls}
        wire["content"] = [{"type": "text", "text": text, _BLOCK: at} for at, text in texts.items()]
        for at, block in enumerate(message.content):
            # A call is among the calls too.
            if (
                at not in texts
                and isinstance(block, dict)
                and not ids & {block.get("id"), block.get("call_id")}
            ):
                wire["content"].append(_attachment(block))
    if calls:
        wire["tool_calls"] = calls
    if isinstance(message, ToolMessage):
        wire["tool_call_id"] = message.tool_call_id
    elif message.name:
        wire["name"] = message.name
    return wire


def _calls(message: AIMessage) -> list[dict[str, Any]]:
    """The calls of a message, those with invalid arguments too."""
    calls: list[tuple[str | None, str | None, str | None]] = [
        (it["id"], it["name"], _json(it["args"])) for it in message.tool_calls
    ]
    calls += [(it["id"], it["name"], it["args"]) for it in message.invalid_tool_calls]
    return [
        {
            "id": id or "",
            "type": "function",
            "function": {"name": name or "", "arguments": _clean(args or "")},
        }
        for id, name, args in calls
    ]


def _attachment(block: dict[str, Any]) -> dict[str, Any]:
    """A block that is not text as OpenAI has it, so that images and files count as such."""
    source = block.get("source")
    if block.get("type") in ("image", "document") and isinstance(source, dict):
        # Anthropic's.
        kind = "image" if block["type"] == "image" else "file"
        mime = source.get("media_type", "application/octet-stream")
        given = {"url": source["url"]} if "url" in source else {"base64": str(source.get("data", ""))}
        block = {"type": kind, "mime_type": mime, **given}
    plain: dict[str, Any] = json.loads(_json(block))
    if is_data_content_block(plain):
        try:
            return convert_to_openai_data_block({"filename": "file", **plain})
        except (KeyError, ValueError):
            pass
    return plain


def _json(value: object) -> str:
    """`value` as JSON; what JSON does not have is text in it."""
    return _clean(json.dumps(value, default=str, ensure_ascii=False))


def _read(wire: dict[str, Any], message: BaseMessage | None) -> BaseMessage:
    """The message for a shortened one; `message` is the one that it was."""
    if message is None:
        return HumanMessage(content=wire["content"])
    before, after = _texts(message.content), wire.get("content")
    if isinstance(message.content, str):
        now = {0: after} if isinstance(after, str) else {}
    else:
        parts = after if isinstance(after, list) else []
        now = {part[_BLOCK]: part["text"] for part in parts if _BLOCK in part}
    if now == before:
        return message
    changed = {at: text for at, text in now.items() if text != before[at]}
    same: BaseMessage = _with_texts(message, changed, frozenset(before) - frozenset(now))
    return same
