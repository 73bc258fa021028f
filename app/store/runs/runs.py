"""Runs of the mail graph and their logs. Implements `Journal`."""

from dataclasses import dataclass

from app.domain.agents.runs import Run, RunRecord, RunStatus, StepLog, ToolExecution
from app.domain.errors import NotAllowed, NotFound
from app.domain.ids import JobId, MessageId, RunId
from app.store.db.codecs import pack_strings, storable
from app.store.db.jobs import finish_row, place_of, put_row
from app.store.db.times import to_ms
from app.store.runs.model_calls import ModelCalls
from app.store.runs.run_rows import FINAL, insert_run, load_steps, load_tool, run_of, write_trail

__all__ = ["FINAL", "RunStart", "Runs"]

# There is no index by status, because it changes with every commit of a run. Open runs are read once, at start.
_OPEN = "SELECT * FROM runs WHERE status IN ('queued', 'running', 'waiting') ORDER BY created_at, id"
_GET = "SELECT * FROM runs WHERE id = ?"
_SET = """UPDATE runs SET status = ?, error = ?, updated_at = ?
    WHERE id = ? AND (status = ? OR status NOT IN (SELECT value FROM json_each(?)))"""
_OF_MAIL = "SELECT * FROM runs WHERE message_id = ? ORDER BY created_at DESC, id DESC"


@dataclass(frozen=True, slots=True)
class RunStart:
    """A run to queue, with the job that starts it (`kind`, `key`).

    `newest_ms` is the mail's date in Unix milliseconds. `done` is a job that is finished with it, empty for none.
    """

    run: Run
    kind: str
    key: str
    payload_json: str
    newest_ms: int
    done: JobId = JobId("")


_BECOMES = "UPDATE OR IGNORE jobs SET kind = ?, key = ?, payload = ? WHERE kind = ? AND key = ? AND id = ?"
_UNDER_WAY = """UPDATE runs SET status = ?, updated_at = ? WHERE id = ? AND status = ?
    AND EXISTS (SELECT 1 FROM jobs WHERE kind = ? AND key = ? AND id = ?)"""


class Runs(ModelCalls):
    """The table `runs` and the logs of runs."""

    def queue(self, start: RunStart, *, begun: bool = False) -> None:
        """Inserts a run and its job in one transaction, and finishes the job `start.done`. A known run queues no job.

        With `start.done` the transaction need not survive a power cut, because then that job comes back. `begun`: the run was
        already under way and may be stored; the `done` job becomes the run's own and keeps its number.
        """
        kind, key, number = place_of(start.done)
        with self._db.transaction(work_only=True, lasting=not start.done) as connection:
            new = insert_run(connection, start.run)
            if begun:
                connection.execute(_BECOMES, (start.kind, start.key, storable(start.payload_json), kind, key, number))
                return
            if new:
                put_row(connection, start.kind, start.key, storable(start.payload_json), start.newest_ms)
            if start.done:
                finish_row(connection, start.done)

    def set_status(self, run_id: RunId, status: RunStatus, error: str = "") -> None:
        """Changes a run's status. Raises `NotAllowed` when it has another final status, and `NotFound`."""
        with self._db.transaction(work_only=True) as connection:
            changed = connection.execute(
                _SET, (status, storable(error), to_ms(self._clock()), run_id, status, pack_strings(FINAL))
            ).rowcount
        if not changed:
            raise NotAllowed(f"Run {run_id} is {self.get(run_id).status} and cannot become {status}.")

    def show_running(self, run: Run, job: JobId) -> bool:
        """Marks a run as running for `job` and inserts it if it is not stored yet.

        Returns False when the job is gone, which means that this part of the run has ended, or when the status changed meanwhile.
        """
        if run.status in FINAL:
            return False
        with self._db.transaction(work_only=True, lasting=False) as connection:
            if connection.execute("SELECT 1 FROM jobs WHERE kind = ? AND key = ? AND id = ?", place_of(job)).fetchone():
                insert_run(connection, run)
            told = (RunStatus.RUNNING, to_ms(self._clock()), run.id, run.status, *place_of(job))
            return connection.execute(_UNDER_WAY, told).rowcount == 1

    def get(self, run_id: RunId) -> Run:
        """Raises `NotFound`."""
        rows = self._db.read(_GET, (run_id,))
        if not rows:
            raise NotFound(f"There is no run {run_id}.")
        return run_of(rows[0])

    def open_runs(self) -> tuple[Run, ...]:
        """Runs without a final status, oldest first."""
        rows = self._db.read(_OPEN)
        return tuple(run_of(row) for row in rows)

    def by_message(self, message_id: MessageId) -> tuple[Run, ...]:
        """A message's runs, newest first."""
        rows = self._db.read(_OF_MAIL, (message_id,))
        return tuple(run_of(row) for row in rows)

    def keep(self, trail: RunRecord) -> None:
        """Writes what a stretch of a run left, in one transaction.

        A step of the same order is replaced, a stored tool call stays, and a final status stays. Raises `NotFound` when the
        message of its verdict is gone. A record that ends a stretch without tool calls need not survive a power cut: its job
        comes back and runs again.
        """
        with self._db.transaction(work_only=True, lasting=trail.status is None or bool(trail.tools)) as connection:
            write_trail(connection, trail, to_ms(self._clock()))

    def steps(self, run_id: RunId) -> tuple[StepLog, ...]:
        """The steps of a run in order."""
        with self._db.reading() as connection:
            return load_steps(connection, run_id)

    def tool(self, execution: ToolExecution) -> None:
        """Writes a tool call, once per run and call id."""
        self.keep(RunRecord(execution.run_id, tools=(execution,)))

    def tool_result(self, run_id: RunId, call_id: str) -> ToolExecution | None:
        """The stored result of a tool call, None when it has not run."""
        with self._db.reading() as connection:
            return load_tool(connection, run_id, call_id)
