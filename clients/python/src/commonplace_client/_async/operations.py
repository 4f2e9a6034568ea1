"""Work in the background: operations, and the events of inferred adds."""

from __future__ import annotations

from collections.abc import Callable

from .._http import ApiRequest, make_path
from ..errors import InferenceFailed, OperationFailed
from ..models import EventStatus, InferenceEvent, Operation, OperationKind, OperationStatus
from .caller import AsyncCaller
from .pages import AsyncPages

SUCCESSES = frozenset({"success", "committed"})
FAILURES = frozenset({"dead", "failed", "cancelled"})


class AsyncOperations:
    """Batches, extractions, exports and imports."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def get(self, id: str) -> Operation:
        request = ApiRequest("GET", make_path("/v1/operations/{}", id))
        return await self._caller.fetch(Operation, request)

    def list(
        self,
        *,
        status: OperationStatus | None = None,
        kind: OperationKind | None = None,
        limit: int | None = None,
    ) -> AsyncPages[Operation]:
        """Lists operations, newest first. `limit` is the size of a page."""
        query = {"status": status, "kind": kind, "limit": limit}
        return self._caller.list(Operation, "/v1/operations", query)

    async def retry(self, id: str, *, idempotency_key: str | None = None) -> Operation:
        """Starts an operation again that is dead or waits for its next attempt."""
        path = make_path("/v1/operations/{}/retry", id)
        request = ApiRequest("POST", path, idempotency_key=idempotency_key)
        return await self._caller.fetch(Operation, request)

    async def file(self, id: str) -> bytes:
        """Returns the archive of an export in an open format."""
        path = make_path("/v1/operations/{}/file", id)
        request = ApiRequest("GET", path, receives_file=True)
        content: bytes = await self._caller.send(request)
        return content

    async def wait(
        self,
        id: str,
        timeout: float = 600.0,
        on_progress: Callable[[Operation], None] | None = None,
    ) -> Operation:
        """Waits until an operation has succeeded, and reports each state that is read.

        Raises OperationFailed if it ends without success, and TimedOut if it takes longer than
        `timeout` seconds. It goes on in the background then.
        """
        ended = await self._caller.poll(
            f"Operation {id}",
            Operation,
            make_path("/v1/operations/{}", id),
            is_done=lambda operation: operation.status in SUCCESSES | FAILURES,
            timeout=timeout,
            on_progress=on_progress,
        )
        if ended.status in FAILURES:
            raise OperationFailed(ended)
        return ended


class AsyncEvents:
    """The outcomes of inferred adds."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def get(self, id: str) -> InferenceEvent:
        request = ApiRequest("GET", make_path("/v1/events/{}", id))
        return await self._caller.fetch(InferenceEvent, request)

    def list(
        self, *, status: EventStatus | None = None, limit: int | None = None
    ) -> AsyncPages[InferenceEvent]:
        """Lists events, newest first. `limit` is the size of a page."""
        query = {"status": status, "limit": limit}
        return self._caller.list(InferenceEvent, "/v1/events", query)

    async def wait(
        self,
        id: str,
        timeout: float = 60.0,
        on_progress: Callable[[InferenceEvent], None] | None = None,
    ) -> InferenceEvent:
        """Waits until inference has succeeded, and reports each state that is read.

        Raises InferenceFailed if it fails, and TimedOut if it takes longer than `timeout` seconds.
        It goes on in the background then.
        """
        event = await self._caller.poll(
            f"Inference {id}",
            InferenceEvent,
            make_path("/v1/events/{}", id),
            is_done=lambda event: event.status in ("SUCCEEDED", "FAILED"),
            timeout=timeout,
            on_progress=on_progress,
        )
        if event.status == "FAILED":
            raise InferenceFailed(event)
        return event
