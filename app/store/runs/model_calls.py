"""Model calls, their sums by day, month and model, and what of them left the computer. Models' answers on known mail."""

import json
import sqlite3
from collections.abc import Iterable
from datetime import date, datetime

from app.domain.agents.runs import ModelCall, SentToHost
from app.domain.ids import RunId
from app.domain.mail.triage import Decision
from app.domain.record import asdict
from app.store.db.database import Table
from app.store.db.records import insert_row, record
from app.store.db.times import day_start_ms, month_start_ms, to_ms

_SENT = """SELECT date(at / 1000, 'unixepoch', 'localtime') AS day, host, count(*) AS calls,
        sum(sent_bytes) AS sent_bytes, sum(got_bytes) AS got_bytes,
        sum(prompt_tokens + completion_tokens) AS tokens, sum(cost_usd) AS cost_usd,
        (SELECT count(DISTINCT m.value) FROM llm_calls i, json_each(i.mails) m
            WHERE i.at BETWEEN min(c.at) AND max(c.at) AND i.host = c.host) AS mails,
        (SELECT count(DISTINCT p.value) FROM llm_calls i, json_each(i.people) p
            WHERE i.at BETWEEN min(c.at) AND max(c.at) AND i.host = c.host) AS people
    FROM llm_calls c WHERE at >= ? AND sent_bytes > 0 GROUP BY day, host ORDER BY day DESC, host"""
_RUN = "SELECT * FROM llm_calls INDEXED BY llm_calls_at WHERE at BETWEEN ? AND ? AND run_id = ? ORDER BY at, id"
_CALLS = """SELECT * FROM llm_calls WHERE at >= ? AND sent_bytes > 0 AND (? = '' OR host = ?)
    ORDER BY at DESC, id DESC LIMIT ?"""


def load_sent_by_day(connection: sqlite3.Connection, since: datetime) -> tuple[SentToHost, ...]:
    """What left, by day and host, newest day first."""
    rows = connection.execute(_SENT, (to_ms(since),)).fetchall()
    return tuple(SentToHost(date.fromisoformat(row["day"]), *tuple(row)[1:]) for row in rows)


def load_sent_calls(connection: sqlite3.Connection, since: datetime, host: str = "", limit: int = 500) -> tuple[ModelCall, ...]:
    """The calls that left, newest first; to one host where it is given."""
    return _calls(connection.execute(_CALLS, (to_ms(since), host, host, limit)))


def load_run_calls(connection: sqlite3.Connection, run_id: RunId, since: datetime, until: datetime) -> tuple[ModelCall, ...]:
    """A run's calls in order. The times of its first and last step bound the search, since calls have no index by run."""
    return _calls(connection.execute(_RUN, (to_ms(since), to_ms(until), run_id)))


def _calls(rows: Iterable[sqlite3.Row]) -> tuple[ModelCall, ...]:
    lists = ("mails", "people")
    return tuple(record(ModelCall, row, **{name: tuple(json.loads(row[name])) for name in lists}) for row in rows)


class ModelCalls(Table):
    """The tables `llm_calls` and `model_answers`."""

    def model_call(self, call: ModelCall) -> None:
        with self._db.transaction(work_only=True, lasting=False) as connection:
            lists = {"mails": json.dumps(call.mails), "people": json.dumps(call.people, ensure_ascii=False)}
            insert_row(connection, "llm_calls", asdict(call) | lists)

    def model_said(self, host: str, model: str, right: Decision, said: Decision) -> None:
        with self._db.transaction(work_only=True, lasting=False) as connection:
            values = {"host": host, "model": model, "known": right.value, "said": said.value, "at": self._clock()}
            insert_row(connection, "model_answers", values)

    def model_answers(self, host: str, model: str, most: int) -> list[tuple[Decision, Decision]]:
        """The newest answers of a model, newest last."""
        query = "SELECT known, said FROM model_answers WHERE host = ? AND model = ? ORDER BY id DESC LIMIT ?"
        rows = self._db.read(query, (host, model, most))
        return [(Decision(row["known"]), Decision(row["said"])) for row in reversed(rows)]

    def usage_today(self) -> tuple[int, int, float]:
        """Answered calls, tokens and US dollars since local midnight."""
        return self._usage(day_start_ms(self._clock()))

    def usage_this_month(self) -> tuple[int, int, float]:
        return self._usage(month_start_ms(self._clock()))

    def cost_with(self, model: str) -> tuple[int, float]:
        """How many stored runs used a model, and what their calls cost in US dollars."""
        row = self._db.read(
            """SELECT count(DISTINCT c.run_id), coalesce(sum(c.cost_usd), 0.0) FROM llm_calls c
                WHERE c.model = ? AND c.run_id IN (SELECT id FROM runs)""",
            (model,),
        )[0]
        return row[0], float(row[1])

    def _usage(self, since_ms: int) -> tuple[int, int, float]:
        row = self._db.read(
            """SELECT count(*), coalesce(sum(prompt_tokens + completion_tokens), 0), coalesce(sum(cost_usd), 0.0)
                FROM llm_calls WHERE at >= ? AND error = ''""",
            (since_ms,),
        )[0]
        return row[0], row[1], float(row[2])
