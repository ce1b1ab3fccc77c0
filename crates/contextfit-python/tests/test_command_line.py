"""The answers are those of the command line."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from texts import LOG, PAGE, conversation, words

import contextfit_rs as contextfit
from contextfit_rs import Fitter

_BUILT = (
    Path(os.environ.get("CARGO_TARGET_DIR", Path(__file__).parents[3] / "target")) / "debug" / "contextfit"
)
PROGRAM = os.environ.get("CONTEXTFIT_PROGRAM") or (
    str(_BUILT) if _BUILT.exists() else shutil.which("contextfit")
)

pytestmark = pytest.mark.skipif(
    PROGRAM is None,
    reason="no command line: build it with `cargo build -p contextfit-cli`, or set CONTEXTFIT_PROGRAM",
)


def run(arguments: list[str], given: str) -> str:
    command = [str(PROGRAM), *arguments]
    done = subprocess.run(
        command, input=given, check=True, capture_output=True, encoding="utf-8", timeout=300
    )
    return done.stdout


def test_a_thousand_requests() -> None:
    requests: list[dict[str, Any]] = []
    for n in range(1_000):
        chunks: list[Any] = [
            {"path": f"{n % 3}.md", "text": PAGE, "start_line": 1 + n % 7, "score": n / 1_000},
            {"id": n, "text": words(n)},
            {"path": "log.txt", "text": LOG[n % 50 : 2_000 + n]},
        ]
        query = None if n % 5 == 0 else "how are tokens counted"
        requests.append({"id": n, "query": query, "budget": 60 + n, "chunks": chunks[n % 2 :]})
    lines = [json.dumps(request) for request in requests]
    answers = run(["search", "--jsonl"], "\n".join(lines)).splitlines()
    assert Fitter().fit_json(lines) == answers
    results = Fitter().fit_batch(requests)  # type: ignore[arg-type]
    assert [result.text for result in results] == [json.loads(answer)["context"] for answer in answers]


def test_a_conversation() -> None:
    request = {"budget": 700, "messages": conversation()}
    answer = json.loads(run(["chat", "--jsonl"], json.dumps(request)))
    result = contextfit.fit_messages(request["messages"], 700)  # type: ignore[arg-type]
    assert (result.messages, list(result.origins)) == (answer["messages"], answer["origins"])
    assert [block.reason for block in result.blocks] == [block["reason"] for block in answer["blocks"]]


def test_an_excerpt() -> None:
    answer = json.loads(run(["excerpt", "--budget", "90", "--query", "which disk", "--json"], LOG))
    assert contextfit.excerpt(LOG, 90, query="which disk").text == answer["context"]


def test_memories() -> None:
    memories = [{"id": str(n), "type": "fact", "summary": f"Fact {n}.", "knowledge": PAGE} for n in range(9)]
    answer = json.loads(run(["memory"], json.dumps({"budget": 300, "query": "tokens", "memories": memories})))
    assert contextfit.fit_memories(memories, 300, query="tokens").text == answer["context"]
