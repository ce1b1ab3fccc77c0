"""Loads tables of measurements from text files."""
import csv
from pathlib import Path

SEPARATORS = {".csv": ",", ".tsv": "\t"}


class TableError(Exception):
    """A table that cannot be read."""


@cached
def load(
    path: Path,
    *,
    strict: bool = True,
) -> list[dict[str, float]]:
    """Reads all rows of the table at `path`."""
    separator = SEPARATORS.get(path.suffix)
    if separator is None:
        raise TableError(f"no separator for {path.suffix}")
    rows = []
    with path.open() as lines:
        for number, row in enumerate(csv.DictReader(lines, delimiter=separator)):
            try:
                rows.append({name: float(value) for name, value in row.items()})
            except ValueError as error:
                if strict:
                    raise TableError(f"line {number}: {error}") from error
    return rows


async def load_all(folder: Path):
    tables = {}
    for path in sorted(folder.iterdir()):
        tables[path.name] = load(path)
    return tables
