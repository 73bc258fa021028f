"""Encodes values without a column type of their own as text or bytes: address lists, string lists, long texts."""

import json
import zlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeVar

from app.domain.mail.message import Address

T = TypeVar("T")

COMPRESS_FROM_BYTES = 4096
"""Below this zlib costs more time than it saves in pages."""

SOURCE_FROM_BYTES = 1024
"""Below this compression saves next to nothing."""

_PLAIN = b"p"
_ZLIB = b"z"
_ZSTD = b"s"

_encode_any = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _encode(value: list[str] | list[int | str]) -> str:
    return _encoded(value).decode("utf-8", "surrogatepass")


def _encoded(value: Sequence[str | int | tuple[str, str]]) -> bytes:
    """JSON in UTF-8. Text with lone surrogates goes through the standard library, because msgspec rejects it."""
    import msgspec  # imported late: the window reads only

    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        return _encode_any(value).encode("utf-8", "surrogatepass")


def pack_addresses(addresses: Sequence[Address]) -> str:
    """A flat JSON list: email, name, email, name. Empty for no addresses. The full-text index reads it as it is."""
    return _encode([part for one in addresses for part in (one.email, one.name)]) if addresses else ""


@lru_cache(maxsize=1024)
def unpack_addresses(packed: str) -> tuple[Address, ...]:
    if not packed:
        return ()
    parts = json.loads(packed)
    return tuple(Address(email, name) for email, name in zip(parts[::2], parts[1::2], strict=True))


def pack_strings(values: Iterable[str]) -> str:
    """A JSON list in the given order; empty text for no values."""
    listed = list(values)
    return _encode(listed) if listed else ""


def unpack_strings(packed: str) -> tuple[str, ...]:
    return tuple(json.loads(packed)) if packed else ()


def pack_json(value: object) -> str:
    """A dataclass or a tuple of them as JSON text; empty for none. Keeps lone surrogates."""
    import msgspec  # imported late: the first frame reads without it

    return json.dumps(msgspec.to_builtins(value), separators=(",", ":")) if value else ""


def unpack_json(packed: str, kind: type[T]) -> T | None:
    """Reverses `pack_json` for one value."""
    import msgspec

    return msgspec.convert(json.loads(packed), kind) if packed else None


def unpack_listed(packed: str, kind: type[T]) -> tuple[T, ...]:
    """Reverses `pack_json` for a tuple."""
    import msgspec

    return tuple(msgspec.convert(one, kind) for one in json.loads(packed)) if packed else ()


def pack_pairs(pairs: Sequence[tuple[str, str]]) -> bytes:
    """Header lines in order as a JSON list of pairs, compressed like `pack_text`."""
    return pack_bytes(_encoded(pairs)) if pairs else b""


def unpack_pairs(packed: bytes) -> tuple[tuple[str, str], ...]:
    """Reverses `pack_pairs`."""
    text = unpack_text(packed)
    return tuple([(name, value) for name, value in json.loads(text)]) if text else ()


def pack_text(text: str) -> bytes:
    """UTF-8 as `pack_bytes` stores it. Keeps lone surrogates."""
    return pack_bytes(text.encode("utf-8", "surrogatepass")) if text else b""


def pack_bytes(raw: bytes) -> bytes:
    """A marker byte and the bytes, compressed with zlib from `COMPRESS_FROM_BYTES` on."""
    return _PLAIN + raw if len(raw) < COMPRESS_FROM_BYTES else _ZLIB + zlib.compress(raw, 1)


def pack_sources(texts: Iterable[str]) -> list[bytes]:
    """Like `pack_text` with zstd, for HTML that only the engine reads: the same size in a third of the time."""
    import zstandard  # imported late: the window does not need it

    # Level 1 with a larger table and longer matches: the same size in three quarters of the time.
    how = zstandard.ZstdCompressionParameters.from_level(1, window_log=19, hash_log=14, min_match=6)
    compress = zstandard.ZstdCompressor(compression_params=how).compress
    raws = [text.encode("utf-8", "surrogatepass") for text in texts]
    return [_ZSTD + compress(raw) if len(raw) >= SOURCE_FROM_BYTES else _PLAIN + raw for raw in raws]


def unpack_text(packed: bytes) -> str:
    """Reverses `pack_text` and `pack_sources`."""
    return unpack_bytes(packed).decode("utf-8", "surrogatepass")


def unpack_bytes(packed: bytes) -> bytes:
    """Reverses `pack_bytes`."""
    kind, raw = packed[:1], packed[1:]
    if kind == _ZSTD:
        import zstandard

        return zstandard.ZstdDecompressor().decompress(raw)
    return zlib.decompress(raw) if kind == _ZLIB else raw


def storable(text: str) -> str:
    """Replaces lone surrogates (left by broken charsets) with question marks, because SQLite cannot store them."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def id_list(ids: Iterable[int | str]) -> str:
    """Ids as JSON for `IN (SELECT value FROM json_each(?))`, so that the SQL text stays constant."""
    return _encode(list(ids))
