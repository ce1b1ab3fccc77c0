"""LangChain: agents with a model that is not one, two tools at a time."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from texts import LOG, PAGE

import contextfit_rs as contextfit
from contextfit_rs import Store

pytest.importorskip("langchain.agents", reason="LangChain is not installed: pip install langchain")

from langchain.agents import create_agent
from langchain_core.documents import Document
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from langgraph.types import Command

from contextfit_rs.langchain import (
    ConversationMiddleware,
    DocumentCompressor,
    ToolResultMiddleware,
    _wire,
)

CALLS = 24


class Model(BaseChatModel):
    """Calls two tools at a time, in OpenAI's form or with the blocks of Anthropic."""

    seen: list[list[BaseMessage]] = []
    blocks: bool = False
    restore: str = ""

    @property
    def _llm_type(self) -> str:
        return "fake"

    def bind_tools(self, tools: Any, **options: Any) -> Model:  # type: ignore[override]
        return self

    def _generate(self, messages: list[BaseMessage], *arguments: Any, **options: Any) -> ChatResult:
        self.seen.append(list(messages))
        n = len(self.seen)
        names = ("logs", "blocks")
        calls: list[Any] = [{"name": name, "args": {"n": n}, "id": f"{name}{n}"} for name in names]
        text = f"Step {n}. I look at two logs. " + "So it goes on. " * 20
        content: Any = text
        if self.blocks:
            uses = [{"type": "tool_use", "id": it["id"], "name": it["name"], "input": it["args"]} for it in calls]
            content = [{"type": "thinking", "thinking": "Hm.", "signature": "s"}, {"type": "text", "text": text}, *uses]
        answer = AIMessage(content, tool_calls=calls) if n <= CALLS else AIMessage("Done.")
        return ChatResult(generations=[ChatGeneration(message=answer)])


@tool(response_format="content_and_artifact")
def logs(n: int) -> tuple[str, int]:
    """Reads a log."""
    return LOG, n


@tool
def blocks(n: int) -> list[Any]:
    """Reads a log and a picture."""
    picture = {"type": "image", "base64": "aaaa", "mime_type": "image/png"}
    return [{"type": "text", "text": LOG}, picture, {"type": "text", "text": f"{n} done"}]


def run(middleware: list[Any], with_blocks: bool, in_async: bool) -> list[list[BaseMessage]]:
    model = Model(seen=[], blocks=with_blocks)
    agent = create_agent(model, [logs, blocks], middleware=middleware)
    given: Any = {"messages": [HumanMessage("Which disks are full?")]}
    options: Any = {"recursion_limit": 400}
    asyncio.run(agent.ainvoke(given, options)) if in_async else agent.invoke(given, options)
    assert len(model.seen) == CALLS + 1
    return model.seen


def tokens(messages: list[BaseMessage]) -> int:
    return contextfit.fit_messages([_wire(message) for message in messages], 10**9).tokens


@pytest.mark.parametrize("in_async", [False, True])
@pytest.mark.parametrize("with_blocks", [False, True])
def test_results_are_shortened_before_the_model_reads_them(with_blocks: bool, in_async: bool) -> None:
    seen = run([ToolResultMiddleware()], with_blocks, in_async)
    for before, after in zip(seen, seen[1:], strict=False):
        assert after[: len(before)] == before
    results = [message for message in seen[-1] if isinstance(message, ToolMessage)]
    assert len(results) == 2 * CALLS
    for result in results:
        if result.name == "logs":
            assert isinstance(result.content, str)
            assert result.artifact == int(result.tool_call_id.removeprefix("logs"))
            text = result.content
        else:
            first, picture, last = result.content
            assert isinstance(first, dict)
            assert isinstance(last, dict)
            assert picture["type"] == "image"  # type: ignore[index]
            assert last["text"].endswith(" done")
            text = first["text"]
        assert "ERROR disk 7 is full" in text
        assert text.splitlines()[-1].startswith("[contextfit: ")
        assert contextfit.count(text) <= 1_000


