"""Results: frozen, equal by value, as JSON, as pages."""

from __future__ import annotations

import copy
import pickle

import pytest
from texts import PAGE, conversation

import contextfit_rs as contextfit
from contextfit_rs import ChatResult, InvalidRequestError, Result

RESULTS = [
    contextfit.fit([PAGE, {"text": "é🎉", "path": "a.md"}], "tokens", budget=60),
    contextfit.fit([], budget=60),
    contextfit.fit_messages(conversation(), 700),
    contextfit.fit_memories([{"id": 1, "type": "fact", "summary": "A."}], 60),
    contextfit.excerpt(PAGE, 60),
]


@pytest.mark.parametrize("result", RESULTS)
def test_a_result_is_the_same_after_a_trip(result: Result) -> None:
    for again in (
        pickle.loads(pickle.dumps(result)),
        copy.deepcopy(result),
        type(result).from_json(result.to_json()),
    ):
        assert again == result
        assert type(again) is type(result)
        assert repr(again) == repr(result)
    assert result != result.text


@pytest.mark.parametrize("result", RESULTS)
def test_a_result_is_frozen(result: Result) -> None:
    with pytest.raises(AttributeError, match="frozen"):
        result.text = "other"
    with pytest.raises(AttributeError, match="frozen"):
        result.metrics.tokens_after = 0
    with pytest.raises(AttributeError, match="frozen"):
        del result.tokens


@pytest.mark.parametrize("json", ["", "[]", "{}", '{"text": "a"}', "null"])
def test_other_json_is_refused(json: str) -> None:
    with pytest.raises(InvalidRequestError, match="JSON of a Result"):
        Result.from_json(json)


def test_json_of_another_kind_is_refused() -> None:
    with pytest.raises(InvalidRequestError):
        ChatResult.from_json(RESULTS[0].to_json())


def test_a_notebook_shows_the_page() -> None:
    page = RESULTS[0]._repr_html_()
    assert page is not None
    assert page.startswith("<iframe srcdoc=")
    assert "Tokens are counted once" in page
    assert pickle.loads(pickle.dumps(RESULTS[0]))._repr_html_() is None


def test_every_name_is_there() -> None:
    assert all(getattr(contextfit, name) is not None for name in contextfit.__all__)
    with pytest.raises(AttributeError):
        contextfit.nothing  # noqa: B018
