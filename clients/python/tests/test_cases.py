"""Runs clients/cases/cases.json with both clients against a real server."""

from __future__ import annotations

import asyncio
import inspect
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from case_table import (
    CASES,
    NAMES,
    RUNS,
    call_options,
    check_error,
    check_expectations,
    check_progress,
    client_options,
    resolve,
)

from commonplace_client import AsyncCommonplace, Commonplace, CommonplaceError


def invoke(
    client: Any, step: dict[str, Any], saved: dict[str, Any], number: int, calls: Any
) -> Any:
    """Calls the method of a step."""
    method = client
    for name in step["call"].split("."):
        method = getattr(method, name)
    progress = {"on_progress": calls.append} if "progress" in step else {}
    return method(
        *resolve(step.get("args", []), saved, number),
        **resolve(step.get("fields", {}), saved, number),
        **call_options(step, saved),
        **progress,
    )


def run_sync(client: Commonplace, step: dict[str, Any], saved: Any, number: int, calls: Any) -> Any:
    result = invoke(client, step, saved, number, calls)
    if "wait" in step:
        result = result.wait(timeout=step["wait"]["timeout_seconds"])
    if "collect" in step:
        result = list(result.pages() if step["collect"] == "pages" else result)
    return result


async def run_async(
    client: AsyncCommonplace, step: dict[str, Any], saved: Any, number: int, calls: Any
) -> Any:
    result = invoke(client, step, saved, number, calls)
    if inspect.isawaitable(result):
        result = await result
    if "wait" in step:
        result = await result.wait(timeout=step["wait"]["timeout_seconds"])
    if "collect" in step:
        records = result.pages() if step["collect"] == "pages" else result
        result = [record async for record in records]
    return result


def check(step: dict[str, Any], result: Any, error: Any, saved: Any, calls: list[Any]) -> None:
    if "error" in step:
        check_error(step, error)
        return
    if error is not None:
        raise error
    check_expectations(step, result, saved)
    if "progress" in step:
        check_progress(step, calls, result)


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_sync(case: dict[str, Any]) -> None:
    saved: dict[str, Any] = {}
    for step in case["steps"]:
        calls: list[Any] = []
        result, error = None, None
        with Commonplace(**client_options(case, step, RUNS["sync"])) as client:
            try:
                with ThreadPoolExecutor(step.get("concurrency", 1)) as pool:
                    results = pool.map(
                        lambda i: run_sync(client, step, saved, i, calls),  # noqa: B023
                        range(step.get("repeat", 1)),
                    )
                    result = list(results)[-1]
            except CommonplaceError as raised:
                error = raised
        check(step, result, error, saved, calls)


@pytest.mark.parametrize("case", CASES, ids=NAMES)
async def test_async(case: dict[str, Any]) -> None:
    saved: dict[str, Any] = {}
    for step in case["steps"]:
        calls: list[Any] = []
        result, error = None, None
        limit = asyncio.Semaphore(step.get("concurrency", 1))
        async with AsyncCommonplace(**client_options(case, step, RUNS["async"])) as client:

            async def run(number: int) -> Any:
                async with limit:  # noqa: B023
                    return await run_async(client, step, saved, number, calls)  # noqa: B023

            try:
                runs = [run(number) for number in range(step.get("repeat", 1))]
                result = (await asyncio.gather(*runs))[-1]
            except CommonplaceError as raised:
                error = raised
        check(step, result, error, saved, calls)
