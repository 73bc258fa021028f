"""The owner's model: learned from the archive without labels, stored, corrected within a second, and wiped with its account."""

import pytest

from app.agent.triage import owner_model
from app.agent.triage.classifier import LocalTriage, TaughtTriage, shipped_weights
from app.agent.triage.evidence import features, gather
from app.domain.agents.memory import Namespace
from app.domain.ids import AccountId
from app.domain.mail.message import Address, Message, RemoteMessage
from app.domain.mail.triage import OwnerVerdict
from app.domain.protocol.changes import CorrectVerdict
from app.domain.record import replace
from app.engine.learning.archive_learner import ArchiveLearner
from app.engine.learning.memory import StoredMemory
from app.store.accounts import erase_rows
from fakes.engine.engine_parts import Parts
from fakes.engine.store.values import ME, remote

DAY = 24 * 60
FRIEND, SHOP = Address("friend@home.example", "Friend"), Address("news@shop.example", "Shop")


def archive() -> list[RemoteMessage]:
    """Two months: the friend's mail is answered the same day, the shop's is archived unread."""
    made: list[RemoteMessage] = []
    for day in range(60):
        asked = remote(f"f{day}", f"tf{day}", sender=FRIEND, text="Here it is.", minutes=day * DAY, labels=("INBOX",))
        made.append(asked)
        if day < 40:
            answer = remote(f"a{day}", f"tf{day}", sender=ME, to=(FRIEND,), minutes=day * DAY + 60, labels=("SENT",))
            made.append(replace(answer, in_reply_to=asked.rfc822_id))
        made.append(remote(f"s{day}", f"ts{day}", sender=SHOP, text="Our news.", minutes=day * DAY + 90, labels=("UNREAD",)))
    return made


def learner(parts: Parts) -> tuple[ArchiveLearner, TaughtTriage]:
    triage = TaughtTriage(LocalTriage(), tuple, lambda _ids: None)
    return ArchiveLearner(parts.tables, triage), triage


def likelihood(triage: TaughtTriage, parts: Parts, message: Message) -> tuple[float, float]:
    owner = triage.owner(parts.account_id)
    assert owner is not None
    local = LocalTriage(owners={parts.account_id: owner})
    seen = gather(message, (message,), parts.account, None, message.body_text, owner.history.before(message))
    told = local.likelihood(message, seen)
    return told.respond, told.ignore


def read(parts: Parts, message: Message) -> dict[str, float]:
    return features(gather(message, (message,), parts.account, None, message.body_text))


async def test_it_learns_whom_the_owner_answers_and_keeps_it(parts: Parts, monkeypatch: pytest.MonkeyPatch) -> None:
    mails = parts.mail(*archive())
    first, triage = learner(parts)
    await first.learn(parts.account, pause_s=0)
    friend, shop = mails[-2], mails[-1]
    assert likelihood(triage, parts, friend)[0] > 10 * likelihood(triage, parts, shop)[0]
    owner = triage.owner(parts.account_id)
    assert owner is not None and owner.quiet_shift(read(parts, shop)) > owner.quiet_shift(read(parts, friend))
    stored = parts.tables.owner_models.get(parts.account_id, shipped_weights().version)
    assert stored is not None and stored.answered == 40 and stored.examples > 80
    assert {name for name, _weight in stored.strongest} & {"sender_answered", "sender_answers", "sender_sent", "written_to"}
    again_read: list[str] = []
    whole = owner_model.features
    monkeypatch.setattr(owner_model, "features", lambda seen: again_read.append("") or whole(seen))
    parts.mail(remote("new", sender=FRIEND, minutes=61 * DAY))
    again, second = learner(parts)
    await again.learn(parts.account, pause_s=0)
    assert len(again_read) == 1, "only the new mail is read"
    assert likelihood(second, parts, friend)[0] == pytest.approx(likelihood(triage, parts, friend)[0], abs=0.1)


async def test_a_correction_counts_more_than_silence(parts: Parts) -> None:
    mails = parts.mail(*archive())
    at, triage = learner(parts)
    await at.learn(parts.account, pause_s=0)
    shop = mails[-1]
    before = likelihood(triage, parts, shop)[0]
    for number, one in enumerate([one for one in mails if one.sender == SHOP][-3:]):
        parts.tables.corrections.correct(CorrectVerdict(f"k{number}", (one.thread_id,), OwnerVerdict.NEEDS_REPLY))
    await at.refit(parts.account_id)
    assert likelihood(triage, parts, shop)[0] > 3 * before, "beside the 57 that were archived unread"


def signed(key: str, day: int, closing: str = "Kind regards") -> RemoteMessage:
    text = (
        f"Hello Ana,\n\nthe wheels number {day} are ready for you.\n\n{closing},\nMe\n\n-- \nWorkshop manager\n+420 601 222 333"
    )
    reader = Address(f"reader{day % 3}@partner.org", "Ana Secret")
    return remote(key, sender=ME, to=(reader,), text=text, minutes=day * DAY, labels=("SENT",))


async def test_the_owners_profile_is_made_from_sent_mail_until_it_is_edited(parts: Parts) -> None:
    told: list[int] = []
    triage = TaughtTriage(LocalTriage(), tuple, lambda _ids: None)
    reader = ArchiveLearner(parts.tables, triage, changed=told.extend)
    preferences = parts.tables.preferences
    parts.mail(*(signed(f"p{day}", day) for day in range(6)))
    await reader.learn_profiles()
    (voice,), (facts,) = preferences.active(Namespace.RESPONSE), preferences.active(Namespace.BACKGROUND)
    assert told == [voice.id, facts.id] and not voice.typed
    memory = StoredMemory(preferences, lambda namespace: "Be short." if namespace == Namespace.RESPONSE else "")
    writing = memory.read(parts.account_id, "response_preferences")
    assert "“Hello …,”" in writing and "“Kind regards, / Me”" in writing and "Be short." in writing
    about = memory.read(parts.account_id, "background")
    assert "Role: Workshop manager" in about and "+420 601 222 333" in about and "Secret" not in writing + about
    assert "regards" not in memory.read(AccountId(parts.account_id + 1), "response_preferences"), "another account's owner"
    await reader.learn_profiles()
    assert len(told) == 2, "nothing new was sent"
    preferences.edit(voice.id, "Always short.\nNever formal.")
    parts.mail(*(signed(f"q{day}", 20 + day, "All the best") for day in range(20)))
    await reader.learn_profiles()
    assert "- Always short.\n- Never formal." in memory.read(parts.account_id, "response_preferences")
    preferences.edit(voice.id, "")
    assert "All the best" in memory.read(parts.account_id, "response_preferences"), "emptied, it is what mail shows now"
    preferences.delete(facts.id)
    parts.mail(*(signed(f"r{day}", 60 + day) for day in range(4)))
    await reader.learn_profiles()
    assert preferences.active(Namespace.BACKGROUND) == (), "deleted stays deleted"
    with parts.tables.db.transaction() as connection:
        erase_rows(connection, parts.account_id)
    assert preferences.active(Namespace.RESPONSE) == ()
