"""Follows the pages of a list."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Generic, TypeVar

from ..types import Page

T = TypeVar("T")


class AsyncPages(Generic[T]):
    """A list that is read page by page, while it is iterated over."""

    def __init__(self, read: Callable[[str | None], Awaitable[Page[T]]]) -> None:
        self._read = read

    async def page(self, cursor: str | None = None) -> Page[T]:
        """Returns the first page, or the one at a cursor."""
        return await self._read(cursor)

    async def pages(self) -> AsyncIterator[Page[T]]:
        """Iterates over the pages instead of over their records."""
        cursor: str | None = None
        while True:
            page = await self._read(cursor)
            yield page
            cursor = page.next_cursor
            if cursor is None:
                return

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for record in page.results:
                yield record
