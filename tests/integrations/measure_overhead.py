"""Measures what a call through a framework adds to the same call of the client."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable
from time import process_time

from commonplace_client import AsyncCommonplace

WARM_UP_CALLS = 30
CALLS = 300
QUERY = "Who has the spare key?"

Call = Callable[[], Awaitable[object]]


async def client_with_memories() -> AsyncCommonplace:
    client = AsyncCommonplace(user_id=uuid.uuid4().hex)
    for number in range(20):
        await client.memories.add(f"Spare key number {number} is with Ben.")
    return client


async def print_overhead(name: str, plain: Call, adapted: Call) -> None:
    """Prints the CPU time of this process for both calls, which take turns."""
    plain_ms = adapted_ms = 0.0
    for number in range(WARM_UP_CALLS + CALLS):
        if number == WARM_UP_CALLS:
            plain_ms = adapted_ms = 0.0
        began = process_time()
        await plain()
        between = process_time()
        await adapted()
        plain_ms += (between - began) * 1000
        adapted_ms += (process_time() - between) * 1000
    before, added = plain_ms / CALLS, (adapted_ms - plain_ms) / CALLS
    print(f"{name}: adds {added:.2f} ms to {before:.2f} ms of the client, in CPU time")
