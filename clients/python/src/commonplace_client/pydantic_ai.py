"""Pydantic AI: a toolset that remembers and recalls.

Needs `pip install "commonplace-client[pydantic-ai]"`.
"""

from __future__ import annotations

from typing import Any

from pydantic_ai.toolsets import FunctionToolset

from ._async.client import AsyncCommonplace
from ._tools import RECALL, REMEMBER, SEARCH_DOCUMENTS, AsyncMemoryTools


def memory_toolset(
    client: AsyncCommonplace, *, limit: int = 5, id: str = "commonplace"
) -> FunctionToolset[Any]:
    """Returns the tools `remember`, `recall` and `search_documents`, in the client's scope."""
    tools = AsyncMemoryTools(client, limit)
    toolset: FunctionToolset[Any] = FunctionToolset(id=id)
    toolset.add_function(tools.remember, name="remember", description=REMEMBER)
    toolset.add_function(tools.recall, name="recall", description=RECALL)
    toolset.add_function(
        tools.search_documents, name="search_documents", description=SEARCH_DOCUMENTS
    )
    return toolset
