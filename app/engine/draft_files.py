"""The files of an approved draft as bytes, read at the moment of approval from the app's own folder.

Refuses whatever is not, byte for byte, what its handle says.
"""

import mimetypes

from app.domain.artifacts import Handle
from app.domain.draft import Draft
from app.domain.errors import NotFound, Refused
from app.domain.letter import MOST_FILE_BYTES, FileContent
from app.domain.ports.tooling import Artifacts


def contents(draft: Draft, artifacts: Artifacts) -> tuple[FileContent, ...]:
    """The draft's files in order. Raises `Refused` where one is gone or changed, or where they are too large together."""
    if sum(one.size for one in draft.attachments) > MOST_FILE_BYTES:
        raise Refused("The files are larger than 25 MB together.", "Remove one, or share it by a link.")
    return tuple(FileContent(one.name, file_type(one.name), _content(one, artifacts)) for one in draft.attachments)


def file_type(name: str) -> str:
    """The MIME type that a file's name tells; bytes of any kind where it tells none, or a packed one."""
    kind, encoding = mimetypes.guess_type(name)
    return "application/octet-stream" if kind is None or encoding else kind


def _content(one: Handle, artifacts: Artifacts) -> bytes:
    try:
        found, content = artifacts.read(one.id)
    except NotFound as error:
        raise Refused(f"{one.name} is not kept any more.", "Take it off, or have it made again.") from error
    except Refused as error:
        raise Refused(f"{one.name} was changed or cannot be read.", "Take it off, or have it made again.") from error
    if (found.sha256, found.size) != (one.sha256, one.size):
        raise Refused(f"{one.name} is another file than the one that was proposed.", "Take it off, or have it made again.")
    return content
