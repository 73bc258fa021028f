"""Where a run and what it leaves lie: by its mail, so that no index is needed to find them.

`runs.seq` is the mail's id, 10 bits to the left, and the run's number among those of its mail. In `run_steps` a run's steps lie
from `seq`, 20 bits to the left, on; the rows of its tools in the half million places before that. Refuses to look outside a run.
"""

import re
import sqlite3

from app.domain.errors import Refused
from app.domain.ids import MessageId, RunId
from app.domain.runs import Run

_MAIL_BITS = 10
_RUN_BITS = 20
_HALF = 1 << (_RUN_BITS - 1)
_NAMED = re.compile(r"mail-(\d{1,10})-.")

_SEQ = "SELECT seq FROM runs WHERE {run}"

Places = tuple[int, int]
"""The first and the last place."""


def run_name(message_id: MessageId, which: str) -> RunId:
    """The id of a run of a mail; `which` tells it from the mail's others."""
    return RunId(f"mail-{message_id}-{which}")


def of_mail(message_id: MessageId) -> Places:
    """The places of a mail's runs in `runs`."""
    first = message_id << _MAIL_BITS
    return first, first + (1 << _MAIL_BITS) - 1


def is_run(run_id: RunId) -> tuple[str, tuple[int | str, ...]]:
    """The condition by which a query finds a run in `runs` without reading them all, with its arguments."""
    named = _NAMED.match(run_id)
    if named is None:
        return "id = ? AND substr(id, 1, 5) <> 'mail-'", (run_id,)
    return "seq BETWEEN ? AND ? AND id = ?", (*of_mail(MessageId(int(named[1]))), run_id)


def seq_of(connection: sqlite3.Connection, run_id: RunId) -> int | None:
    """A run's place, None where there is no such run."""
    condition, args = is_run(run_id)
    row = connection.execute(_SEQ.format(run=condition), args).fetchone()
    return None if row is None else int(row[0])


def free_seq(connection: sqlite3.Connection, run: Run) -> int:
    """The place of a run that is not there yet. Raises `Refused` after too many of its mail, or when its id names another."""
    first, last = of_mail(run.message_id)
    if run.id.startswith("mail-") and not run.id.startswith(run_name(run.message_id, "")):
        raise Refused(f"The name {run.id} is not for runs of message {run.message_id}.")
    highest = connection.execute("SELECT max(seq) FROM runs WHERE seq BETWEEN ? AND ?", (first, last)).fetchone()[0]
    if highest == last:
        raise Refused(f"There were {last - first + 1} runs on message {run.message_id} already.")
    return first if highest is None else int(highest) + 1


def of_steps(seq: int) -> Places:
    """The places of a run's steps in `run_steps`; a step's order counts from the first."""
    return seq << _RUN_BITS, (seq << _RUN_BITS) + _HALF - 1


def of_tools(seq: int) -> Places:
    """The places of the rows of a run's tools."""
    return (seq << _RUN_BITS) - _HALF, (seq << _RUN_BITS) - 1
