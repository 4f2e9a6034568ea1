"""Requests and responses without the sending: what both clients share."""

from __future__ import annotations

import json
import random
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from time import time
from typing import Any, Literal
from urllib.parse import quote, urlencode

import httpx

from ._files import FileContent
from ._version import __version__
from .errors import (
    APIError,
    CommonplaceError,
    ConnectionFailed,
    TimedOut,
    UnexpectedResponse,
    error_type,
)

FIRST_DELAY_SECONDS = 0.25
MAX_DELAY_SECONDS = 8.0
# A longer Retry-After is reported instead of waited for.
MAX_RETRY_AFTER_SECONDS = 60.0
RETRIED_STATUS = frozenset({408, 429, 502, 503, 504})
MAX_EXCERPT_CHARACTERS = 500
# Media type of requests and responses that are the bytes of a file.
FILE_TYPE = "application/octet-stream"


@dataclass(frozen=True)
class ApiRequest:
    """One request, before retries."""

    method: Literal["GET", "POST", "PUT", "DELETE"]
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    content: FileContent | None = None
    # Whether it changes nothing, so that it needs no idempotency key.
    reads: bool = False
    # Whether a successful response is a file instead of JSON.
    receives_file: bool = False
    # Defaults to a random key. A blank one counts as none.
    idempotency_key: str | None = None
    # Seconds without progress. Defaults to the client's.
    timeout: float | None = None
    # When to give up, with all retries, as a time of `time.monotonic`.
    deadline: float | None = None

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


def check_base_url(base_url: str) -> str:
    """Returns the address of a service, without `/v1`. Raises CommonplaceError if it isn't one."""
    try:
        url = httpx.URL(base_url.strip())
        if url.scheme in ("http", "https") and url.host:
            return base_url.strip().rstrip("/").removesuffix("/v1")
    except (httpx.InvalidURL, ValueError):
        pass
    raise CommonplaceError(
        f"Expected base_url to be like http://127.0.0.1:8420, received {base_url!r}"
    )


def check_api_key(api_key: str) -> str:
    """Returns a key without the line feed of the file that it was read from.

    Raises CommonplaceError if no request can be sent with it. Errors never contain it.
    """
    key = api_key.strip()
    if key == "":
        raise CommonplaceError("Expected api_key, or COMMONPLACE_API_KEY in the environment")
    if not _is_header_value(key):
        raise CommonplaceError("The api_key contains characters that no key has")
    return key


def _is_header_value(value: str) -> bool:
    return value.isascii() and value.isprintable()


def make_path(template: str, *values: str) -> str:
    """Returns a path with each `{}` replaced by an encoded value."""
    return template.format(*map(_path_segment, values))


def _path_segment(value: str) -> str:
    # URLs drop "." and ".." even if they are encoded, which would change the path.
    if isinstance(value, str) and value not in ("", ".", ".."):
        try:
            return quote(value, safe="")
        except UnicodeEncodeError:
            pass
    raise CommonplaceError(f"Expected an id, received {value!r}")


def url_of(base_url: str, request: ApiRequest) -> str:
    parameters = {
        name: _parameter(value) for name, value in request.query.items() if value is not None
    }
    try:
        return base_url + request.path + (f"?{urlencode(parameters)}" if parameters else "")
    except UnicodeEncodeError as error:
        raise CommonplaceError(f"{request} can't be sent: {error}") from error


def _parameter(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value) if isinstance(value, (dict, list)) else str(value)


def headers_of(api_key: str | None, request: ApiRequest) -> dict[str, str]:
    """Returns the headers of a request. Its retries send the same ones."""
    headers = {
        "accept": "application/json",
        "user-agent": f"commonplace-client-python/{__version__}",
    }
    if api_key is not None:
        headers["authorization"] = f"Bearer {api_key}"
    if request.body is not None:
        headers["content-type"] = "application/json"
    if request.content is not None:
        headers["content-type"] = FILE_TYPE
        headers["content-length"] = str(request.content.size)
    if not (request.reads or request.method == "GET"):
        headers["idempotency-key"] = _idempotency_key(request)
    return headers


