"""Gmail agents on other machines: addresses, ids and mails that come from them."""

import pytest

from app.agent.agents.gmail.interface import GmailFound, GmailProposed, MailProposal
from app.agent.agents.gmail.remote import believed, named
from app.agent.agents.gmail.service_client import ServiceAddress
from app.agent.llm.turns import UnusableAnswer
from app.domain.drafting.draft import Source, SourceKind
from app.domain.errors import NotAllowed
from app.domain.ids import MessageId
from app.domain.mail.files import ArtifactHandle
from app.domain.mail.message import Message
from fakes.engine.agent_mailbox import Room
from fakes.models.gmail_agent import task


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

    found = believed(GmailProposed(said, (source(5), source(6))), task(documents=(report,)), here)
    assert isinstance(found, GmailProposed)
    assert (found.mail.to, found.mail.subject, found.mail.body) == (("ann@partner.org",), "Hi", "Hello.")
    assert (found.mail.reply_to, found.mail.attachments) == (ours.id, ("f" * 64,))
    assert "\x00" not in found.mail.model
    assert len(found.mail.model) <= 120
    assert [one.message_id for one in found.sources] == [ours.id]
    assert found.sources[0].excerpt == "Words."
    with pytest.raises(UnusableAnswer):
        believed(GmailProposed(said), task(), here)


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
