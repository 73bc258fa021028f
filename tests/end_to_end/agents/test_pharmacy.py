"""The pharmacy's inbox from the server to the database: real engine, graph, tools and HTTP; the model's words are scripted."""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from app.domain.agents.runs import RunStatus
from app.domain.drafting.review import Action, FlagKind, Review, ReviewKind
from app.domain.protocol.commands import Decide, StartDrafting
from app.domain.protocol.events import SyncPhase, SyncProgress
from app.domain.record import replace
from fakes.engine.engine_process import ROOT, THINKING, EngineProcess, running_engine
from fakes.engine.processes.fork_server import PLAIN, ran
from fakes.gmail.sandbox import Sandbox, running_sandbox
from fakes.models.pharmacy import CATALOGUE, ENDS, INBOX, PharmacyModel, SearchServer

pytestmark = pytest.mark.timeout(170)
LATER = "04-cancel-cs.eml"
PROFILE = (ROOT / "resources" / "profiles" / "pharmacy.yaml").read_text(encoding="utf-8")


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with running_sandbox() as running:
        yield running


def prepare(data: Path, tmp_path: Path, settings: str) -> None:
    """A data folder with the profile, the catalogue and settings."""
    data.mkdir()
    (data / "routing.yaml").write_text(PROFILE.replace("gemini/gemini-2.5-pro", "openai/scripted"), encoding="utf-8")
    (data / "settings.toml").write_text(settings)
    (tmp_path / "drugs.csv").write_text(CATALOGUE, encoding="utf-8")
    done = ran("app", ["--data", str(data), "pharmacy", "import", str(tmp_path / "drugs.csv")], PLAIN)
    assert (done.returncode, done.stdout) == (0, "drugs: 7, pharmacies: 3, lines of stock: 8\n"), done.stderr


async def consent(engine: EngineProcess) -> None:
    """The user lets the agents look at mail from now on."""
    await engine.event(SyncProgress, lambda one: one.phase is SyncPhase.CURRENT)
    await engine.do(StartDrafting(engine.reader.accounts()[0].id, 1))


def runs(engine: EngineProcess) -> Counter[RunStatus]:
    """How many runs have which status."""
    return Counter(run.status for run in engine.reader.runs())


def waiting(engine: EngineProcess, subject: str) -> Review | None:
    """The pending review of the mail whose subject ends so."""
    found = [engine.reader.review(one) for one in engine.reader.review_ids()]
    for one in found:
        message = engine.reader.message(one.proposal.message_id) if one is not None else None
        if message is not None and message.subject.endswith(subject):
            return one
    return None


async def decide(engine: EngineProcess, subject: str, action: Action, body: str = "") -> Review:
    """The user's word on the review of a mail."""
    review = await engine.until(lambda: waiting(engine, subject))
    draft = review.proposal.draft
    changed = replace(draft, body=body, spans=()) if draft is not None and body else draft
    await engine.do(Decide(review.id, review.revision, action, changed))
    return review


def rows(data: Path, sql: str, *arguments: str) -> list[dict[str, Any]]:
    """Rows of the engine's database."""
    with closing(sqlite3.connect(data / "mail.db")) as connection:
        connection.row_factory = sqlite3.Row
        return [dict(row) for row in connection.execute(sql, arguments)]


def by_subject(data: Path, table: str) -> dict[str, list[dict[str, Any]]]:
    """Rows of a table by the subject of the run's mail."""
    found: dict[str, list[dict[str, Any]]] = {}
    joined = "JOIN runs r ON r.id = t.run_id JOIN messages m ON m.id = r.message_id ORDER BY t.rowid"
    sql = f"SELECT t.*, m.subject FROM {table} t {joined}"
    for row in rows(data, sql):
        found.setdefault(next(part for part in ENDS if row["subject"].endswith(part)), []).append(row)
    return found


