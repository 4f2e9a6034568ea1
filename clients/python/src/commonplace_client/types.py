"""Small types of the client that aren't part of the API: pages, progress, options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from .models import Operation

T = TypeVar("T")


@dataclass(kw_only=True)
class Page(Generic[T]):
    """One page of a list."""

    results: list[T]
    next_cursor: str | None
    """Continues the list; None on the last page."""
    count: int | None = None
    """Number of all records, if it was requested."""


@dataclass(kw_only=True)
class UploadProgress:
    """What an upload is doing."""

    stage: Literal["sending", "extracting"]
    sent_bytes: int
    total_bytes: int
    operation: Operation | None = None
    """The extraction, once everything is sent."""


SearchMode = Literal["hybrid", "recent", "important", "typed"]
SearchStrategy = Literal["balanced", "precision", "recall", "auto"]
SearchOrder = Literal["recent", "importance", "most_accessed", "last_accessed"]
QueryOrder = Literal["created_at", "updated_at", "event_date", "importance"]
BeliefViewName = Literal["default", "conflict", "audit"]
