"""An answer that comes in pieces: put together as one, or not at all.

The time limit counts from piece to piece, so that a slow model on the user's machine may take its time as long as words keep
coming. Refuses an answer that was cut off: half a draft is none.
"""

import asyncio
from collections.abc import AsyncIterator
from typing import Any


class CutOff(Exception):
    """The stream ended before the answer did."""


class Stalled(Exception):
    """No piece came within the time limit."""


class NoStream(Exception):
    """The server was asked for a stream and sent none."""


async def gathered(stream: AsyncIterator[Any], timeout_s: float) -> list[Any]:
    """The pieces of a whole answer. Raises `CutOff`, `Stalled`, `NoStream`, and what the stream raises."""
    pieces: list[Any] = []
    whole = False
    try:
        while (piece := await _next(stream, timeout_s)) is not None:
            pieces.append(piece)
            whole = whole or any(choice.finish_reason for choice in piece.choices)
    except BaseException:
        await _close(stream)
        raise
    if not pieces:
        raise NoStream
    if not whole:
        raise CutOff
    return pieces


async def _next(stream: AsyncIterator[Any], timeout_s: float) -> Any | None:
    """The next piece, None at the end."""
    try:
        async with asyncio.timeout(timeout_s):
            return await anext(stream, None)
    except TimeoutError:
        raise Stalled from None


async def _close(stream: AsyncIterator[Any]) -> None:
    """Give the connection back; a stream that is a plain generator has none."""
    close = getattr(stream, "aclose", None)
    if close is not None:
        await close()