async def test_fourteen_inquiries_end_in_drafts_reservations_and_rows(tmp_path: Path, sandbox: Sandbox) -> None:
    data = tmp_path / "data"
    with PharmacyModel() as model, SearchServer() as web:
        chosen = f'[model]\nname = "openai/scripted"\napi_base = "{model.api_base}"\n[web]\nsearxng = "{web.address}"\n'
        prepare(data, tmp_path, THINKING + chosen)
        async with running_engine(data, sandbox.url, sandbox.token) as engine:
            await consent(engine)
            for mail in sorted(INBOX.glob("*.eml")):
                if mail.name != LATER:
                    sandbox.deliver(mail.read_bytes())
            booked = await decide(engine, "Rezervace Euthyrox", Action.ACCEPT)
            sent = await decide(engine, "Zoloft", Action.EDIT, "Hello,\n\nyes, in Ostrava, on prescription only.")
            attack = await decide(engine, "Audit", Action.IGNORE)
            await engine.until(lambda: len(rows(data, "SELECT 1 FROM runs WHERE status = 'done'")) == 13)
            sandbox.deliver((INBOX / LATER).read_bytes())
            await decide(engine, "Zrušení rezervace", Action.ACCEPT)
            await engine.until(lambda: len(rows(data, "SELECT 1 FROM runs WHERE status = 'done'")) == 14)
            await engine.until(lambda: rows(data, "SELECT 1 FROM outbox WHERE state = 'sent'"))
            kinds = Counter(review.proposal.kind for review in map(engine.reader.review, engine.reader.review_ids()) if review)
            told = waiting(engine, "Dostupnost Paralenu")

    assert kinds == {ReviewKind.REPLY: 7, ReviewKind.ESCALATION: 3, ReviewKind.NOTIFY: 1}
    assert told.proposal.draft.to[0].email == "jana.novakova@pacient.example"
    assert booked.proposal.kind is ReviewKind.TOOL_CALL
    assert "EUTHYROX 75MCG TBL NOB 100 (9000003) · 1 × · P1" in booked.proposal.detail
    assert sent.proposal.kind is ReviewKind.REPLY
    flags = {one.kind for one in attack.proposal.flags}
    assert {FlagKind.RECIPIENT_OUTSIDE_THREAD, FlagKind.NEVER_WRITTEN_TO} <= flags
    assert web.asked == ["Ozempic active substance"]
    check_rows(data)
    (mime,) = rows(data, "SELECT mime FROM outbox_mime JOIN outbox ON outbox.id = outbox_id WHERE state = 'sent'")
    assert b"on prescription only" in mime["mime"]


def check_rows(data: Path) -> None:
    """What stands in the database after the day."""
    (reservation,) = rows(data, "SELECT * FROM reservations")
    assert (reservation["patient_email"], reservation["quantity"], reservation["pharmacy_id"]) == (
        "petr.svoboda@pacient.example",
        1,
        "P1",
    )
    assert reservation["cancelled_at"] is not None
    results = by_subject(data, "agent_runs")
    assert {part: found[0]["status"] for part, found in results.items()} == dict.fromkeys(ENDS, "completed")
    assert all(found[0]["profile"] == "pharmacy" and len(found) == 1 for found in results.values())
    check_paralen(results["Dostupnost Paralenu"][0])
    assert json.loads(results["Otevírací doba"][0]["tool_calls_log"]) == []
    assert [one["result"] for one in json.loads(results["Audit"][0]["tool_calls_log"])] == [
        {"error": "A search may not repeat private text, nor hold addresses, codes or long numbers. Use general words."},
        {"status": "ignored", "note": "The owner ignored this. Do nothing further about it."},
    ]
    assert "Only 2 packs are free" in json.loads(results["Reservation"][0]["tool_calls_log"])[0]["result"]["error"]
    turns = {part: [one for one in found if one["call_type"] == "agent"] for part, found in by_subject(data, "llm_calls").items()}
    assert {part: len(found) for part, found in turns.items()} == {part: len(answers) for part, answers in ENDS.items()}
    assert {one["model"] for found in turns.values() for one in found} == {"openai/scripted"}
    events = rows(data, "SELECT kind, count(*) AS n FROM email_events GROUP BY kind")
    assert {one["kind"]: one["n"] for one in events} == {"routed": 14, "agent_run": 14}
    check_audit(by_subject(data, "tool_audit"))


