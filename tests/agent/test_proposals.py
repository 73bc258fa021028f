"""What the review desk is given: flags computed from the store."""

from dataclasses import replace

from app.agent.lookalike import skeleton
from app.agent.proposals import flags_of, plain_proposal, tool_steps
from app.agent.state import Drafted, MailState, ToolOutcome
from app.domain.draft import Draft, Source, SourceKind
from app.domain.mail import Address
from app.domain.review import FlagKind, ReviewKind
from fakes.mailroom import ANN, OWNER, SENT, FixedTriage, Room, mail, verdict


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
        return [one.kind for one in flags_of(Drafted(changed, sources), message, account, MailState(), deps)]

    assert deps.skeleton is skeleton
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
