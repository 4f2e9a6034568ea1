"""The scope of a call, and the defaults of a client."""

from __future__ import annotations

import enum
from typing import Any, Final, Literal


class _Default(enum.Enum):
    DEFAULT = "DEFAULT"

    def __repr__(self) -> str:
        return "DEFAULT"


#: The value that the client was created with.
DEFAULT: Final = _Default.DEFAULT

# An id, None for none, or the client's own.
ScopeId = str | None | Literal[_Default.DEFAULT]


def without_none(fields: dict[str, Any]) -> dict[str, Any]:
    """Returns the fields that were given."""
    return {name: value for name, value in fields.items() if value is not None}
