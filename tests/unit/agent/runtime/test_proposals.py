"""What the review desk is given: flags computed from the store.

Conversations and log rows: nothing is lost on the way.
"""

import json
import math
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from app.agent.llm.turns import ToolCall
from app.agent.runtime.conversation import (
    OWNER_SAYS,
    call_of,
    dump,
    load,
    turns,
    with_result,
    with_turn,
    with_words,
)
from app.agent.runtime.proposals import flags_of, plain_proposal, reply_proposal
from app.agent.runtime.run_recorder import dumped, loaded
from app.agent.runtime.state import DraftPayload, MailState, ToolOutcome
from app.domain.drafting.draft import Draft, Source, SourceKind
from app.domain.drafting.review import Action, FlagKind, RedFlag, ReviewKind, ReviewStatus
from app.domain.mail.message import Address, Message
from app.domain.protocol.commands import Decide
from app.domain.record import replace
from fakes.engine.agent_mailbox import ANN, OWNER, SENT, FixedTriage, Room, mail, verdict


def test_flags_from_the_store(room: Room) -> None:
    secret = "the second half of a mail that the excerpt does not show"
    old, sent, message = room.put(
        mail("long " * 300 + secret, key="o", thread="t0", sender=Address("bob@other.org")),
        mail("Dear Ann", key="s", thread="t2", sender=OWNER, to=(ANN,), labels=SENT),
        mail("Price?", cc=(Address("ann@partnеr.org"),)),
    )
    deps = room.deps(FixedTriage(verdict()))
    account = room.corpus.account(room.account_id)
    draft = Draft((ANN,), (), (), "Re: x", "Thanks.", "m", message.id)

    def kinds(changed: Draft, *sources: Source) -> list[FlagKind]:
        return [one.kind for one in flags_of(DraftPayload(changed, sources), message, account, MailState(), deps)]

    assert kinds(draft) == []
    assert kinds(replace(draft, cc=(Address("ann@partnеr.org"),))) == [FlagKind.LOOK_ALIKE_DOMAIN]
    private = Source(SourceKind.MESSAGE, "x", "long", old.id, frozenset({"bob@other.org"}))
    assert kinds(replace(draft, body=f"As said, {secret}."), private) == [FlagKind.QUOTES_PRIVATE_SOURCE]
    assert sent.outgoing


def test_plain_proposals_carry_the_verdict_and_tools(room: Room) -> None:
    (message,) = room.put(mail("x"))
    outcome = ToolOutcome(arguments={"a": 1}, result={}, error="offline: x", latency_ms=2.0)
    state = MailState(
        run_id="r", account_id=message.account_id, thread_id=message.thread_id, email=message.id, started_ms=0,
        tool_results={"check_calendar": outcome},
    )  # fmt: skip
    proposal = plain_proposal(state, ReviewKind.NEEDS_REVIEW, "why", room.deps(FixedTriage(verdict())))
    assert (proposal.kind, proposal.detail, proposal.decision, proposal.draft) == (ReviewKind.NEEDS_REVIEW, "why", "", None)
    assert proposal.elapsed_ms > 0
    (step,) = proposal.tools
    assert (step.name, step.arguments, step.result, step.error, step.latency_ms) == (
        "check_calendar",
        '{"a": 1}',
        "{}",
        "offline: x",
        2.0,
    )


def test_the_owners_own_words_are_no_secret_and_what_is_quoted_below_them_is_one(room: Room) -> None:
    price, secret = "The whole garden costs 400 crowns a month.", "My brother Karel sold the house in Zlin last week."
    bob = Address("bob@other.org", "Bob Kowalski")
    _, to_bob, message = room.put(
        mail(secret, key="a", thread="tb", sender=bob),
        mail(
            f"Dear Bob,\n\n{price} I am sorry that Kowalski and Sons had to close.\n\nMia\n\n"
            f"On Monday Bob wrote:\n> {secret}",
            key="b", thread="tb", sender=OWNER, to=(bob,), labels=SENT,
        ),
        mail("What do you do?"),
    )  # fmt: skip
    deps = room.deps(FixedTriage(verdict()))
    account = room.corpus.account(room.account_id)
    source = Source(SourceKind.OWN_REPLY, "x", to_bob.body_text[:50], to_bob.id, frozenset({"me@example.com", "bob@other.org"}))

    def quotes(body: str) -> bool:
        draft = Draft((ANN,), (), (), "Re: x", body, "own-reply", message.id)
        flags = flags_of(DraftPayload(draft, (source,)), message, account, MailState(), deps)
        return FlagKind.QUOTES_PRIVATE_SOURCE in {one.kind for one in flags}

    assert not quotes(f"Dear Ann,\n\n{price}\n\nMia")
    assert quotes(f"Dear Ann,\n\n{secret}\n\nMia")
    assert quotes("Dear Ann,\n\nI am sorry that Kowalski and Sons had to close.\n\nMia")


