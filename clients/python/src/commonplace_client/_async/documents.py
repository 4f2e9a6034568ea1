"""Documents: exact sources, their passages, and files that become documents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, overload

import anyio.to_thread

from .._files import FileContent, FileSource, media_type_of
from .._http import ApiRequest, make_path
from .._scope import DEFAULT, ScopeId, without_none
from ..errors import CommonplaceError
from ..models import (
    Chunk,
    CompleteUploadResponse,
    CreateUploadResponse,
    DeleteDocumentResponse,
    Document,
    GetDocumentContentResponse,
    GetUploadResponse,
    IngestDocumentResponse,
    Operation,
    SearchDocumentsResponse,
    SourceAsset,
)
from ..types import UploadProgress
from .caller import AsyncCaller
from .operations import AsyncOperations
from .pages import AsyncPages


class AsyncUploads:
    """The single steps of an upload. `documents.upload` takes them all."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def create(
        self,
        *,
        filename: str,
        size_bytes: int,
        content_type: str,
        checksum_sha256: str | None = None,
        source_key: str | None = None,
        title: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        user_id: ScopeId = DEFAULT,
        agent_id: ScopeId = DEFAULT,
        run_id: ScopeId = DEFAULT,
        idempotency_key: str | None = None,
    ) -> CreateUploadResponse:
        """Announces a file."""
        body = {
            "filename": filename,
            "size_bytes": size_bytes,
            "content_type": content_type,
            "checksum_sha256": checksum_sha256,
            "source_key": source_key,
            "title": title,
            "metadata": metadata,
            **self._caller.scope(user_id, agent_id, run_id),
        }
        request = ApiRequest(
            "POST",
            "/v1/document-uploads",
            body=without_none(body),
            idempotency_key=idempotency_key,
        )
        return await self._caller.fetch(CreateUploadResponse, request)

    async def put(
        self, id: str, file: FileSource, on_sent: Callable[[int], None] | None = None
    ) -> None:
        """Sends the content, and reports the number of bytes that were sent so far."""
        content = await anyio.to_thread.run_sync(FileContent, file)
        await self._send(id, content.reporting(on_sent) if on_sent else content)

    async def _send(self, id: str, content: FileContent) -> None:
        path = make_path("/v1/document-uploads/{}/content", id)
        await self._caller.send(ApiRequest("PUT", path, content=content))

    async def complete(
        self, id: str, *, idempotency_key: str | None = None
    ) -> CompleteUploadResponse:
        """Starts the extraction."""
        path = make_path("/v1/document-uploads/{}/complete", id)
        request = ApiRequest("POST", path, idempotency_key=idempotency_key)
        return await self._caller.fetch(CompleteUploadResponse, request)

    async def get(self, id: str) -> GetUploadResponse:
        request = ApiRequest("GET", make_path("/v1/document-uploads/{}", id))
        return await self._caller.fetch(GetUploadResponse, request)

    async def delete(self, id: str, *, idempotency_key: str | None = None) -> None:
        """Cancels an upload that isn't a document yet."""
        path = make_path("/v1/document-uploads/{}", id)
        await self._caller.send(ApiRequest("DELETE", path, idempotency_key=idempotency_key))


