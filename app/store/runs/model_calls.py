"""Model calls, one row each, and their sums by day, month and model."""

from app.domain.agents.runs import ModelCall
from app.domain.ports.agents import Clock
from app.store.db.codecs import storable
from app.store.db.database import Database
from app.store.db.times import day_start_ms, month_start_ms, to_ms


class ModelCalls:
    """The table `llm_calls`."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock

    def model_call(self, call: ModelCall) -> None:
        with self._db.transaction(work_only=True) as connection:
            connection.execute(
                """INSERT INTO llm_calls (run_id, call_type, model, prompt_tokens, completion_tokens, cost_usd, latency_ms,
                    host, sent_bytes, error, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
                (
                    call.run_id,
                    call.call_type,
                    call.model,
                    call.prompt_tokens,
                    call.completion_tokens,
                    call.cost_usd,
                    call.latency_ms,
                    call.host,
                    call.sent_bytes,
                    storable(call.error),
                    to_ms(call.at),
                ),
            )

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
