"""Files to upload: their bytes, size, hash and media type."""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections.abc import Callable, Iterator
from copy import copy
from pathlib import Path
from typing import Any, BinaryIO

from .errors import CommonplaceError

CHUNK_BYTES = 256 * 1024

# A path, the bytes themselves, or an open binary file.
FileSource = str | os.PathLike[str] | bytes | BinaryIO

_OFFICE = "application/vnd.openxmlformats-officedocument."
_OPEN_DOCUMENT = "application/vnd.oasis.opendocument."

_MEDIA_TYPES = {
    "pdf": "application/pdf",
    "doc": "application/msword",
    "docx": f"{_OFFICE}wordprocessingml.document",
    "ppt": "application/vnd.ms-powerpoint",
    "pptx": f"{_OFFICE}presentationml.presentation",
    "xls": "application/vnd.ms-excel",
    "xlsx": f"{_OFFICE}spreadsheetml.sheet",
    "odt": f"{_OPEN_DOCUMENT}text",
    "ods": f"{_OPEN_DOCUMENT}spreadsheet",
    "odp": f"{_OPEN_DOCUMENT}presentation",
    "rtf": "application/rtf",
    "epub": "application/epub+zip",
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "tif": "image/tiff",
    "tiff": "image/tiff",
    "bmp": "image/bmp",
    "webp": "image/webp",
    "eml": "message/rfc822",
    "json": "application/json",
    "xml": "application/xml",
    "yaml": "application/yaml",
    "yml": "application/yaml",
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "html": "text/html",
    "htm": "text/html",
    "md": "text/markdown",
}


def media_type_of(filename: str) -> str:
    """Returns the media type of a file, by the ending of its name. Defaults to plain text."""
    return _MEDIA_TYPES.get(filename.rpartition(".")[2].lower(), "text/plain")


def read_json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def write_json(path: Path, value: Any) -> None:
    """Writes a file, which is complete or isn't there."""
    part = path.with_name(f"{path.name}.part")
    part.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    part.replace(path)


class FileContent:
    """The content of a file, which can be read any number of times."""

    def __init__(self, source: FileSource) -> None:
        self.name: str | None = None
        self._on_sent: Callable[[int], None] | None = None
        self._path: Path | None = None
        self._data = b""
        if isinstance(source, (str, os.PathLike)):
            self._path = Path(source)
            self.name = self._path.name
            self.size = self._path.stat().st_size
            return
        if isinstance(source, (bytes, bytearray, memoryview)):
            self._data = bytes(source)
        else:
            self._data = source.read()
            name = getattr(source, "name", None)
            self.name = Path(name).name if isinstance(name, str) else None
        if not isinstance(self._data, bytes):
            raise CommonplaceError('Expected a file opened with mode "rb"')
        self.size = len(self._data)

    def reporting(self, on_sent: Callable[[int], None]) -> FileContent:
        """Returns the same content, which reports the number of bytes that were sent so far."""
        content = copy(self)
        content._on_sent = on_sent
        return content

    def sha256(self) -> str:
        digest = hashlib.sha256()
        for chunk in self.chunks():
            digest.update(chunk)
        return digest.hexdigest()

    def chunks(self) -> Iterator[bytes]:
        with self._open() as file:
            while chunk := file.read(CHUNK_BYTES):
                yield chunk

    def on_sent(self, sent: int) -> None:
        """Reports the number of bytes that were sent so far."""
        if self._on_sent:
            self._on_sent(sent)

    def _open(self) -> BinaryIO:
        return io.BytesIO(self._data) if self._path is None else self._path.open("rb")