def _idempotency_key(request: ApiRequest) -> str:
    key = (request.idempotency_key or "").strip() or secrets.token_hex(16)
    if not _is_header_value(key):
        raise CommonplaceError(f"Expected idempotency_key in printable ASCII, received {key!r}")
    return key


def encode_body(body: Any) -> bytes:
    try:
        text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    except (TypeError, ValueError) as error:
        raise CommonplaceError(f"The request can't be sent as JSON: {error}") from error
    # Half a surrogate pair is written as JSON writes it. The service reports the field.
    return text.encode(errors="backslashreplace")


def read_response(request: ApiRequest, response: httpx.Response) -> Any:
    """Returns the JSON of a response, or the bytes of a file, or raises its error."""
    status = response.status_code
    if status == 204:
        return None
    content_type = response.headers.get("content-type", "")
    if response.is_success and request.receives_file and content_type == FILE_TYPE:
        return response.content
    is_json = "json" in content_type
    value = _parse(response.content) if is_json else None
    if response.is_success and value is not None:
        return value
    if response.is_success and is_json:
        # Whether a change was made is unknown until the retry.
        raise ConnectionFailed(f"{request} failed: the response was cut off")
    code, message = _code_and_message(value)
    if code is None and (response.is_success or status not in RETRIED_STATUS):
        target = response.headers.get("location")
        what = f"a redirect to {target}" if target else f"no JSON ({status})"
        raise UnexpectedResponse(
            f"{request} returned {what}. Check that base_url is the address of Commonplace",
            status,
            response.text[:MAX_EXCERPT_CHARACTERS],
        )
    raise _api_error(request, response, code, message, value)


def _parse(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return None


def _code_and_message(value: Any) -> tuple[str, str] | tuple[None, None]:
    if isinstance(value, dict):
        code, message = value.get("code"), value.get("message")
        if isinstance(code, str) and isinstance(message, str):
            return code, message
    return None, None


def _api_error(
    request: ApiRequest, response: httpx.Response, code: str | None, message: str | None, value: Any
) -> APIError:
    status = response.status_code
    if code in ("NOT_FOUND", "METHOD_NOT_ALLOWED"):
        message = f"The service has no {request}. Check base_url, or update the service"
    fields = value if isinstance(value, dict) else {}
    details = fields.get("details")
    code = code or f"HTTP_{status}"
    return error_type(status, code)(
        status,
        code,
        message or f"{request} returned status {status}",
        request_id=fields.get("request_id") or response.headers.get("x-request-id"),
        details=details if isinstance(details, dict) else None,
        retry_after=_retry_after(response.headers.get("retry-after")),
    )


def _retry_after(value: str | None) -> float | None:
    """Returns the seconds of a `Retry-After` header, which can also be a date."""
    if value is None:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time())
    except ValueError:
        return None


def connection_error(
    request: ApiRequest, base_url: str, error: httpx.RequestError
) -> CommonplaceError:
    """Returns our error for one of the transport."""
    if isinstance(error, httpx.TimeoutException):
        return TimedOut(f"{request} took too long: no response from {base_url} in time")
    reason = f"{type(error).__name__}: {error}".rstrip(": ")
    return ConnectionFailed(f"{request} failed: no response from {base_url} ({reason})")


def retry_delay(error: CommonplaceError, attempt: int) -> float | None:
    """Returns the seconds before the next attempt, or None if another one can't help."""
    jitter = random.uniform(0, min(MAX_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2**attempt))
    if isinstance(error, (ConnectionFailed, TimedOut)):
        return jitter
    if not isinstance(error, APIError):
        return None
    if error.status not in RETRIED_STATUS and error.code != "PROJECTION_NOT_BUILT":
        return None
    if error.retry_after is None:
        return jitter
    return error.retry_after if error.retry_after <= MAX_RETRY_AFTER_SECONDS else None