class AsyncDocuments:
    def __init__(
        self, caller: AsyncCaller, operations: AsyncOperations, uploads: AsyncUploads
    ) -> None:
        self._caller = caller
        self._operations = operations
        self._uploads = uploads

    async def add(
        self,
        content: str,
        *,
        source_key: str | None = None,
        title: str | None = None,
        mime_type: str | None = None,
        source_uri: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        user_id: ScopeId = DEFAULT,
        agent_id: ScopeId = DEFAULT,
        run_id: ScopeId = DEFAULT,
        idempotency_key: str | None = None,
    ) -> IngestDocumentResponse:
        """Stores a text of up to 1,000,000 bytes, as a new version if its source exists."""
        body = {
            "content": content,
            "source_key": source_key,
            "title": title,
            "mime_type": mime_type,
            "source_uri": source_uri,
            "metadata": metadata,
            **self._caller.scope(user_id, agent_id, run_id),
        }
        request = ApiRequest(
            "POST", "/v1/documents", body=without_none(body), idempotency_key=idempotency_key
        )
        return await self._caller.fetch(IngestDocumentResponse, request)

    @overload
    async def upload(
        self,
        file: FileSource,
        *,
        wait: Literal[False],
        filename: str | None = ...,
        content_type: str | None = ...,
        source_key: str | None = ...,
        title: str | None = ...,
        metadata: Mapping[str, Any] | None = ...,
        user_id: ScopeId = ...,
        agent_id: ScopeId = ...,
        run_id: ScopeId = ...,
        timeout: float = ...,
        on_progress: Callable[[UploadProgress], None] | None = ...,
        idempotency_key: str | None = ...,
    ) -> SourceAsset: ...

    @overload
    async def upload(
        self,
        file: FileSource,
        *,
        wait: Literal[True] = ...,
        filename: str | None = ...,
        content_type: str | None = ...,
        source_key: str | None = ...,
        title: str | None = ...,
        metadata: Mapping[str, Any] | None = ...,
        user_id: ScopeId = ...,
        agent_id: ScopeId = ...,
        run_id: ScopeId = ...,
        timeout: float = ...,
        on_progress: Callable[[UploadProgress], None] | None = ...,
        idempotency_key: str | None = ...,
    ) -> Document: ...

    async def upload(
        self,
        file: FileSource,
        *,
        wait: bool = True,
        filename: str | None = None,
        content_type: str | None = None,
        source_key: str | None = None,
        title: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        user_id: ScopeId = DEFAULT,
        agent_id: ScopeId = DEFAULT,
        run_id: ScopeId = DEFAULT,
        timeout: float = 600.0,
        on_progress: Callable[[UploadProgress], None] | None = None,
        idempotency_key: str | None = None,
    ) -> Document | SourceAsset:
        """Stores a file: announces it with its SHA-256, sends it, and waits for its text.

        `file` is a path, the bytes, or an open binary file. `timeout` limits the extraction, in
        seconds. Raises OperationFailed if the text can't be extracted. With `wait=False`, returns
        as soon as the file is sent.
        """
        content = await anyio.to_thread.run_sync(FileContent, file)
        name = filename or content.name or source_key
        if name is None:
            raise CommonplaceError("Expected a filename for this content")
        created = await self._uploads.create(
            filename=name,
            size_bytes=content.size,
            content_type=content_type or media_type_of(name),
            checksum_sha256=await anyio.to_thread.run_sync(content.sha256),
            source_key=source_key,
            title=title,
            metadata=metadata,
            user_id=user_id,
            agent_id=agent_id,
            run_id=run_id,
            idempotency_key=idempotency_key,
        )
        id = created.source_asset.id

        def report(sent: int, operation: Operation | None = None) -> None:
            if on_progress:
                on_progress(
                    UploadProgress(
                        stage="extracting" if operation else "sending",
                        sent_bytes=sent,
                        total_bytes=content.size,
                        operation=operation,
                    )
                )

        await self._uploads._send(id, content.reporting(report))
        completed = await self._uploads.complete(id)
        if not wait:
            return completed.source_asset
        await self._operations.wait(
            completed.operation.id, timeout, lambda operation: report(content.size, operation)
        )
        document_id = (await self._uploads.get(id)).source_asset.document_id
        if document_id is None:
            raise CommonplaceError(f"Upload {id} has no document")
        return await self.get(document_id)

    async def search(
        self,
        query: str,
        *,
        source_key: str | None = None,
        filters: Mapping[str, Any] | None = None,
        limit: int | None = None,
        neighbors: int | None = None,
        user_id: ScopeId = DEFAULT,
        agent_id: ScopeId = DEFAULT,
        run_id: ScopeId = DEFAULT,
    ) -> SearchDocumentsResponse:
        """Finds passages of the current versions by words and by meaning.

        `limit` is the number of results, at most 20 without `filters` and 50 with them, and
        `neighbors` that of chunks around each.
        """
        body = {
            "query": query,
            "source_key": source_key,
            "filters": filters,
            "limit": limit,
            "neighbors": neighbors,
            **self._caller.scope(user_id, agent_id, run_id),
        }
        request = ApiRequest("POST", "/v1/documents/search", body=without_none(body), reads=True)
        return await self._caller.fetch(SearchDocumentsResponse, request)

    def list(
        self,
        *,
        source_key: str | None = None,
        filters: Mapping[str, Any] | None = None,
        limit: int | None = None,
        user_id: ScopeId = DEFAULT,
        agent_id: ScopeId = DEFAULT,
        run_id: ScopeId = DEFAULT,
    ) -> AsyncPages[Document]:
        """Lists the current versions, newest first. `limit` is the size of a page."""
        query = {
            "source_key": source_key,
            "filters": filters,
            "limit": limit,
            **self._caller.scope(user_id, agent_id, run_id),
        }
        return self._caller.list(Document, "/v1/documents", query)

    async def get(self, id: str) -> Document:
        request = ApiRequest("GET", make_path("/v1/documents/{}", id))
        return await self._caller.fetch(Document, request)

    async def content(self, id: str) -> GetDocumentContentResponse:
        """Returns the exact text, or the Markdown that was extracted from a file."""
        request = ApiRequest("GET", make_path("/v1/documents/{}/content", id))
        return await self._caller.fetch(GetDocumentContentResponse, request)

    def chunks(self, id: str, *, limit: int | None = None) -> AsyncPages[Chunk]:
        """Lists the chunks of one version, in order."""
        path = make_path("/v1/documents/{}/chunks", id)
        return self._caller.list(Chunk, path, {"limit": limit})

    async def delete(
        self, id: str, *, idempotency_key: str | None = None
    ) -> DeleteDocumentResponse:
        """Deletes the source with all its versions."""
        path = make_path("/v1/documents/{}", id)
        request = ApiRequest("DELETE", path, idempotency_key=idempotency_key)
        return await self._caller.fetch(DeleteDocumentResponse, request)
