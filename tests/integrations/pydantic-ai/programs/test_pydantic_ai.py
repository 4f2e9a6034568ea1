"""The toolset, called by agents of Pydantic AI."""

from __future__ import annotations

import uuid

from commonplace_client import AsyncCommonplace
from commonplace_client.pydantic_ai import memory_toolset
from model import model
from pydantic_ai import Agent
from pydantic_ai.models.test import TestModel


async def test_an_agent_recalls_what_another_run_has_remembered() -> None:
    async with AsyncCommonplace(user_id=uuid.uuid4().hex) as client:
        agent = Agent(model, toolsets=[memory_toolset(client)])
        assert (await agent.run("Remember: The spare key is with Ben.")).output == "Stored"
        result = await agent.run("Who has the spare key?")
        assert "The spare key is with Ben." in result.output


async def test_an_argument_that_is_refused_does_not_end_the_run() -> None:
    async with AsyncCommonplace(user_id=uuid.uuid4().hex) as client:
        agent = Agent(model, toolsets=[memory_toolset(client)])
        result = await agent.run("Remember: " + "x" * 100_001)
        assert result.output == "Error: content: Must be at most 100000 bytes of UTF-8"
        assert (await agent.run("x" * 9_000)).output == "Nothing found"


async def test_every_tool_works_with_the_test_model() -> None:
    async with AsyncCommonplace(user_id=uuid.uuid4().hex) as client:
        agent = Agent(TestModel(), toolsets=[memory_toolset(client)])
        output = (await agent.run("Use all tools")).output
    for name in ("remember", "recall", "search_documents"):
        assert name in output
