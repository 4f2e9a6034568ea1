"""Connections that are closed, or of another event loop."""

from __future__ import annotations

import asyncio
import ssl

import httpx
import pytest

from commonplace_client import AsyncCommonplace, Commonplace, CommonplaceError


async def health(client: AsyncCommonplace, times: int = 1) -> None:
    await asyncio.gather(*(client.health() for _ in range(times)))


def test_an_async_client_can_be_used_in_one_event_loop_after_the_other() -> None:
    client = AsyncCommonplace(max_retries=0)
    asyncio.run(health(client, times=3))
    asyncio.run(health(client))
    asyncio.run(client.close())


async def test_an_async_client_can_be_used_in_several_event_loops_at_once() -> None:
    async with AsyncCommonplace(max_retries=0) as client:
        await client.health()
        await asyncio.to_thread(lambda: asyncio.run(health(client)))
        await client.health()


async def test_a_closed_client_says_so() -> None:
    client, later = Commonplace(), AsyncCommonplace()
    client.close()
    await later.close()
    with pytest.raises(CommonplaceError, match="closed"):
        client.health()
    with pytest.raises(CommonplaceError, match="closed"):
        await later.health()


async def test_a_client_does_not_close_connections_of_the_caller() -> None:
    async with httpx.AsyncClient() as http:
        async with AsyncCommonplace(http_client=http) as client:
            await client.health()
        assert not http.is_closed
    with pytest.raises(CommonplaceError, match="closed"):
        await client.health()


async def test_clients_load_the_certificates_once(monkeypatch: pytest.MonkeyPatch) -> None:
    Commonplace().close()

    def load_again(**_: object) -> None:
        raise AssertionError("The certificates were loaded again")

    monkeypatch.setattr(ssl, "create_default_context", load_again)
    with Commonplace() as client:
        client.health()
    async with AsyncCommonplace() as later:
        await later.health()
    monkeypatch.setenv("SSL_CERT_FILE", "/another/file")
    with pytest.raises(AssertionError, match="loaded again"):
        Commonplace()
