"""Prints what a tool of Pydantic AI adds to the call of the client."""

from __future__ import annotations

import asyncio

from commonplace_client.pydantic_ai import memory_toolset
from measure_overhead import QUERY, client_with_memories, print_overhead
from pydantic_ai import RunContext
from pydantic_ai.models.test import TestModel
from pydantic_ai.usage import RunUsage


async def main() -> None:
    client = await client_with_memories()
    toolset = memory_toolset(client)
    context = RunContext(deps=None, model=TestModel(), usage=RunUsage())
    recall = (await toolset.get_tools(context))["recall"]
    assert "Ben" in await toolset.call_tool("recall", {"query": QUERY}, context, recall)
    await print_overhead(
        "memory_toolset",
        lambda: client.memories.search(QUERY, top_k=5),
        lambda: toolset.call_tool("recall", {"query": QUERY}, context, recall),
    )
    await client.close()


asyncio.run(main())
