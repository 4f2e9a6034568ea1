"""LangChain: a retriever for memories or documents, and tools for agents.

Needs `pip install "commonplace-client[langchain]"`.
"""

from __future__ import annotations

from typing import Any, Literal

from langchain_core.callbacks import (
    AsyncCallbackManagerForRetrieverRun,
    CallbackManagerForRetrieverRun,
)
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import run_in_executor
from langchain_core.tools import BaseTool, StructuredTool
from pydantic import Field

from ._async.client import AsyncCommonplace
from ._decode import to_dict
from ._sync.client import Commonplace
from ._tools import RECALL, REMEMBER, SEARCH_DOCUMENTS, AsyncMemoryTools, MemoryTools, cut_query
from .models import DocumentHit, FoundMemory


class CommonplaceRetriever(BaseRetriever):
    """Retrieves memories, or passages of documents.

    Without `async_client`, asynchronous calls run in a thread.
    """

    client: Commonplace = Field(exclude=True)
    async_client: AsyncCommonplace | None = Field(default=None, exclude=True)
    source: Literal["memories", "documents"] = "memories"
    k: int = 10
    """Maximum number of results: up to 50, or 20 passages of documents without `filters`."""
    filters: dict[str, Any] | None = None
    """Conditions on fields and metadata, see the service's docs/filters.md."""

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,
        k: int | None = None,
    ) -> list[Document]:
        limit = self.k if k is None else k
        query = cut_query(query)
        if self.source == "memories":
            memories = self.client.memories.search(query, top_k=limit, filters=self.filters)
            return [_memory(memory) for memory in memories.results]
        hits = self.client.documents.search(query, limit=limit, filters=self.filters)
        return [_passage(hit) for hit in hits.results]

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,
        k: int | None = None,
    ) -> list[Document]:
        client, limit = self.async_client, self.k if k is None else k
        if client is None:
            return await run_in_executor(
                None,
                self._get_relevant_documents,
                query,
                run_manager=run_manager.get_sync(),
                k=k,
            )
        query = cut_query(query)
        if self.source == "memories":
            memories = await client.memories.search(query, top_k=limit, filters=self.filters)
            return [_memory(memory) for memory in memories.results]
        hits = await client.documents.search(query, limit=limit, filters=self.filters)
        return [_passage(hit) for hit in hits.results]


def memory_tools(
    client: Commonplace, async_client: AsyncCommonplace | None = None, *, limit: int = 5
) -> list[BaseTool]:
    """Returns the tools `remember`, `recall` and `search_documents`, in the client's scope."""
    tools = MemoryTools(client, limit)
    later = AsyncMemoryTools(async_client, limit) if async_client else None
    return [
        StructuredTool.from_function(
            func=getattr(tools, name),
            coroutine=getattr(later, name) if later else None,
            name=name,
            description=description,
        )
        for name, description in (
            ("remember", REMEMBER),
            ("recall", RECALL),
            ("search_documents", SEARCH_DOCUMENTS),
        )
    ]


def _memory(memory: FoundMemory) -> Document:
    metadata = to_dict(memory)
    text = metadata.pop("memory")
    return Document(page_content=text, metadata=metadata, id=memory.id)


def _passage(hit: DocumentHit) -> Document:
    metadata = {
        "document_id": hit.document.id,
        "source_key": hit.document.source_key,
        "start_byte": hit.chunk.start_byte,
        "end_byte": hit.chunk.end_byte,
        "score": hit.score,
    }
    return Document(page_content=hit.chunk.content, metadata=metadata, id=hit.chunk.id)
