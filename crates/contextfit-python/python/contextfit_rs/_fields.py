"""The dictionaries that the native half returns, for checkers; not imported at run time."""

from __future__ import annotations

from typing import TypedDict

from ._native import Page
from .types import Action, Level


class BlockFields(TypedDict):
    id: str
    action: Action
    level: Level | None
    text: str
    tokens: int
    reason: str
    ranges: list[tuple[int, int]]
    handle: str | None


class MetricsFields(TypedDict):
    tokens_before: int
    tokens_after: int
    blocks_before: int
    blocks_after: int
    estimated: bool


class ResultFields(TypedDict):
    text: str
    tokens: int
    budget: int
    strategy: str
    blocks: list[BlockFields]
    metrics: MetricsFields
    page: Page | None


class ChatFields(TypedDict):
    result: ResultFields
    request: str
    origins: list[int | None]
