"""Rules of the Python client that the case table doesn't cover."""

from __future__ import annotations

import io
import json
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from commonplace_client import (
    APIError,
    AsyncCommonplace,
    Commonplace,
    CommonplaceError,
    ConnectionFailed,
    RateLimited,
    TimedOut,
    UnexpectedResponse,
    to_dict,
)
from commonplace_client._decode import DecodeError, decode
from commonplace_client._http import ApiRequest, read_response, retry_delay
from commonplace_client._tools import cut_query
from commonplace_client.models import FieldChange, HistoryRecord, WriteResult

PACKAGE = Path(__file__).parent.parent


@pytest.fixture
def client() -> Iterator[Commonplace]:
    # A user of its own, because all tests share a project.
    with Commonplace(user_id=f"user-{uuid4()}") as client:
        yield client


def test_models_are_those_of_the_openapi_document(tmp_path: Path) -> None:
    script = PACKAGE / "scripts" / "generate_models.py"
    command = [sys.executable, str(script), os.environ["COMMONPLACE_OPENAPI"], str(tmp_path)]
    subprocess.run(command, check=True)
    for name in ("models.py", "params.py"):
        current = (PACKAGE / "src" / "commonplace_client" / name).read_text()
        assert (tmp_path / name).read_text() == current, "Run `deno task docs`"


def test_decode_ignores_new_fields_and_rejects_missing_ones() -> None:
    result = decode(WriteResult, {"id": "mem_1", "memory": "text", "event": "ADD", "new": 1})
    assert result == WriteResult(id="mem_1", memory="text", event="ADD")
    with pytest.raises(DecodeError, match="WriteResult has no memory"):
        decode(WriteResult, {"id": "mem_1", "event": "ADD"})
    with pytest.raises(DecodeError):
        decode(list[WriteResult], {"id": "mem_1"})


def test_to_dict_returns_the_names_of_the_api() -> None:
    assert to_dict([FieldChange(from_=1, to={"a": 2})]) == [{"from": 1, "to": {"a": 2}}]


def test_history_has_the_changes_of_each_field(client: Commonplace) -> None:
    [added] = client.memories.add("The spare key is with Ben.")
    client.memories.update(added.id, importance=0.9)
    changes: list[HistoryRecord] = list(client.memories.history(added.id))
    assert changes[1].changes == {"importance": FieldChange(from_=0.5, to=0.9)}


def test_missing_key_is_an_error_that_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMMONPLACE_API_KEY")
    with pytest.raises(CommonplaceError, match="COMMONPLACE_API_KEY"):
        Commonplace()


@pytest.mark.parametrize("id", ["", ".", ".."])
def test_an_id_that_changes_the_path_is_not_sent(client: Commonplace, id: str) -> None:
    with pytest.raises(CommonplaceError, match="Expected an id"):
        client.memories.delete(id)


def test_a_base_url_can_end_with_v1(client: Commonplace) -> None:
    url = f"{os.environ['COMMONPLACE_URL']}/v1/"
    with Commonplace(url) as other:
        assert other.health().status == "ok"


def test_with_options_shares_the_connections_and_changes_the_scope(client: Commonplace) -> None:
    client.memories.add("one")
    other = client.with_options(user_id="someone-else")
    assert list(other.memories.list()) == []
    other.close()
    assert len(list(client.memories.list())) == 1
    assert list(client.memories.list(user_id="someone-else")) == []


def test_upload_accepts_a_path_and_an_open_file(client: Commonplace, tmp_path: Path) -> None:
    path = tmp_path / "tea.md"
    path.write_text("# Tea\n\nGreen tea is brewed at 80 degrees.")
    document = client.documents.upload(path)
    assert (document.source_key, document.mime_type) == ("tea.md", "text/markdown")
    with path.open("rb") as file:
        asset = client.documents.upload(file, source_key="again", wait=False)
    assert client.operations.wait(asset.operation_id).status == "success"
    with pytest.raises(CommonplaceError, match="filename"):
        client.documents.upload(io.BytesIO(b"text"))


async def test_an_async_upload_reads_the_file_in_threads(tmp_path: Path) -> None:
    path = tmp_path / "tea.md"
    path.write_text("# Tea\n\nGreen tea is brewed at 80 degrees.")
    threads: list[int] = []

    def on_event(event: str, arguments: tuple[object, ...]) -> None:
        if event == "open" and arguments[0] == str(path):
            threads.append(threading.get_ident())

    sys.addaudithook(on_event)
    async with AsyncCommonplace(user_id=f"user-{uuid4()}") as client:
        assert (await client.documents.upload(path)).source_key == "tea.md"
    assert len(threads) == 2, "once for its hash, and once to send it"
    assert threading.get_ident() not in threads


