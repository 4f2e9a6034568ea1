"""Prints what the memory service for Google ADK adds to the call of the client."""

from __future__ import annotations

import asyncio
import uuid

from commonplace_client.google_adk import CommonplaceMemoryService
from google.adk.memory.memory_entry import MemoryEntry
from google.genai import types
from measure_overhead import QUERY, client_with_memories, print_overhead


async def main() -> None:
    client = await client_with_memories()
    service = CommonplaceMemoryService(client)
    user = uuid.uuid4().hex
    texts = [f"Spare key number {number} is with Ben." for number in range(20)]
    contents = [types.Content(role="user", parts=[types.Part(text=text)]) for text in texts]
    memories = [MemoryEntry(content=content) for content in contents]
    await service.add_memory(app_name="app", user_id=user, memories=memories)
    filters = {"metadata.app_name": "app"}
    await print_overhead(
        "CommonplaceMemoryService",
        lambda: client.memories.search(QUERY, user_id=user, top_k=10, filters=filters),
        lambda: service.search_memory(app_name="app", user_id=user, query=QUERY),
    )
    await client.close()


asyncio.run(main())
