"""The memory service next to ADK's in-memory one: the same operations, the same memories.

Commonplace also finds the neighbors of a match in its session, and what is near in meaning. They
have to belong to the same application and user, and must not be deleted.
"""

from __future__ import annotations

import random
import uuid

import pytest
from commonplace_client import AsyncCommonplace, InvalidRequest
from commonplace_client.google_adk import CommonplaceMemoryService
from google.adk.events.event import Event
from google.adk.memory.base_memory_service import BaseMemoryService
from google.adk.memory.in_memory_memory_service import InMemoryMemoryService
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.sessions.session import Session
from google.genai import types

OPERATIONS = 1_000
# Words that no language shares, so that both services find the same events.
WORDS = [f"w{number}x" for number in range(300)]
MAX_RESULTS = 10


def event_of(text: str, author: str = "user") -> Event:
    content = types.Content(role="user", parts=[types.Part(text=text)])
    return Event(id=uuid.uuid4().hex, author=author, content=content)


async def found(service: BaseMemoryService, app: str, user: str, query: str) -> dict[str, str]:
    response = await service.search_memory(app_name=app, user_id=user, query=query)
    texts = {}
    for memory in response.memories:
        assert memory.id and memory.content.parts
        texts[str(memory.content.parts[0].text)] = memory.id
    return texts


async def test_the_same_operations_find_the_same_memories() -> None:
    chance = random.Random(7)
    run = uuid.uuid4().hex
    reference = InMemoryMemoryService()
    searches = 0
    async with AsyncCommonplace() as client:
        service = CommonplaceMemoryService(client)
        users = [(f"app{a}", f"{run}-{u}") for a in range(2) for u in range(3)]
        sessions = {
            (app, user, s): Session(id=f"{run}-{s}", app_name=app, user_id=user)
            for app, user in users
            for s in range(3)
        }
        alive: dict[tuple[str, str], set[str]] = {key: set() for key in users}
        for _ in range(OPERATIONS):
            key = chance.choice(list(sessions))
            app, user, _number = key
            action = chance.random()
            if action < 0.3:
                session, text = sessions[key], " ".join(chance.sample(WORDS, 3))
                session.events.append(event_of(text))
                alive[app, user].add(text)
                await reference.add_session_to_memory(session)
                await service.add_session_to_memory(session)
            elif action < 0.4:
                text = " ".join(chance.sample(WORDS, 3))
                event = event_of(text)
                sessions[key].events.append(event)
                alive[app, user].add(text)
                for target in (reference, service):
                    await target.add_events_to_memory(
                        app_name=app, user_id=user, events=[event], session_id=sessions[key].id
                    )
            else:
                word = chance.choice(WORDS)
                expected = await found(reference, app, user, word)
                actual = await found(service, app, user, word)
                searches += 1
                assert set(actual) <= alive[app, user], word
                if len(expected) < MAX_RESULTS:
                    assert set(expected) <= set(actual), word
                if expected and action > 0.95:
                    text = chance.choice(list(expected))
                    alive[app, user].discard(text)
                    await reference.delete_memory(
                        app_name=app, user_id=user, memory_id=expected[text]
                    )
                    await service.delete_memory(app_name=app, user_id=user, memory_id=actual[text])
    assert searches > OPERATIONS / 3


async def test_a_session_that_is_added_again_is_stored_once() -> None:
    user = uuid.uuid4().hex
    session = Session(id=f"s-{user}", app_name="app", user_id=user)
    session.events.append(event_of("The spare key is with Ben."))
    async with AsyncCommonplace() as client:
        for _ in range(3):
            await CommonplaceMemoryService(client).add_session_to_memory(session)
        memories = [memory async for memory in client.memories.list(user_id=user)]
    assert [memory.memory for memory in memories] == ["The spare key is with Ben."]
    assert memories[0].run_id == session.id


async def test_events_without_text_are_left_out() -> None:
    user = uuid.uuid4().hex
    call = types.Part(function_call=types.FunctionCall(name="look", args={}))
    events = [
        Event(id="1", author="agent", content=types.Content(role="model", parts=[call])),
        Event(id="2", author="agent"),
    ]
    async with AsyncCommonplace() as client:
        service = CommonplaceMemoryService(client)
        await service.add_events_to_memory(app_name="app", user_id=user, events=events)
        assert [memory async for memory in client.memories.list(user_id=user)] == []


def entry_of(text: str, id: str | None = None) -> MemoryEntry:
    content = types.Content(role="user", parts=[types.Part(text=text)])
    return MemoryEntry(id=id, content=content)


async def memories_of(client: AsyncCommonplace, user: str) -> list[str]:
    return [memory.memory async for memory in client.memories.list(user_id=user)]


async def test_events_that_are_refused_do_not_stop_those_after_them() -> None:
    user = uuid.uuid4().hex
    texts = ["\n", "x" * 100_001, "x" * 300_000, "a\0b", "Ana drinks tea."]
    session = Session(id=f"s-{user}", app_name="app", user_id=user)
    session.events.extend(map(event_of, texts))
    async with AsyncCommonplace() as client:
        service = CommonplaceMemoryService(client)
        for _ in range(2):
            with pytest.raises(InvalidRequest, match="at most 100000 bytes"):
                await service.add_session_to_memory(session)
            assert await memories_of(client, user) == ["Ana drinks tea."]


async def test_memories_that_are_refused_do_not_stop_those_after_them() -> None:
    user = uuid.uuid4().hex
    entries = [entry_of("  "), entry_of("x" * 100_001), entry_of("Ana drinks tea.", "1")]
    async with AsyncCommonplace() as client:
        service = CommonplaceMemoryService(client)
        for _ in range(2):
            with pytest.raises(InvalidRequest, match="at most 100000 bytes"):
                await service.add_memory(app_name="app", user_id=user, memories=entries)
            assert await memories_of(client, user) == ["Ana drinks tea."]


async def test_memories_are_added_and_deleted_only_for_their_user() -> None:
    user = uuid.uuid4().hex
    content = types.Content(role="user", parts=[types.Part(text="Ana drinks tea.")])
    entry = MemoryEntry(content=content, author="user", custom_metadata={"shelf": 1})
    async with AsyncCommonplace() as client:
        service = CommonplaceMemoryService(client)
        await service.add_memory(app_name="app", user_id=user, memories=[entry])
        response = await service.search_memory(app_name="app", user_id=user, query="tea")
        [memory] = response.memories
        assert memory.author == "user"
        assert memory.custom_metadata == {"shelf": 1, "app_name": "app"}
        await service.delete_memory(app_name="app", user_id="other", memory_id=memory.id)
        assert await found(service, "app", user, "tea")
        assert not await found(service, "other", user, "tea")
        await service.delete_memory(app_name="app", user_id=user, memory_id=memory.id)
        assert not await found(service, "app", user, "tea")


@pytest.mark.parametrize("query", ["", "   "])
async def test_an_empty_query_finds_nothing(query: str) -> None:
    async with AsyncCommonplace() as client:
        response = await CommonplaceMemoryService(client).search_memory(
            app_name="app", user_id="ana", query=query
        )
    assert response.memories == []
