"""Prints what calls through LlamaIndex add to those of the client."""

from __future__ import annotations

import asyncio

from commonplace_client import Commonplace
from commonplace_client.llama_index import CommonplaceMemoryBlock, CommonplaceRetriever
from llama_index.core.base.llms.types import ChatMessage
from measure_overhead import QUERY, client_with_memories, print_overhead


async def main() -> None:
    client = await client_with_memories()
    with Commonplace() as sync_client:
        block = CommonplaceMemoryBlock(client=client)
        retriever = CommonplaceRetriever(sync_client, client)
        messages = [ChatMessage(role="user", content=QUERY)]
        await print_overhead(
            "CommonplaceMemoryBlock",
            lambda: client.context(QUERY, max_tokens=1500),
            lambda: block.aget(messages),
        )
        await print_overhead(
            "CommonplaceRetriever",
            lambda: client.memories.search(QUERY, top_k=10),
            lambda: retriever.aretrieve(QUERY),
        )
    await client.close()


asyncio.run(main())
