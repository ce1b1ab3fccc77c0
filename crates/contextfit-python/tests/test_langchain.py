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
            uses = [
                {"type": "tool_use", "id": it["id"], "name": it["name"], "input": it["args"]} for it in calls
            ]
            content = [
                {"type": "thinking", "thinking": "Hm.", "signature": "s"},
                {"type": "text", "text": text},
                *uses,
            ]
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
        calls = {
            call["id"]
            for message in messages
            if isinstance(message, AIMessage)
            for call in message.tool_calls
        }
        results = {message.tool_call_id for message in messages if isinstance(message, ToolMessage)}
        assert calls == results
        assert any("Which disks are full?" in str(message.content) for message in messages)
        thoughts = [
            b for m in messages if isinstance(m.content, list) for b in m.content if b["type"] == "thinking"
        ]  # type: ignore[index]
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
    assert restore.invoke({"handle": handle, "first_line": 601}) == "ERROR disk 7 is full\n"
    assert restore.invoke({"handle": "00000000"}).startswith("error: ")
    restored = ToolMessage(LOG, name="restore_output", tool_call_id="b")
    assert middleware._shortened(restored) is restored
    update = middleware._shortened(Command(update={"messages": [message, HumanMessage(LOG)], "n": 1}))
    assert isinstance(update, Command)
    assert update.update["messages"][0] == shortened  # type: ignore[index,call-overload]
    assert update.update["messages"][1].content == LOG  # type: ignore[index,call-overload,union-attr]


PIXELS = "A" * 60_000
IMAGES: list[dict[str, Any]] = [
    {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PIXELS}"}},
    {"type": "image", "base64": PIXELS, "mime_type": "image/png"},
    {"type": "image", "source_type": "base64", "data": PIXELS, "mime_type": "image/png"},
    {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PIXELS}},
]


