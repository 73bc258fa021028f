"""The checkpoints' file before it is opened: one that is damaged is put aside, since runs can start over without it.

Refuses to delete it.
"""

import logging
from pathlib import Path

from app.store.integrity import is_whole

log = logging.getLogger(__name__)


def put_aside_if_damaged(path: Path) -> None:
    """Rename a damaged file, and its log, to `<name>.damaged`; nobody has it open."""
    if not path.exists() or is_whole(path):
        return
    for beside in ("", "-wal", "-shm"):
        source = path.with_name(f"{path.name}{beside}")
        if source.exists():
            source.replace(path.with_name(f"{path.name}.damaged{beside}"))
    log.warning("the checkpoints were damaged and are put aside; open runs start over")