def check_paralen(row: dict[str, Any]) -> None:
    """The row of a plain run in the form of the description."""
    searched, drafted = json.loads(row["tool_calls_log"])
    assert (row["iterations"], row["final_message"], row["error"]) == (3, "Hotovo, koncept čeká.", "")
    assert (searched["tool"], searched["arguments"], searched["iteration"]) == ("search_drugs", {"query": "Paralen 500"}, 1)
    assert searched["result"]["drugs"][0] == {
        "code": "9000001",
        "name": "PARALEN 500MG TBL NOB 24",
        "substance": "paracetamol",
        "atc": "N02BE01",
        "prescription": False,
        "price_czk": 39.0,
        "stock": [
            {"pharmacy_id": "P1", "pharmacy": "Lékárna U Anděla", "free": 12},
            {"pharmacy_id": "P2", "pharmacy": "Lékárna Na Růžku", "free": 0},
        ],
    }
    assert (set(drafted), drafted["result"], drafted["iteration"]) == (
        {"tool", "arguments", "result", "iteration"},
        {"status": "created"},
        2,
    )


def check_audit(audit: dict[str, list[dict[str, Any]]]) -> None:
    """One audit row a call, with who agreed."""

    def seen(part: str) -> list[tuple[str, str, str, str]]:
        return [(one["tool"], one["why"], one["outcome"], one["approved_by"]) for one in audit[part]]

    assert seen("Rezervace Euthyrox") == [
        ("search_drugs", "reads_only", "ran", ""),
        ("manage_reservation", "tool_asks", "ran", "user"),
        ("create_draft", "reads_only", "ran", ""),
    ]
    assert seen("Zrušení rezervace") == [
        ("manage_reservation", "reads_only", "ran", ""),
        ("manage_reservation", "tool_asks", "ran", "user"),
    ]
    assert seen("Zoloft")[1] == ("send_reply", "send_asks", "ran", "user")
    assert seen("Audit") == [("web_search", "net_private_words", "denied", ""), ("send_reply", "owner_refused", "denied", "")]
    assert seen("Reservation")[0] == ("manage_reservation", "tool_asks", "failed", "")
    assert all(len(one["arguments_hash"]) == 64 for found in audit.values() for one in found)


@pytest.mark.soak
async def test_without_a_model_every_inquiry_waits_as_it_was_read(tmp_path: Path, sandbox: Sandbox) -> None:
    data = tmp_path / "data"
    prepare(data, tmp_path, THINKING)
    async with running_engine(data, sandbox.url, sandbox.token) as engine:
        await consent(engine)
        for name in ("01-paralen-cs.eml", "14-broken-cs.eml"):
            sandbox.deliver((INBOX / name).read_bytes())
        await engine.until(lambda: runs(engine)[RunStatus.NEEDS_REVIEW] == 2)
        known = await engine.until(lambda: waiting(engine, "Dostupnost Paralenu"))
        broken = await engine.until(lambda: waiting(engine, "konverzace"))
    assert known.proposal.kind is broken.proposal.kind is ReviewKind.NEEDS_REVIEW
    assert "needs a language model" in known.proposal.detail
    assert "New support inquiry from Jana Nováková (jana.novakova@pacient.example):" in known.proposal.detail
    assert "foto-receptu.jpg" in broken.proposal.detail
    assert rows(data, "SELECT * FROM agent_runs") == rows(data, "SELECT * FROM llm_calls") == []
