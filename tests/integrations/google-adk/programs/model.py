"""A model without a network: it repeats what its prompt contains from memory."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.genai import types


class MemoryEcho(BaseLlm):
    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        parts = [part for content in llm_request.contents for part in content.parts or []]
        prompt = "\n".join(part.text for part in parts if part.text)
        lines = [line for line in prompt.splitlines() if line.startswith("user: ")]
        text = "\n".join(lines) or "Nothing is remembered"
        content = types.Content(role="model", parts=[types.Part(text=text)])
        # Without it, the runner logs a warning.
        usage = types.GenerateContentResponseUsageMetadata(
            prompt_token_count=1, candidates_token_count=1, total_token_count=2
        )
        yield LlmResponse(content=content, usage_metadata=usage)


model = MemoryEcho(model="memory-echo")
