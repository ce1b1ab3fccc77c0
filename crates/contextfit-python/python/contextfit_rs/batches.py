"""Batches of requests in the tables that engines pass around.

>>> from contextfit_rs.batches import Batches
>>> batches = Batches(400, texts="passages", query="question")
>>> table = {"passages": [["Tokens are counted once.", "Other."]], "question": ["how are tokens counted"]}
>>> batches(table)["tokens"]
[9]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from . import Fitter, InvalidRequestError
from ._errors import invalid

__all__ = ["Batches"]


class Batches:
    """Fits each row of a table: a column with lists of texts and one with queries come in, and go out with two more, the
    contexts and their tokens.

    A table is a `pyarrow.Table` or `RecordBatch`, a frame of pandas or Polars, or a dict of columns; what goes out is of
    the same kind. It pickles by its arguments, so it can be sent to workers; further arguments are those of `Fitter`. In
    workers of Ray, Spark or Dask, `threads=1`.
    """

    def __init__(
        self,
        budget: int,
        *,
        texts: str = "texts",
        query: str | None = "query",
        context: str = "context",
        tokens: str = "tokens",
        **options: Any,
    ) -> None:
        if len({texts, query, context, tokens}) < 4:
            raise invalid("", "expected four columns with names of their own")
        self._columns = (texts, query, context, tokens)
        self._fitter = Fitter(budget, **options)

    def __call__(self, table: Any) -> Any:
        """The table with two columns more."""
        texts, query, context, tokens = self._columns
        kinds = {kind.__module__.partition(".")[0] for kind in type(table).__mro__}
        if not kinds & {"pandas", "polars", "pyarrow"} and not hasattr(table, "keys"):
            raise invalid("", f"expected a table or a dict of columns, found {type(table).__name__}")
        rows = _column(table, texts)
        queries = [None] * len(rows) if query is None else _column(table, query)
        try:
            contexts, counts = self._fitter.fit_columns(rows, queries)
        except InvalidRequestError as error:
            raise _in_column(error, texts, query) from None
        if "pyarrow" in kinds:
            return _arrow(table, context, contexts, tokens, counts)
        if "pandas" in kinds:
            from pandas import Series

            index = table.index
            columns = {context: Series(contexts, index, "str"), tokens: Series(counts, index, "int64")}
            return table.assign(**columns)
        if "polars" in kinds:
            from polars import Int64, Series, String

            return table.with_columns(Series(context, contexts, String), Series(tokens, counts, Int64))
        return {**table, context: contexts, tokens: counts}

    def each(self, tables: Iterable[Any]) -> Iterator[Any]:
        """Each of several tables, as Spark's `mapInArrow` passes them."""
        return map(self, tables)


def _in_column(error: InvalidRequestError, texts: str, query: str | None) -> InvalidRequestError:
    """`error` under the names of the columns."""
    for argument, name in (("texts", texts), ("queries", query)):
        if name is not None and error.path.startswith(argument):
            path = name + error.path.removeprefix(argument)
            return invalid(path, str(error).removeprefix(error.path + ": "))
    return error


def _column(table: Any, name: str) -> list[Any]:
    """The values of a column, with lists in it as lists of Python."""
    try:
        column = table[name]
    except Exception as error:
        # Each library has an error of its own.
        raise invalid(name, f"there is no such column: {error}") from error
    if isinstance(column, str):
        raise invalid(name, "expected a column, found a single str")
    if hasattr(column, "notna"):
        # pandas has several values for one that is missing.
        column = column.astype(object).where(column.notna(), None)
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(column, method):
            column = getattr(column, method)()
            break
    return [value.tolist() if hasattr(value, "tolist") else value for value in column]


def _arrow(table: Any, context: str, contexts: list[str], tokens: str, counts: list[int]) -> Any:
    import pyarrow

    columns = {
        context: pyarrow.array(contexts, pyarrow.string()),
        tokens: pyarrow.array(counts, pyarrow.int64()),
    }
    for name, column in columns.items():
        at = table.schema.get_field_index(name)
        table = table.append_column(name, column) if at < 0 else table.set_column(at, name, column)
    return table
