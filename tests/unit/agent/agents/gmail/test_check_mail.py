"""Arguments of a proposed mail: whatever a model makes up, what passes is plain, known and of this request.

Gmail agents on other machines: addresses, ids and mails that come from them.
"""

import string
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.agent.agents.gmail.check_mail import (
    LONGEST_BODY,
    LONGEST_SUBJECT,
    MOST_ATTACHMENTS,
    MOST_RECIPIENTS,
    AllowedReferences,
    checked,
)
from app.agent.agents.gmail.interface import GmailFound, GmailProposed, MailProposal
from app.agent.agents.gmail.remote import named, rebuilt_from_store
from app.agent.agents.gmail.service_client import ServiceAddress
from app.agent.agents.gmail.state import SendArguments, TaskContext, TaskDocument, given_of, proposed_of
from app.agent.llm.turns import UnusableAnswer
from app.domain.agents.call_flags import plain_address
from app.domain.drafting.draft import Source, SourceKind
from app.domain.errors import NotAllowed
from app.domain.ids import AccountId, MessageId, RunId
from app.domain.mail.files import ArtifactHandle
from app.domain.mail.letter import MOST_FILE_BYTES
from app.domain.mail.message import Message
from fakes.engine.agent_mailbox import Room
from fakes.models.gmail_agent import task

HANDLE = "a" * 64
OTHER = "b" * 64
DOCUMENTS = (TaskDocument(HANDLE, "report.md", 100), TaskDocument("c" * 64, "big.bin", MOST_FILE_BYTES))
KNOWN = AllowedReferences(DOCUMENTS, frozenset({7}), lambda _address: True)
LEAST = {"to": "ann@partner.org", "subject": "Report", "body": "Hello."}
SIGNS = st.sampled_from("abz.@,;<>\r\n\t \x00\u202e\u2028č@ü-\"'()[]:%") | st.characters()
TEXTS = st.text(SIGNS, max_size=40)


def check(**changes: Any) -> SendArguments:
    """The least mail with changes, checked."""
    return checked({**LEAST, **changes}, KNOWN)


def test_the_whole_mail_in_one_form() -> None:
    made = check(
        to=["Ann@Partner.ORG", "ann@partner.org"],
        subject=" Report ",
        body="Hello.\r\n\r\nBye.\n",
        cc=["jana@čistírna.cz", "ann@partner.org"],
        bcc=["bo@x.org", "jana@xn--istrna-5va6w.cz"],
        attachments=[HANDLE, HANDLE],
        reply_to_message_id=7,
    )
    assert made == SendArguments(
        ("ann@partner.org",), "Report", "Hello.\n\nBye.", (HANDLE,), ("jana@xn--istrna-5va6w.cz",), ("bo@x.org",), 7
    )


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"to": []}, "needs a recipient"),
        ({"to": "Ann <ann@partner.org>"}, "not exactly one plain mail address"),
        ({"to": "ann@partner.org, eve@evil.example"}, "not exactly one plain mail address"),
        ({"to": "ann@partner.org\r\nBcc: eve@evil.example"}, "not exactly one plain mail address"),
        ({"cc": ["ann@partner.org\neve@evil.example"]}, "in cc is not exactly one"),
        ({"bcc": ["eve"]}, "in bcc is not exactly one"),
        ({"to": [f"a{n}@x.org" for n in range(MOST_RECIPIENTS + 1)]}, "up to 50 recipients"),
        ({"subject": "Report\r\nBcc: eve@evil.example"}, "one line"),
        ({"subject": "Report\u2028more"}, "one line"),
        ({"subject": " "}, "1 to 300"),
        ({"subject": "x" * (LONGEST_SUBJECT + 1)}, "1 to 300"),
        ({"body": "\n"}, "1 to 20000"),
        ({"body": "x" * (LONGEST_BODY + 1)}, "1 to 20000"),
        ({"body": "Hello\x00"}, "control characters"),
        ({"attachments": ["/etc/passwd"]}, "never by path or name"),
        ({"attachments": ["report.md"]}, "never by path or name"),
        ({"attachments": [OTHER]}, f"never by path or name: {HANDLE} (report.md)"),
        ({"attachments": [HANDLE, DOCUMENTS[1].handle]}, "at most 10 files and 25 MB"),
        ({"reply_to_message_id": 8}, "Mail 8 was not found"),
    ],
)
def test_what_is_wrong_is_refused_in_words(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(NotAllowed) as refused:
        check(**changes)
    assert words in str(refused.value)


def test_too_many_files_and_unknown_people_are_refused() -> None:
    many = tuple(TaskDocument(f"{n:064x}", f"{n}.md") for n in range(MOST_ATTACHMENTS + 1))
    with pytest.raises(NotAllowed, match="at most 10 files"):
        checked(
            {**LEAST, "attachments": [one.handle for one in many]}, AllowedReferences(many, frozenset(), lambda _address: True)
        )
    with pytest.raises(NotAllowed, match=r"ann@partner\.org stands neither in the request nor in mail"):
        checked(LEAST, AllowedReferences((), frozenset(), lambda _address: False))


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


@settings(max_examples=2 * settings.default.max_examples)
@given(st.lists(st.sampled_from([HANDLE, OTHER, "report.md", "../report.md", f"/{HANDLE}"]) | TEXTS, max_size=5))
def test_only_handles_of_the_request_are_attached(attachments: list[str]) -> None:
    try:
        made = check(attachments=attachments)
    except NotAllowed:
        assert set(attachments) - {HANDLE}
        return
    assert set(made.attachments) == set(attachments) <= {HANDLE, DOCUMENTS[1].handle}


def test_the_least_context_names_account_and_run_and_whatever_else_stands_in_it_is_left_alone() -> None:
    context = {"account_id": 1, "run_id": "ask-1", "plan": ["gmail"], "documents": [{"handle": "h", "name": "a.md"}]}
    assert given_of(context) == TaskContext(AccountId(1), RunId("ask-1"), documents=(TaskDocument("h", "a.md"),))


@pytest.mark.parametrize(
    "context",
    [
        {"account_id": "1", "run_id": "ask-1"},
        {"account_id": 1, "run_id": "ask-1", "documents": ["/etc/passwd"]},
        {"account_id": 1, "run_id": "ask-1", "before": {"to": "ann@partner.org"}},
    ],
)
def test_a_context_of_another_form_is_an_error(context: dict[str, Any]) -> None:
    with pytest.raises(NotAllowed):
        given_of(context)


@pytest.mark.parametrize(
    "value",
    [
        None,
        "sent",
        {"action": "gmail_send"},
        {"action": "delete", "args": {"to": [], "subject": "", "body": ""}, "plan_hash": "h"},
    ],
)
def test_what_is_no_proposal_is_not_taken_for_one(value: object) -> None:
    with pytest.raises(UnusableAnswer):
        proposed_of(value)


def source(number: int) -> Source:
    return Source(SourceKind.MESSAGE, "t", "e", MessageId(number))


def test_ids_are_asked_for_once_and_not_without_end() -> None:
    found = GmailFound({}, "", tuple(source(number) for number in (3, 0, 3, *range(10, 60))))
    assert named(found)[:2] == (3, 10)
    assert len(named(found)) < 20
    assert named(GmailProposed(MailProposal(("a@b.cz",), "s", "b", reply_to=MessageId(9)), (source(3),))) == (3, 9)


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
