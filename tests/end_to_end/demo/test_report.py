"""The report agrees only with what the server really has; checked against a real server that is sent to behind its back."""

import base64
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from app.demo.local_server import LocalServer
from app.demo.report import ApprovedReply, Report, add_verdicts, compare_mirror, compare_sent
from app.domain.drafting.draft import Draft
from app.domain.ids import GmailId, GmailThreadId, MessageId, ReviewId
from app.domain.mail.message import Address
from app.store.maintenance.reporting import MailVerdict
from fakes.gmail.mbox_file import MBOX
from fakes.gmail.messages import stored_message

ANA = Address("ana@x.example", "Ana")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalServer]:
    file = tmp_path / "a.mbox"
    file.write_bytes(MBOX)
    running = LocalServer(["--mbox", str(file), "--me", "me@example.com"])
    yield running
    running.close()


def _send(server: LocalServer, body: str, thread: str = "", answers: str = "<1@x.example>") -> None:
    raw = f"From: me@example.com\r\nTo: ana@x.example\r\nSubject: Re: Hello\r\nIn-Reply-To: {answers}\r\n"
    raw += f"References: {answers}\r\n\r\n{body}\r\n"
    sent = {"raw": base64.urlsafe_b64encode(raw.encode()).decode(), **({"threadId": thread} if thread else {})}
    httpx.post(f"{server.url}/sandbox/send", json=sent, headers={"Authorization": f"Bearer {server.token}"}).raise_for_status()


def _approved(server: LocalServer, body: str = "Yes, until noon.") -> ApprovedReply:
    mail = server.dump()[0]
    original = stored_message(
        gmail_id=GmailId(mail.id),
        gmail_thread_id=GmailThreadId(mail.thread_id),
        sender=ANA,
        subject="Hello",
        rfc822_id="<1@x.example>",
    )
    draft = Draft(to=(ANA,), cc=(), bcc=(), subject="Re: Hello", body=body, maker="own-reply")
    return ApprovedReply(ReviewId(7), draft, original, edited=False)


def test_an_approved_reply_in_its_thread_is_agreed(server: LocalServer) -> None:
    reply = _approved(server)
    _send(server, "Yes,\r\nuntil noon.\r\n\r\n> Are you open on Sunday?", thread=reply.original.gmail_thread_id)
    report = Report()
    compare_sent(report, server, [], [reply])
    assert report.ok, report.problems
    (entry,) = report.sent
    assert entry["threadId"] == reply.original.gmail_thread_id
    assert entry["inReplyTo"] == ["<1@x.example>"]


@pytest.mark.parametrize("fault", ["missing", "other words", "no thread", "twice", "unapproved"])
def test_every_other_outcome_is_a_problem(server: LocalServer, fault: str) -> None:
    reply = _approved(server)
    thread = reply.original.gmail_thread_id
    if fault == "other words":
        _send(server, "No.", thread=thread)
    elif fault == "no thread":
        _send(server, reply.draft.body, answers="<else@x.example>")
    elif fault != "missing":
        _send(server, reply.draft.body, thread=thread)
        _send(server, reply.draft.body if fault == "twice" else "Buy now", thread=thread)
    report = Report()
    compare_sent(report, server, [], [reply])
    assert not report.ok


def test_what_was_sent_before_is_not_counted(server: LocalServer) -> None:
    _send(server, "Earlier.")
    report = Report()
    compare_sent(report, server, server.sent(), [])
    assert report.ok


def _verdict(gmail_id: str, labels: frozenset[str], reason: str = "Asks.", decision: str = "respond") -> MailVerdict:
    return MailVerdict(MessageId(1), GmailId(gmail_id), labels, decision, "inquiry", 0.9, reason, "local:3")


def test_the_mirror_is_compared_by_ids_and_labels(server: LocalServer) -> None:
    mail = server.dump()[0]
    same, extra = [_verdict(mail.id, frozenset(mail.label_ids))], _verdict("x", frozenset())
    for seen, ok in ((same, True), ([], False), ([_verdict(mail.id, frozenset())], False), ([*same, extra], False)):
        report = Report()
        compare_mirror(report, server, seen)
        assert report.ok is ok


def test_a_mail_without_verdict_or_reason_is_a_problem() -> None:
    for verdicts, wanted, ok in (
        ([_verdict("a", frozenset())], 1, True),
        ([_verdict("a", frozenset())], 2, False),
        ([_verdict("a", frozenset(), reason="")], 1, False),
        ([_verdict("a", frozenset(), decision="")], 0, True),
    ):
        report = Report()
        add_verdicts(report, verdicts, wanted)
        assert report.ok is ok
