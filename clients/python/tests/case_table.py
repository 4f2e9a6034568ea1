"""Reads the case table and checks results against it. See clients/cases/README.md."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from commonplace_client import APIError, errors, to_dict

RUNS: dict[str, Any] = json.loads(Path(os.environ["COMMONPLACE_CASES"]).read_text())
CASES: list[dict[str, Any]] = json.loads(Path(RUNS["sync"]["cases"]).read_text())["cases"]
NAMES = [case["name"] for case in CASES]

JSON_TYPES: dict[str, Any] = {
    "string": str,
    "number": (int, float),
    "object": dict,
    "array": list,
    "null": type(None),
}


def resolve(value: Any, saved: dict[str, Any], number: int) -> Any:
    """Returns an argument with saved values and made-up data filled in."""
    if isinstance(value, str):
        if value.startswith("$") and value[1:] in saved:
            return saved[value[1:]]
        return value.replace("$i", str(number))
    if isinstance(value, list):
        return [resolve(item, saved, number) for item in value]
    if isinstance(value, dict):
        made = made_up(value)
        if made is not None:
            return made
        return {key: resolve(item, saved, number) for key, item in value.items()}
    return value


def made_up(value: dict[str, Any]) -> str | bytes | None:
    """Returns made-up data, unless the object is a value of its own."""
    if "$text" in value:
        return str(value["$text"] * value["size"])[: value["size"]]
    return file_of(value["$file"]) if "$file" in value else None


def file_of(file: dict[str, Any]) -> bytes:
    begin, fill, end = (file[name].encode() for name in ("begin", "fill", "end"))
    padding = file["size"] - len(begin) - len(end)
    return bytes(begin + (fill * (padding // len(fill) + 1))[:padding] + end)


def value_at(result: Any, path: str) -> Any:
    """Returns the value at a path of the table."""
    name, _, field = path.partition(".")
    if path == "":
        return result
    if name == "distinct":
        return len({record[field] for record in result})
    if name == "length":
        return len(result)
    return value_at(result[int(name)] if isinstance(result, list) else result[name], field)


def check_expectations(step: dict[str, Any], result: Any, saved: dict[str, Any]) -> None:
    data = to_dict(result)
    for path, expected in step.get("expect", {}).items():
        check_value(value_at(data, path), resolve(expected, saved, 0), path)
    for name, path in step.get("save", {}).items():
        saved[name] = value_at(data, path)


def check_value(actual: Any, expected: Any, path: str) -> None:
    if isinstance(expected, dict) and any(key.startswith("$") for key in expected):
        if "$type" in expected:
            assert isinstance(actual, JSON_TYPES[expected["$type"]]), path
        if "$min" in expected:
            assert actual >= expected["$min"], path
        if "$contains" in expected:
            assert expected["$contains"] in actual, path
    else:
        assert actual == expected, path


def check_error(step: dict[str, Any], error: Exception | None) -> None:
    expected = step["error"]
    assert error is not None, f"Expected {expected}"
    assert isinstance(error, getattr(errors, expected["type"])), repr(error)
    if "status" in expected:
        assert error.status == expected["status"]
    if "code" in expected:
        assert error.code == expected["code"]
    if isinstance(error, APIError):
        assert error.request_id


def client_options(case: dict[str, Any], step: dict[str, Any], run: dict[str, Any]) -> Any:
    """Returns the options of the client for a step."""
    server = step.get("server", "record")
    url = run["unreachable_url"] if server == "unreachable" else f"{run['proxy_url']}/{server}"
    options = {"user_id": "ana", **step.get("client", {})}
    if "timeout_seconds" in options:
        options["timeout"] = options.pop("timeout_seconds")
    key = run["keys"][case["name"]][step.get("key", "full")]
    return {"base_url": url, "api_key": key, **options}


def call_options(step: dict[str, Any], saved: dict[str, Any]) -> dict[str, Any]:
    """Returns the options of a call, as keyword arguments."""
    options: dict[str, Any] = resolve(step.get("options", {}), saved, 0)
    if "timeout_seconds" in options:
        options["timeout"] = options.pop("timeout_seconds")
    return options


def check_progress(step: dict[str, Any], calls: list[Any], result: Any) -> None:
    if step["progress"] == "states":
        assert calls[-1] == result
        return
    sending = [call for call in calls if call.stage == "sending"]
    sent = [call.sent_bytes for call in sending]
    assert sent == sorted(sent)
    assert sent[-1] == sending[-1].total_bytes
    assert len(sent) > 1
    assert calls[-1].operation.status == "success"
