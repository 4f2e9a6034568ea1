"""What the tools of all frameworks do. Each framework wraps these functions in its own way."""

from __future__ import annotations

from ._async.client import AsyncCommonplace
from ._sync.client import Commonplace
from .errors import APIError, InvalidRequest, TooLarge
from .models import SearchDocumentsResponse, SearchMemoriesResponse

REMEMBER = (
    "Stores something worth remembering in later conversations, as one sentence in the third "
    "person, e.g. 'The user is allergic to peanuts'."
)
RECALL = "Finds what is remembered from earlier conversations about a topic or a question."
SEARCH_DOCUMENTS = (
    "Finds passages in the stored documents. Each has a citation to quote: document id and bytes."
)

NOTHING_FOUND = "Nothing found"

# The most passages that the service returns for a search without filters.
MAX_PASSAGES = 20

# Length of the longest query that the service accepts, in UTF-16 units.
MAX_QUERY_LENGTH = 8_000

# Errors about what a model or a user wrote. Any other one is about the service or the client.
REFUSED = (InvalidRequest, TooLarge)


def storable(text: str) -> str:
    """Returns a text without what the service refuses: NUL, and halves of surrogate pairs."""
    return text.replace("\0", " ").encode(errors="ignore").decode()


def cut_query(text: str) -> str:
    """Returns the beginning of a text that can be searched for: messages can be of any length."""
    text = storable(text)
    if len(text) * 2 <= MAX_QUERY_LENGTH:
        return text
    # A character outside the basic plane is two units, which stay together.
    units = text.encode("utf-16-le")[: MAX_QUERY_LENGTH * 2]
    return units.decode("utf-16-le", "ignore")


def _memories(found: SearchMemoriesResponse) -> str:
    lines = []
    for memory in found.results:
        date = (memory.event_date or memory.created_at)[:10]
        ended = f", until {memory.valid_to[:10]}" if memory.valid_to else ""
        lines.append(f"- {memory.memory} ({date}{ended})")
    return "\n".join(lines) or NOTHING_FOUND


def _passages(found: SearchDocumentsResponse) -> str:
    return (
        "\n\n".join(
            f"[{hit.document.source_key}, {hit.document.id}, "
            f"bytes {hit.chunk.start_byte}-{hit.chunk.end_byte}]\n{hit.chunk.content}"
            for hit in found.results
        )
        or NOTHING_FOUND
    )


def _refusal(error: APIError) -> str:
    """Returns what the model reads, so that it can try again. An exception would end its run."""
    return f"Error: {error}"


class MemoryTools:
    def __init__(self, client: Commonplace, limit: int) -> None:
        self._client = client
        self._limit = limit
        self._max_passages = min(limit, MAX_PASSAGES)

    def remember(self, content: str) -> str:
        try:
            self._client.memories.add(content)
        except REFUSED as error:
            return _refusal(error)
        return "Stored"

    def recall(self, query: str) -> str:
        try:
            found = self._client.memories.search(cut_query(query), top_k=self._limit)
        except REFUSED as error:
            return _refusal(error)
        return _memories(found)

    def search_documents(self, query: str) -> str:
        try:
            found = self._client.documents.search(cut_query(query), limit=self._max_passages)
        except REFUSED as error:
            return _refusal(error)
        return _passages(found)


class AsyncMemoryTools:
    def __init__(self, client: AsyncCommonplace, limit: int) -> None:
        self._client = client
        self._limit = limit
        self._max_passages = min(limit, MAX_PASSAGES)

    async def remember(self, content: str) -> str:
        try:
            await self._client.memories.add(content)
        except REFUSED as error:
            return _refusal(error)
        return "Stored"

    async def recall(self, query: str) -> str:
        try:
            found = await self._client.memories.search(cut_query(query), top_k=self._limit)
        except REFUSED as error:
            return _refusal(error)
        return _memories(found)

    async def search_documents(self, query: str) -> str:
        try:
            found = await self._client.documents.search(cut_query(query), limit=self._max_passages)
        except REFUSED as error:
            return _refusal(error)
        return _passages(found)
