"""What is known about a scope: state, beliefs, profile, entities, and how inference reads texts."""

from __future__ import annotations

from .._http import ApiRequest, make_path
from .._scope import DEFAULT, ScopeId
from ..models import (
    ApplicabilityKind,
    BeliefView,
    DeleteEntityResponse,
    Entity,
    EntityType,
    GetBeliefsResponse,
    GetProfileResponse,
    GetStateHistoryResponse,
    GetStateResponse,
    InferenceExplanation,
    ProfileSection,
    StateRecord,
    UnreadText,
)
from ..types import BeliefViewName
from .caller import AsyncCaller
from .pages import AsyncPages


class AsyncState:
    """Values of attributes, now and in the past."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def get(
        self,
        subject: str,
        attribute: str,
        *,
        as_of: str | None = None,
        user_id: ScopeId = DEFAULT,
        agent_id: ScopeId = DEFAULT,
        run_id: ScopeId = DEFAULT,
    ) -> StateRecord | None:
        """Returns the value now or at a time, or None if there isn't one."""
        scope = self._caller.scope(user_id, agent_id, run_id)
        query = {"subject": subject, "attribute": attribute, "as_of": as_of, **scope}
        request = ApiRequest("GET", "/v1/state", query=query)
        return (await self._caller.fetch(GetStateResponse, request)).data

    async def history(
        self,
        subject: str,
        attribute: str,
        *,
        as_of: str | None = None,
        user_id: ScopeId = DEFAULT,
        agent_id: ScopeId = DEFAULT,
        run_id: ScopeId = DEFAULT,
    ) -> list[StateRecord]:
        """Returns all values, oldest first."""
        scope = self._caller.scope(user_id, agent_id, run_id)
        query = {"subject": subject, "attribute": attribute, "as_of": as_of, **scope}
        request = ApiRequest("GET", "/v1/state/history", query=query)
        return (await self._caller.fetch(GetStateHistoryResponse, request)).data


class AsyncBeliefs:
    """Values with the evidence for and against them."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def get(
        self,
        subject: str,
        attribute: str,
        *,
        view: BeliefViewName | None = None,
        applicability_kind: ApplicabilityKind | None = None,
        applicability_key: str | None = None,
        at: str | None = None,
        all_applicability: bool | None = None,
        user_id: ScopeId = DEFAULT,
        agent_id: ScopeId = DEFAULT,
        run_id: ScopeId = DEFAULT,
    ) -> BeliefView:
        query = {
            "subject": subject,
            "attribute": attribute,
            "view": view,
            "applicability_kind": applicability_kind,
            "applicability_key": applicability_key,
            "at": at,
            "all_applicability": all_applicability,
            **self._caller.scope(user_id, agent_id, run_id),
        }
        request = ApiRequest("GET", "/v1/beliefs", query=query)
        return (await self._caller.fetch(GetBeliefsResponse, request)).data


class AsyncProfile:
    """Everything that is known about a scope, as a text."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def get(
        self,
        *,
        user_id: ScopeId = DEFAULT,
        agent_id: ScopeId = DEFAULT,
        run_id: ScopeId = DEFAULT,
    ) -> str | None:
        """Returns the complete profile, or None if nothing is known."""
        query = self._caller.scope(user_id, agent_id, run_id)
        request = ApiRequest("GET", "/v1/profile", query=query)
        data = (await self._caller.fetch(GetProfileResponse, request)).data
        return data if isinstance(data, str) else None

    async def search(
        self,
        query: str,
        *,
        limit: int | None = None,
        user_id: ScopeId = DEFAULT,
        agent_id: ScopeId = DEFAULT,
        run_id: ScopeId = DEFAULT,
    ) -> list[ProfileSection]:
        """Returns the sections that fit a query best."""
        scope = self._caller.scope(user_id, agent_id, run_id)
        request = ApiRequest("GET", "/v1/profile", query={"query": query, "limit": limit, **scope})
        data = (await self._caller.fetch(GetProfileResponse, request)).data
        return data if isinstance(data, list) else []


class AsyncEntities:
    """Users, agents and runs that have memories."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    def list(
        self, *, type: EntityType | None = None, limit: int | None = None
    ) -> AsyncPages[Entity]:
        """Lists entities, newest first. `limit` is the size of a page."""
        return self._caller.list(Entity, "/v1/entities", {"type": type, "limit": limit})

    async def get(self, type: EntityType, id: str) -> Entity:
        request = ApiRequest("GET", make_path("/v1/entities/{}/{}", type, id))
        return await self._caller.fetch(Entity, request)

    async def delete(
        self, type: EntityType, id: str, *, idempotency_key: str | None = None
    ) -> DeleteEntityResponse:
        """Deletes all memories of an entity."""
        path = make_path("/v1/entities/{}/{}", type, id)
        request = ApiRequest("DELETE", path, idempotency_key=idempotency_key)
        return await self._caller.fetch(DeleteEntityResponse, request)


class AsyncInferenceEngine:
    """How inference reads texts."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def explain(self, text: str) -> InferenceExplanation:
        """Returns what an inferred add of a text would store, and why. Stores nothing."""
        request = ApiRequest("POST", "/v1/inference/explain", body={"text": text}, reads=True)
        return await self._caller.fetch(InferenceExplanation, request)

    def unread(self, *, limit: int | None = None) -> AsyncPages[UnreadText]:
        """Lists the texts that couldn't be read."""
        return self._caller.list(UnreadText, "/v1/inference/unread", {"limit": limit})
