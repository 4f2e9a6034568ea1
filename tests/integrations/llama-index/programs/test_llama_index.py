"""The memory block and the retriever, in LlamaIndex's own memory and chat engine."""

from __future__ import annotations

import uuid

from commonplace_client import AsyncCommonplace, Commonplace
from commonplace_client.llama_index import CommonplaceMemoryBlock, CommonplaceRetriever
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import Memory


def user_message(text: str) -> ChatMessage:
    return ChatMessage(role="user", content=text)


async def number_of_events(client: AsyncCommonplace, user: str) -> int:
    return len([event async for event in client.events.list() if event.scope.user_id == user])


async def test_messages_that_leave_the_short_term_memory_are_remembered() -> None:
    user = uuid.uuid4().hex
    async with AsyncCommonplace(user_id=user) as client:
        block = CommonplaceMemoryBlock(client=client)
        memory = Memory.from_defaults(
            session_id="monday", token_limit=60, token_flush_size=20, memory_blocks=[block]
        )
        await memory.aput(user_message("I am allergic to peanuts."))
        for number in range(10):
            await memory.aput(user_message(f"It is sunny today, for the time number {number}."))
        [*events] = [event async for event in client.events.list()]
        assert events
        for event in events:
            await client.events.wait(event.id)
        text = await block.aget([user_message("Am I allergic to peanuts?")])
        assert "allergic to peanuts" in text
        messages = await memory.aget(input="Am I allergic to peanuts?")
        assert any("allergic to peanuts" in str(message.content) for message in messages)


async def test_without_a_question_the_block_is_empty() -> None:
    async with AsyncCommonplace(user_id=uuid.uuid4().hex) as client:
        block = CommonplaceMemoryBlock(client=client)
        assert await block.aget([]) == ""
        assert await block.aget([ChatMessage(role="assistant", content="Hello")]) == ""
        await block.aput([ChatMessage(role="system", content="You are helpful.")])
        assert [event async for event in client.events.list(status="PENDING")] == []


async def test_blank_messages_are_left_out() -> None:
    user = uuid.uuid4().hex
    async with AsyncCommonplace(user_id=user) as client:
        await client.memories.add("Ana drinks tea.")
        block = CommonplaceMemoryBlock(client=client)
        assert await block.aget([user_message("  "), user_message("\0")]) == ""
        assert "tea" in await block.aget([user_message("tea\0?"), user_message("  ")])
        await block.aput([user_message("  "), ChatMessage(role="assistant", content="\n")])
        assert await number_of_events(client, user) == 0


async def test_messages_of_any_size_are_added() -> None:
    pasted = ("x" * 29_000 + "\0\n") * 9
    messages = [user_message("I am allergic to peanuts."), user_message(pasted)]
    messages += [user_message("Hello") for _ in range(600)]
    assert len(pasted.encode()) > 250_000
    user = uuid.uuid4().hex
    async with AsyncCommonplace(user_id=user) as client:
        await CommonplaceMemoryBlock(client=client).aput(messages)
        assert await number_of_events(client, user) == 3


def test_the_block_works_in_a_chat_that_is_not_asynchronous() -> None:
    client = AsyncCommonplace(user_id=uuid.uuid4().hex, max_retries=0)
    block = CommonplaceMemoryBlock(client=client)
    memory = Memory.from_defaults(session_id="monday", memory_blocks=[block])
    for _ in range(3):
        memory.get(input="Am I allergic to peanuts?")


async def test_a_long_text_is_cut_at_a_line() -> None:
    async with AsyncCommonplace() as client:
        block = CommonplaceMemoryBlock(client=client)
        text = "\n".join(f"- Fact number {number}" for number in range(100))
        shorter = await block.atruncate(text, 100)
        assert shorter is not None
        assert text.startswith(shorter)
        assert len(shorter) <= len(text) - 400
        assert await block.atruncate("- Short", 100) is None


async def test_the_retriever_finds_memories_and_passages() -> None:
    user = uuid.uuid4().hex
    client = Commonplace(user_id=user)
    client.memories.add("The spare key is with Ben.")
    client.documents.add("Green tea is brewed at 80 degrees.", source_key="tea")
    async with AsyncCommonplace(user_id=user) as later:
        for retriever in (CommonplaceRetriever(client), CommonplaceRetriever(client, later)):
            for nodes in (retriever.retrieve("spare key"), await retriever.aretrieve("spare key")):
                assert [node.text for node in nodes] == ["The spare key is with Ben."]
                assert nodes[0].score is not None
        passages = CommonplaceRetriever(client, later, source="documents")
        for nodes in (passages.retrieve("green tea"), await passages.aretrieve("green tea")):
            assert nodes[0].metadata["source_key"] == "tea"
            assert nodes[0].metadata["start_byte"] == 0
