"""Runs an agent that remembers, with mem0's context provider and a scripted model.

The second session, with a new client, must get what the first one said. Prints what was checked.
"""

import asyncio
import os

import httpx
from agent_framework import Agent, BaseChatClient, ChatResponse, Message
from agent_framework_mem0 import Mem0ContextProvider
from mem0 import AsyncMemoryClient

URL, KEY = os.environ["COMMONPLACE_URL"], os.environ["COMMONPLACE_API_KEY"]
v1 = httpx.Client(base_url=URL, headers={"Authorization": f"Bearer {KEY}"})


class ScriptedModel(BaseChatClient):
    """Returns the same text every time, and keeps the messages that it was sent."""

    def __init__(self):
        super().__init__()
        self.seen = []

    async def _inner_get_response(self, *, messages, stream, options, **kwargs):
        assert not stream
        self.seen.append("\n".join(message.text for message in messages))
        return ChatResponse(messages=[Message(role="assistant", contents=["Understood."])])


async def run(text, **scopes):
    """Runs a new agent in a new session, and returns what its model was sent."""
    model = ScriptedModel()
    async with AsyncMemoryClient(api_key=KEY, host=f"{URL}/mem0") as client:
        memory = Mem0ContextProvider(mem0_client=client, **scopes)
        async with Agent(client=model, context_providers=[memory]) as agent:
            response = await agent.run(text)
    assert response.text == "Understood."
    return model.seen[0]


async def all_inferred():
    for _ in range(600):
        events = v1.get("/v1/events").json()["results"]
        if all(event["status"] == "SUCCEEDED" for event in events):
            return len(events)
        await asyncio.sleep(0.05)
    raise AssertionError("inference did not end")


async def main():
    ana = {"user_id": "ana", "agent_id": "cook", "application_id": "kitchen"}
    await run("I live in Lisbon and I am allergic to peanuts.", **ana)
    assert await all_inferred() == 1
    memories = v1.get("/v1/memories", params={"user_id": "ana"}).json()["results"]
    assert any("peanuts" in memory["memory"] for memory in memories), memories
    for memory in memories:
        assert memory["agent_id"] == "cook" and memory["metadata"] == {"app_id": "kitchen"}

    prompt = await run("May I eat peanuts?", search_user_id="ana", **ana)
    assert "allergic" in prompt and "## Memories" in prompt, prompt
    prompt = await run("May I eat peanuts?", search_agent_id="cook", **ana)
    assert "allergic" in prompt, prompt
    prompt = await run("May I eat peanuts?", search_application_id="kitchen", **ana)
    assert "allergic" in prompt, prompt
    scopes = {"search_user_id": "ana", "search_application_id": "garden"}
    assert "allergic" not in await run("May I eat peanuts?", **scopes, **ana)
    bo = {"user_id": "bo", "search_user_id": "bo"}
    assert "allergic" not in await run("May I eat peanuts?", **bo)
    app = {"application_id": "garden", "search_application_id": "garden"}
    await run("Note: the tomatoes need water on Mondays.", **app)
    await all_inferred()
    assert "tomatoes" in await run("When do the tomatoes need water?", **app)
    print("before_run and after_run with a user, an agent and an app, over eight sessions")


asyncio.run(main())
