"""What all resources share: the connection, retries, the default scope, pages and waiting."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import anyio
import anyio.to_thread
import httpx

from .._connections import AsyncConnections
from .._decode import DecodeError, decode
from .._files import FileContent
from .._http import (
    ApiRequest,
    connection_error,
    encode_body,
    headers_of,
    read_response,
    retry_delay,
    url_of,
)
from .._scope import DEFAULT, ScopeId, without_none
from ..errors import (
    CommonplaceError,
    ConnectionFailed,
    TimedOut,
    Unavailable,
    UnexpectedResponse,
)
from ..types import Page
from .pages import AsyncPages

T = TypeVar("T")

FIRST_POLL_SECONDS = 0.05
MAX_POLL_SECONDS = 1.0


@dataclass(frozen=True)
class Options:
    """Where and how requests are sent."""

    base_url: str
    api_key: str | None
    user_id: str | None
    agent_id: str | None
    run_id: str | None
    timeout: float
    max_retries: int


class AsyncCaller:
    """Sends requests with the client's connection and scope."""

    def __init__(self, connections: AsyncConnections, options: Options) -> None:
        self._connections = connections
        self._options = options

    async def send(self, request: ApiRequest) -> Any:
        """Sends one request, and again if that is safe and can help."""
        headers = headers_of(self._options.api_key, request)
        body = None if request.body is None else encode_body(request.body)
        attempt = 0
        while True:
            try:
                return await self._send_once(request, headers, body)
            except CommonplaceError as error:
                delay = retry_delay(error, attempt)
                if delay is None or attempt >= self._options.max_retries:
                    raise
                if request.deadline and time.monotonic() + delay >= request.deadline:
                    raise
            await anyio.sleep(delay)
            attempt += 1

    async def _send_once(
        self, request: ApiRequest, headers: dict[str, str], body: bytes | None
    ) -> Any:
        content = body if request.content is None else _stream(request.content)
        timeout = self._options.timeout if request.timeout is None else request.timeout
        if request.deadline:
            timeout = min(timeout, max(0.001, request.deadline - time.monotonic()))
        try:
            response = await self._connections.client().request(
                request.method,
                url_of(self._options.base_url, request),
                headers=headers,
                content=content,
                timeout=timeout,
                follow_redirects=False,
            )
        except httpx.RequestError as error:
            raise connection_error(request, self._options.base_url, error) from error
        except httpx.InvalidURL as error:
            raise CommonplaceError(f"{request} can't be sent: {error}") from error
        self._connections.has_responded = True
        return read_response(request, response)

    async def fetch(self, type_: type[T], request: ApiRequest) -> T:
        """Returns the response as an instance of its model."""
        value = await self.send(request)
        try:
            return decode(type_, value)
        except DecodeError as error:
            raise UnexpectedResponse(
                f"{request} returned something else: {error}. Update this client or the service",
                200,
                str(value)[:500],
            ) from error

    async def poll(
        self,
        what: str,
        type_: type[T],
        path: str,
        *,
        is_done: Callable[[T], bool],
        timeout: float,
        on_progress: Callable[[T], None] | None,
    ) -> T:
        """Reads something until it is done, less and less often.

        A service that has responded to this client but doesn't now may be restarting, and goes on
        with the work after that. So polling goes on too. Raises TimedOut if it takes longer than
        the timeout, in seconds, also during a request.
        """
        deadline = time.monotonic() + timeout
        request = ApiRequest("GET", path, deadline=deadline)
        late = f"{what} takes longer than {timeout} s; it goes on in the background"
        delay = FIRST_POLL_SECONDS
        while True:
            failure = None
            try:
                state = await self.fetch(type_, request)
            except (ConnectionFailed, TimedOut, Unavailable) as error:
                # Nothing has ever responded: the address may be wrong.
                if isinstance(error, ConnectionFailed) and not self._connections.has_responded:
                    raise
                failure = error
            else:
                if on_progress:
                    on_progress(state)
                if is_done(state):
                    return state
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                raise TimedOut(late) from failure
            await anyio.sleep(min(delay, remaining))
            delay = min(MAX_POLL_SECONDS, delay * 1.5)

    def list(self, type_: type[T], path: str, query: dict[str, Any]) -> AsyncPages[T]:
        """Returns a list that `GET` reads page by page."""

        async def read(cursor: str | None) -> Page[T]:
            request = ApiRequest("GET", path, query={**query, "cursor": cursor})
            return await self.fetch(Page[type_], request)  # type: ignore[valid-type]

        return AsyncPages(read)

    def scope(self, user_id: ScopeId, agent_id: ScopeId, run_id: ScopeId) -> dict[str, Any]:
        """Returns the scope of a call, with the client's own where it has none."""
        options = self._options
        return without_none(
            {
                "user_id": options.user_id if user_id is DEFAULT else user_id,
                "agent_id": options.agent_id if agent_id is DEFAULT else agent_id,
                "run_id": options.run_id if run_id is DEFAULT else run_id,
            }
        )


async def _stream(content: FileContent) -> AsyncIterator[bytes]:
    """Yields the content, and reports what was sent."""
    chunks = content.chunks()
    sent = 0
    while chunk := await anyio.to_thread.run_sync(next, chunks, b""):
        yield chunk
        sent += len(chunk)
        content.on_sent(sent)
