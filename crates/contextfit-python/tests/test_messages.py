"""Conversations."""

from __future__ import annotations

import copy
import json
import pickle
import random
from typing import Any

import pytest
from texts import LOG, PAGE, conversation, words

import contextfit_rs as contextfit
from contextfit_rs import InfeasibleError, InvalidRequestError, Session, Store, UnknownHandleError


def anthropic() -> dict[str, Any]:
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Which disks are full?"}]
    for n in range(8):
        call = {
            "type": "tool_use",
            "id": f"c{n}",
            "name": "logs",
            "input": {"n": n, "big": 2**70, "half": 0.5},
        }
        messages.append({"role": "assistant", "content": [{"type": "text", "text": f"Log {n}."}, call]})
        result = {
            "type": "tool_result",
            "tool_use_id": f"c{n}",
            "content": [{"type": "text", "text": LOG[:3000]}],
        }
        messages.append({"role": "user", "content": [result]})
    return {"model": "claude-sonnet-4-5", "system": "Be brief.", "max_tokens": 99, "messages": messages}


def responses() -> dict[str, Any]:
    items: list[dict[str, Any]] = [{"role": "user", "content": "Which disks are full?"}]
    for n in range(8):
        items.append({"type": "function_call", "call_id": f"c{n}", "name": "logs", "arguments": "{}"})
        items.append({"type": "function_call_output", "call_id": f"c{n}", "output": LOG[:3000]})
    return {"instructions": "Be brief.", "input": items}


@pytest.mark.parametrize("budget", [1_200, 4_000, 100_000])
@pytest.mark.parametrize("request_", [anthropic(), responses(), {"messages": conversation()}])
def test_what_is_not_changed_is_the_same_object(request_: dict[str, Any], budget: int) -> None:
    before = copy.deepcopy(request_)
    result = contextfit.fit_messages(request_, budget)
    assert request_ == before
    assert result.tokens <= budget
    field = "input" if "input" in request_ else "messages"
    assert list(result.request) == list(request_)
    assert result.request[field] == result.messages
    assert len(result.origins) == len(result.messages)
    by_id = {block.id: block for block in result.blocks}
    for message, origin in zip(result.messages, result.origins, strict=True):
        if origin is not None and by_id[str(origin)].action == "keep":
            assert message is request_[field][origin]
    assert result.changed == (result.messages != request_[field])
    # A shortened request is within its budget by itself.
    assert contextfit.fit_messages(result.request, budget).tokens <= budget


@pytest.mark.parametrize("seed", range(20))
def test_no_text_of_a_message_is_glued_to_another(seed: int) -> None:
    drawn = random.Random(seed)
    messages = [
        {
            "role": drawn.choice(["user", "assistant"]),
            "content": [{"type": "text", "text": words(seed + n, 90)}] * 2,
        }
        for n in range(12)
    ]
    result = contextfit.fit_messages(messages, 300)
    assert result.tokens <= 300
    for block in result.blocks:
        # Ranges are those of the texts, joined by two line feeds.
        text = "\n\n".join(part["text"] for part in messages[int(block.id)]["content"])
        assert all(start <= end <= len(text) for start, end in block.ranges)


def test_a_list_comes_back_as_a_list_and_a_target_is_met() -> None:
    messages = conversation()
    whole = contextfit.fit_messages(messages, 10_000, target=700)
    assert whole.messages == messages
    assert not whole.changed
    cut = contextfit.fit_messages(messages, 3_000, target=700)
    assert cut.tokens <= 700
    assert cut.messages[0] is messages[0]
    assert cut.messages[-1] is messages[-1]
    assert None in cut.origins
    # What must be kept does not fit into the target, but into the budget.
    kept = contextfit.fit_messages(messages, 3_000, target=5)
    assert 5 < kept.tokens <= 3_000


def test_a_model_object_stays_the_same_object() -> None:
    class Message:
        def model_dump(self, **options: object) -> dict[str, object]:
            return {"role": "user", "content": "What now?"}

    messages = [*conversation()[:-1], Message()]
    result = contextfit.fit_messages(messages, 700)
    assert result.messages[-1] is messages[-1]


def test_what_becomes_json_on_its_way_stays_the_same_object() -> None:
    class Block:
        def model_dump(self, **options: object) -> dict[str, object]:
            return {"type": "text", "text": "What now?"}

    messages: list[Any] = [
        *conversation()[:-1],
        {"role": "user", "content": "a", "tags": (1, 2), 3: 4},
        {"role": "assistant", "content": [Block()]},
        {"role": "user", "content": (Block(),)},
    ]
    for result in (contextfit.fit_messages(messages, 10**6), contextfit.fit_messages(messages, 900)):
        assert all(new is old for new, old in zip(result.messages[-3:], messages[-3:], strict=True))
    body = {"messages": iter(messages)}
    assert contextfit.fit_messages(body, 10**6).messages == messages


