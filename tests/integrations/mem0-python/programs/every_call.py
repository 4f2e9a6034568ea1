"""Makes every call of mem0's Python clients that the mem0-compatible API serves.

Each result is also checked against what the API returns for the same record under /v1. Runs once
with MemoryClient and once with AsyncMemoryClient. Prints the number of calls.
"""

import asyncio
import inspect
import os
import sys

import httpx
from mem0 import AsyncMemoryClient, MemoryClient
from mem0.client.types import (
    AddMemoryOptions,
    DeleteAllMemoryOptions,
    GetAllMemoryOptions,
    SearchMemoryOptions,
    UpdateMemoryOptions,
)
from mem0.exceptions import (
    MemoryError,
    MemoryNotFoundError,
    ValidationError,
)

URL, KEY = os.environ["COMMONPLACE_URL"], os.environ["COMMONPLACE_API_KEY"]
HOST = f"{URL}/mem0"
v1 = httpx.Client(base_url=URL, headers={"Authorization": f"Bearer {KEY}"})


class Caller:
    """Calls methods of either client, and remembers which ones."""

    def __init__(self, client):
        self.client = client
        self.called = set()

    async def __call__(self, method, *args, **kwargs):
        self.called.add(method)
        result = getattr(self.client, method)(*args, **kwargs)
        return await result if inspect.isawaitable(result) else result

    async def refused(self, error, method, *args, **kwargs):
        try:
            await self(method, *args, **kwargs)
        except error as raised:
            return raised
        raise AssertionError(f"{method} did not raise {error.__name__}")


def own(memory_id):
    response = v1.get(f"/v1/memories/{memory_id}")
    return response.json() if response.status_code == 200 else None


async def event_result(event_id):
    """Waits for an event through mem0's path. The Python client has no method for it."""
    headers = {"Authorization": f"Token {KEY}"}
    async with httpx.AsyncClient(headers=headers) as http:
        for _ in range(600):
            event = (await http.get(f"{HOST}/v1/event/{event_id}/")).json()
            if event["status"] in ("SUCCEEDED", "FAILED"):
                return event
            await asyncio.sleep(0.05)
    raise AssertionError(f"{event_id} did not end")


async def check_add(call, user):
    pending = await call("add", f"I live in Lisbon. I play the oboe.", user_id=user)
    assert pending["status"] == "PENDING", pending
    event = await event_result(pending["event_id"])
    assert event["status"] == "SUCCEEDED" and event["results"], event
    for result in event["results"]:
        record = own(result["id"])
        assert record["memory"] == result["memory"] and record["user_id"] == user

    options = AddMemoryOptions(
        filters={"user_id": user, "run_id": "r1", "app_id": "kitchen"},
        metadata={"kind": "tea", "cups": 2},
        infer=False,
        timestamp=1_700_000_000,
        expiration_date="2999-12-31",
        custom_instructions="Only drinks",
    )
    messages = [
        {"role": "user", "content": "Green tea after lunch"},
        {"role": "assistant", "content": "Black tea in the morning"},
    ]
    added = await call("add", messages, options)
    assert [result["event"] for result in added["results"]] == ["ADD", "ADD"]
    assert added["ignored"] == ["custom_instructions"]
    green, black = (result["id"] for result in added["results"])
    record = own(green)
    assert record["memory"] == added["results"][0]["memory"] == "Green tea after lunch"
    assert (record["user_id"], record["run_id"]) == (user, "r1")
    assert record["event_date"] == "2023-11-14T22:13:20.000Z"
    assert record["metadata"] == {
        "kind": "tea",
        "cups": 2,
        "app_id": "kitchen",
        "expiration_date": "2999-12-31",
    }
    single = await call("add", {"role": "user", "content": "Mint tea"}, user_id=user, infer=False)
    assert single["results"][0]["data"] == {"memory": "Mint tea"}
    await call.refused(ValidationError, "add", "Tea", infer=False)
    return green, black


async def check_search(call, user, green, black):
    query = {"query": "tea in the morning", "user_id": user}
    expected = v1.post("/v1/memories/search", json=query).json()["results"]
    found = await call("search", query["query"], filters={"user_id": user}, rerank=True)
    pairs = [(memory["id"], memory["score"]) for memory in found["results"]]
    assert pairs == [(memory["id"], memory["score"]) for memory in expected], (pairs, expected)
    assert pairs[0][0] == black

    options = SearchMemoryOptions(
        filters={"AND": [{"user_id": user}, {"metadata": {"kind": "tea"}}, {"app_id": "*"}]},
        top_k=1,
        threshold=0.01,
        fields=["memory", "score"],
        show_expired=True,
        latest_only=True,
    )
    one = (await call("search", "green tea", options))["results"]
    assert [memory["id"] for memory in one] == [green] and set(one[0]) == {"id", "memory", "score"}
    nowhere = await call("search", "tea", filters={"user_id": f"not-{user}"})
    assert nowhere["results"] == []
    await call.refused(ValidationError, "search", "tea", filters={"user_id": {"like": "a"}})


