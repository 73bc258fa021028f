"""The report agrees only with what the server really has; checked against a real server that is sent to behind its back."""

import base64
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from app.demo.local_server import LocalServer
from app.demo.report import ApprovedReply, Report, compare_sent
from app.domain.drafting.draft import Draft
from app.domain.ids import GmailId, GmailThreadId, ReviewId
from app.domain.mail.message import Address
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
