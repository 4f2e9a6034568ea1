"""Exports and imports: snapshots of a whole project, and files of other products."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import anyio.to_thread

from .._files import FileContent, FileSource, read_json, write_json
from .._http import ApiRequest, make_path
from .._scope import DEFAULT, ScopeId, without_none
from ..errors import CommonplaceError
from ..models import ImportReport, Operation
from .caller import AsyncCaller
from .operations import AsyncOperations

# Time for the service to read a snapshot.
TRANSFER_SECONDS = 3600.0

Progress = Callable[[Operation], None]


class AsyncExports:
    def __init__(self, caller: AsyncCaller, operations: AsyncOperations) -> None:
        self._caller = caller
        self._operations = operations

    async def create(self, *, idempotency_key: str | None = None) -> Operation:
        """Starts an export. The result of the operation is the snapshot."""
        request = ApiRequest("POST", "/v1/exports", idempotency_key=idempotency_key)
        return await self._caller.fetch(Operation, request)

    async def file(self, format: str, *, idempotency_key: str | None = None) -> Operation:
        """Starts an export in an open format. `operations.file` returns its archive."""
        path = make_path("/v1/exports/{}", format)
        request = ApiRequest("POST", path, idempotency_key=idempotency_key)
        return await self._caller.fetch(Operation, request)

    async def load(
        self, *, timeout: float = 600.0, on_progress: Progress | None = None
    ) -> dict[str, Any]:
        """Exports the project and returns its snapshot."""
        operation = await self.create()
        ended = await self._operations.wait(operation.id, timeout, on_progress)
        if ended.result is None:
            raise CommonplaceError(f"Export {operation.id} has no result")
        return ended.result

    async def save(
        self,
        path: str | os.PathLike[str],
        *,
        timeout: float = 600.0,
        on_progress: Progress | None = None,
    ) -> None:
        """Exports the project into a file, which is complete or isn't there."""
        snapshot = await self.load(timeout=timeout, on_progress=on_progress)
        await anyio.to_thread.run_sync(write_json, Path(path), snapshot)


class AsyncImports:
    def __init__(self, caller: AsyncCaller, operations: AsyncOperations) -> None:
        self._caller = caller
        self._operations = operations

    async def create(
        self, snapshot: Mapping[str, Any], *, idempotency_key: str | None = None
    ) -> Operation:
        """Starts an import into the key's project, which must be empty."""
        request = ApiRequest(
            "POST",
            "/v1/imports",
            body={"snapshot": snapshot},
            idempotency_key=idempotency_key,
            timeout=TRANSFER_SECONDS,
        )
        return await self._caller.fetch(Operation, request)

    async def load(
        self,
        snapshot: Mapping[str, Any] | str | os.PathLike[str],
        *,
        timeout: float = 600.0,
        on_progress: Progress | None = None,
    ) -> Operation:
        """Imports a snapshot, or a file with one, and waits until its records are there."""
        data: Mapping[str, Any] = (
            await anyio.to_thread.run_sync(read_json, Path(snapshot))
            if isinstance(snapshot, (str, os.PathLike))
            else snapshot
        )
        operation = await self.create(data)
        return await self._operations.wait(operation.id, timeout, on_progress)

    async def file(
        self,
        format: str,
        file: FileSource,
        *,
        infer: bool | None = None,
        filename: str | None = None,
        user_id: ScopeId = DEFAULT,
        agent_id: ScopeId = DEFAULT,
        run_id: ScopeId = DEFAULT,
        idempotency_key: str | None = None,
    ) -> Operation:
        """Starts an import of a file of another product. Its records are added to the project."""
        scope = self._caller.scope(user_id, agent_id, run_id)
        content = await anyio.to_thread.run_sync(FileContent, file)
        query = {**scope, "infer": infer, "filename": filename or content.name}
        request = ApiRequest(
            "POST",
            make_path("/v1/imports/{}", format),
            query=without_none(query),
            content=content,
            idempotency_key=idempotency_key,
            timeout=TRANSFER_SECONDS,
        )
        return await self._caller.fetch(Operation, request)

    async def report(
        self,
        format: str,
        file: FileSource,
        *,
        infer: bool | None = None,
        filename: str | None = None,
        user_id: ScopeId = DEFAULT,
        agent_id: ScopeId = DEFAULT,
        run_id: ScopeId = DEFAULT,
    ) -> ImportReport:
        """Reports what an import of a file would do, and changes nothing."""
        scope = self._caller.scope(user_id, agent_id, run_id)
        content = await anyio.to_thread.run_sync(FileContent, file)
        query = {**scope, "infer": infer, "filename": filename or content.name, "dry_run": True}
        request = ApiRequest(
            "POST",
            make_path("/v1/imports/{}", format),
            query=without_none(query),
            content=content,
            timeout=TRANSFER_SECONDS,
        )
        return await self._caller.fetch(ImportReport, request)
