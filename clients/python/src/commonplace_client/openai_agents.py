"""OpenAI Agents: function tools that remember and recall.

Needs `pip install "commonplace-client[openai-agents]"`.
"""

from __future__ import annotations

from agents import Tool, function_tool

from ._async.client import AsyncCommonplace
from ._tools import RECALL, REMEMBER, SEARCH_DOCUMENTS, AsyncMemoryTools


def memory_tools(client: AsyncCommonplace, *, limit: int = 5) -> list[Tool]:
    """Returns the tools `remember`, `recall` and `search_documents`, in the client's scope."""
    tools = AsyncMemoryTools(client, limit)
    return [
        function_tool(tools.remember, description_override=REMEMBER),
        function_tool(tools.recall, description_override=RECALL),
        function_tool(tools.search_documents, description_override=SEARCH_DOCUMENTS),
    ]
