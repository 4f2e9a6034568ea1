"""A model without a network: it calls one tool, and repeats what the tool returned."""

from __future__ import annotations

import json
import uuid
from collections.abc import AsyncIterator
from typing import Any

from agents import Model, ModelResponse, Usage
from agents.items import TResponseStreamEvent
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)


class ToolCallingModel(Model):
    """Calls `remember` with what the user asks to remember, and else `recall`."""

    async def get_response(
        self, system_instructions: str | None, input: str | list[Any], *args: Any, **kwargs: Any
    ) -> ModelResponse:
        items = [{"role": "user", "content": input}] if isinstance(input, str) else input
        last = items[-1]
        if last.get("type") == "function_call_output":
            output: Any = _message(last["output"])
        else:
            output = _call(last["content"])
        return ModelResponse(output=[output], usage=Usage(), response_id=None)

    def stream_response(self, *args: Any, **kwargs: Any) -> AsyncIterator[TResponseStreamEvent]:
        raise NotImplementedError


def _call(text: str) -> ResponseFunctionToolCall:
    fact = text.removeprefix("Remember: ")
    name, arguments = (
        ("recall", {"query": text}) if fact == text else ("remember", {"content": fact})
    )
    return ResponseFunctionToolCall(
        call_id=uuid.uuid4().hex, name=name, arguments=json.dumps(arguments), type="function_call"
    )


def _message(text: str) -> ResponseOutputMessage:
    content = ResponseOutputText(text=text, type="output_text", annotations=[])
    return ResponseOutputMessage(
        id=uuid.uuid4().hex, role="assistant", status="completed", type="message", content=[content]
    )


model = ToolCallingModel()
