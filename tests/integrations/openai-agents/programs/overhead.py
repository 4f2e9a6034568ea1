"""Prints what a tool of OpenAI Agents adds to the call of the client."""

from __future__ import annotations

import asyncio
import json

from agents import FunctionTool
from agents.tool_context import ToolContext
from commonplace_client.openai_agents import memory_tools
from measure_overhead import QUERY, client_with_memories, print_overhead


async def main() -> None:
    client = await client_with_memories()
    recall = memory_tools(client)[1]
    assert isinstance(recall, FunctionTool)
    arguments = json.dumps({"query": QUERY})
    context = ToolContext(
        context=None, tool_name=recall.name, tool_call_id="call_1", tool_arguments=arguments
    )
    assert "Ben" in await recall.on_invoke_tool(context, arguments)
    await print_overhead(
        "memory_tools",
        lambda: client.memories.search(QUERY, top_k=5),
        lambda: recall.on_invoke_tool(context, arguments),
    )
    await client.close()


asyncio.run(main())
