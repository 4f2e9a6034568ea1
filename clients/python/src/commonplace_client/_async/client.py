"""The client of a Commonplace service."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from types import TracebackType
from typing import Any

import httpx

from .._connections import AsyncConnections
from .._http import ApiRequest, check_api_key, check_base_url
from .._scope import DEFAULT, ScopeId, without_none
from ..models import Context, ContextFormat, ContextPart, Health
from .caller import AsyncCaller, Options
from .documents import AsyncDocuments, AsyncUploads
from .memories import AsyncMemories, AsyncRatings
from .operations import AsyncEvents, AsyncOperations
from .snapshots import AsyncExports, AsyncImports
from .views import AsyncBeliefs, AsyncEntities, AsyncInferenceEngine, AsyncProfile, AsyncState

DEFAULT_URL = "http://127.0.0.1:8420"


class AsyncCommonplace:
    """A client. Methods and fields have the names of the API.

    Use it as a context manager, or close it at the end.
    """

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        timeout: float = 30.0,
        max_retries: int = 4,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        """Creates a client.

        - `base_url` defaults to `COMMONPLACE_URL`, or to a service on this machine.
        - `api_key` defaults to `COMMONPLACE_API_KEY`.
        - `user_id`, `agent_id` and `run_id` apply to all calls that don't have their own.
        - `timeout` is the number of seconds that a request may go without progress.
        - `max_retries` is the number of attempts after the first one, if a retry can help.
        - `http_client` sends the requests. The caller closes it.
        """
        # An empty argument isn't replaced: the key of the environment may be of another project.
        if api_key is None:
            api_key = os.environ.get("COMMONPLACE_API_KEY", "")
        if base_url is None:
            base_url = os.environ.get("COMMONPLACE_URL") or DEFAULT_URL
        options = Options(
            base_url=check_base_url(base_url),
            api_key=check_api_key(api_key),
            user_id=user_id,
            agent_id=agent_id,
            run_id=run_id,
            timeout=timeout,
            max_retries=max_retries,
        )
        self._open(AsyncConnections(http_client), options, closes_them=True)

    def _open(self, connections: AsyncConnections, options: Options, *, closes_them: bool) -> None:
        self._connections = connections
        self._closes_them = closes_them
        self._options = options
        caller = AsyncCaller(connections, options)
        self._caller = caller
        self.operations = AsyncOperations(caller)
        self.events = AsyncEvents(caller)
        self.memories = AsyncMemories(caller, self.events)
        self.feedback = AsyncRatings(caller)
        self.uploads = AsyncUploads(caller)
        self.documents = AsyncDocuments(caller, self.operations, self.uploads)
        self.entities = AsyncEntities(caller)
        self.state = AsyncState(caller)
        self.beliefs = AsyncBeliefs(caller)
        self.profile = AsyncProfile(caller)
        self.inference = AsyncInferenceEngine(caller)
        self.exports = AsyncExports(caller, self.operations)
        self.imports = AsyncImports(caller, self.operations)

    def with_options(
        self,
        *,
        user_id: ScopeId = DEFAULT,
        agent_id: ScopeId = DEFAULT,
        run_id: ScopeId = DEFAULT,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncCommonplace:
        """Returns a client with other options and the same connections."""
        scope = {"user_id": user_id, "agent_id": agent_id, "run_id": run_id}
        changes: dict[str, Any] = {
            **{name: value for name, value in scope.items() if value is not DEFAULT},
            **without_none({"timeout": timeout, "max_retries": max_retries}),
        }
        client = object.__new__(type(self))
        client._open(self._connections, replace(self._options, **changes), closes_them=False)
        return client

    async def context(
        self,
        query: str,
        *,
        max_tokens: int | None = None,
        max_chars: int | None = None,
        include: Sequence[ContextPart] | None = None,
        format: ContextFormat | None = None,
        user_id: ScopeId = DEFAULT,
        agent_id: ScopeId = DEFAULT,
        run_id: ScopeId = DEFAULT,
    ) -> Context:
        """Returns what is relevant to a query as one text for a prompt, within a budget."""
        body = {
            "query": query,
            "max_tokens": max_tokens,
            "max_chars": max_chars,
            "include": None if include is None else [*include],
            "format": format,
            **self._caller.scope(user_id, agent_id, run_id),
        }
        request = ApiRequest("POST", "/v1/context", body=without_none(body), reads=True)
        return await self._caller.fetch(Context, request)

    async def health(self) -> Health:
        return await self._caller.fetch(Health, ApiRequest("GET", "/v1/health"))

    async def openapi(self) -> dict[str, Any]:
        """Returns the service's OpenAPI document."""
        return await self._caller.fetch(dict[str, Any], ApiRequest("GET", "/v1/openapi.json"))

    async def close(self) -> None:
        if self._closes_them:
            await self._connections.close()

    async def __aenter__(self) -> AsyncCommonplace:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()
