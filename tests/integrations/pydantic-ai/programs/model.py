"""A model without a network: it calls one tool, and repeats what the tool returned."""

from __future__ import annotations

from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel


def respond(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Calls `remember` with what the user asks to remember, and else `recall`."""
    part = messages[-1].parts[-1]
    if isinstance(part, ToolReturnPart):
        return ModelResponse(parts=[TextPart(str(part.content))])
    assert isinstance(part, UserPromptPart)
    text = str(part.content)
    fact = text.removeprefix("Remember: ")
    if fact == text:
        return ModelResponse(parts=[ToolCallPart("recall", {"query": text})])
    return ModelResponse(parts=[ToolCallPart("remember", {"content": fact})])


model = FunctionModel(respond)
