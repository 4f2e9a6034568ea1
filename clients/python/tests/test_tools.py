"""The functions behind the tools of all frameworks."""

from __future__ import annotations

from uuid import uuid4

import pytest

from commonplace_client import AsyncCommonplace, Commonplace, Unauthorized
from commonplace_client._tools import NOTHING_FOUND, AsyncMemoryTools, MemoryTools

REFUSED = ["", "x" * 100_001, "x" * 300_000, "a\0b"]
LONG_QUERY = "x" * 9_000


def test_what_a_model_writes_is_never_an_exception() -> None:
    with Commonplace(user_id=f"user-{uuid4()}") as client:
        tools = MemoryTools(client, 5)
        for text in REFUSED:
            assert tools.remember(text).startswith("Error: ")
        for search in (tools.recall, tools.search_documents):
            assert search(" ") == "Error: query: Must not be empty"
            assert search(LONG_QUERY) == NOTHING_FOUND


async def test_what_a_model_writes_is_never_an_exception_in_async_tools() -> None:
    async with AsyncCommonplace(user_id=f"user-{uuid4()}") as client:
        tools = AsyncMemoryTools(client, 5)
        for text in REFUSED:
            assert (await tools.remember(text)).startswith("Error: ")
        for search in (tools.recall, tools.search_documents):
            assert await search(" ") == "Error: query: Must not be empty"
            assert await search(LONG_QUERY) == NOTHING_FOUND


def test_an_error_that_the_model_cannot_fix_is_raised() -> None:
    with Commonplace(api_key="cpl_unknown") as client, pytest.raises(Unauthorized):
        MemoryTools(client, 5).recall("tea")


async def test_tools_never_ask_for_more_passages_than_a_search_returns() -> None:
    with Commonplace(user_id=f"user-{uuid4()}") as client:
        assert MemoryTools(client, 50).search_documents("tea") == NOTHING_FOUND
    async with AsyncCommonplace(user_id=f"user-{uuid4()}") as async_client:
        assert await AsyncMemoryTools(async_client, 50).search_documents("tea") == NOTHING_FOUND
