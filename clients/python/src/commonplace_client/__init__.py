"""Client for Commonplace, a self-hosted memory service for applications and agents.

from commonplace_client import Commonplace

with Commonplace(user_id="ana") as client:
    client.memories.add("The spare key is with Ben.")
    print(client.context("Who has the spare key?").text)
"""

from . import errors, models, params, types
from ._async.client import AsyncCommonplace
from ._async.memories import AsyncInference
from ._async.pages import AsyncPages
from ._decode import to_dict
from ._scope import DEFAULT
from ._sync.client import Commonplace
from ._sync.memories import Inference
from ._sync.pages import Pages
from ._version import __version__
from .errors import (
    APIError,
    CommonplaceError,
    Conflict,
    ConnectionFailed,
    IdempotencyConflict,
    InferenceFailed,
    InvalidRequest,
    NotFound,
    NotSupported,
    OperationFailed,
    PermissionDenied,
    RateLimited,
    ServerError,
    TimedOut,
    TooLarge,
    Unauthorized,
    Unavailable,
    UnexpectedResponse,
    VersionConflict,
)
from .types import Page, UploadProgress

__all__ = [
    "APIError",
    "AsyncCommonplace",
    "AsyncInference",
    "AsyncPages",
    "Commonplace",
    "CommonplaceError",
    "Conflict",
    "ConnectionFailed",
    "DEFAULT",
    "IdempotencyConflict",
    "Inference",
    "InferenceFailed",
    "InvalidRequest",
    "NotFound",
    "NotSupported",
    "OperationFailed",
    "Page",
    "Pages",
    "PermissionDenied",
    "RateLimited",
    "ServerError",
    "TimedOut",
    "TooLarge",
    "Unauthorized",
    "Unavailable",
    "UnexpectedResponse",
    "UploadProgress",
    "VersionConflict",
    "__version__",
    "errors",
    "models",
    "params",
    "to_dict",
    "types",
]
