"""Waiting goes on while the service restarts."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from commonplace_client import AsyncCommonplace, Commonplace, ConnectionFailed, TimedOut

OPERATION = {
    "id": "task_1",
    "kind": "export",
    "status": "success",
    "attempts": 1,
    "max_attempts": 5,
    "error": None,
    "next_attempt_at": None,
    "result": None,
    "started_at": None,
    "completed_at": None,
    "created_at": "2026-01-01T00:00:00.000Z",
    "updated_at": "2026-01-01T00:00:00.000Z",
}


class Restarting(BaseHTTPRequestHandler):
    """Has the operation at first, drops the second request, refuses the third, and then ends it."""

    requests = 0
    is_away = False

    def do_GET(self) -> None:
        type(self).requests += 1
        if self.is_away or self.requests == 2:
            self.close_connection = True
            return
        self.send_response(503 if self.requests == 3 else 200)
        self.send_header("content-type", "application/json")
        self.end_headers()
        stopping = {"code": "STOPPING", "message": "Stopping"}
        running = {**OPERATION, "status": "processing"}
        body = {1: running, 3: stopping}.get(self.requests, OPERATION)
        self.wfile.write(json.dumps(body).encode())

    def log_message(self, format: str, *args: object) -> None:
        """Prints nothing."""


@pytest.fixture
def restarting_url() -> Iterator[str]:
    Restarting.requests = 0
    Restarting.is_away = False
    with ThreadingHTTPServer(("127.0.0.1", 0), Restarting) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,)).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def test_wait_goes_on_while_the_service_restarts(restarting_url: str) -> None:
    with Commonplace(restarting_url, max_retries=0) as client:
        assert client.operations.wait("task_1", timeout=20).status == "success"
    assert Restarting.requests == 4


async def test_an_async_wait_goes_on_while_the_service_restarts(restarting_url: str) -> None:
    async with AsyncCommonplace(restarting_url, max_retries=0) as client:
        assert (await client.operations.wait("task_1", timeout=20)).status == "success"


def test_a_client_with_other_options_knows_that_the_service_has_responded(
    restarting_url: str,
) -> None:
    with Commonplace(restarting_url) as client:
        client.operations.get("task_1")
        # The first request of this client is the second one, which is dropped.
        patient = client.with_options(max_retries=0)
        assert patient.operations.wait("task_1", timeout=20).status == "success"
    assert Restarting.requests == 4


async def test_an_async_client_with_other_options_knows_it_too(restarting_url: str) -> None:
    async with AsyncCommonplace(restarting_url) as client:
        await client.operations.get("task_1")
        patient = client.with_options(max_retries=0)
        assert (await patient.operations.wait("task_1", timeout=20)).status == "success"


def test_wait_ends_at_its_timeout_if_the_service_stays_away(restarting_url: str) -> None:
    with Commonplace(restarting_url, max_retries=0) as client:
        client.operations.get("task_1")
        Restarting.is_away = True
        with pytest.raises(TimedOut, match="goes on in the background") as raised:
            client.operations.wait("task_1", timeout=0.2)
    assert isinstance(raised.value.__cause__, (ConnectionFailed, TimedOut))


def test_wait_reports_an_address_at_which_nothing_has_ever_responded() -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        client = Commonplace(f"http://127.0.0.1:{bound.getsockname()[1]}", max_retries=0)
        with client, pytest.raises(ConnectionFailed):
            client.operations.wait("task_1", timeout=20)
