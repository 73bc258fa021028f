"""The node logs of runs under way, written together: before a checkpoint is kept, and when a stretch of the run ends.

A crash loses only the rows of nodes that will run again. Refuses to keep a row of a run whose stretch is over.
"""

import asyncio
from collections import defaultdict

from app.domain.ids import RunId
from app.domain.ports.agents import Journal
from app.domain.runs import StepLog


class StepBook:
    """Collects rows by run. Call it from the event loop's thread."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._rows: defaultdict[RunId, list[StepLog]] = defaultdict(list)

    def note(self, row: StepLog) -> None:
        """A node has run."""
        self._rows[row.run_id].append(row)

    async def write(self, run_id: RunId) -> None:
        """Write the run's rows in one transaction; nothing where there are none."""
        rows = self._rows.pop(run_id, None)
        if rows:
            await asyncio.to_thread(self._journal.log_steps, rows)
