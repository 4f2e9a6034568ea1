"""Google ADK: a memory service.

Needs `pip install "commonplace-client[google-adk]"`. The user of a session becomes `user_id`, the
session `run_id`, and the application `metadata.app_name`. Each event with text is a memory of its
own, word for word.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from typing import Any

from google.adk.events.event import Event
from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.sessions.session import Session
from google.genai import types

from ._async.client import AsyncCommonplace
from ._tools import REFUSED, cut_query
from .errors import APIError, IdempotencyConflict, NotFound
from .models import FoundMemory


class CommonplaceMemoryService(BaseMemoryService):
    def __init__(self, client: AsyncCommonplace, *, limit: int = 10) -> None:
        """Creates a service whose searches return at most `limit` memories."""
        self._client = client
        self._limit = limit

    async def add_session_to_memory(self, session: Session) -> None:
        """Stores the events of a session that aren't stored yet.

        An event that the service refuses, e.g. because it's too long, doesn't stop those after it.
        Its error is raised at the end.
        """
        await self.add_events_to_memory(
            app_name=session.app_name,
            user_id=session.user_id,
            events=session.events,
            session_id=session.id,
        )

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Stores the given events that aren't stored yet, as `add_session_to_memory` does."""
        stored = await self._stored_events(app_name, user_id, session_id)
        refusal: APIError | None = None
        for event in events:
            text = _text_of(event.content)
            if text.strip() == "" or event.id in stored:
                continue
            metadata = {**(custom_metadata or {}), "app_name": app_name, "event_id": event.id}
            when = datetime.fromtimestamp(event.timestamp, timezone.utc).isoformat()
            try:
                await self._client.memories.add(
                    text,
                    user_id=user_id,
                    agent_id=None,
                    run_id=session_id,
                    metadata={**metadata, "author": event.author},
                    event_date=when,
                    # An event that is being stored isn't stored twice. One that was deleted isn't
                    # stored again for 30 days, after which the service forgets the key.
                    idempotency_key=_key(app_name, user_id, session_id or "", event.id),
                )
            except IdempotencyConflict:
                continue
            except REFUSED as error:
                refusal = refusal or error
        if refusal:
            raise refusal

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Stores memories as they are. One with an `id` is stored once, even if this is repeated.

        A memory that the service refuses doesn't stop those after it. Its error is raised at the
        end.
        """
        refusal: APIError | None = None
        for memory in memories:
            text = _text_of(memory.content)
            if text.strip() == "":
                continue
            metadata = {**(custom_metadata or {}), **memory.custom_metadata, "app_name": app_name}
            if memory.author is not None:
                metadata["author"] = memory.author
            fields = (memory.id or "", text, repr(metadata), memory.timestamp or "")
            try:
                await self._client.memories.add(
                    text,
                    user_id=user_id,
                    agent_id=None,
                    run_id=None,
                    metadata=metadata,
                    event_date=memory.timestamp,
                    idempotency_key=_key(app_name, user_id, *fields) if memory.id else None,
                )
            except REFUSED as error:
                refusal = refusal or error
        if refusal:
            raise refusal

    async def search_memory(
        self, *, app_name: str, user_id: str, query: str
    ) -> SearchMemoryResponse:
        """Finds memories by words and by meaning, best first."""
        query = cut_query(query)
        if query.strip() == "":
            return SearchMemoryResponse()
        found = await self._client.memories.search(
            query,
            user_id=user_id,
            agent_id=None,
            run_id=None,
            top_k=self._limit,
            filters={"metadata.app_name": app_name},
        )
        return SearchMemoryResponse(memories=[_entry(memory) for memory in found.results])

    async def delete_memory(
        self, *, app_name: str, user_id: str, memory_id: str | None = None
    ) -> None:
        """Deletes a memory by the id that a search returned, unless it belongs to someone else."""
        if not memory_id:
            return
        try:
            memory = await self._client.memories.get(memory_id)
            if memory.user_id == user_id and (memory.metadata or {}).get("app_name") == app_name:
                await self._client.memories.delete(memory_id)
        except NotFound:
            return

    async def _stored_events(self, app_name: str, user_id: str, session_id: str | None) -> set[Any]:
        memories = self._client.memories.query(
            user_id=user_id,
            agent_id=None,
            run_id=session_id,
            filters={"metadata.app_name": app_name},
            limit=100,
        )
        return {(memory.metadata or {}).get("event_id") async for memory in memories}


def _text_of(content: types.Content | None) -> str:
    parts = content.parts if content and content.parts else []
    return " ".join(part.text for part in parts if part.text)


def _key(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _entry(memory: FoundMemory) -> MemoryEntry:
    metadata = dict(memory.metadata or {})
    author = metadata.pop("author", None)
    role = "user" if author == "user" else "model"
    return MemoryEntry(
        id=memory.id,
        content=types.Content(role=role, parts=[types.Part(text=memory.memory)]),
        author=author,
        timestamp=memory.event_date or memory.created_at,
        custom_metadata=metadata,
    )
