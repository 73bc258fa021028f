"""What the runner needs of the mail graph, so that the graph's imports wait until the engine is up."""

from typing import Protocol

from app.domain.ids import JobId, ReviewId, RunId
from app.domain.runs import Run, RunStatus


class Graph(Protocol):
    """`agent.graph.MailGraph`. `run` and `resume` raise `ModelUnavailable`, `CapReached`, `Offline` or the store's trouble and
    leave the run where it is. `job` is worked off, and the status written, with the last write of a stretch; a graph may leave
    both to the caller."""

    async def run(self, run: Run, job: JobId) -> RunStatus:
        """Start a run, or go on with it."""

    async def resume(self, run_id: RunId, review_id: ReviewId | None, job: JobId) -> RunStatus:
        """Wake a run after its review was decided."""

    async def forget(self, run_id: RunId) -> None:
        """Delete the checkpoints of a run that has ended."""

    async def close(self) -> None:
        """Close the checkpoints' file."""
