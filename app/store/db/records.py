"""Makes the domain's records from rows whose columns have the names of their fields, and inserts rows."""

import sqlite3
from collections.abc import Callable, Mapping
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from typing import Any, TypeVar, cast, get_type_hints

from app.store.db.codecs import storable
from app.store.db.times import from_ms, optional_instant, to_ms

T = TypeVar("T")


def record(make: type[T], row: sqlite3.Row, **given: object) -> T:
    """A record from a row and the fields in `given`, which need more than a column of their own.

    Flags, enumerations and times (Unix milliseconds) are converted by the field's type. Other columns are passed as they are.
    """
    fields = _fields(cast(object, make), tuple(row.keys()), tuple(given))
    return make(**{name: row[at] if convert is None else convert(row[at]) for name, at, convert in fields}, **given)


@lru_cache
def _fields(make: Any, columns: tuple[str, ...], given: tuple[str, ...]) -> list[tuple[str, int, Callable[[Any], object] | None]]:
    """The fields that a row has, each with its column and what converts it."""
    types = get_type_hints(make)
    names = (name for name in make.__struct_fields__ if name in columns and name not in given)
    return [(name, columns.index(name), _converter(types[name])) for name in names]


def _converter(kind: Any) -> Callable[[Any], object] | None:
    if kind is datetime:
        return from_ms
    if kind == datetime | None:
        return optional_instant
    if kind is bool or (isinstance(kind, type) and issubclass(kind, StrEnum)):
        converter: Callable[[Any], object] = kind
        return converter
    return None


def insert_row(connection: sqlite3.Connection, table: str, columns: Mapping[str, object], verb: str = "INSERT") -> int:
    """Inserts a row and returns its id. Texts are made storable, times become Unix milliseconds.

    `table`, `verb` and the names of the columns must come from code.
    """
    places = ", ".join("?" * len(columns))
    sql = " ".join((verb, "INTO", table, "(", ", ".join(columns), ") VALUES (", places, ")"))
    return connection.execute(sql, [_stored(one) for one in columns.values()]).lastrowid or 0


def _stored(value: object) -> Any:
    if isinstance(value, datetime):
        return to_ms(value)
    return storable(value) if isinstance(value, str) else value
