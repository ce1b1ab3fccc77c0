"""Tables of several engines; the answers are those of a plain loop."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from texts import PAGE, words

from contextfit_rs import Fitter, InvalidRequestError
from contextfit_rs.batches import Batches

TEXTS = [[PAGE, words(n)] for n in range(30)]
QUERIES = [None if n % 7 == 0 else "how are tokens counted" for n in range(30)]
BATCHES: Any = pickle.loads(pickle.dumps(Batches(60, texts="found", query="question", threads=1)))
LOOP = [Fitter(60).fit(texts, query) for texts, query in zip(TEXTS, QUERIES, strict=True)]
CONTEXTS = [result.text for result in LOOP]
TOKENS = [result.tokens for result in LOOP]
COLUMNS: dict[str, Any] = {"found": TEXTS, "question": QUERIES}


def test_columns() -> None:
    table = BATCHES(COLUMNS)
    assert table == {**COLUMNS, "context": CONTEXTS, "tokens": TOKENS}
    assert "context" not in COLUMNS


@pytest.mark.parametrize(
    ("columns", "path"),
    [
        ({"found": TEXTS}, "question"),
        ({"found": [None], "question": [None]}, "found[0]"),
        ({"found": [["a", None]], "question": [None]}, "found[0][1]"),
        ({"found": [["a"]], "question": [7]}, "question[0]"),
        ({"found": [["a"]], "question": "a"}, "question"),
        ([1], ""),
        (None, ""),
    ],
)
def test_errors_say_where(columns: Any, path: str) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        BATCHES(columns)
    assert caught.value.path == path


def test_arrow() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(COLUMNS)
    done = BATCHES(table)
    assert done.column_names == ["found", "question", "context", "tokens"]
    assert (done["context"].to_pylist(), done["tokens"].to_pylist()) == (CONTEXTS, TOKENS)
    # Again: the columns are replaced.
    assert BATCHES(done).equals(done)
    batches = list(BATCHES.each(table.to_batches(max_chunksize=7)))
    assert pyarrow.Table.from_batches(batches).equals(done.combine_chunks())


def test_pandas() -> None:
    pandas = pytest.importorskip("pandas")

    class Frame(pandas.DataFrame):  # type: ignore[misc]
        pass

    for kind in (pandas.DataFrame, Frame):
        done = BATCHES(kind(COLUMNS))
        assert (list(done["context"]), list(done["tokens"])) == (CONTEXTS, TOKENS)
    asked = pandas.Series(QUERIES, index=range(7, 37), dtype="string")
    found = pandas.Series(TEXTS, index=range(7, 37))
    done = BATCHES(pandas.DataFrame({"found": found, "question": asked}))
    assert list(done["context"]) == CONTEXTS
    assert BATCHES(done.head(0)).dtypes.equals(done.dtypes)


def test_polars() -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(COLUMNS)
    done = BATCHES(frame)
    assert (done["context"].to_list(), done["tokens"].to_list()) == (CONTEXTS, TOKENS)
    lazy = frame.lazy().map_batches(
        BATCHES, schema={**frame.schema, "context": polars.String, "tokens": polars.Int64}
    )
    assert lazy.collect().equals(done)
    assert BATCHES(frame.head(0)).schema == done.schema
    with pytest.raises(InvalidRequestError, match="no such column"):
        BATCHES(frame.drop("question"))


def test_duckdb() -> None:
    duckdb = pytest.importorskip("duckdb")
    pyarrow = pytest.importorskip("pyarrow")

    def context(texts: Any, queries: Any) -> Any:
        return BATCHES(pyarrow.table({"found": texts, "question": queries}))["context"].combine_chunks()

    connection = duckdb.connect()
    kinds = [duckdb.list_type("VARCHAR"), "VARCHAR"]
    connection.create_function("context", context, kinds, "VARCHAR", type="arrow", null_handling="special")
    asked = pyarrow.table(COLUMNS)
    found = connection.sql("select context(found, question) as context from asked").fetchall()
    assert asked is not None
    assert [row[0] for row in found] == CONTEXTS
