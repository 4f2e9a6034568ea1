"""Arguments that can't be sent are reported before a request, and never with the key."""

from __future__ import annotations

import os
from typing import Any

import pytest

from commonplace_client import AsyncCommonplace, Commonplace, CommonplaceError, InvalidRequest
from commonplace_client._http import ApiRequest, headers_of


@pytest.mark.parametrize("type_", [Commonplace, AsyncCommonplace])
@pytest.mark.parametrize("key", ["", " \n"])
def test_an_empty_key_is_not_replaced_by_that_of_the_environment(
    type_: type[Commonplace], key: str
) -> None:
    with pytest.raises(CommonplaceError, match="Expected api_key"):
        type_(api_key=key)


def test_a_key_is_read_from_a_file_with_a_line_feed() -> None:
    with Commonplace(api_key=f"{os.environ['COMMONPLACE_API_KEY']}\n", user_id="nobody") as client:
        assert list(client.memories.list()) == []


@pytest.mark.parametrize("character", ["\n", "\0", "é", "\u2028"])
def test_an_error_about_a_key_does_not_contain_it(character: str) -> None:
    with pytest.raises(CommonplaceError, match="api_key") as raised:
        Commonplace(api_key=f"cpl_{character}secret")
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize(
    "url", ["", "localhost:8420", "http://", "http://host:port", "ftp://host", "http://a\ud800"]
)
def test_a_base_url_that_is_not_one_of_http_is_reported(url: str) -> None:
    with pytest.raises(CommonplaceError, match="base_url"):
        Commonplace(url)


@pytest.mark.parametrize("key", ["größe", "a\nb"])
def test_an_idempotency_key_that_is_not_a_header_is_reported(key: str) -> None:
    with Commonplace() as client, pytest.raises(CommonplaceError, match="idempotency_key"):
        client.memories.add("one", user_id="ana", idempotency_key=key)


@pytest.mark.parametrize("key", ["", " "])
def test_an_empty_idempotency_key_is_replaced_by_one_of_its_own(key: str) -> None:
    request = ApiRequest("POST", "/v1/memories", idempotency_key=key)
    assert len(headers_of(None, request)["idempotency-key"]) == 32


def test_an_idempotency_key_is_sent_without_spaces_at_its_ends() -> None:
    request = ApiRequest("POST", "/v1/memories", idempotency_key=" mine\n")
    assert headers_of(None, request)["idempotency-key"] == "mine"


def test_half_a_surrogate_pair_is_reported() -> None:
    with Commonplace(user_id="ana") as client:
        with pytest.raises(CommonplaceError, match="Expected an id"):
            client.memories.get("a\ud800")
        with pytest.raises(CommonplaceError, match="can't be sent"):
            client.memories.list(user_id="a\ud800").page()
        with pytest.raises(InvalidRequest, match="surrogate"):
            client.memories.add("a\ud800")


def test_a_query_that_is_too_long_for_a_url_is_reported() -> None:
    with Commonplace() as client, pytest.raises(CommonplaceError, match="can't be sent"):
        client.documents.list(source_key="x" * 70_000).page()


def test_none_is_not_sent_for_what_is_not_given() -> None:
    message: Any = {"role": "user", "content": "I live in Porto", "created_at": None}
    with Commonplace(user_id="none") as client:
        [added] = client.memories.add([message], metadata=None)
        change: Any = {"memory_id": added.id, "importance": 0.9, "content": None, "version": None}
        operation = client.memories.update_many([change])
        result = client.operations.wait(operation.id).result
        assert result is not None and result["succeeded"] == 1
        assert client.memories.get(added.id).memory == "I live in Porto"
