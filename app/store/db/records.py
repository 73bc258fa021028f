"""Makes the domain's dataclasses from rows whose columns have the names of their fields."""

import sqlite3
from collections.abc import Callable
from dataclasses import fields
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from typing import Any, TypeVar, cast, get_type_hints

from app.store.db.times import from_ms, optional_instant

T = TypeVar("T")


def record(make: type[T], row: sqlite3.Row, **given: object) -> T:
    """A dataclass from a row and the fields in `given`, which need more than a column of their own.

    Flags, enumerations and times (Unix milliseconds) are converted by the field's type. Other columns are passed as they are.
    """
    columns = row.keys()
    converters = _converters(cast(object, make)).items()
    values = {name: convert(row[name]) for name, convert in converters if name in columns and name not in given}
    return make(**values, **given)


@lru_cache
def _converters(make: Any) -> dict[str, Callable[[Any], object]]:
    types = get_type_hints(make)
    return {field.name: _converter(types[field.name]) for field in fields(make)}


def _converter(kind: Any) -> Callable[[Any], object]:
    if kind is datetime:
        return from_ms
    if kind == datetime | None:
        return optional_instant
    if kind is bool or (isinstance(kind, type) and issubclass(kind, StrEnum)):
        return kind
    return _unchanged


def _unchanged(value: object) -> object:
    return value
