"""Reads what programs and libraries for Linux (ELF) say about the libraries they need, with nothing but Python.

Knows the 64-bit little-endian kind alone, the only one that Qt is offered for.
"""

from __future__ import annotations

import struct
from collections import defaultdict
from functools import cache
from mmap import ACCESS_READ, mmap
from pathlib import Path

KIND = b"\x7fELF\x02\x01"
"""The signature, 64 bits, the lowest byte first."""

SEGMENT = struct.Struct("<IIQQQQQQ")
ENTRY = struct.Struct("<qQ")
LOADED, DYNAMIC = 1, 2
END, NEEDED, STRINGS, RPATH, RUNPATH = 0, 1, 5, 15, 29


def is_binary(path: Path) -> bool:
    """Tell whether a file is a program or library."""
    with path.open("rb") as file:
        return file.read(4) == KIND[:4]


def needed(path: Path) -> tuple[str, ...]:
    """Name the libraries that a binary needs, without their folders."""
    return _dynamic(str(path), path.stat().st_mtime_ns).get(NEEDED, ())


def searched(path: Path) -> list[str]:
    """Name the folders in which a binary looks for libraries first."""
    said = _dynamic(str(path), path.stat().st_mtime_ns)
    return [folder for tag in (RPATH, RUNPATH) for line in said.get(tag, ()) for folder in line.split(":")]


@cache
def _dynamic(path: str, _changed_ns: int) -> dict[int, tuple[str, ...]]:
    """Read the words of the dynamic section, if any, by their tags."""
    with Path(path).open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
        if data[: len(KIND)] != KIND:
            raise ValueError(f"{path} is not ELF of 64 bits, lowest byte first")
        return _words(data)


def _words(data: mmap) -> dict[int, tuple[str, ...]]:
    (begin,), (size, count) = struct.unpack_from("<Q", data, 32), struct.unpack_from("<HH", data, 54)
    segments = [SEGMENT.unpack_from(data, begin + size * number) for number in range(count)]
    entries: list[tuple[int, int]] = []
    for kind, _, offset, _, _, length, _, _ in segments:
        if kind == DYNAMIC:
            entries += ENTRY.iter_unpack(data[offset : offset + length - length % ENTRY.size])
    ended = next((at for at, (tag, _) in enumerate(entries) if tag == END), len(entries))
    entries = entries[:ended]
    table = next((_offset(segments, value) for tag, value in entries if tag == STRINGS), 0)
    found: dict[int, tuple[str, ...]] = defaultdict(tuple)
    for tag, value in entries:
        if tag in (NEEDED, RPATH, RUNPATH):
            found[tag] += (_word(data, table + value),)
    return found


def _offset(segments: list[tuple[int, ...]], address: int) -> int:
    """Find the place in the file of what is loaded at an address."""
    for kind, _, offset, start, _, length, _, _ in segments:
        if kind == LOADED and start <= address < start + length:
            return offset + address - start
    raise ValueError(f"nothing is loaded at {address:#x}")


def _word(data: mmap, begin: int) -> str:
    return data[begin : data.find(b"\0", begin)].decode()
