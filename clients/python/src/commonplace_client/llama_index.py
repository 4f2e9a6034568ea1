"""LlamaIndex: a memory block and a retriever.

Needs `pip install "commonplace-client[llama-index]"`.
"""

from __future__ import annotations

from typing import Any, Literal

from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.memory import BaseMemoryBlock
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from pydantic import Field

from ._async.client import AsyncCommonplace
from ._decode import to_dict
from ._sync.client import Commonplace
from ._tools import cut_query
from .models import DocumentHit, FoundMemory
from .params import Message, Role

# Characters per token that are certain to be enough for what has to be cut.
MIN_CHARACTERS_PER_TOKEN = 4

ROLES: dict[MessageRole, Role] = {
    MessageRole.USER: "user",
    MessageRole.ASSISTANT: "assistant",
    MessageRole.CHATBOT: "assistant",
    MessageRole.MODEL: "assistant",
}


class CommonplaceMemoryBlock(BaseMemoryBlock[str]):
    """Long-term memory: what fits the last message goes into the prompt as one text.

    Messages that leave the short-term memory are added by inference.
    """

    client: AsyncCommonplace = Field(exclude=True)
    name: str = "commonplace"
    max_tokens: int = 1500

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:
        texts = [
            message.content
            for message in messages or []
            if message.role == MessageRole.USER and message.content
        ]
        if not texts:
            return ""
        context = await self.client.context(cut_query(texts[-1]), max_tokens=self.max_tokens)
        return context.text

    async def _aput(self, messages: list[ChatMessage]) -> None:
        said: list[Message] = [
            {"role": ROLES[message.role], "content": message.content}
            for message in messages
            if message.role in ROLES and message.content
        ]
        if said:
            await self.client.memories.infer(said)

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """Drops the last lines, which are the least useful ones."""
        kept = len(content) - tokens_to_truncate * MIN_CHARACTERS_PER_TOKEN
        if kept <= 0:
            return None
        return content[:kept].rpartition("\n")[0] or None


class CommonplaceRetriever(BaseRetriever):
    """Retrieves memories, or passages of documents.

    Without `async_client`, asynchronous calls use the synchronous one. `limit` can be up to 50, or
    20 passages of documents without `filters`.
    """

    def __init__(
        self,
        client: Commonplace,
        async_client: AsyncCommonplace | None = None,
        *,
        source: Literal["memories", "documents"] = "memories",
        limit: int = 10,
        filters: dict[str, Any] | None = None,
    ) -> None:
        super().__init__()
        self._client = client
        self._async_client = async_client
        self._source = source
        self._limit = limit
        self._filters = filters

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        query, limit, filters = cut_query(query_bundle.query_str), self._limit, self._filters
        if self._source == "memories":
            memories = self._client.memories.search(query, top_k=limit, filters=filters)
            return [_memory(memory) for memory in memories.results]
        hits = self._client.documents.search(query, limit=limit, filters=filters)
        return [_passage(hit) for hit in hits.results]

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        client = self._async_client
        if client is None:
            return self._retrieve(query_bundle)
        query, limit, filters = cut_query(query_bundle.query_str), self._limit, self._filters
        if self._source == "memories":
            memories = await client.memories.search(query, top_k=limit, filters=filters)
            return [_memory(memory) for memory in memories.results]
        hits = await client.documents.search(query, limit=limit, filters=filters)
        return [_passage(hit) for hit in hits.results]


def _memory(memory: FoundMemory) -> NodeWithScore:
    metadata = to_dict(memory)
    node = TextNode(id_=memory.id, text=metadata.pop("memory"), metadata=metadata)
    return NodeWithScore(node=node, score=memory.score)


def _passage(hit: DocumentHit) -> NodeWithScore:
    metadata = {
        "document_id": hit.document.id,
        "source_key": hit.document.source_key,
        "start_byte": hit.chunk.start_byte,
        "end_byte": hit.chunk.end_byte,
    }
    node = TextNode(id_=hit.chunk.id, text=hit.chunk.content, metadata=metadata)
    return NodeWithScore(node=node, score=hit.score)
