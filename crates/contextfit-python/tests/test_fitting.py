"""One call, and many."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from texts import LOG, PAGE, words

import contextfit_rs as contextfit
from contextfit_rs import (
    ContextfitError,
    Fitter,
    InfeasibleError,
    InvalidRequestError,
    UnknownModelError,
    UnknownStrategyError,
)


def test_what_answers_is_shown_within_the_budget() -> None:
    result = contextfit.fit([{"id": "a", "text": PAGE}, "Other."], "how are tokens counted", budget=60)
    assert "Tokens are counted once." in result.text == str(result)
    assert result.tokens == contextfit.count(result.text) <= 60 == result.budget
    assert [block.id for block in result.blocks] == ["a", "2"]
    assert result.metrics.tokens_saved == result.metrics.tokens_before - result.tokens
    assert "of 60, by " in result.explain()


@pytest.mark.parametrize("seed", range(40))
def test_ranges_are_characters_of_the_text(seed: int) -> None:
    texts = [words(seed * 7 + n) for n in range(3)]
    budget = 20 + seed * 7
    result = contextfit.fit(texts, "字 abc", budget=budget, headers=False)
    assert contextfit.count(result.text) == result.tokens <= budget
    for text, block in zip(texts, result.blocks, strict=True):
        at = 0
        for start, end in block.ranges:
            assert at <= start <= end <= len(text)
            at = end
        if block.action == "keep":
            assert block.ranges == ((int(text.startswith("\ufeff")), len(text)),)
        elif block.action == "cut":
            shown = "".join(text[start:end] for start, end in block.ranges)
            assert sum(c.isalnum() for c in shown) <= sum(c.isalnum() for c in block.text)


def test_ranges_of_exact_lines_are_in_the_chunk() -> None:
    text = "\ufeff" + "".join(f"line {n} 😀\n" for n in range(1, 21))
    chunks: list[Any] = ["a", {"text": text, "exact": [(5, 7), (9, 9)]}, "b"]
    blocks = contextfit.fit(chunks, budget=1_000).blocks
    assert [block.id for block in blocks] == ["1", "2:1-4", "2:5-7", "2:8-8", "2:9-9", "2:10-20", "3"]
    for block in blocks[1:-1]:
        assert "".join(text[start:end] for start, end in block.ranges) == block.text


def test_a_number_may_be_of_any_kind() -> None:
    class Number:
        def __index__(self) -> int:
            return 60

        def __le__(self, other: int) -> bool:
            return other >= 60

        def __ge__(self, other: int) -> bool:
            return other <= 60

        def __int__(self) -> int:
            return 60

    for budget in (60, 60.0, Number()):
        assert contextfit.fit([PAGE], "tokens", budget=budget).budget == 60  # type: ignore[arg-type]


def test_an_excerpt_keeps_the_error() -> None:
    result = contextfit.excerpt(LOG, 100)
    assert "ERROR disk 7 is full" in result.text
    assert result.tokens <= 100
    assert "".join(LOG[start:end] for start, end in result.blocks[0].ranges).endswith(
        "ERROR disk 7 is full\n"
    )


def test_an_output_has_a_last_line_and_code_stays() -> None:
    shown = contextfit.shorten_output(LOG, 100, note="; all of it is in a.txt")
    assert shown is not None
    assert contextfit.count(shown) <= 100
    assert shown.splitlines()[-1].endswith(" of 601 lines; all of it is in a.txt]")
    assert contextfit.shorten_output("one line") is None
    code = "".join(f"def f{n}(x):\n    return x + {n}\n\n\n" for n in range(400))
    assert contextfit.shorten_output(code) is None


def test_memories_are_packed() -> None:
    memories = [{"id": n, "type": "fact", "summary": f"Fact {n}.", "knowledge": PAGE} for n in range(9)]
    result = contextfit.fit_memories(memories, 200, query="tokens", shares={"fact": 0.5}, max_level=2)
    assert result.tokens <= 200
    assert {block.level for block in result.blocks} <= {None, 0, 1, 2}


def test_counts() -> None:
    assert contextfit.count("one", tokenizer="chars/1") == 3
    assert contextfit.count(["one", "three"], tokenizer="chars/1") == [3, 5]
    assert contextfit.count([]) == []
    assert contextfit.count("漢字", model="gpt-4o") == contextfit.count("漢字")


def test_models() -> None:
    model = contextfit.model("gpt-4o")
    assert (model.encoding, model.exact) == ("o200k_base", True)
    assert model in contextfit.models()
    result = contextfit.fit(["Hello"], model="claude-sonnet-4-5")
    assert result.metrics.estimated
    assert result.budget > 100_000


INVALID: list[tuple[Callable[[], Any], type[ContextfitError], str, str]] = [
    (lambda: contextfit.fit("one text", budget=9), InvalidRequestError, "chunks", "found a single str"),
    (lambda: contextfit.fit({"text": "a"}, budget=9), InvalidRequestError, "chunks", "a single dict"),  # type: ignore[arg-type]
    (lambda: contextfit.fit([{"txet": "a"}], budget=9), InvalidRequestError, "chunks[0].txet", 'mean "text"'),  # type: ignore[typeddict-item,typeddict-unknown-key]
    (
        lambda: contextfit.fit(["a", {"text": "a", "start_line": -1}], budget=9),
        InvalidRequestError,
        "chunks[1].start_line",
        "-1",
    ),
    (lambda: contextfit.fit(["a"], budget=-3), InvalidRequestError, "budget", "-3"),
    (lambda: contextfit.fit(["a"], budget=9, reserve=10), InvalidRequestError, "budget", "exceeds"),
    (lambda: contextfit.fit(["a"]), InvalidRequestError, "budget", "no budget"),
    (
        lambda: contextfit.fit(["a"], budget=9, separator="a\nb"),
        InvalidRequestError,
        "separator",
        "single line",
    ),
    (
        lambda: contextfit.fit(["a\ud83d"], budget=9),
        InvalidRequestError,
        "chunks[0].text",
        "half of a character",
    ),
    (
        lambda: contextfit.fit([{"text": "a", "score": float("nan")}], budget=9),
        InvalidRequestError,
        "chunks[0].score",
        "JSON",
    ),
    (lambda: contextfit.fit([b"a"], budget=9), InvalidRequestError, "chunks[0]", "bytes"),  # type: ignore[list-item]
    (lambda: contextfit.fit(["a"], budget=9, strategy="bm52"), UnknownStrategyError, "strategy", "bm25"),  # type: ignore[arg-type]
    (lambda: contextfit.fit(["a"], budget=9, strategy="hybrid"), UnknownStrategyError, "strategy", "bm25"),  # type: ignore[arg-type]
    (lambda: contextfit.fit(["a"], model="gpt4o"), UnknownModelError, "model", "gpt-4o"),
    (
        lambda: contextfit.fit(["a"], budget=9, tokenizer="none"),
        InvalidRequestError,
        "tokenizer",
        "cl100k_base",
    ),
    (
        lambda: contextfit.fit(["a"], budget=9, order="best"),
        InvalidRequestError,
        "order",
        "document or score",
    ),  # type: ignore[arg-type]
    (lambda: Fitter(2.5), InvalidRequestError, "budget", "whole number"),  # type: ignore[arg-type]
    (
        lambda: Fitter(9).fit_columns([["a"], "b"], [None, None]),
        InvalidRequestError,
        "texts[1]",
        "single str",
    ),
    (lambda: Fitter(9).fit_columns([["a"]], []), InvalidRequestError, "queries", "expected 1"),
    (lambda: contextfit.fit([["a", "b"]], budget=9), InvalidRequestError, "chunks[0]", "found list"),  # type: ignore[list-item]
    (
        lambda: contextfit.fit(["a", {"text": "a", "start_lin": 1}], budget=9),
        InvalidRequestError,
        "chunks[1].start_lin",
        '"start_line"?',
    ),
    (lambda: contextfit.fit(["a"], "\ud83d", budget=9), InvalidRequestError, "query", "half of a character"),
    (lambda: contextfit.fit(["a"], budget=9, headers="no"), InvalidRequestError, "headers", "True or False"),  # type: ignore[arg-type]
    (
        lambda: contextfit.fit(["a"], budget=9, line_numbers=1),
        InvalidRequestError,
        "line_numbers",
        "True or False",
    ),  # type: ignore[arg-type]
    (lambda: contextfit.fit(["a"], budget=True), InvalidRequestError, "budget", "True"),
    (lambda: contextfit.fit(["a"], budget=2**64), InvalidRequestError, "budget", "1,000,000,000,000"),
    (lambda: contextfit.fit(["a"], budget=9, model=4), InvalidRequestError, "model", "found int"),  # type: ignore[arg-type]
    (lambda: contextfit.fit(["a"], budget=9, store="folder"), InvalidRequestError, "store", "found str"),  # type: ignore[arg-type]
    (lambda: Fitter(9).fit_batch(None), InvalidRequestError, "requests", "NoneType"),  # type: ignore[call-overload]
    (lambda: Fitter(9).fit_batch([], errors="ignore"), InvalidRequestError, "errors", "ignore"),  # type: ignore[call-overload]
    (lambda: contextfit.fit_memories([], 9, min_level=9), InvalidRequestError, "min_level", "9"),  # type: ignore[arg-type]
    (lambda: contextfit.fit_memories([], 9, shares={"a": 2}), InvalidRequestError, "shares.a", "2"),
    (lambda: contextfit.count(7), InvalidRequestError, "text", "found int"),  # type: ignore[call-overload]
    (
        lambda: contextfit.fit_memories([{"id": 1, "tags_": "a"}], 9),
        InvalidRequestError,
        "memories[0].tags_",
        'mean "tags"',
    ),
]


@pytest.mark.parametrize(("call", "kind", "path", "message"), INVALID)
def test_errors_say_where(
    call: Callable[[], Any], kind: type[InvalidRequestError], path: str, message: str
) -> None:
    with pytest.raises(ValueError) as caught:
        call()
    assert type(caught.value) is kind
    assert caught.value.path == path
    assert message in str(caught.value)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), again.args, vars(again)) == (kind, caught.value.args, vars(caught.value))


def test_what_cannot_fit_says_what_is_in_the_way() -> None:
    with pytest.raises(InfeasibleError) as caught:
        contextfit.fit([{"id": "long", "text": PAGE, "exact": True}, "short"], budget=10)
    error = caught.value
    assert (error.code, error.available) == ("infeasible", 10)
    assert error.needed > 10
    assert [(blocker.id, blocker.hold) for blocker in error.blockers] == [("long", "pinned")]
    assert pickle.loads(pickle.dumps(error)).blockers == error.blockers


def test_a_batch_is_in_order_and_names_the_request() -> None:
    fitter = Fitter(60, threads=2)
    requests: list[Any] = [{"chunks": [PAGE, str(n)], "query": "tokens"} for n in range(50)]
    expect = [fitter.fit(request["chunks"], request["query"]) for request in requests]
    assert fitter.fit_batch(iter(requests)) == expect
    requests[7] = {"chunks": [{"text": PAGE, "exact": True}]}
    requests[9] = {"chunks": [{"text": "a", "pth": "b"}]}
    with pytest.raises(InfeasibleError, match=r"requests\[7\]: cannot fit"):
        fitter.fit_batch(requests)
    answers = fitter.fit_batch(requests, errors="return")
    assert isinstance(answers[7], InfeasibleError)
    assert isinstance(answers[9], InvalidRequestError)
    assert answers[8] == expect[8]
    with pytest.raises(InvalidRequestError) as caught:
        fitter.fit_batch(requests[8:])
    assert caught.value.path == "requests[1].chunks[0].pth"


def test_columns_and_lines_are_the_same_answers() -> None:
    fitter = Fitter(60, headers=False)
    texts = [[PAGE, words(n)] for n in range(9)]
    contexts, tokens = fitter.fit_columns(texts, ["how are tokens counted"] * 9)
    results = fitter.fit_batch([{"chunks": row, "query": "how are tokens counted"} for row in texts])
    assert contexts == [result.text for result in results]
    assert tokens == [result.tokens for result in results]
    one, wrong = fitter.fit_json(['{"chunks": [{"text": "a"}]}', "[}"])
    assert '"context":"a"' in one
    assert '"code":"invalid-request"' in wrong


def test_a_fitter_pickles_by_its_arguments() -> None:
    fitter = Fitter(60, model="gpt-4o", line_numbers=True, threads=1)
    again = pickle.loads(pickle.dumps(fitter))
    assert repr(again) == repr(fitter) == "Fitter(budget=60, model='gpt-4o', line_numbers=True, threads=1)"
    assert again.fit([PAGE], "tokens") == fitter.fit([PAGE], "tokens")


def test_what_libraries_pass_is_read(tmp_path: Path) -> None:
    class Number:
        def tolist(self) -> float:
            return 0.5

    class Model:
        def model_dump(self, **options: object) -> dict[str, object]:
            return {"text": "one", "path": tmp_path / "a.md", "score": Number()}

    result = contextfit.fit((chunk for chunk in [Model()]), budget=60)  # type: ignore[misc]
    assert result.blocks[0].id == str(tmp_path / "a.md")


def test_async() -> None:
    async def both() -> tuple[object, object]:
        return await asyncio.gather(
            contextfit.afit([PAGE], "tokens", budget=60),
            contextfit.afit_messages([{"role": "user", "content": "Hello"}], 60),
        )

    first, second = asyncio.run(both())
    assert first == contextfit.fit([PAGE], "tokens", budget=60)
    assert second == contextfit.fit_messages([{"role": "user", "content": "Hello"}], 60)
