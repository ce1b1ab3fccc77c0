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
)
from langchain_core.tools import tool
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.runtime import Runtime
from langgraph.types import Command
from pydantic import ConfigDict, PrivateAttr

from . import (
    ContextfitError,
    Fitter,
    Pins,
    Store,
    UnknownHandleError,
    fit_messages,
    shorten_output,
)
from .types import ChatStrategy, Strategy

__all__ = ["ConversationMiddleware", "DocumentCompressor", "ToolResultMiddleware"]

_RESTORE = "restore_output"


class ToolResultMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Shortens the results of tools when they arrive, so that nothing changes that the model has read.

    Without a budget, results of at most 8,000 characters stay; source code always does. `tools` names the tools whose
    results are shortened, all if it is None, and `keep` those whose results are not. With a `store`, the whole results are
    kept in it, and the agent has one tool more, `restore_output`.
    """

    def __init__(
        self,
        budget: int | None = None,
        *,
        model: str | None = None,
        tools: Iterable[str] | None = None,
        keep: Iterable[str] = (),
        store: Store | None = None,
    ) -> None:
        super().__init__()
        self._budget = budget
        self._model = model
        self._only = None if tools is None else frozenset(tools)
        self._keep = frozenset(keep) | {_RESTORE}
        self._store = store
        self.tools = [] if store is None else [_restorer(store)]

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
        if isinstance(update, dict) and isinstance(update.get("messages"), list):
            messages = [
                self._message(message) if isinstance(message, ToolMessage) else message
                for message in update["messages"]
            ]
            return Command(
                graph=result.graph, update={**update, "messages": messages}, resume=result.resume, goto=result.goto
            )
        return result

    def _message(self, message: ToolMessage) -> ToolMessage:
        name = message.name or ""
        if name in self._keep or (self._only is not None and name not in self._only):
            return message
        texts = _texts(message.content)
        budget = None if self._budget is None else self._budget // max(1, len(texts))
        shorter = {at: self._text(text, budget) for at, text in texts.items()}
        changed = {at: text for at, text in shorter.items() if text is not None}
        return _with_texts(message, changed) if changed else message

    def _text(self, text: str, budget: int | None) -> str | None:
        store = self._store
        try:
            note = "" if store is None else f"; {_RESTORE} {store.short_handle(text)} shows the rest"
            shorter = shorten_output(text, budget, note=note, model=self._model)
            if store is not None and shorter is not None:
                store.keep(text)
            return shorter
        except ContextfitError:
            # The agent goes on as if this were not here.
            return None


def _restorer(store: Store) -> Any:
    @tool(_RESTORE)
    def restore_output(handle: str, first_line: int = 1, last_line: int = 0, match: str = "") -> str:
        """Shows the whole of a shortened output, or the lines that match a regular expression."""
        lines = (first_line, last_line) if last_line else None
        try:
            return store.restore(handle, lines=lines, match=match or None)
        except (UnknownHandleError, ValueError) as error:
            return f"error: {error}"

    return restore_output


class ConversationMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Keeps the messages of an agent between two limits: above `high` tokens they are cut to `low`, half of `high` if it is
    None, so rarely that prompt caches stay warm. The messages in the agent's state are replaced.

    The system prompt and the descriptions of tools are not among the messages: `reserve` tokens are set aside for them in
    both limits. Raises InfeasibleError if what must be kept exceeds `high`.
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
        self._high = high
        self._low = high // 2 if low is None else low
        self._reserve = reserve
        self._model = model
        self._strategy: ChatStrategy = strategy
        self._pins = pins

    def before_model(self, state: AgentState[Any], runtime: Runtime[Any]) -> dict[str, Any] | None:
        messages = self.shortened(state["messages"])
        return None if messages is None else {"messages": [RemoveMessage(id=REMOVE_ALL_MESSAGES), *messages]}

    async def abefore_model(self, state: AgentState[Any], runtime: Runtime[Any]) -> dict[str, Any] | None:
        return await asyncio.to_thread(self.before_model, state, runtime)

    def shortened(self, messages: Sequence[BaseMessage]) -> list[BaseMessage] | None:
        """The messages to send instead; None if they are within the limit."""
        result = fit_messages(
            [_wire(message) for message in messages],
            self._high,
            target=max(self._low, self._reserve),
            reserve=self._reserve,
            model=self._model,
            strategy=self._strategy,
            format="openai-chat",
            pins=self._pins,
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
    _fitter: Fitter = PrivateAttr()

    def model_post_init(self, context: Any) -> None:
        self._fitter = Fitter(
            self.budget,
            model=self.model,
            strategy=self.strategy,
            reserve=self.reserve,
            headers=False,
            separator="",
            omission=False,
        )

    def compress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Callbacks | None = None
    ) -> Sequence[Document]:
        """The documents that are shown, in their order, with what is shown of their texts."""
        chunks = []
        for document in documents:
            chunk: dict[str, Any] = {"text": document.page_content, "overhead": self.overhead}
            source = document.metadata.get("source")
            if isinstance(source, str):
                chunk["title"] = source
            chunks.append(chunk)
        result = self._fitter.fit(chunks, query)  # type: ignore[arg-type]
        pairs = zip(documents, result.blocks)
        return [
            document if block.action == "keep" else document.model_copy(update={"page_content": block.text})
            for document, block in pairs
            if block.action != "drop"
        ]


def _texts(content: Any) -> dict[int, str]:
    """The texts of a content by the index of their block; a content that is a text is block 0."""
    if isinstance(content, str):
        return {0: content}
    texts = {}
    for at, block in enumerate(content):
        if isinstance(block, str):
            texts[at] = block
        elif block.get("type") == "text" and isinstance(block.get("text"), str):
            texts[at] = block["text"]
    return texts


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
    role = next((role for kind, role in _ROLES.items() if isinstance(message, kind)), "user")
    wire: dict[str, Any] = {"role": role}
    if isinstance(message.content, str):
        wire["content"] = message.content
    else:
        texts = _texts(message.content)
        # A call is in `tool_calls` too.
        others = [
            block
            for at, block in enumerate(message.content)
            if at not in texts and isinstance(block, dict) and block.get("type") != "tool_use"
        ]
        wire["content"] = [{"type": "text", "text": text, _BLOCK: at} for at, text in texts.items()] + others
    if isinstance(message, AIMessage) and message.tool_calls:
        wire["tool_calls"] = [
            {
                "id": call["id"],
                "type": "function",
                "function": {"name": call["name"], "arguments": json.dumps(call["args"], ensure_ascii=False)},
            }
            for call in message.tool_calls
        ]
    if isinstance(message, ToolMessage):
        wire["tool_call_id"] = message.tool_call_id
    if message.name and not isinstance(message, ToolMessage):
        wire["name"] = message.name
    return wire


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
