"""The types of arguments, for checkers and editors. Nothing of it is needed at run time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

Strategy = Literal[
    "auto",
    "bm25",
    "outline",
    "incremental",
    "smart-truncation",
    "metadata-only",
    "excerpt",
    "fast",
    "balanced",
    "quality",
    "cost-optimized",
]
ChatStrategy = Literal["auto", "hierarchical", "summarize", "semantic", "sliding-window", "hybrid"]
WireFormat = Literal["openai-chat", "openai-responses", "anthropic-messages"]
Action = Literal["keep", "cut", "render", "record", "drop"]
Hold = Literal["pinned", "shown"]
Level = Literal[0, 1, 2, 3]

# `class` is a keyword, so this form.
Symbols = TypedDict("Symbols", {"class": str, "function": str, "type": str, "section": str}, total=False)


class _ChunkBase(TypedDict):
    text: str


class Chunk(_ChunkBase, total=False):
    """One retrieved chunk. Unknown keys are errors that name the nearest known one."""

    id: str | int
    path: str
    title: str
    score: float
    """The retriever's, on any scale; higher is better."""
    start_line: int
    """The number of its first line in its file, from 1."""
    end_line: int
    """The number of its last line in its file, inclusive."""
    language: str
    symbols: Symbols
    exact: bool | Sequence[tuple[int, int]]
    """What to keep verbatim: all of it, or lines."""
    overhead: int
    """The tokens that the application adds around it."""


class _RequestBase(TypedDict):
    chunks: Sequence[str | Chunk]


class Request(_RequestBase, total=False):
    """A request of `Fitter.fit_batch`. What it leaves open is the fitter's."""

    id: Any
    query: str | None
    budget: int
    reserve: int
    strategy: Strategy


class Pins(TypedDict, total=False):
    """The messages that must not be changed."""

    instructions: bool
    """System and developer messages; on by default."""
    last_user: bool
    """The user's last message. Without a pin it is always shown, but may be cut."""
    indices: Sequence[int]
    ids: Sequence[str]
    """Ids of messages, or of calls that they make or answer."""
    tools: Sequence[str]
    """Calls of these tools, and their results."""
    markers: Sequence[str]
    """Messages that contain one of these strings."""


Memory = Mapping[str, Any]
"""`id`, `type`, `importance`, `confidence`, `date`, `summary`, `knowledge`, `tags`, ... as in the command line's requests."""

Message = Any
"""A message of OpenAI or Anthropic: a mapping, or an object with `model_dump()`."""
