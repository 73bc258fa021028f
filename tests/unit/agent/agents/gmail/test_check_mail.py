"""Arguments of a proposed mail: whatever a model makes up, what passes is plain, known and of this request.

Gmail agents on other machines: addresses, ids and mails that come from them.
"""

import string
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.agent.agents.gmail.interface import (
    GmailProposed,
    MailProposal,
    SendArguments,
    TaskDocument,
)
from app.agent.agents.gmail.remote import rebuilt_from_store
from app.agent.agents.gmail.service_client import ServiceAddress
from app.agent.agents.gmail.tools import (
    AllowedReferences,
    checked,
)
from app.agent.llm.turns import UnusableAnswer
from app.domain.agents.call_flags import plain_address
from app.domain.drafting.draft import Source, SourceKind
from app.domain.errors import NotAllowed
from app.domain.ids import MessageId
from app.domain.mail.files import ArtifactHandle
from app.domain.mail.letter import MOST_FILE_BYTES
from app.domain.mail.message import Message
from fakes.engine.agent_mailbox import Room
from fakes.models.gmail_agent import task

HANDLE = "a" * 64
DOCUMENTS = (TaskDocument(HANDLE, "report.md", 100), TaskDocument("c" * 64, "big.bin", MOST_FILE_BYTES))
KNOWN = AllowedReferences(DOCUMENTS, frozenset({7}), lambda _address: True)
LEAST = {"to": "ann@partner.org", "subject": "Report", "body": "Hello."}
SIGNS = st.sampled_from("abz.@,;<>\r\n\t \x00\u202e\u2028č@ü-\"'()[]:%") | st.characters()
TEXTS = st.text(SIGNS, max_size=40)


def check(**changes: Any) -> SendArguments:
    """The least mail with changes, checked."""
    return checked({**LEAST, **changes}, KNOWN)


@settings(max_examples=2 * settings.default.max_examples)
@given(to=TEXTS | st.lists(TEXTS, max_size=4), cc=st.lists(TEXTS, max_size=4), subject=TEXTS, body=TEXTS)
def test_what_passes_holds_no_second_header_and_only_single_addresses(to: Any, cc: Any, subject: str, body: str) -> None:
    try:
        made = check(to=to, cc=cc, subject=subject, body=body)
    except NotAllowed:
        return
    for one in (*made.to, *made.cc):
        assert one == plain_address(one)
        assert one.count("@") == 1
        assert not set(one) & set(string.whitespace + ',;:<>()"\\[]\x00\u202e\u2028')
        assert one.rpartition("@")[2].isascii()
    assert len(made.subject.splitlines()) == 1
    assert made.subject.isprintable() or not any(ord(letter) < 32 for letter in made.subject)
    assert not set(made.body) & {"\r", "\x00"}
    assert not set(made.to) & set(made.cc)


def source(number: int) -> Source:
    return Source(SourceKind.MESSAGE, "t", "e", MessageId(number))


def test_a_mail_keeps_what_may_be_and_gets_our_ids(room: Room) -> None:
    ours = room.one("Words.")
    report = ArtifactHandle("f" * 64, "report.md", "f" * 64, 10)
    said = MailProposal(
        ("Ann@Partner.org", "ann@partner.org"),
        " Hi ",
        "Hello.\r\n",
        attachments=("f" * 64,),
        reply_to=MessageId(5),
        model="m\n\x00l" * 90,
    )

    def here(number: int) -> Message | None:
        return ours if number == 5 else None

    found = rebuilt_from_store(GmailProposed(said, (source(5), source(6))), task(documents=(report,)), here)
    assert isinstance(found, GmailProposed)
    assert (found.mail.to, found.mail.subject, found.mail.body) == (("ann@partner.org",), "Hi", "Hello.")
    assert (found.mail.reply_to, found.mail.attachments) == (ours.id, ("f" * 64,))
    assert "\x00" not in found.mail.model
    assert len(found.mail.model) <= 120
    assert [one.message_id for one in found.sources] == [ours.id]
    assert found.sources[0].excerpt == "Words."
    with pytest.raises(UnusableAnswer):
        rebuilt_from_store(GmailProposed(said), task(), here)


@pytest.mark.parametrize(
    ("url", "host", "name"),
    [
        ("http://localhost:8000", "localhost:8000", "gmail-service"),
        ("http://127.0.0.1:8000/", "127.0.0.1:8000", "gmail-service"),
        ("http://[::1]:8000", "::1:8000", "gmail-service"),
        ("https://mail.example", "mail.example", "gmail-service:mail.example"),
        (" https://mail.example:8443/gmail/ ", "mail.example:8443", "gmail-service:mail.example:8443"),
    ],
)
def test_addresses(url: str, host: str, name: str) -> None:
    address = ServiceAddress.of(url)
    assert (address.host, address.token_name) == (host, name)
    assert not address.url.endswith("/")


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:8000",
        "ftp://localhost",
        "http://",
        "http://user:secret@localhost:8000",
        "http://localhost:8000?token=x",
        "http://localhost:8000#x",
        "http://localhost:99999",
        "http://[::1",
    ],
)
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(NotAllowed, match="no plain http"):
        ServiceAddress.of(url)


@pytest.mark.parametrize(
    "url", ["http://mail.example", "http://10.0.0.5:8000", "http://localhost.evil.example", "http://0.0.0.0"]
)
def test_mail_goes_unencrypted_to_this_machine_alone(url: str) -> None:
    with pytest.raises(NotAllowed, match="unencrypted"):
        ServiceAddress.of(url)
