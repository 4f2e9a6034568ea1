"""Turns JSON into the dataclasses of `models.py`, and back."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")
Decoder = Callable[[Any], Any]


class DecodeError(ValueError):
    """A value doesn't have the shape of its type."""


def decode(type_: type[T], value: Any) -> T:
    """Returns a JSON value as an instance of a type.

    Unknown fields are ignored, so that a newer service can add some. Raises DecodeError if a field
    is missing.
    """
    return cast(T, _decoder(cast(Any, type_))(value))


def to_dict(value: Any) -> Any:
    """Returns a model, or a list of them, as plain data for `json.dumps`."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            _json_name(field.name): to_dict(getattr(value, field.name))
            for field in dataclasses.fields(value)
        }
    if isinstance(value, list):
        return [to_dict(item) for item in value]
    if isinstance(value, dict):
        return {key: to_dict(item) for key, item in value.items()}
    return value


def _json_name(name: str) -> str:
    # A field named like a Python keyword has an underscore at the end.
    return name.rstrip("_")


@cache
def _decoder(type_: Any) -> Decoder:
    origin = get_origin(type_)
    if dataclasses.is_dataclass(origin or type_):
        return _object_decoder(cast(type[Any], origin or type_), get_args(type_))
    if origin is list:
        return _list_decoder(_decoder(get_args(type_)[0]))
    if origin is dict:
        item = _decoder(get_args(type_)[1])
        return item if item is _plain else lambda value: {k: item(v) for k, v in value.items()}
    if origin in (Union, types.UnionType):
        return _union_decoder([_decoder(arg) for arg in get_args(type_) if arg is not type(None)])
    return _plain


def _plain(value: Any) -> Any:
    return value


def _list_decoder(item: Decoder) -> Decoder:
    def decode_list(value: Any) -> Any:
        if not isinstance(value, list):
            raise DecodeError("Expected a list")
        return [item(element) for element in value]

    return decode_list


def _union_decoder(options: list[Decoder]) -> Decoder:
    def decode_union(value: Any) -> Any:
        if value is None:
            return None
        for option in options[:-1]:
            try:
                return option(value)
            except DecodeError:
                continue
        return options[-1](value)

    return decode_union


def _object_decoder(type_: type[Any], arguments: tuple[Any, ...]) -> Decoder:
    def decode_object(value: Any) -> Any:
        if not isinstance(value, dict):
            raise DecodeError(f"Expected {type_.__name__}")
        values: dict[str, Any] = {}
        # Types refer to each other, so the fields are looked up here and not before.
        for name, json_name, required, decoder in _fields(cast(Any, type_), arguments):
            if json_name in value:
                values[name] = decoder(value[json_name])
            elif required:
                raise DecodeError(f"{type_.__name__} has no {json_name}")
        return type_(**values)

    return decode_object


@cache
def _fields(
    type_: type[Any], arguments: tuple[Any, ...]
) -> tuple[tuple[str, str, bool, Decoder], ...]:
    """Returns the name, the JSON name, whether it is required, and the decoder of each field."""
    hints = get_type_hints(type_)
    if arguments:
        # Fills in the parameters of a generic class.
        filled = dict(zip(type_.__parameters__, arguments, strict=True))
        hints = {
            name: hint[tuple(filled[parameter] for parameter in hint.__parameters__)]
            if getattr(hint, "__parameters__", ())
            else hint
            for name, hint in hints.items()
        }
    return tuple(
        (
            field.name,
            _json_name(field.name),
            field.default is dataclasses.MISSING,
            _decoder(hints[field.name]),
        )
        for field in dataclasses.fields(type_)
    )
