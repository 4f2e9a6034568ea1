"""The connections of a client, which are kept for later requests."""

from __future__ import annotations

import asyncio
import os
import ssl
from functools import cache

import httpx

from .errors import CommonplaceError

# More connections than a caller is likely to use at the same time, so that none has to wait.
LIMITS = httpx.Limits(max_connections=100)

CLOSED = "The client is closed"


@cache
def _load_certificates(file: str | None, folder: str | None) -> ssl.SSLContext:
    """Takes 60 ms, so all clients of a process share what it returns."""
    return httpx.create_ssl_context()


def _ssl_context() -> ssl.SSLContext:
    # httpx reads these variables.
    return _load_certificates(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))


class Connections:
    def __init__(self, http_client: httpx.Client | None) -> None:
        """Uses a client of the caller, who closes it, or one of its own."""
        self._is_own = http_client is None
        self._client = http_client or httpx.Client(limits=LIMITS, verify=_ssl_context())
        # Whether anything has ever responded at the address.
        self.has_responded = False

    def client(self) -> httpx.Client:
        """Returns the client that sends requests. Raises CommonplaceError if it is closed."""
        if self._client.is_closed:
            raise CommonplaceError(CLOSED)
        return self._client

    def close(self) -> None:
        if self._is_own:
            self._client.close()


class AsyncConnections:
    """A client for each asyncio event loop, because a connection only works in its own loop.

    Every `asyncio.run` has a loop of its own, and so has every thread. Outside asyncio (Trio),
    there is one.
    """

    def __init__(self, http_client: httpx.AsyncClient | None) -> None:
        """Uses a client of the caller, who closes it, or those of its own."""
        self._given = http_client
        self._is_closed = False
        self._by_loop: dict[asyncio.AbstractEventLoop | None, httpx.AsyncClient] = {}
        self._ssl_context = _ssl_context() if http_client is None else True
        # Whether anything has ever responded at the address.
        self.has_responded = False

    def client(self) -> httpx.AsyncClient:
        """Returns the client that sends requests. Raises CommonplaceError if it is closed."""
        if self._is_closed or (self._given and self._given.is_closed):
            raise CommonplaceError(CLOSED)
        if self._given:
            return self._given
        loop = _running_loop()
        client = self._by_loop.get(loop)
        if client is None:
            self._forget_closed_loops()
            client = httpx.AsyncClient(limits=LIMITS, verify=self._ssl_context)
            self._by_loop[loop] = client
        return client

    async def close(self) -> None:
        """Closes the connections of the running loop.

        Those of other loops are closed once they are collected, with a ResourceWarning.
        """
        if self._given:
            return
        self._is_closed = True
        client = self._by_loop.pop(_running_loop(), None)
        self._by_loop.clear()
        if client:
            await client.aclose()

    def _forget_closed_loops(self) -> None:
        # Their connections can't be closed any more. Python closes the sockets.
        for loop in list(self._by_loop):
            if loop and loop.is_closed():
                self._by_loop.pop(loop, None)


def _running_loop() -> asyncio.AbstractEventLoop | None:
    """Returns None if the code doesn't run in asyncio, but in Trio, for example."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
