"""Reads the text of files in processes of their own, with limits: files may be damaged or made to do harm."""

import asyncio
import logging
import sys
from collections.abc import Callable
from pathlib import Path

from app.config.paths import own_command
from app.domain.error_texts import Cause
from app.domain.errors import NotAllowed
from app.domain.mail.files import ArtifactHandle, DocumentText

log = logging.getLogger(__name__)

SECONDS = 30.0
"""For one file, beginning with the start of the process, which limits itself to 20 s of processor time."""
MEMORY_BYTES = 500_000_000
MOST_BYTES = 2_000_000
"""Of text that is taken from the process."""


async def read_in_process(path: Path, kind: str) -> tuple[int, str]:
    """The exit code and the text of a file. What a process wrote before it was ended is kept."""
    process = await asyncio.create_subprocess_exec(
        *own_command(), "read-file", kind, str(path),
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    watch = asyncio.create_task(_end_when_large(process))
    text = bytearray()
    try:
        async with asyncio.timeout(SECONDS):
            assert process.stdout is not None
            while len(text) < MOST_BYTES and (piece := await process.stdout.read(1 << 16)):
                text += piece
            if len(text) < MOST_BYTES:
                await process.wait()
    except TimeoutError:
        log.info("reading a file took longer than %d s", SECONDS)
    finally:
        watch.cancel()
        if process.returncode is None:
            process.kill()
            await process.wait()
    return process.returncode or 0, text.decode("utf-8", "replace")


async def _end_when_large(process: asyncio.subprocess.Process) -> None:
    """Ends a process that needs too much memory, where the system does not limit it."""
    if sys.platform != "linux":
        import psutil  # takes 100 ms

        while process.returncode is None:
            try:
                if psutil.Process(process.pid).memory_info().rss > MEMORY_BYTES:
                    process.kill()
            except (psutil.Error, ProcessLookupError):
                return
            await asyncio.sleep(0.1)


AT_ONCE = 2
MOST_KNOWN = 20


class DocumentReader:
    """Reads each document in a process of its own.

    `locate` finds an unchanged file by its handle. The last files are known by their digest: every step of a request reads its
    files, and a harmful one takes 30 s.
    """

    def __init__(self, locate: Callable[[str], tuple[ArtifactHandle, Path]]) -> None:
        self._locate = locate
        self._known: dict[str, tuple[int, str]] = {}
        self._places = asyncio.Semaphore(AT_ONCE)

    async def read(self, document: str) -> DocumentText:
        """The text of a document by its handle. Raises `NotFound`, and `NotAllowed` where it has none that can be read."""
        from app.mail.file_text import LOCKED, READ, kind_of

        handle, path = await asyncio.to_thread(self._locate, document)
        kind = kind_of(handle.name, "")
        if not kind:
            raise NotAllowed(Cause.DOCUMENT_KIND_UNREAD, handle.name)
        async with self._places:
            if document not in self._known:
                self._known[document] = await read_in_process(path, kind)
        code, text = self._known[document]
        for oldest in list(self._known)[:-MOST_KNOWN]:
            del self._known[oldest]
        if code == LOCKED:
            raise NotAllowed(Cause.DOCUMENT_LOCKED, handle.name)
        if code != READ and not text.strip():
            raise NotAllowed(Cause.DOCUMENT_DAMAGED, handle.name)
        return DocumentText(handle, text.strip(), code != READ)
