"""Every error that the client raises."""

from __future__ import annotations

import copyreg
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .models import InferenceEvent, Operation


class CommonplaceError(Exception):
    """The base of all errors that the client raises."""

    def __reduce__(self) -> tuple[Any, ...]:
        # Processes send each other errors. By default, they are made again from `args`, which only
        # has the message.
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


class ConnectionFailed(CommonplaceError):
    """The service couldn't be reached, or the connection broke before the response was complete."""


class TimedOut(CommonplaceError):
    """A request, or something that was waited for, took longer than its timeout."""


class UnexpectedResponse(CommonplaceError):
    """The response isn't one of Commonplace, e.g. a page of a proxy.

    `status` is its HTTP status, and `body` the beginning of its body.
    """

    def __init__(self, message: str, status: int, body: str) -> None:
        super().__init__(message)
        self.status = status
        self.body = body


class OperationFailed(CommonplaceError):
    """An operation ended without success."""

    def __init__(self, operation: Operation) -> None:
        self.operation = operation
        self.code = operation.error.code if operation.error else None
        reason = f": {self.code}: {operation.error.message}" if operation.error else ""
        super().__init__(f"{operation.kind} {operation.id} is {operation.status}{reason}")


class InferenceFailed(CommonplaceError):
    """An inferred add failed."""

    def __init__(self, event: InferenceEvent) -> None:
        self.event = event
        self.code = event.error.code if event.error else None
        reason = f": {self.code}: {event.error.message}" if event.error else ""
        super().__init__(f"Inference {event.id} failed{reason}")


class APIError(CommonplaceError):
    """The service returned an error. Branch on the class or on `code`, never on the message.

    `retry_after` is the number of seconds to wait before the next attempt, from `Retry-After`.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        request_id: str | None = None,
        details: dict[str, Any] | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.request_id = request_id
        self.details = details
        self.retry_after = retry_after


class InvalidRequest(APIError):
    """400, 415: a field is wrong; `details["issues"]` lists each with its path."""


class Unauthorized(APIError):
    """401: the key is missing, unknown or revoked."""


class PermissionDenied(APIError):
    """403: the key lacks the permission in `details["required"]`."""


class NotFound(APIError):
    """404: the key's project has no such record, or the service doesn't know this call."""


class NotSupported(NotFound):
    """404, 405: the service doesn't know this call. It is older than the client."""


class Conflict(APIError):
    """409: the request contradicts the current state."""


class VersionConflict(Conflict):
    """409: the memory has changed since the `version` that was sent."""


class IdempotencyConflict(Conflict):
    """409: the idempotency key was used for a different request."""


class TooLarge(APIError):
    """413: the request exceeds a limit."""


class RateLimited(APIError):
    """429: too many requests; `retry_after` says when to try again."""


class Unavailable(APIError):
    """502, 503, 504: the service or a proxy can't handle the request at the moment."""


class ServerError(APIError):
    """Any other status from 500. The service's log has the details under `request_id`."""


_BY_CODE: dict[str, type[APIError]] = {
    "NOT_FOUND": NotSupported,
    "METHOD_NOT_ALLOWED": NotSupported,
    "VERSION_CONFLICT": VersionConflict,
    "IDEMPOTENCY_CONFLICT": IdempotencyConflict,
}

_BY_STATUS: dict[int, type[APIError]] = {
    400: InvalidRequest,
    401: Unauthorized,
    403: PermissionDenied,
    404: NotFound,
    409: Conflict,
    413: TooLarge,
    415: InvalidRequest,
    429: RateLimited,
    502: Unavailable,
    503: Unavailable,
    504: Unavailable,
}


def error_type(status: int, code: str) -> type[APIError]:
    """Returns the class of an error response."""
    if code in _BY_CODE:
        return _BY_CODE[code]
    return _BY_STATUS.get(status, ServerError if status >= 500 else APIError)
