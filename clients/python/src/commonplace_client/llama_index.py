"""LlamaIndex: a memory block and a retriever.

Needs `pip install "commonplace-client[llama-index]"`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.memory import BaseMemoryBlock
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from pydantic import Field

from ._async.client import AsyncCommonplace
from ._decode import to_dict
from ._http import encode_body
from ._sync.client import Commonplace
from ._tools import REFUSED, cut_query, storable
from .errors import APIError
from .models import DocumentHit, FoundMemory
from .params import Message, Role

# More characters than tokens of prose have on average, which is 4 to 5. If a block cuts too little,
# LlamaIndex drops all of it.
CUT_CHARACTERS_PER_TOKEN = 6

# Limits of a request. A character is encoded in at most 6 bytes, so a part always fits.
MAX_MESSAGES = 500
MAX_REQUEST_BYTES = 240_000
MAX_PART_CHARACTERS = 30_000

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
        for message in reversed(messages or []):
            query = cut_query(message.content or "")
            if message.role == MessageRole.USER and query.strip():
                return (await self.client.context(query, max_tokens=self.max_tokens)).text
        return ""

    async def _aput(self, messages: list[ChatMessage]) -> None:
        # LlamaIndex passes each message only once, so one that is refused doesn't stop the others.
        refusal: APIError | None = None
        for said in _requests(messages):
            try:
                await self.client.memories.infer(said)
            except REFUSED as error:
                refusal = refusal or error
        if refusal:
            raise refusal

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """Drops the last lines, which are the least useful ones."""
        kept = len(content) - tokens_to_truncate * CUT_CHARACTERS_PER_TOKEN
        if kept <= 0:
            return None
        return content[:kept].rpartition("\n")[0] or None


def _requests(messages: list[ChatMessage]) -> Iterator[list[Message]]:
    """Yields the messages with text, in groups that each fit into a request."""
    group: list[Message] = []
    group_bytes = 0
    for message in messages:
        if message.role not in ROLES:
            continue
        for text in _parts(storable(message.content or "")):
            said: Message = {"role": ROLES[message.role], "content": text}
            size = len(encode_body(said)) + len(",")
            if len(group) == MAX_MESSAGES or group_bytes + size > MAX_REQUEST_BYTES:
                yield group
                group, group_bytes = [], 0
            group.append(said)
            group_bytes += size
    if group:
        yield group


def _parts(text: str) -> Iterator[str]:
    """Yields a text in parts that each fit into a request. They end at line feeds if possible."""
    while text:
        end = len(text)
        if end > MAX_PART_CHARACTERS:
            end = text.rfind("\n", 0, MAX_PART_CHARACTERS) + 1 or MAX_PART_CHARACTERS
        if text[:end].strip():
            yield text[:end]
        text = text[end:]


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
