"""Memories: adding, finding, changing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeVar

from .._http import ApiRequest, make_path
from .._scope import DEFAULT, ScopeId, without_none
from ..models import (
    AddedMemories,
    DeleteMemoriesOfScopeResponse,
    Feedback,
    GetFeedbackResponse,
    GiveFeedbackResponse,
    HistoryRecord,
    InferenceEvent,
    Memory,
    MemoryType,
    Operation,
    QueuedAdd,
    Rating,
    SearchMemoriesResponse,
    WriteResult,
)
from ..params import MemoryChange, Message
from ..types import Page, QueryOrder, SearchMode, SearchOrder, SearchStrategy
from .caller import AsyncCaller
from .operations import AsyncEvents
from .pages import AsyncPages

# A text, or the messages of a conversation.
Content = str | Sequence[Message]
T = TypeVar("T")


class AsyncInference:
    """An inferred add that was accepted. Its facts are extracted in the background."""

    def __init__(self, events: AsyncEvents, event_id: str) -> None:
        self._events = events
        self.event_id = event_id

    async def get(self) -> InferenceEvent:
        """Returns the event in its current state."""
        return await self._events.get(self.event_id)

    async def wait(
        self,
        timeout: float = 60.0,
        on_progress: Callable[[InferenceEvent], None] | None = None,
    ) -> InferenceEvent:
        """Waits until the facts are stored. See `events.wait`."""
        return await self._events.wait(self.event_id, timeout, on_progress)


class AsyncMemories:
    def __init__(self, caller: AsyncCaller, events: AsyncEvents) -> None:
        self._caller = caller
        self._events = events

    async def add(
        self,
        content: Content,
        *,
        user_id: ScopeId = DEFAULT,
        agent_id: ScopeId = DEFAULT,
        run_id: ScopeId = DEFAULT,
        metadata: Mapping[str, Any] | None = None,
        event_date: str | None = None,
        memory_type: MemoryType | None = None,
        importance: float | None = None,
        idempotency_key: str | None = None,
    ) -> list[WriteResult]:
        """Stores a text, or each message, word for word. Returns once they are on disk."""
        body = self._addition(
            content,
            infer=False,
            metadata=metadata,
            event_date=event_date,
            memory_type=memory_type,
            importance=importance,
            **self._caller.scope(user_id, agent_id, run_id),
        )
        return (await self._add(AddedMemories, body, idempotency_key)).results

    async def infer(
        self,
        content: Content,
        *,
        user_id: ScopeId = DEFAULT,
        agent_id: ScopeId = DEFAULT,
        run_id: ScopeId = DEFAULT,
        metadata: Mapping[str, Any] | None = None,
        event_date: str | None = None,
        idempotency_key: str | None = None,
    ) -> AsyncInference:
        """Has the facts extracted that are worth remembering. Returns once the text is on disk."""
        body = self._addition(
            content,
            infer=True,
            metadata=metadata,
            event_date=event_date,
            **self._caller.scope(user_id, agent_id, run_id),
        )
        added = await self._add(QueuedAdd, body, idempotency_key)
        return AsyncInference(self._events, added.event_id)

    async def search(
        self,
        query: str,
        *,
        user_id: ScopeId = DEFAULT,
        agent_id: ScopeId = DEFAULT,
        run_id: ScopeId = DEFAULT,
        top_k: int | None = None,
        memory_type: MemoryType | None = None,
        filters: Mapping[str, Any] | None = None,
        mode: SearchMode | None = None,
        search_strategy: SearchStrategy | None = None,
        sort_by: SearchOrder | None = None,
        min_score: float | None = None,
        trace: bool | None = None,
        beliefs: bool | None = None,
    ) -> SearchMemoriesResponse:
        """Finds memories by words and by meaning, best first."""
        body = {
            "query": query,
            "top_k": top_k,
            "memory_type": memory_type,
            "filters": filters,
            "mode": mode,
            "search_strategy": search_strategy,
            "sort_by": sort_by,
            "min_score": min_score,
            "trace": trace,
            "beliefs": beliefs,
            **self._caller.scope(user_id, agent_id, run_id),
        }
        request = ApiRequest("POST", "/v1/memories/search", body=without_none(body), reads=True)
        return await self._caller.fetch(SearchMemoriesResponse, request)

    def query(
        self,
        *,
        user_id: ScopeId = DEFAULT,
        agent_id: ScopeId = DEFAULT,
        run_id: ScopeId = DEFAULT,
        memory_type: MemoryType | None = None,
        filters: Mapping[str, Any] | None = None,
        order_by: QueryOrder | None = None,
        direction: Literal["desc", "asc"] | None = None,
        limit: int | None = None,
        count: bool | None = None,
    ) -> AsyncPages[Memory]:
        """Lists the memories that match a filter exactly, in a given order.

        `limit` is the size of a page. With `count`, each page has the number of all memories.
        """
        body = {
            "memory_type": memory_type,
            "filters": filters,
            "order_by": order_by,
            "direction": direction,
            "limit": limit,
            "count": count,
            **self._caller.scope(user_id, agent_id, run_id),
        }

        async def read(cursor: str | None) -> Page[Memory]:
            page = without_none({**body, "cursor": cursor})
            request = ApiRequest("POST", "/v1/memories/query", body=page, reads=True)
            return await self._caller.fetch(Page[Memory], request)

        return AsyncPages(read)

    def list(
        self,
        *,
        user_id: ScopeId = DEFAULT,
        agent_id: ScopeId = DEFAULT,
        run_id: ScopeId = DEFAULT,
        limit: int | None = None,
    ) -> AsyncPages[Memory]:
        """Lists memories, newest first. `limit` is the size of a page."""
        query = {**self._caller.scope(user_id, agent_id, run_id), "limit": limit}
        return self._caller.list(Memory, "/v1/memories", query)

    async def get(self, id: str) -> Memory:
        return await self._caller.fetch(Memory, ApiRequest("GET", make_path("/v1/memories/{}", id)))

    async def update(
        self,
        id: str,
        *,
        content: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        importance: float | None = None,
        memory_type: MemoryType | None = None,
        version: str | None = None,
        idempotency_key: str | None = None,
    ) -> WriteResult:
        """Changes the given fields. `version` is the `updated_at` that was read.

        Raises VersionConflict if the memory has changed since.
        """
        body = {
            "content": content,
            "metadata": metadata,
            "importance": importance,
            "memory_type": memory_type,
            "version": version,
        }
        request = ApiRequest(
            "PUT",
            make_path("/v1/memories/{}", id),
            body=without_none(body),
            idempotency_key=idempotency_key,
        )
        return await self._caller.fetch(WriteResult, request)

    async def delete(self, id: str, *, idempotency_key: str | None = None) -> WriteResult:
        """Deletes a memory. Its history is kept."""
        path = make_path("/v1/memories/{}", id)
        request = ApiRequest("DELETE", path, idempotency_key=idempotency_key)
        return await self._caller.fetch(WriteResult, request)

    async def delete_scope(
        self,
        *,
        user_id: ScopeId = DEFAULT,
        agent_id: ScopeId = DEFAULT,
        run_id: ScopeId = DEFAULT,
        idempotency_key: str | None = None,
    ) -> DeleteMemoriesOfScopeResponse:
        """Deletes every memory within a scope."""
        request = ApiRequest(
            "DELETE",
            "/v1/memories",
            query=self._caller.scope(user_id, agent_id, run_id),
            idempotency_key=idempotency_key,
        )
        return await self._caller.fetch(DeleteMemoriesOfScopeResponse, request)

    def history(self, id: str, *, limit: int | None = None) -> AsyncPages[HistoryRecord]:
        """Lists the changes of a memory, oldest first."""
        path = make_path("/v1/memories/{}/history", id)
        return self._caller.list(HistoryRecord, path, {"limit": limit})

    async def update_many(
        self, memories: Sequence[MemoryChange], *, idempotency_key: str | None = None
    ) -> Operation:
        """Changes up to 1,000 memories in one operation."""
        changes = [without_none(dict(memory)) for memory in memories]
        return await self._batch("PUT", changes, idempotency_key)

    async def delete_many(
        self, ids: Sequence[str], *, idempotency_key: str | None = None
    ) -> Operation:
        """Deletes up to 1,000 memories, by their ids, in one operation."""
        return await self._batch("DELETE", [{"memory_id": id} for id in ids], idempotency_key)

    async def _batch(
        self,
        method: Literal["PUT", "DELETE"],
        memories: Sequence[Mapping[str, Any]],
        idempotency_key: str | None,
    ) -> Operation:
        request = ApiRequest(
            method,
            "/v1/memories/batch",
            body={"memories": memories},
            idempotency_key=idempotency_key,
        )
        return await self._caller.fetch(Operation, request)

    async def _add(self, type_: type[T], body: dict[str, Any], idempotency_key: str | None) -> T:
        request = ApiRequest("POST", "/v1/memories", body=body, idempotency_key=idempotency_key)
        return await self._caller.fetch(type_, request)

    def _addition(self, content: Content, **fields: Any) -> dict[str, Any]:
        text = (
            {"content": content}
            if isinstance(content, str)
            else {"messages": [without_none(dict(message)) for message in content]}
        )
        return without_none({**fields, **text})


class AsyncRatings:
    """Ratings of memories."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def get(self, memory_id: str) -> Feedback | None:
        """Returns the current rating, or None if there isn't one."""
        request = ApiRequest("GET", self._path(memory_id))
        return (await self._caller.fetch(GetFeedbackResponse, request)).feedback

    async def give(
        self,
        memory_id: str,
        rating: Rating,
        *,
        reason: str | None = None,
        request_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> Feedback:
        """Rates a memory. `request_id` refers to what is rated, e.g. a search."""
        body = without_none({"rating": rating, "reason": reason, "request_id": request_id})
        path = self._path(memory_id)
        request = ApiRequest("POST", path, body=body, idempotency_key=idempotency_key)
        return (await self._caller.fetch(GiveFeedbackResponse, request)).feedback

    async def clear(self, memory_id: str, *, idempotency_key: str | None = None) -> None:
        path = self._path(memory_id)
        await self._caller.send(ApiRequest("DELETE", path, idempotency_key=idempotency_key))

    def _path(self, memory_id: str) -> str:
        return make_path("/v1/memories/{}/feedback", memory_id)