@pytest.mark.parametrize("in_async", [False, True])
@pytest.mark.parametrize("with_blocks", [False, True])
def test_a_conversation_stays_within_its_limit(with_blocks: bool, in_async: bool) -> None:
    middleware = [ToolResultMiddleware(400), ConversationMiddleware(5_000, 2_500, reserve=100)]
    seen = run(middleware, with_blocks, in_async)
    sizes = [tokens(messages) for messages in seen]
    assert max(sizes) <= 4_900
    cuts = [n for n, (before, after) in enumerate(zip(sizes, sizes[1:], strict=False)) if after < before]
    assert 1 <= len(cuts) <= CALLS // 2
    for n, (before, after) in enumerate(zip(seen, seen[1:], strict=False)):
        if n not in cuts:
            assert after[: len(before)] == before
    for messages in seen:
        # Whatever is left out, each result has its call.
        calls = {call["id"] for message in messages if isinstance(message, AIMessage) for call in message.tool_calls}
        results = {message.tool_call_id for message in messages if isinstance(message, ToolMessage)}
        assert calls == results
        assert any("Which disks are full?" in str(message.content) for message in messages)
        thoughts = [b for m in messages if isinstance(m.content, list) for b in m.content if b["type"] == "thinking"]  # type: ignore[index]
        assert all(thought["signature"] == "s" for thought in thoughts)  # type: ignore[index]


def test_some_tools_are_left_alone() -> None:
    for options in ({"keep": ["logs"]}, {"tools": ["blocks"]}):
        seen = run([ToolResultMiddleware(**options)], False, False)  # type: ignore[arg-type]
        results = [message for message in seen[-1] if isinstance(message, ToolMessage)]
        assert all((result.content == LOG) == (result.name == "logs") for result in results)


def test_what_was_shortened_can_be_restored(tmp_path: Any) -> None:
    store = Store(tmp_path)
    middleware = ToolResultMiddleware(store=store)
    message = ToolMessage(LOG, name="logs", tool_call_id="a", id="m")
    shortened = middleware._shortened(message)
    assert isinstance(shortened, ToolMessage)
    assert shortened.id == "m"
    note = str(shortened.content).splitlines()[-1]
    handle = note.split("restore_output ")[1][:8]
    (restore,) = middleware.tools
    assert restore.invoke({"handle": handle}) == LOG
    assert restore.invoke({"handle": handle, "match": "ERROR"}) == "601:ERROR disk 7 is full"
    assert restore.invoke({"handle": "00000000"}).startswith("error: ")
    restored = ToolMessage(LOG, name="restore_output", tool_call_id="b")
    assert middleware._shortened(restored) is restored
    update = middleware._shortened(Command(update={"messages": [message, HumanMessage(LOG)], "n": 1}))
    assert isinstance(update, Command)
    assert update.update["messages"][0] == shortened  # type: ignore[index,call-overload]
    assert update.update["messages"][1].content == LOG  # type: ignore[index,call-overload,union-attr]


def test_documents_are_within_the_budget() -> None:
    documents = [Document(PAGE + str(n), metadata={"source": f"{n}.md", "n": n}, id=str(n)) for n in range(9)]
    compressor = DocumentCompressor(budget=120, overhead=2)
    shown = compressor.compress_documents(documents, "how are tokens counted")
    assert 1 <= len(shown) <= 9
    assert contextfit.count("\n\n".join(document.page_content for document in shown)) <= 120
    assert all(document.metadata == documents[document.metadata["n"]].metadata for document in shown)
    assert all("Tokens are counted once." in document.page_content for document in shown)
    small = documents[:1]
    assert DocumentCompressor(budget=10_000).compress_documents(small, "tokens")[0] is small[0]
    assert asyncio.run(compressor.acompress_documents(documents, "how are tokens counted")) == shown