@pytest.fixture
def silent_url() -> Iterator[str]:
    """The address of a service that accepts connections and never responds."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


def test_wait_ends_at_its_timeout_if_the_service_does_not_respond(silent_url: str) -> None:
    with Commonplace(silent_url) as client:
        with pytest.raises(TimedOut, match=r"Operation task_1 takes longer than 0\.3 s"):
            client.operations.wait("task_1", timeout=0.3)
        with pytest.raises(TimedOut, match=r"Inference task_2 takes longer than 0\.3 s"):
            client.events.wait("task_2", timeout=0.3)


async def test_an_async_wait_ends_at_its_timeout_too(silent_url: str) -> None:
    async with AsyncCommonplace(silent_url) as client:
        with pytest.raises(TimedOut, match=r"Operation task_1 takes longer than 0\.3 s"):
            await client.operations.wait("task_1", timeout=0.3)


def test_the_page_lists_all_methods(client: Commonplace) -> None:
    page = (PACKAGE.parent.parent / "docs/clients/python.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` +\| (.+) \|$", page, re.MULTILINE)
    listed = {resource: set(re.findall(r"`(\w+)`", methods)) for resource, methods in rows}
    resources = {name: value for name, value in vars(client).items() if name[0] != "_"}
    assert {name: listed.get(name) for name in resources} == {
        name: {method for method in dir(resource) if method[0] != "_"}
        for name, resource in resources.items()
    }


def test_save_writes_a_snapshot_to_a_file(client: Commonplace, tmp_path: Path) -> None:
    client.memories.add("one")
    client.exports.save(tmp_path / "snapshot.json")
    assert json.loads((tmp_path / "snapshot.json").read_text())["version"] == 1
    assert [path.name for path in tmp_path.iterdir()] == ["snapshot.json"]


def test_values_that_are_not_json_are_reported(client: Commonplace) -> None:
    with pytest.raises(CommonplaceError, match="JSON"):
        client.memories.add("one", metadata={"when": object()})


def test_cut_query_keeps_what_the_service_accepts_and_never_half_a_character() -> None:
    assert cut_query("short") == "short"
    assert cut_query("x" * 9_000) == "x" * 8_000
    assert cut_query("🐝" * 5_000) == "🐝" * 4_000
    assert cut_query("x" * 7_999 + "🐝") == "x" * 7_999
    assert cut_query("a\0b\ud800") == "a b"


REQUEST = ApiRequest("POST", "/v1/memories")


def error_of(response: httpx.Response) -> CommonplaceError:
    with pytest.raises(CommonplaceError) as raised:
        read_response(REQUEST, response)
    return raised.value


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"retry-after": "3600"}, None),
    ],
)
def test_retry_after_is_waited_for_unless_it_is_long(
    headers: dict[str, str], expected: float | None
) -> None:
    body = {"code": "RATE_LIMITED", "message": "Too many requests", "request_id": "req_1"}
    error = error_of(httpx.Response(429, json=body, headers=headers))
    assert isinstance(error, RateLimited)
    assert retry_delay(error, 0) == expected


def test_the_delay_before_a_retry_is_random_and_grows() -> None:
    for attempt, limit in ((0, 0.25), (3, 2.0), (20, 8.0)):
        delays = [retry_delay(ConnectionFailed("cut"), attempt) for _ in range(100)]
        assert all(delay is not None and 0 <= delay <= limit for delay in delays)
        assert len(set(delays)) > 1


@pytest.mark.parametrize(
    ("response", "type_"),
    [
        (httpx.Response(200, text="<html>"), UnexpectedResponse),
        (httpx.Response(404, text="<html>"), UnexpectedResponse),
        (httpx.Response(302, headers={"location": "https://example.com"}), UnexpectedResponse),
        (httpx.Response(200, json=[1], headers={"content-length": "1"}), None),
        (httpx.Response(502, text="Bad gateway"), APIError),
    ],
)
def test_a_response_of_something_else_is_a_typed_error(
    response: httpx.Response, type_: Any
) -> None:
    if type_ is None:
        assert read_response(REQUEST, response) == [1]
    else:
        assert isinstance(error_of(response), type_)
