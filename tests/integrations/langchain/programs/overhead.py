"""Prints what calls through LangChain add to those of the client."""

from __future__ import annotations

import asyncio

from commonplace_client import Commonplace
from commonplace_client.langchain import CommonplaceRetriever, memory_tools
from measure_overhead import QUERY, client_with_memories, print_overhead


async def main() -> None:
    client = await client_with_memories()
    with Commonplace() as sync_client:
        retriever = CommonplaceRetriever(client=sync_client, async_client=client)
        [_, recall, _] = memory_tools(sync_client, client)
        await print_overhead(
            "CommonplaceRetriever",
            lambda: client.memories.search(QUERY, top_k=10),
            lambda: retriever.ainvoke(QUERY),
        )
        await print_overhead(
            "memory_tools",
            lambda: client.memories.search(QUERY, top_k=5),
            lambda: recall.ainvoke({"query": QUERY}),
        )
    await client.close()


asyncio.run(main())
