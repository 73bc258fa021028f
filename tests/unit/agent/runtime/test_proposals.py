"""What the review desk is given: flags computed from the store."""

from dataclasses import replace

from app.agent.runtime.proposals import flags_of, plain_proposal, tool_steps
from app.agent.runtime.state import DraftPayload, MailState, ToolOutcome
from app.agent.triage.phishing import domain_skeleton
from app.domain.drafting.draft import Draft, Source, SourceKind
from app.domain.drafting.review import FlagKind, ReviewKind
from app.domain.mail.message import Address
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

    assert deps.skeleton is domain_skeleton
    assert kinds(draft) == []
    assert kinds(replace(draft, cc=(Address("ann@partnеr.org"),))) == [FlagKind.NEVER_WRITTEN_TO, FlagKind.LOOK_ALIKE_DOMAIN]
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
    (step,) = tool_steps(state)
    assert (step.name, step.arguments, step.result, step.error, step.latency_ms) == (
        "check_calendar",
        '{"a": 1}',
        "{}",
        "offline: x",
        2.0,
    )


def test_what_the_owner_writes_to_everybody_is_no_secret_and_a_price_is_one(room: Room) -> None:
    usual, price = "We look after your garden as if it were ours.", "The whole garden costs 400 crowns a month."
    bob, carol = Address("bob@other.org"), Address("carol@else.org")
    to_bob, _, message = room.put(
        mail(f"Dear Bob,\n\n{usual} {price}\n\nMia", key="b", thread="tb", sender=OWNER, to=(bob,), labels=SENT),
        mail(f"Dear Carol,\n\n{usual}\n\nMia", key="c", thread="tc", sender=OWNER, to=(carol,), labels=SENT),
        mail("What do you do?"),
    )
    deps = room.deps(FixedTriage(verdict()))
    account = room.corpus.account(room.account_id)
    source = Source(SourceKind.OWN_REPLY, "x", to_bob.body_text, to_bob.id, frozenset({"me@example.com", "bob@other.org"}))

    def quotes(body: str) -> bool:
        draft = Draft((ANN,), (), (), "Re: x", body, "own-reply", message.id)
        flags = flags_of(DraftPayload(draft, (source,)), message, account, MailState(), deps)
        return FlagKind.QUOTES_PRIVATE_SOURCE in {one.kind for one in flags}

    assert not quotes(f"Dear Ann,\n\n{usual}\n\nMia")
    assert quotes(f"Dear Ann,\n\n{usual} {price}\n\nMia")


def test_plain_words_of_a_thread_are_known_to_everybody_in_it(room: Room) -> None:
    told = "the little shed behind the house stays open for all of you"
    asked, _, later, message = room.put(
        mail("Where do we meet?", key="a", thread="tt"),
        mail(told, key="b", thread="tt", sender=OWNER, to=(Address("bob@other.org"),), labels=SENT),
        mail("Hello", key="z", thread="tz", sender=OWNER, to=(ANN,), labels=SENT),
        mail("Where again?", key="n", thread="tn"),
    )
    deps = room.deps(FixedTriage(verdict()))
    account = room.corpus.account(room.account_id)
    answer = room.messages.thread(asked.thread_id)[-1]
    source = Source(SourceKind.OWN_REPLY, "x", told, answer.id, frozenset({"bob@other.org"}))
    draft = Draft((ANN,), (), (), "Re: x", told, "own-reply", message.id)
    assert flags_of(DraftPayload(draft, (source,)), message, account, MailState(), deps) == ()
    to_eve = replace(draft, to=(Address("eve@else.org"),))
    flags = flags_of(DraftPayload(to_eve, (source,)), message, account, MailState(), deps)
    assert FlagKind.QUOTES_PRIVATE_SOURCE in {one.kind for one in flags}
    assert later.outgoing
