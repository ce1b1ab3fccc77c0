"""Ray: the answers of its workers are those of a plain loop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from texts import PAGE, words

from contextfit_rs import Fitter
from contextfit_rs.batches import Batches

ray = pytest.importorskip("ray", reason='Ray is not installed: pip install "ray[data]"')

ROWS = [{"n": n, "texts": [PAGE, words(n)], "query": "how are tokens counted"} for n in range(200)]
FITTER = Fitter(60, threads=1)


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    # What the parent did before must not disturb its workers.
    assert FITTER.fit([PAGE], "tokens").tokens <= 60
    ray.init(num_cpus=2, include_dashboard=False)
    yield
    ray.shutdown()


def expect(n: int) -> tuple[str, int]:
    result = FITTER.fit(ROWS[n]["texts"], ROWS[n]["query"])  # type: ignore[arg-type]
    return result.text, result.tokens


@pytest.mark.parametrize("threads", [None, 1])
def test_tables_in_tasks(threads: int | None) -> None:
    batches = Batches(60, threads=threads)
    done = ray.data.from_items(ROWS).map_batches(batches, batch_format="pyarrow", batch_size=20).take_all()
    assert sorted(row["n"] for row in done) == list(range(200))
    assert all((row["context"], row["tokens"]) == expect(row["n"]) for row in done)


def test_a_fitter_in_actors() -> None:
    @ray.remote
    class Actor:
        def __init__(self, fitter: Fitter) -> None:
            self.fitter = fitter

        def fit(self, row: Any) -> tuple[str, int]:
            result = self.fitter.fit(row["texts"], row["query"])
            return result.text, result.tokens

    actors = [Actor.remote(FITTER) for _ in range(2)]
    answers = ray.get([actors[n % 2].fit.remote(row) for n, row in enumerate(ROWS[:40])], timeout=120)
    assert answers == [expect(n) for n in range(40)]
