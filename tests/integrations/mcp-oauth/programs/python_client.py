"""Connects with the OAuth client of the Python SDK, and prints what it learns, as lines of JSON.

The browser is driven by the test: the client prints the address to open, and reads the address that
the browser was sent to.
"""

import asyncio
import json
import sys
import time
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp import ClientSession
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata

SERVER, CALLBACK = sys.argv[1], sys.argv[2]


def report(**fields: object) -> None:
    print(json.dumps(fields), flush=True)


class MemoryStorage:
    """Keeps tokens and registration in memory."""

    def __init__(self) -> None:
        self.tokens = None
        self.client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens) -> None:
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client) -> None:
        self.client = client


async def open_browser(url: str) -> None:
    report(open=url)


async def wait_for_callback() -> AuthorizationCodeResult:
    line = await asyncio.to_thread(sys.stdin.readline)
    query = parse_qs(urlsplit(line.strip()).query)
    first = lambda name: query.get(name, [None])[0]
    return AuthorizationCodeResult(code=first("code"), state=first("state"), iss=first("iss"))


async def call_tool(provider: OAuthClientProvider) -> list[str]:
    async with httpx2.AsyncClient(auth=provider) as http:
        async with streamable_http_client(f"{SERVER}/mcp", http_client=http) as streams:
            async with ClientSession(streams[0], streams[1]) as session:
                await session.initialize()
                tools = await session.list_tools()
                await session.call_tool(
                    "add_memory", {"content": "Ana keeps bees", "infer": False, "user_id": "ana"}
                )
                return [tool.name for tool in tools.tools]


async def main() -> None:
    storage = MemoryStorage()
    metadata = OAuthClientMetadata(client_name="Python client", redirect_uris=[CALLBACK])
    provider = OAuthClientProvider(SERVER + "/mcp", metadata, storage, open_browser, wait_for_callback)
    report(tools=await call_tool(provider))

    first = storage.tokens
    # As if the hour had passed for which the access token is valid.
    provider.context.token_expiry_time = time.time() - 1
    report(tools=await call_tool(provider))
    report(
        refreshed=storage.tokens.access_token != first.access_token
        and storage.tokens.refresh_token != first.refresh_token
    )
    report(revoke=storage.tokens.refresh_token, client_id=storage.client.client_id)


asyncio.run(main())
