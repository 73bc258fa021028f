"""What the runner needs of the mail graph, so that the graph's imports wait until the engine is up."""

from typing import Protocol

from app.domain.ids import ReviewId, RunId
from app.domain.runs import Run, RunStatus


class Graph(Protocol):
    """`agent.graph.MailGraph`. `run` and `resume` raise `ModelUnavailable`, `CapReached`, `Offline` or the store's trouble and
    leave the run where it is."""

    async def run(self, run: Run) -> RunStatus:
        """Start a run, or go on with it."""

    async def resume(self, run_id: RunId, review_id: ReviewId | None = None) -> RunStatus:
        """Wake a run after its review was decided."""

    async def forget(self, run_id: RunId) -> None:
        """Delete the checkpoints of a run that has ended."""

    async def close(self) -> None:
        """Close the checkpoints' file."""
