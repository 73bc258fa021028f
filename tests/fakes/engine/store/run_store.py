"""A real store with an account, messages, runs and steps, for the activity page."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

from app.domain.agents.runs import ModelCall, Route, Run, RunStatus, StepLog, ToolExecution
from app.domain.drafting.draft import Draft
from app.domain.drafting.review import Proposal, ReviewKind
from app.domain.ids import AccountId, MessageId, RunId, ThreadId
from app.domain.mail.message import Address, RemoteMessage
from app.store.accounts import Accounts
from app.store.db.database import Database
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from app.store.reviews.reviews import Reviews
from app.store.runs.runs import Runs
from fakes.engine.store.empty import prepared
from fakes.engine.store.rows import add_step, start_run
from fakes.gmail.messages import remote_message

START = datetime(2026, 3, 12, 8, 0, tzinfo=UTC)
SUBJECTS = (
    ("Ana Novák", "Delivery of order 4411"),
    ("Jira", "[OPS-31] Deploy failed"),
    ("Petr Svoboda", "Cena servisu a termín"),
    ("Velofest", "Stands are on sale until Friday"),
    ("Marie Dvořáková", "Scratch on my frame"),
)
NODES = (
    ("route", 1.2),
    ("classify", 41.0),
    ("retrieve", 180.5),
    ("decide", 12.0),
    ("generate", 1840.0),
    ("check", 8.4),
    ("review", 3.0),
)


def remote(number: int, sender: str, subject: str) -> RemoteMessage:
    return remote_message(
        f"m{number}",
        "Could you tell me when it arrives?",
        date=START - timedelta(hours=number),
        sender=Address(f"sender{number}@example.org", sender),
        to=(Address("me@example.org", "Me"),),
        subject=subject,
    )


class RunStore:
    """The engine's side of the file, kept open so that a test can add rows."""

    def __init__(self, path: Path) -> None:
        self.db = Database.open(prepared(path))
        self.runs = Runs(self.db, lambda: START)
        self.account = AccountId(0)

    def connect(self, email: str = "me@example.org") -> AccountId:
        """Adds an account."""
        self.account = Accounts(self.db).add(email, "Me", (email,), "", "#2B59C3")
        return self.account

    def mails(self, count: int = len(SUBJECTS)) -> list[tuple[MessageId, ThreadId]]:
        """Stores messages, each in its own thread, newest first."""
        wanted = [remote(number, *SUBJECTS[number % len(SUBJECTS)]) for number in range(1, count + 1)]
        messages = Messages(self.db)
        messages.apply(self.account, SyncPage(messages=tuple(wanted)))
        found = [messages.by_gmail_id(self.account, one.gmail_id) for one in wanted]
        return [(one.id, one.thread_id) for one in found if one is not None]

    def run(
        self, name: str, mail: tuple[MessageId, ThreadId], status: RunStatus, minutes: int = 0, error: str = "", rule: str = ""
    ) -> RunId:
        """Stores a run that began `minutes` after `START`."""
        run = Run(
            RunId(name),
            self.account,
            mail[0],
            mail[1],
            Route.PIPELINE,
            rule,
            "",
            status,
            1,
            START + timedelta(minutes=minutes),
            error=error,
        )
        start_run(self.runs, run)
        return run.id

    def steps(self, run_id: RunId, failed: str = "") -> None:
        """Stores the usual nodes; the last one fails with `failed`."""
        for order, (name, latency_ms) in enumerate(NODES):
            self.step(run_id, order, name, latency_ms, failed if order == len(NODES) - 1 else "")

    def step(self, run_id: RunId, order: int, name: str, latency_ms: float, error: str = "") -> None:
        """Stores one node."""
        before = json.dumps({"email": 1, "route": "pipeline", "context": ["message:1@0.83", "message:2@0.71"]})
        after = json.dumps(
            {"decision": "respond", "confidence": 0.914, "tool_results": {"calendar": {"error": "", "latency_ms": 31}}}
        )
        add_step(self.runs, StepLog(run_id, name, order, before, after, latency_ms, error, START))

    def traced(self) -> RunId:
        """Stores a run with every kind of trace: states with ids, a model call, a tool call and a drafted reply."""
        mail, other = self.mails(2)
        run_id = self.run("traced", mail, RunStatus.WAITING)
        draft = Draft((Address("ana@example.org"),), (), (), "Re: Invoice", "Dear Ana,\nyes.", "template")
        about = (self.account, run_id, mail[0], mail[1], ReviewKind.REPLY, "respond", "inquiry", 0.9)
        review_id = Reviews(self.db, lambda: START).open(Proposal(*about, "It asks a question.", "template", draft), "traced")
        changes: list[tuple[str, dict[str, object]]] = [
            ("classify", {"decision": "respond", "reason": "It asks a question."}),
            ("retrieve", {"context": [f"message:{other[0]}@0.83"]}),
            ("execute_tools", {}),
            ("generate", {"draft_response": "{}"}),
            ("review", {"review_id": review_id, "revision": 1, "draft_response": f"review:{review_id}"}),
        ]
        for order, (name, change) in enumerate(changes):
            first = json.dumps({"email": mail[0], "route": "pipeline"}) if not order else ""
            at = START + timedelta(seconds=order)
            add_step(self.runs, StepLog(run_id, name, order, first, json.dumps(change), 500.0, "", at))
        self.runs.model_call(ModelCall(run_id, "triage", "openai/gpt-5", 9, 9, 0.0, 300.0, "api.openai.com", 1, "", START))
        asked, told = '{"day": "2026-03-12"}', '{"free": "all day"}'
        at = START + timedelta(seconds=1.9)
        self.runs.tool(ToolExecution(run_id, "c1", "check_calendar", asked, told, "", 9.0, at))
        return run_id

    def close(self) -> None:
        self.db.close()
