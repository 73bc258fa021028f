"""`Record`, the base class of immutable values, and `replace`, which copies one with changes."""

import dataclasses
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

import msgspec.structs

asdict = msgspec.structs.asdict
T = TypeVar("T")

if TYPE_CHECKING:
    from dataclasses import replace as replace  # mypy checks the names and types of the changes
else:

    def replace(one: T, /, **changes: Any) -> T:
        """A copy of a record or dataclass."""
        return (msgspec.structs if isinstance(one, msgspec.Struct) else dataclasses).replace(one, **changes)


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Record(msgspec.Struct, frozen=True):
    """Immutable, comparable and hashable by its fields. A class takes 0.03 ms to create, a frozen dataclass 1.3 ms."""