def test_a_stranger_who_wrote_is_answered_without_a_warning(room: Room) -> None:
    new, ben = Address("new@customer.example", "New Customer"), Address("ben@customer.example")
    (message,) = room.put(mail("Price?", sender=new, cc=(ben,)))
    deps = room.deps(FixedTriage(verdict()))
    draft = Draft((new,), (ben,), (), "Re: x", "It is 40.", "template", message.id)
    assert flags_of(DraftPayload(draft, ()), message, room.corpus.account(room.account_id), MailState(), deps) == ()


def test_a_look_alike_of_anybody_the_owner_knows_is_flagged(room: Room) -> None:
    """Not only of people on the same conversation."""
    _, message = room.put(
        mail("Dear Ann", key="s", thread="t2", sender=OWNER, to=(ANN,), labels=SENT),
        mail("Our bank account has changed.", sender=Address("ann@partner.0rg", "Ann")),
    )
    deps = room.deps(FixedTriage(verdict()))
    draft = Draft((message.sender,), (), (), "Re: x", "Thanks.", "template", message.id)
    flags = flags_of(DraftPayload(draft, ()), message, room.corpus.account(room.account_id), MailState(), deps)
    assert [one.kind for one in flags] == [FlagKind.LOOK_ALIKE_DOMAIN]


def test_a_copy_to_a_known_person_is_said_until_it_was_approved_twice(room: Room) -> None:
    bob = Address("bob@other.org")
    _, first, *others = room.put(
        mail("Hi Bob", key="s", thread="ts", sender=OWNER, to=(bob,), labels=SENT),
        *(mail("Price?", key=f"m{at}", thread=f"t{at}") for at in range(3)),
    )
    deps = room.deps(FixedTriage(verdict()))
    account = room.corpus.account(room.account_id)

    def flags(message: Message) -> tuple[RedFlag, ...]:
        draft = Draft((ANN,), (bob,), (), "Re: x", "It is 40.", "m", message.id)
        found = flags_of(DraftPayload(draft, ()), message, account, MailState(), deps)
        state = MailState(run_id=f"r{message.id}", account_id=account.id, thread_id=message.thread_id, email=message.id)
        proposal = reply_proposal(state, DraftPayload(draft, ()), found, deps)
        review_id = room.reviews.open(proposal, "reply")
        room.reviews.decide(Decide(review_id, 1, Action.ACCEPT), None, ReviewStatus.APPROVED, None)
        return found

    copied = (RedFlag(FlagKind.RECIPIENT_OUTSIDE_THREAD, bob.email),)
    assert [flags(one) for one in (first, *others)] == [copied, copied, ()]


def test_plain_words_of_a_thread_are_known_to_everybody_in_it(room: Room) -> None:
    told = "the little shed behind the house stays open for all of you"
    asked, _, later, message = room.put(
        mail("Where do we meet?", key="a", thread="tt"),
        mail(told, key="b", thread="tt", sender=Address("bob@other.org"), to=(OWNER,)),
        mail("Hello", key="z", thread="tz", sender=OWNER, to=(ANN,), labels=SENT),
        mail("Where again?", key="n", thread="tn"),
    )
    deps = room.deps(FixedTriage(verdict()))
    account = room.corpus.account(room.account_id)
    answer = room.messages.thread(asked.thread_id)[-1]
    source = Source(SourceKind.MESSAGE, "x", told, answer.id, frozenset({"bob@other.org"}))
    draft = Draft((ANN,), (), (), "Re: x", told, "m", message.id)
    assert flags_of(DraftPayload(draft, (source,)), message, account, MailState(), deps) == ()
    to_eve = replace(draft, to=(Address("eve@else.org"),))
    flags = flags_of(DraftPayload(to_eve, (source,)), message, account, MailState(), deps)
    assert FlagKind.QUOTES_PRIVATE_SOURCE in {one.kind for one in flags}
    assert later.outgoing


HALF = "caf\udce9"


def test_what_a_model_or_a_tool_says_in_halves_can_be_kept() -> None:
    call = ToolCall("1", f"send{HALF}", {"body": HALF})
    talk = with_turn([], HALF, [call])
    made = call_of(talk[0]["tool_calls"][0])
    talk = with_words(with_result(talk, made, {"status": "read", "text": HALF}), "yes")
    kept = dump(talk)
    assert "caf?" in kept.encode("utf-8").decode("utf-8")
    assert load(MailState(messages=kept)) == talk
    assert (turns(talk), talk[-1]["content"]) == (1, f"{OWNER_SAYS}yes")


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=8), values, max_size=4))
def test_fields_come_back(fields: dict[str, Any]) -> None:
    assert loaded(dumped(fields)) == fields
    assert json.loads(dumped(fields)) == fields


def test_half_characters_and_odd_numbers_of_older_rows_are_read() -> None:
    half = {"text": "a\ud83d"}
    assert loaded(dumped(half)) == half
    assert loaded(json.dumps(half)) == half
    assert math.isnan(loaded('{"score": NaN}')["score"])
