"""What the user approved is not sent days too late or from another address without being asked once."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import cast

import pytest

from app.domain.errors import ExpectedError, NotFound, PermissionMissing, RejectedByServer
from app.domain.ids import OutboxId
from app.domain.mail.outbox import HoldReason, OutboxItem, OutboxKind
from app.domain.ports.gmail import MailServer, SendAs
from app.engine.outbox.mail_sender import second_thought, sender_of
from app.engine.outbox.outbox_writer import OutboxWriter
from app.engine.runtime.workers import WakeUp
from fakes.engine.engine_parts import Parts
from fakes.engine.store.values import new_outbox

pytestmark = pytest.mark.anyio

HEAD = "To: ann@x.example\r\nFrom: {}\r\nSubject: Hi\r\n\r\nFrom: nobody@x.example\r\n"


class Names:
    """A server that tells under which addresses one may send, and how often it was asked."""

    def __init__(self, *addresses: str) -> None:
        self.addresses = addresses
        self.asked = 0

    async def send_as(self) -> Sequence[SendAs]:
        self.asked += 1
        return [SendAs(one, "", False, "") for one in self.addresses]


@pytest.fixture
def steps(parts: Parts) -> OutboxWriter:
    return OutboxWriter(parts.tables, parts.announcer, WakeUp())


def waiting(parts: Parts, sender: str = "me@example.org", later: timedelta = timedelta(0)) -> OutboxItem:
    """An approved mail that is to leave so much later."""
    new = replace(new_outbox(), mime=HEAD.format(sender).encode(), not_before=parts.clock() + later, account_id=parts.account_id)
    return parts.tables.outbox.get(OutboxId(parts.tables.outbox.add(new)))


async def held(steps: OutboxWriter, item: OutboxItem, *addresses: str) -> HoldReason | None:
    return await second_thought(cast(MailServer, Names(*addresses)), steps, item)


@pytest.mark.parametrize(
    ("later", "passed", "reason"),
    [
        (timedelta(hours=2), timedelta(hours=25), None),
        (timedelta(hours=2), timedelta(hours=27), HoldReason.LATE),
        (timedelta(seconds=120), timedelta(days=9), None),
    ],
    ids=["a night late", "days late", "approved while offline"],
)
async def test_only_a_chosen_time_can_be_missed(
    parts: Parts, steps: OutboxWriter, later: timedelta, passed: timedelta, reason: HoldReason | None
) -> None:
    item = waiting(parts, later=later)
    parts.clock.pass_s(passed.total_seconds())
    assert await held(steps, item) is reason


async def test_tries_in_between_do_not_make_it_less_late(parts: Parts, steps: OutboxWriter) -> None:
    item = waiting(parts, later=timedelta(hours=2))
    for _ in range(3):
        parts.clock.pass_s(86_400)
        claimed = parts.tables.outbox.claim_due("sender", 60.0)
        assert claimed is not None
        parts.tables.outbox.release(item.id, parts.clock() + timedelta(seconds=60))
    assert await held(steps, parts.tables.outbox.get(item.id)) is HoldReason.LATE


@pytest.mark.parametrize(
    ("sender", "reason", "asked"),
    [
        ("Me <me@example.org>", None, 0),
        ("Sales <Sales@Example.org>", None, 1),
        ("Old name <old@example.org>", HoldReason.SENDER_GONE, 1),
    ],
)
async def test_an_address_that_was_taken_off_the_account_holds_its_mail(
    parts: Parts, steps: OutboxWriter, sender: str, reason: HoldReason | None, asked: int
) -> None:
    names = Names("me@example.org", "sales@example.org")
    assert await second_thought(cast(MailServer, names), steps, waiting(parts, sender)) is reason
    assert names.asked == asked


@pytest.mark.expects_warnings
@pytest.mark.parametrize("error", [PermissionMissing, RejectedByServer, NotFound])
async def test_a_server_that_does_not_tell_the_names_holds_nothing_up(
    parts: Parts, steps: OutboxWriter, error: type[ExpectedError], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refused(_self: Names) -> Sequence[SendAs]:
        raise error("not for this account")

    monkeypatch.setattr(Names, "send_as", refused)
    assert await held(steps, waiting(parts, "old@example.org")) is None


async def test_what_the_user_sends_on_after_the_question_goes(parts: Parts, steps: OutboxWriter) -> None:
    item = waiting(parts, "old@example.org")
    await steps.hold(item, HoldReason.SENDER_GONE)
    assert await held(steps, item) is None


async def test_only_what_is_sent_is_thought_over(parts: Parts, steps: OutboxWriter) -> None:
    item = replace(waiting(parts, "old@example.org"), kind=OutboxKind.GMAIL_DRAFT)
    assert await held(steps, item) is None


def test_the_head_alone_names_the_sender() -> None:
    assert sender_of(HEAD.format("A <a@x.example>").encode()) == "a@x.example"
    assert sender_of(b"") == ""