async def check_get_all(call, user, green):
    total = len(v1.get("/v1/memories", params={"user_id": user}).json()["results"])
    seen, page = [], 1
    while True:
        options = GetAllMemoryOptions(filters={"user_id": user}, page=page, page_size=2)
        result = await call("get_all", options)
        assert result["count"] == total, (result["count"], total)
        assert (result["previous"] is None) == (page == 1)
        seen += [memory["id"] for memory in result["results"]]
        if result["next"] is None:
            break
        page += 1
    assert len(seen) == len(set(seen)) == total
    everything = await call("get_all", filters={"AND": [{"user_id": user}, {"run_id": "r1"}]})
    assert green in [memory["id"] for memory in everything["results"]]
    assert all(memory["session_id"] == "r1" for memory in everything["results"])
    future = await call("get_all", filters={"user_id": user}, start_date="2999-01-01")
    assert future["count"] == 0


async def check_one(call, user, green):
    memory = await call("get", green)
    assert memory["memory"] == own(green)["memory"]
    assert (memory["app_id"], memory["run_id"]) == ("kitchen", "r1")
    assert memory["metadata"] == {"kind": "tea", "cups": 2}

    await call("update", green, text="Green tea after dinner")
    await call("update", green, UpdateMemoryOptions(metadata={"kind": "tea", "cups": 3}))
    updated = await call("update", green, expiration_date=None)
    assert updated["memory"] == own(green)["memory"] == "Green tea after dinner"
    assert own(green)["metadata"] == {"kind": "tea", "cups": 3, "app_id": "kitchen"}

    history = await call("history", green)
    assert [entry["event"] for entry in history] == ["ADD", "UPDATE", "UPDATE", "UPDATE"]
    assert history[1]["old_memory"] == "Green tea after lunch"
    records = v1.get(f"/v1/memories/{green}/history").json()["results"]
    assert [entry["id"] for entry in history] == [record["id"] for record in records]

    given = await call("feedback", green, "POSITIVE", "Correct")
    stored = v1.get(f"/v1/memories/{green}/feedback").json()["feedback"]
    assert given["feedback"] == "POSITIVE" and stored["rating"] == "positive"
    assert stored["reason"] == "Correct" and stored["id"] == given["id"]
    await call("feedback", green)
    assert v1.get(f"/v1/memories/{green}/feedback").json()["feedback"] is None
    await call.refused(MemoryNotFoundError, "get", "mem_01zzzzzzzzzzzzzzzzzzzzzzzz")


async def check_deletions(call, user, green, black):
    message = await call("batch_update", [{"memory_id": green, "text": "White tea"}])
    assert message["message"] == "Successfully updated 1 memories" and own(green)["memory"] == "White tea"
    await call("batch_delete", [{"memory_id": green}])
    assert own(green) is None
    deleted = await call("delete", black)
    assert deleted == {"message": "Memory deleted successfully!"} and own(black) is None
    await call.refused(MemoryNotFoundError, "delete", black)
    linked = (await call("add", "Tea", user_id=user, infer=False))["results"][0]["id"]
    assert (await call("delete", linked, delete_linked=True))["cascade_count"] == 0

    await call.refused(ValidationError, "delete_all")
    await call.refused(ValidationError, "delete_all", user_id="*")
    await call("add", "Kept", user_id=user, agent_id="cook", infer=False)
    await call("delete_all", user_id=user, run_id="r1")
    assert v1.get("/v1/memories", params={"user_id": user}).json()["results"] != []
    await call("delete_all", DeleteAllMemoryOptions(filters={"user_id": user}))
    assert v1.get("/v1/memories", params={"user_id": user}).json()["results"] == []


async def check_entities(call, user):
    await call("add", "Tea", user_id=user, agent_id="cook", run_id="r1", infer=False)
    await call("add", "Coffee", app_id="kitchen", infer=False)
    users = await call("users")
    listed = {(entity["type"], entity["name"]) for entity in users["results"]}
    records = v1.get("/v1/entities").json()["results"]
    assert listed == {(record["type"], record["id"]) for record in records}
    assert users["count"] == len(listed) and users["next"] is None
    await call("delete_users", agent_id="cook")
    assert (await call("get_all", filters={"user_id": user}))["count"] == 0
    await call("delete_users", app_id="kitchen")
    await call("add", "Tea", user_id=user, run_id="r2", infer=False)
    await call("reset")
    assert v1.get("/v1/entities").json()["results"] == []


async def check_refusals(call):
    for method, args in [
        ("get_summary", []),
        ("get_profile", ["ana"]),
        ("create_memory_export", ["{}"]),
        ("get_webhooks", ["project"]),
        ("get_project", []),
    ]:
        error = await call.refused(MemoryError, method, *args)
        assert "instead" in str(error) or "use" in str(error) or "describes" in str(error), error


async def check(client):
    call = Caller(client)
    user = f"ana-{type(client).__name__}"
    assert client.org_id == "commonplace" and client.project_id.startswith("proj_")
    green, black = await check_add(call, user)
    await check_search(call, user, green, black)
    await check_get_all(call, user, green)
    await check_one(call, user, green)
    await check_deletions(call, user, green, black)
    await check_entities(call, user)
    served = sorted(call.called)
    await check_refusals(call)
    print(f"{type(client).__name__}: {len(served)} methods: {', '.join(served)}")


async def main():
    await check(MemoryClient(api_key=KEY, host=HOST))
    async with AsyncMemoryClient(api_key=KEY, host=HOST) as client:
        await check(client)
    for client in (MemoryClient, AsyncMemoryClient):
        try:
            client(api_key="cpl_wrong", host=HOST)
        except ValueError as error:
            assert "API key" in str(error), error
        else:
            raise AssertionError("a wrong key was accepted")


sys.exit(asyncio.run(main()))
