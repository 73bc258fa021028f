"""What the assistant did by day, for the window's charts. Reads only."""

import sqlite3
from collections import defaultdict
from dataclasses import replace
from datetime import date, datetime

from app.domain.daily import DayOfWork, middle
from app.store.instants import to_ms
from app.store.read_handle import ReadHandle

_MAILS = """SELECT date(r.created_at / 1000, 'unixepoch', 'localtime') AS day, coalesce(m.category, '') AS category,
        count(*) AS mails
    FROM runs r LEFT JOIN messages m ON m.id = r.message_id WHERE r.created_at >= :since GROUP BY day, 2 ORDER BY day, 2"""

_TIMES = """SELECT date(r.created_at / 1000, 'unixepoch', 'localtime') AS day, sum(s.latency_ms) AS time_ms
    FROM runs r CROSS JOIN run_steps s ON s.place BETWEEN r.seq << 20 AND (r.seq << 20) + 524287
    WHERE r.created_at >= :since GROUP BY r.seq HAVING time_ms > 0 ORDER BY time_ms"""

_DECISIONS = """SELECT date(d.decided_at / 1000, 'unixepoch', 'localtime') AS day,
        sum(d.action IN ('accept', 'save_draft')) AS kept, sum(d.action = 'edit') AS edited, sum(d.action = 'ignore') AS rejected
    FROM decisions d JOIN reviews v ON v.id = d.review_id
    WHERE d.decided_at >= :since AND d.undone_at IS NULL AND v.kind = 'reply' GROUP BY day"""

_CALLS = """SELECT date(at / 1000, 'unixepoch', 'localtime') AS day, count(*) AS calls,
        sum(prompt_tokens + completion_tokens) AS tokens, sum(cost_usd) AS cost_usd
    FROM llm_calls WHERE at >= :since GROUP BY day"""


class DailyHandle(ReadHandle):
    """Implements `DailyReader`."""

    def days_of_work(self, since: datetime) -> tuple[DayOfWork, ...]:
        """Days in the machine's time zone on which something was done, oldest first; `since` begins the first."""
        with self.reading() as connection:
            return () if connection is None else load_days(connection, to_ms(since))


def load_days(connection: sqlite3.Connection, since_ms: int) -> tuple[DayOfWork, ...]:
    """The days from Unix time `since_ms` on."""
    asked = {"since": since_ms}
    mails: dict[str, list[tuple[str, int]]] = defaultdict(list)
    times: dict[str, list[float]] = defaultdict(list)
    days: dict[str, DayOfWork] = {}
    for row in connection.execute(_MAILS, asked):
        mails[row["day"]].append((row["category"], row["mails"]))
    for row in connection.execute(_TIMES, asked):
        times[row["day"]].append(row["time_ms"])
    for day, found in mails.items():
        days[day] = DayOfWork(date.fromisoformat(day), tuple(found), middle(times[day]))
    for sql in (_DECISIONS, _CALLS):
        for row in connection.execute(sql, asked):
            values = dict(row)
            day = values.pop("day")
            days[day] = replace(days.get(day) or DayOfWork(date.fromisoformat(day)), **values)
    return tuple(days[day] for day in sorted(days))
