"""Errors are sent between processes, e.g. by `multiprocessing`."""

from __future__ import annotations

import copy
import pickle

import pytest

from commonplace_client import (
    CommonplaceError,
    ConnectionFailed,
    InferenceFailed,
    NotFound,
    OperationFailed,
    UnexpectedResponse,
)
from commonplace_client.models import InferenceEvent, Operation, Scope, TaskError

NOW = "2026-01-01T00:00:00.000Z"
TASK_ERROR = TaskError(
    code="PDF_ENCRYPTED",
    message="The file is encrypted",
    retryable=False,
    attempt=1,
    occurred_at=NOW,
)
OPERATION = Operation(
    id="task_1",
    kind="document_extract",
    status="dead",
    attempts=1,
    max_attempts=5,
    error=TASK_ERROR,
    next_attempt_at=None,
    result=None,
    started_at=None,
    completed_at=None,
    created_at=NOW,
    updated_at=NOW,
)
EVENT = InferenceEvent(
    id="task_2",
    event_type="ADD",
    status="FAILED",
    scope=Scope(),
    results=[],
    attempts=1,
    max_attempts=5,
    error=TASK_ERROR,
    created_at=NOW,
    updated_at=NOW,
    started_at=None,
    completed_at=None,
    latency_ms=None,
)


@pytest.mark.parametrize(
    "error",
    [
        ConnectionFailed("cut"),
        UnexpectedResponse("a page", 200, "<html>"),
        NotFound(404, "MEMORY_NOT_FOUND", "No memory", details={"id": "mem_1"}, retry_after=1.0),
        OperationFailed(OPERATION),
        InferenceFailed(EVENT),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_is_the_same_in_another_process(error: CommonplaceError) -> None:
    for received in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(received) is type(error)
        assert str(received) == str(error)
        assert vars(received) == vars(error)
