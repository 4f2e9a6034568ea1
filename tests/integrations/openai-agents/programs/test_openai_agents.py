"""The tools, called by the runner of OpenAI Agents."""

from __future__ import annotations

import uuid

from agents import Agent, FunctionTool, Runner, set_tracing_disabled
from commonplace_client import AsyncCommonplace
from commonplace_client.openai_agents import memory_tools
from model import model

set_tracing_disabled(True)


async def test_an_agent_recalls_what_another_run_has_remembered() -> None:
    async with AsyncCommonplace(user_id=uuid.uuid4().hex) as client:
        agent = Agent(name="Assistant", model=model, tools=memory_tools(client))
        stored = await Runner.run(agent, "Remember: The spare key is with Ben.")
        assert stored.final_output == "Stored"
        result = await Runner.run(agent, "Who has the spare key?")
        assert "The spare key is with Ben." in result.final_output


async def test_the_tools_describe_themselves_to_the_model() -> None:
    async with AsyncCommonplace() as client:
        tools = memory_tools(client)
    assert [tool.name for tool in tools] == ["remember", "recall", "search_documents"]
    for tool in tools:
        assert isinstance(tool, FunctionTool)
        assert tool.description
        assert len(tool.params_json_schema["required"]) == 1