def test_a_target_is_within_the_budget() -> None:
    with pytest.raises(InvalidRequestError) as caught:
        contextfit.fit_messages(conversation(), 300, target=600)
    assert caught.value.path == "target"
    assert contextfit.fit_messages(conversation(), 900, target=5, reserve=100).tokens <= 800


def test_what_is_held_is_named() -> None:
    with pytest.raises(InfeasibleError) as caught:
        contextfit.fit_messages([{"role": "user", "content": PAGE}], 20, pins={"last_user": True})
    assert [(it.id, it.hold) for it in caught.value.blockers] == [("0", "pinned")]
    assert "message 0" in str(caught.value)


@pytest.mark.parametrize(
    ("messages", "options", "path"),
    [
        ("Hello", {}, "messages"),
        (None, {}, "messages"),
        ({}, {}, "messages"),
        ([{"role": "user", "content": "a"}], {"pins": [True]}, "pins"),
        ([{"role": "user", "content": "\ud83d"}], {}, "messages[0].content"),
        ([{"role": "user", "content": 7}], {}, "messages[0].content"),
        ([{"role": "user", "content": "a"}], {"pins": {"tols": []}}, "pins.tols"),
        ([{"role": "user", "content": "a"}], {"pins": {"tools": ["none"]}}, "pins"),
        ([{"role": "user", "content": "a"}], {"format": "openai"}, "format"),
        ([{"role": "user", "content": "a"}], {"record_role": "tool"}, "record_role"),
        ([{"role": "user", "content": "a"}], {"strategy": "bm25"}, "strategy"),
    ],
)
def test_errors_say_where(messages: Any, options: Any, path: str) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        contextfit.fit_messages(messages, 60, **options)
    assert caught.value.path == path


def test_a_session_is_cut_rarely_and_goes_on_elsewhere() -> None:
    session = Session(conversation(2), high=1_000, low=500)
    cut = 0
    for message in conversation(60)[1:]:
        session.push(message)
        before = session.request
        if session.prepare():
            cut += 1
            assert session.tokens <= 500
        else:
            assert session.request == before
        # As the next program counts it.
        assert contextfit.fit_messages(session.request, 10**6).tokens <= session.tokens <= 1_000
        again = Session.from_json(session.to_json())
        assert (again.request, again.tokens) == (session.request, session.tokens)
    assert 2 <= cut <= 12
    with pytest.raises(InvalidRequestError):
        session.push(7)
    with pytest.raises(InvalidRequestError):
        Session.from_json("{}")
    with pytest.raises(InvalidRequestError, match="high mark") as caught:
        Session([], high=5, low=9)
    assert caught.value.path == "low"
    with pytest.raises(InvalidRequestError, match='did you mean "tools"') as caught:
        Session([], high=5, pins={"tols": []})  # type: ignore[typeddict-unknown-key]
    assert caught.value.path == "pins.tols"


def test_originals_are_restored(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path / "store")
    result = contextfit.fit([PAGE], "how are tokens counted", budget=60, store=store)
    handle = result.blocks[0].handle
    assert handle is not None
    assert f"restore {handle[:8]}" in result.text
    assert store.restore(handle) == store.restore(handle[:8]) == PAGE
    shortened = contextfit.fit_messages([*conversation(), {"role": "user", "content": LOG}], 900, store=store)
    handles = [block.handle for block in shortened.blocks if block.handle]
    assert all(json.loads(store.restore(one))["role"] for one in handles)
    kept = store.keep(LOG)
    assert kept.startswith(Store.short_handle(LOG))
    assert store.restore(kept, lines=(2, 3)) == "\n".join(LOG.split("\n")[1:3])
    assert store.restore(kept, match="ERROR") == "601:ERROR disk 7 is full"
    assert store.restore(kept, lines=(1, 5), match="ERROR") == ""
    with pytest.raises(InvalidRequestError, match="regular expression"):
        store.restore(kept, match="(")
    with pytest.raises(InvalidRequestError, match="from 1"):
        store.restore(kept, lines=(0, 3))
    for lines in ((1, 2, 3), 3, (1, None)):
        with pytest.raises(InvalidRequestError, match="two numbers"):
            store.restore(kept, lines=lines)  # type: ignore[arg-type]
    monkeypatch.chdir(tmp_path)
    relative = Store("store")
    monkeypatch.chdir("/")
    assert relative.restore(kept) == pickle.loads(pickle.dumps(relative)).restore(kept) == LOG
    with pytest.raises(InvalidRequestError, match="empty path"):
        Store("")
    for unknown in ("abcdef01", "none"):
        with pytest.raises(UnknownHandleError):
            store.restore(unknown)


def test_a_store_that_fails_loses_no_result(tmp_path: Any) -> None:
    store = Store(tmp_path)
    (tmp_path / "originals.redb").write_bytes(b"no database")
    with pytest.warns(UserWarning, match="originals are not stored"):
        result = contextfit.fit([PAGE], "how are tokens counted", budget=60, store=store)
    assert "Tokens are counted once." in result.text
    assert result.blocks[0].handle is None
