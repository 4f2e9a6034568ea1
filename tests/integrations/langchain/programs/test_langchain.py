"""LangChain's standard tests, run on the retrievers and tools of the client."""

from __future__ import annotations

import uuid
from typing import Any, Literal

from commonplace_client import AsyncCommonplace, Commonplace
from commonplace_client.langchain import CommonplaceRetriever, memory_tools
from langchain_core.retrievers import BaseRetriever
from langchain_core.tools import BaseTool
from langchain_tests.integration_tests import RetrieversIntegrationTests, ToolsIntegrationTests
from langchain_tests.unit_tests import ToolsUnitTests

USER = str(uuid.uuid4())
client = Commonplace(user_id=USER)
for number in range(5):
    client.memories.add(f"Tea number {number} is brewed at {number + 80} degrees.")
    client.documents.add(f"Tea number {number} is brewed slowly.", source_key=f"tea-{number}")


class MemoryRetrieverTests(RetrieversIntegrationTests):
    source: Literal["memories", "documents"] = "memories"

    @property
    def retriever_constructor(self) -> type[BaseRetriever]:
        return CommonplaceRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"client": client, "source": self.source}

    @property
    def retriever_query_example(self) -> str:
        return "How is tea brewed?"


class TestMemoryRetriever(MemoryRetrieverTests):
    pass


class TestDocumentRetriever(MemoryRetrieverTests):
    source = "documents"


class TestAsyncRetriever(MemoryRetrieverTests):
    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"client": client, "async_client": AsyncCommonplace(user_id=USER)}


REMEMBER, RECALL, SEARCH = memory_tools(client)


class ToolsTests:
    instance = REMEMBER

    @property
    def tool_constructor(self) -> BaseTool:
        return self.instance

    @property
    def tool_invoke_params_example(self) -> dict[str, Any]:
        argument = "content" if self.instance is REMEMBER else "query"
        return {argument: "Tea number 1"}


class TestRememberUnit(ToolsTests, ToolsUnitTests):
    pass


class TestRemember(ToolsTests, ToolsIntegrationTests):
    pass


class TestRecall(ToolsTests, ToolsIntegrationTests):
    instance = RECALL


class TestSearchDocuments(ToolsTests, ToolsIntegrationTests):
    instance = SEARCH


def test_a_document_has_the_fields_of_its_memory() -> None:
    [document] = CommonplaceRetriever(client=client, k=1).invoke("Tea number 3")
    assert document.page_content == "Tea number 3 is brewed at 83 degrees."
    assert document.id == document.metadata["id"]
    assert document.metadata["user_id"] == USER


def test_a_passage_has_its_citation() -> None:
    retriever = CommonplaceRetriever(client=client, source="documents", k=1)
    [document] = retriever.invoke("Tea number 3")
    content = client.documents.content(document.metadata["document_id"]).content.encode()
    begin, end = document.metadata["start_byte"], document.metadata["end_byte"]
    assert content[begin:end].decode() == document.page_content


async def test_an_asynchronous_call_without_an_asynchronous_client_accepts_k() -> None:
    retriever: BaseRetriever = CommonplaceRetriever(client=client)
    assert len(await retriever.ainvoke("tea", k=2)) == 2


async def test_tools_are_asynchronous_with_an_asynchronous_client() -> None:
    remember, recall, _ = memory_tools(client, AsyncCommonplace(user_id=USER))
    assert await remember.ainvoke({"content": "The kettle is broken."}) == "Stored"
    assert "The kettle is broken." in await recall.ainvoke({"query": "kettle"})