def test_an_image_counts_as_one_in_every_form() -> None:
    sizes = {tokens([HumanMessage([image])]) for image in IMAGES}
    assert len(sizes) == 1
    assert max(sizes) < 5_000
    by_address = {"type": "image", "url": "https://example.org/1.png"}
    assert tokens([HumanMessage([by_address])]) > 50
    files: list[dict[str, Any]] = [
        {"type": "file", "base64": PIXELS, "mime_type": "application/pdf"},
        {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": PIXELS}},
    ]
    assert min(tokens([HumanMessage([file])]) for file in files) > 10_000


def test_calls_count_once_wherever_they_are() -> None:
    plain = AIMessage("hi", tool_calls=[{"name": "logs", "args": {"n": LOG}, "id": "a"}])
    size = tokens([plain])
    for block in ({"type": "tool_use"}, {"type": "tool_call"}, {"type": "function_call", "call_id": "a"}):
        content: list[Any] = [
            {"type": "text", "text": "hi"},
            {"id": "a", "name": "logs", **block, "input": {"n": LOG}},
        ]
        again = AIMessage(content, tool_calls=plain.tool_calls)
        assert abs(tokens([again]) - size) < 20
    invalid = AIMessage("hi", invalid_tool_calls=[{"name": "logs", "args": LOG, "id": "a", "error": "e"}])
    assert tokens([invalid]) > size // 2


@pytest.mark.parametrize("high", range(120, 900, 60))
def test_results_of_invalid_calls_keep_their_calls(high: int) -> None:
    messages: list[BaseMessage] = [HumanMessage("go")]
    for n in range(7):
        call: Any = {"name": "logs", "args": "{a", "id": f"c{n}", "error": "e"}
        messages.append(AIMessage("Try it. " * 9, invalid_tool_calls=[call]))
        messages.append(ToolMessage("Could not parse. " * 9, tool_call_id=f"c{n}"))
    messages += [AIMessage("Done."), HumanMessage("And now?")]
    shown = ConversationMiddleware(high).shortened(messages) or messages
    assert tokens(shown) <= high
    calls = [call["id"] for it in shown if isinstance(it, AIMessage) for call in it.invalid_tool_calls]
    assert calls == [it.tool_call_id for it in shown if isinstance(it, ToolMessage)]


def test_pins_follow_messages_and_wait_for_them() -> None:
    said = [HumanMessage(f"Message {n}. " + "So it goes on. " * 20, id=f"m{n}") for n in range(40)]
    middleware = ConversationMiddleware(1_000, pins={"ids": ["m3"], "tools": ["logs"], "markers": ["none"]})
    assert middleware.shortened(said[:2]) is None
    once = middleware.shortened(said)
    assert once is not None
    again = middleware.shortened([*once, *said[4:30]])
    assert again is not None
    assert said[3] in once
    assert said[3] in again


def test_what_nothing_can_encode_is_counted_roughly() -> None:
    from datetime import date

    half = "a \ud83d b. "
    messages: list[BaseMessage] = [
        HumanMessage([{"type": "media", "data": b"x"}, {"type": "text", "text": half}]),
        AIMessage(half, tool_calls=[{"name": "a", "args": {"d": date(2024, 1, 1), half: half}, "id": "c"}]),
        ToolMessage("so", tool_call_id="c"),
    ]
    assert ConversationMiddleware(10_000).shortened(messages) is None
    assert ConversationMiddleware(300).shortened(
        [HumanMessage(half * 400, id="a"), HumanMessage("?", id="b")]
    )
    document = Document(half, metadata={"source": half})
    assert len(DocumentCompressor(budget=90).compress_documents([document], "a")) == 1


@pytest.mark.parametrize("budget", [0, 1, 5, 300])
def test_a_small_budget_is_divided_by_need(budget: int) -> None:
    parts: list[Any] = [{"type": "text", "text": text} for text in ["ok"] * 19 + [LOG]]
    shortened = ToolResultMiddleware(budget)._shortened(ToolMessage(parts, tool_call_id="a"))
    assert isinstance(shortened, ToolMessage)
    texts = [part["text"] for part in shortened.content]  # type: ignore[index]
    assert texts[:-1] == ["ok"] * 19
    assert (200 if budget == 300 else 1) < contextfit.count(texts[-1]) <= max(budget, 40)
    whole = ToolMessage(LOG, tool_call_id="a", name="a")
    assert ToolResultMiddleware(budget)._shortened(whole) is not whole


def test_what_is_wrong_is_told_at_once() -> None:
    wrong: list[Any] = [
        lambda: ConversationMiddleware(-5),
        lambda: ConversationMiddleware(9, 10),
        lambda: ConversationMiddleware(900, 100, reserve=200),
        lambda: ConversationMiddleware(900, model="gtp-4o"),
        lambda: ConversationMiddleware(900, strategy="nope"),  # type: ignore[arg-type]
        lambda: ConversationMiddleware(900, pins={"tols": []}),  # type: ignore[typeddict-unknown-key]
        lambda: ConversationMiddleware(900, pins={"indices": [1]}),
        lambda: ToolResultMiddleware(-1),
        lambda: ToolResultMiddleware(model="nope"),
        lambda: ToolResultMiddleware(tools="logs"),
        lambda: DocumentCompressor(budget=-1),
        lambda: DocumentCompressor(budget=9, strategy="hybrid"),  # type: ignore[arg-type]
    ]
    for make in wrong:
        with pytest.raises(ValueError):
            make()


def test_an_agent_may_have_several() -> None:
    names = ("logs", "blocks")
    seen = run([ToolResultMiddleware(300, tools=[name], name=f"of {name}") for name in names], False, False)
    results = [message for message in seen[-1] if isinstance(message, ToolMessage)]
    assert all("[contextfit: " in str(result.content) for result in results)


def test_documents_are_within_the_budget() -> None:
    documents = [Document(PAGE + str(n), metadata={"source": f"{n}.md", "n": n}, id=str(n)) for n in range(9)]
    compressor = DocumentCompressor(budget=120, overhead=2)
    shown = compressor.compress_documents(documents, "how are tokens counted")
    assert 1 <= len(shown) <= 9
    assert contextfit.count("\n\n".join(document.page_content for document in shown)) <= 120
    assert all(document.metadata == documents[document.metadata["n"]].metadata for document in shown)
    assert all("Tokens are counted once." in document.page_content for document in shown)
    compressor.budget = 10_000
    assert list(compressor.compress_documents(documents, "tokens")) == documents
    small = documents[:1]
    assert DocumentCompressor(budget=10_000).compress_documents(small, "tokens")[0] is small[0]
    again = DocumentCompressor(budget=120).acompress_documents(documents, "how are tokens counted")
    assert asyncio.run(again) == shown
