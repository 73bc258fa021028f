"""Care of the checkpoint file when an engine starts.

A damaged file is set aside, since runs can start over without it. Checkpoints that a crash left of ended runs are deleted.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Protocol

from app.domain.ids import RunId
from app.store.db.integrity import is_whole

log = logging.getLogger(__name__)


class CheckpointOwner(Protocol):
    """A graph that uses the file."""

    def forget(self, run_id: RunId) -> Awaitable[None]: ...


def put_aside_if_damaged(path: Path) -> None:
    """Renames a damaged file and its log to `<name>.damaged`. The file must not be open."""
    if not path.exists() or is_whole(path):
        return
    for beside in ("", "-wal", "-shm"):
        source = path.with_name(f"{path.name}{beside}")
        if source.exists():
            source.replace(path.with_name(f"{path.name}.damaged{beside}"))
    log.warning("the checkpoints were damaged and are put aside; open runs start over")


async def forget_ended(path: Path, graph: CheckpointOwner, ended: Callable[[Sequence[RunId]], Sequence[RunId]]) -> None:
    """Deletes the checkpoints of the runs that `ended` selects.

    A crash between a run's last row and the deletion leaves them behind.
    """
    from app.agent.runtime.checkpoints import kept_runs  # already imported by the graph

    left = await asyncio.to_thread(ended, await kept_runs(path))
    for run_id in left:
        await graph.forget(run_id)
    if left:
        log.info("checkpoints of %d ended runs were left and are forgotten", len(left))
