"""The whole graph over the real store: what follows what, waiting, waking, failing and going on.

A profile's run across crashes: whatever was written when the process died, each effect is there once and the run ends.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import Any

import pytest

from app.agent.graph import MailGraph
from app.domain.agents.runs import Route, RunStatus
from app.domain.drafting.draft import fill_slots
from app.domain.drafting.review import Action, ReviewKind, ReviewStatus
from app.domain.errors import NotFound, Offline
from app.domain.ids import ReviewId, RunId
from app.domain.mail.message import Address
from app.domain.mail.triage import Category, Decision
from app.domain.policy.policy import AutoApprove
from app.domain.record import replace
from app.store.db.jobs import Jobs
from fakes.engine.agent_mailbox import ANN, NOON, OWNER, SENT, FixedTriage, Room, mail, verdict
from fakes.engine.runs import open_graph
from fakes.engine.store.rows import mail_events
from fakes.models.model_server import Answer, ModelServer, calls
from fakes.models.profile_agent import PARALEN, agency, agent_row, inquiry

TO_REVIEW = ["route", "classify", "retrieve", "decide", "execute_tools", "generate", "review"]
WITHOUT_TOOLS = [one for one in TO_REVIEW if one != "execute_tools"]


@asynccontextmanager
async def opened(room: Room, triage: Any, **changes: Any) -> AsyncIterator[MailGraph]:
    async with open_graph(room.folder / "checkpoints.db", room.deps(triage, **changes)) as graph:
        yield graph


@pytest.mark.parametrize(
    ("judged", "answer", "status", "steps"),
    [
        (verdict(Decision.IGNORE, Category.OTHER), False, RunStatus.DONE, ["route", "classify"]),
        (verdict(Decision.IGNORE, Category.SPAM, 0.8), False, RunStatus.DONE, ["route", "classify"]),
        (verdict(Decision.RESPOND, Category.SPAM, 0.8), False, RunStatus.DONE, ["route", "classify"]),
        (verdict(Decision.IGNORE, Category.SPAM, 0.79), False, RunStatus.WAITING, ["route", "classify", "triage_interrupt"]),
        (verdict(Decision.NOTIFY, Category.OTHER), False, RunStatus.WAITING, ["route", "classify", "triage_interrupt"]),
        (verdict(Decision.RESPOND, Category.INQUIRY), False, RunStatus.WAITING, TO_REVIEW),
        (verdict(Decision.RESPOND, Category.COMPLAINT, 0.99), False, RunStatus.WAITING, TO_REVIEW),
        (verdict(Decision.RESPOND, Category.MEETING_REQUEST), False, RunStatus.WAITING, TO_REVIEW),
        (verdict(Decision.RESPOND, Category.FOLLOW_UP), False, RunStatus.WAITING, TO_REVIEW),
        (verdict(Decision.RESPOND, Category.OTHER), False, RunStatus.WAITING, TO_REVIEW),
        (verdict(Decision.IGNORE, Category.SPAM, 0.95), True, RunStatus.WAITING, WITHOUT_TOOLS),
        (verdict(Decision.IGNORE, Category.OTHER), True, RunStatus.WAITING, TO_REVIEW),
    ],
)
async def test_transitions_without_a_model(room: Room, judged: Any, answer: bool, status: RunStatus, steps: list[str]) -> None:
    (message,) = room.put(mail("Could you tell me the price?"))
    async with opened(room, FixedTriage(judged)) as graph:
        assert await graph.run(room.start(message, answer=answer)) is status
        assert room.steps() == steps
        assert len(room.all_reviews()) == (1 if status is RunStatus.WAITING else 0)


@pytest.mark.parametrize(("others", "own", "copied"), [(8, 0, 8), (30, 0, 0), (30, 1, 30)])
async def test_a_draft_goes_to_many_only_where_the_owner_writes_to_many(room: Room, others: int, own: int, copied: int) -> None:
    many = tuple(Address(f"p{number}@example.org") for number in range(others))
    before = [mail("Hello all", key="own", at=NOON - timedelta(days=1), sender=OWNER, to=(ANN, *many), labels=SENT)] * own
    *_, message = room.put(*before, mail("Could you tell me the price?", to=(OWNER, *many)))
    async with opened(room, FixedTriage(verdict())) as graph:
        await graph.run(room.start(message))
    (review,) = room.all_reviews()
    draft = review.proposal.draft
    assert ([one.email for one in draft.to], len(draft.cc)) == ([ANN.email], copied)


async def test_the_gate_waits_again_while_nothing_is_decided(room: Room) -> None:
    (message,) = room.put(mail("Could you tell me the price?"))
    async with opened(room, FixedTriage(verdict())) as graph:
        run = room.start(message)
        assert await graph.run(run) is RunStatus.WAITING
        for _ in range(3):
            assert await graph.resume(run.id) is RunStatus.WAITING
            assert await graph.run(run) is RunStatus.WAITING
        assert room.steps() == TO_REVIEW
        assert [one.revision for one in room.all_reviews()] == [1]


class TakingBack:
    """The review desk, on which the owner takes the decision back right before it is read for the n-th time."""

    def __init__(self, room: Room, nth: int) -> None:
        self._room, self._left = room, nth

    def __getattr__(self, name: str) -> Any:
        return getattr(self._room.reviews, name)

    def decision(self, review_id: ReviewId) -> Any:
        """What stands after the owner's hand. An approval without its outbox row cannot be taken back here: it is gone."""
        self._left -= 1
        if self._left:
            return self._room.reviews.decision(review_id)
        if self._room.reviews.review(review_id).status is not ReviewStatus.APPROVED:
            self._room.reviews.undo(review_id)
        return None


async def test_a_decision_taken_back_while_it_is_read_makes_the_run_wait(room: Room) -> None:
    (message,) = room.put(mail("Could you tell me the price?"))
    async with opened(room, FixedTriage(verdict()), desk=TakingBack(room, 1)) as graph:
        run = room.start(message)
        await graph.run(run)
        room.decide(room.all_reviews()[0].id, Action.IGNORE)
        assert await graph.run(run) is RunStatus.WAITING
        (review,) = room.all_reviews()
        assert (review.status, review.proposal.kind) == (ReviewStatus.PENDING, ReviewKind.REPLY)
        room.decide(review.id, Action.IGNORE)
        assert await graph.run(run) is RunStatus.DONE


async def test_an_approval_taken_back_after_the_gate_fails_nothing(room: Room) -> None:
    (message,) = room.put(mail("Could you tell me the price?"))
    async with opened(room, FixedTriage(verdict()), desk=TakingBack(room, 2)) as graph:
        run = room.start(message)
        await graph.run(run)
        (review,) = room.all_reviews()
        assert review.proposal.draft is not None
        room.decide(review.id, Action.ACCEPT, draft=fill_slots(review.proposal.draft, ["On Friday."]))
        assert await graph.run(run) is RunStatus.DONE
        assert [one.proposal.kind for one in room.all_reviews()] == [ReviewKind.REPLY]


async def test_without_a_model_a_remark_never_gets_into_the_draft(room: Room) -> None:
    (message,) = room.put(mail("Could you tell me the price?"))
    async with opened(room, FixedTriage(verdict())) as graph:
        run = room.start(message)
        await graph.run(run)
        (review,) = room.all_reviews()
        room.decide(review.id, Action.RESPOND, "mention the discount")
        assert await graph.resume(run.id) is RunStatus.WAITING
        (again,) = room.all_reviews()
        assert (again.id, again.revision, again.status) == (review.id, 2, ReviewStatus.PENDING)
        assert again.proposal.draft.open_slots == ("your answer",)
        assert again.proposal.draft.body == review.proposal.draft.body  # type: ignore[union-attr]
        room.decide(review.id, Action.IGNORE)
        assert await graph.resume(run.id) is RunStatus.DONE
        assert room.steps() == [*TO_REVIEW, "gate", "generate", "review", "gate"]


async def test_a_newer_mail_supersedes_the_waiting_run(room: Room) -> None:
    first, second = room.put(mail("Price?"), mail("Forget the price, when do you ship?", key="m2"))
    async with opened(room, FixedTriage(verdict())) as graph:
        old, new = room.start(first), room.start(second, "run-2")
        await graph.run(old)
        assert await graph.run(new) is RunStatus.WAITING
        assert await graph.resume(old.id) is RunStatus.SUPERSEDED
        assert [one.status for one in room.all_reviews()] == [ReviewStatus.SUPERSEDED, ReviewStatus.PENDING]
        assert await graph.resume(new.id) is RunStatus.WAITING


async def test_the_users_words_stand_in_the_review_that_a_newer_mail_opens(room: Room) -> None:
    first, second = room.put(mail("Price?"), mail("Forget the price, when do you ship?", key="m2"))
    async with opened(room, FixedTriage(verdict())) as graph:
        await graph.run(room.start(first))
        (review,) = room.all_reviews()
        assert review.proposal.draft is not None
        words = "Dear Ann,\n\nI wrote this myself and it took me an hour.\n\nMia"
        room.decide(review.id, Action.SAVE_DRAFT, draft=replace(review.proposal.draft, body=words, spans=()))
        room.reviews.undo(review.id)
        assert await graph.run(room.start(second, "run-2")) is RunStatus.WAITING
        older, newer = room.all_reviews()
        assert (older.status, newer.status) == (ReviewStatus.SUPERSEDED, ReviewStatus.PENDING)
        assert older.proposal.draft.body == words
        assert newer.proposal.draft.body.startswith(f"{words}\n\nHello,")
        assert not newer.proposal.draft.complete
        assert newer.proposal.draft.reply_to == second.id


async def test_the_agents_own_words_give_way_to_a_newer_mail(room: Room) -> None:
    first, second = room.put(mail("Price?"), mail("Forget the price, when do you ship?", key="m2"))
    async with opened(room, FixedTriage(verdict())) as graph:
        await graph.run(room.start(first))
        assert await graph.run(room.start(second, "run-2")) is RunStatus.WAITING
    older, newer = room.all_reviews()
    assert older.proposal.draft is not None
    assert newer.proposal.draft.body == older.proposal.draft.body


@pytest.mark.expects_warnings
@pytest.mark.parametrize(("trouble", "calls"), [(Offline("gone"), 3), (ValueError("secret words"), 3), (NotFound("gone"), 1)])
async def test_a_failed_node_becomes_needs_review(room: Room, trouble: Exception, calls: int) -> None:
    (message,) = room.put(mail("Price?"))
    triage = FixedTriage(trouble)
    async with opened(room, triage) as graph:
        run = room.start(message)
        assert await graph.run(run) is RunStatus.NEEDS_REVIEW
        assert await graph.run(run) is RunStatus.NEEDS_REVIEW
        assert triage.calls == calls
        assert room.steps() == ["route", *["classify"] * calls, "needs_review"]
        (review,) = room.all_reviews()
        assert review.proposal.kind is ReviewKind.NEEDS_REVIEW
        assert review.proposal.detail.startswith("classify: ")
        assert "secret words" not in review.proposal.detail
        rows = room.db.read("SELECT error FROM run_steps WHERE step_name = 'classify'")
        assert {row[0] for row in rows} <= {"gone", "ValueError"}


@pytest.mark.expects_warnings
async def test_a_runs_status_follows_its_review(room: Room) -> None:
    (message,) = room.put(mail("Price?"))
    triage = FixedTriage(NotFound("gone"))
    async with opened(room, triage) as graph:
        run = room.start(message)
        room.runs.set_status(run.id, await graph.run(run))
        (notice,) = room.all_reviews()
        room.decide(notice.id, Action.IGNORE)
        assert room.runs.get(run.id).status is RunStatus.DONE
        room.reviews.undo(notice.id)
        assert room.runs.get(run.id).status is RunStatus.NEEDS_REVIEW
        before = room.runs.steps(run.id)
        triage.verdict = verdict()
        room.decide(notice.id, Action.RESPOND, "say yes")
        assert room.runs.get(run.id).status is RunStatus.WAITING
        assert await graph.resume(run.id, notice.id) is RunStatus.WAITING
        assert room.runs.steps(run.id)[: len(before)] == before
        room.reviews.supersede(message.thread_id)
        assert await graph.resume(run.id) is RunStatus.SUPERSEDED


@pytest.mark.expects_warnings
async def test_a_newer_mail_takes_the_place_of_a_failed_run(room: Room) -> None:
    (message,) = room.put(mail("Price?"))
    async with opened(room, FixedTriage(NotFound("gone"))) as graph:
        run = room.start(message)
        room.runs.set_status(run.id, await graph.run(run))
        room.reviews.supersede(message.thread_id)
    assert room.runs.get(run.id).status is RunStatus.SUPERSEDED


async def test_a_cap_reached_meanwhile_leaves_the_reply_to_the_user(room: Room) -> None:
    _, message = room.put(
        mail("Hi Ann", key="m0", thread="t0", to=(mail("").sender,), sender=Address("me@example.com"), labels=SENT),
        mail("Price?"),
    )

    class Full:
        async def approve(self, review_id: ReviewId) -> bool:
            return False

    def complete(*args: Any, **more: Any) -> Any:
        draft, sources = room.deps(None).drafter(*args, **more)
        return replace(draft, spans=()), sources

    setting = AutoApprove(frozenset({Category.INQUIRY}))
    triage = FixedTriage(verdict(Decision.RESPOND, Category.INQUIRY, 0.9))
    async with opened(room, triage, approver=Full(), auto_approve=setting, drafter=complete) as graph:
        run = room.start(message)
        assert await graph.run(run) is RunStatus.WAITING
        assert room.steps()[-2:] == ["review", "dispatch"]
        (review,) = room.all_reviews()
        assert review.status is ReviewStatus.PENDING
        room.decide(review.id, Action.SAVE_DRAFT)
        assert await graph.resume(run.id, review.id) is RunStatus.DONE
        assert room.steps()[-2:] == ["gate", "dispatch"]


async def test_a_run_that_goes_on_from_its_review_numbers_its_steps_on(room: Room) -> None:
    (message,) = room.put(mail("Price?"))
    async with opened(room, FixedTriage(verdict())) as graph:
        run = room.start(message)
        await graph.run(run)
        before = room.runs.steps(run.id)
        (review,) = room.all_reviews()
        await graph.forget(run.id)
        room.decide(review.id, Action.RESPOND, "shorter")
        assert await graph.resume(run.id, review.id) is RunStatus.WAITING
    after = room.runs.steps(run.id)
    assert after[: len(before)] == before
    assert [one.step_name for one in after[len(before) :]] == ["route", *TO_REVIEW[2:]]


async def test_without_checkpoints_the_row_goes_on(room: Room) -> None:
    (message,) = room.put(mail("Price?"))
    async with opened(room, FixedTriage(verdict())) as graph:
        run = room.start(message)
        await graph.run(run)
        (review,) = room.all_reviews()
        room.decide(review.id, Action.IGNORE)
        assert await graph.resume(run.id) is RunStatus.DONE
        await graph.forget(run.id)
        room.reviews.undo(review.id)
        with pytest.raises(NotFound):
            await graph.resume(RunId("another"))
        assert await graph.resume(run.id) is RunStatus.WAITING
        assert await graph.resume(run.id, review.id) is RunStatus.WAITING
        room.decide(review.id, Action.RESPOND, "shorter")
        assert await graph.resume(run.id, review.id) is RunStatus.WAITING
        (again,) = room.all_reviews()
        assert (again.revision, again.status) == (3, ReviewStatus.PENDING)
        room.decide(review.id, Action.IGNORE)
        assert await graph.resume(run.id, review.id) is RunStatus.DONE


async def test_the_last_write_carries_the_status_and_ends_the_job(room: Room) -> None:
    (message,) = room.put(mail("Price?"))
    jobs = Jobs(room.db, room.clock)
    jobs.put("classify", str(message.id), "{}")
    job = jobs.next_due(("classify",), ())
    assert job is not None
    async with opened(room, FixedTriage(verdict())) as graph:
        run = room.start(message)
        assert await graph.run(run, job.id) is RunStatus.WAITING
        assert (room.runs.get(run.id).status, jobs.open(job.id)) == (RunStatus.WAITING, False)
        assert room.messages.triage(message.id) == verdict()


async def test_checkpoints_of_another_version_are_not_used(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    (message,) = room.put(mail("Price?"))
    triage = FixedTriage(verdict())
    async with opened(room, triage) as graph:
        run = room.start(message)
        await graph.run(run)
        monkeypatch.setattr("app.agent.graph.GRAPH_VERSION", 99)
        (review,) = room.all_reviews()
        room.decide(review.id, Action.RESPOND, "shorter")
        assert await graph.resume(run.id, review.id) is RunStatus.WAITING
    assert [one.revision for one in room.all_reviews()] == [2]
    assert triage.calls == 1


BOOK = calls(("manage_reservation", {"action": "create", "drug_name": PARALEN.code}))
ESCALATE = calls(("escalate", {"reason": "Help."}))


class Crash(BaseException):
    """The process is gone."""


def crashing(target: Any, name: str, at: int) -> Any:
    """`target` with a method that dies after it has done its work for the `at`-th time."""
    real, seen = getattr(target, name), [0]

    def dies(*arguments: Any, **named: Any) -> Any:
        done = real(*arguments, **named)
        seen[0] += 1
        if seen[0] == at:
            raise Crash
        return done

    return dies


@pytest.mark.parametrize("place", ["note", "finish"])
@pytest.mark.parametrize("at", [1, 2])
async def test_a_crash_after_a_note_doubles_nothing(
    room: Room, model: ModelServer, monkeypatch: pytest.MonkeyPatch, place: str, at: int
) -> None:
    (message,) = room.put(inquiry("Prosím o rezervaci."))
    async with agency(room, model, message) as at_work:
        assert await at_work.say(BOOK) is RunStatus.WAITING
        at_work.decide(Action.ACCEPT)
        model.enqueue(ESCALATE, Answer("Hotovo."))
        book = at_work.graph._deps.toolbox.book  # type: ignore[union-attr]
        with monkeypatch.context() as broken:
            broken.setattr(book, place, crashing(book, place, at))
            with suppress(Crash):
                await at_work.graph.run(at_work.run)
        assert await at_work.graph.run(at_work.run) is RunStatus.DONE
    assert room.db.read("SELECT count(*) FROM reservations")[0][0] == 1
    assert [one[0] for one in room.db.read("SELECT tool FROM tool_calls ORDER BY seq")] == ["manage_reservation", "escalate"]
    assert len([one for one in room.all_reviews() if one.status is ReviewStatus.PENDING]) == 1
    assert len([one for one in mail_events(room.runs, message.id) if one.kind == "agent_run"]) == 1
    assert (agent_row(room)["status"], agent_row(room)["iterations"]) == ("completed", 3)
    assert len(model.history) == 3


async def test_a_run_whose_checkpoints_are_lost_goes_on_from_its_row(room: Room, model: ModelServer) -> None:
    (message,) = room.put(inquiry("Prosím o rezervaci."))
    async with agency(room, model, message) as at_work:
        await at_work.say(BOOK)
        review = at_work.waiting()
        await at_work.graph.forget(at_work.run.id)
        at_work.decide(Action.ACCEPT)
        model.enqueue(Answer("Hotovo."))
        assert await at_work.graph.resume(at_work.run.id, review.id) is RunStatus.DONE
    assert room.db.read("SELECT count(*) FROM reservations")[0][0] == 1
    assert agent_row(room)["tool_calls_log"][0]["tool"] == "manage_reservation"


async def test_a_draft_sent_back_is_written_anew_by_the_agent(room: Room, model: ModelServer) -> None:
    (message,) = room.put(inquiry("Máte Paralen?"))
    letter = {"to": "jana@patients.example", "subject": "Re: Nový dotaz", "body": "Ano."}
    async with agency(room, model, message) as at_work:
        assert await at_work.say(calls(("create_draft", letter)), Answer("Hotovo.")) is RunStatus.DONE
        await at_work.graph.forget(at_work.run.id)
        review = at_work.decide(Action.RESPOND, "Vlídněji.")
        model.enqueue(calls(("create_draft", {**letter, "body": "Ano, rádi."})), Answer("Hotovo."))
        assert await at_work.graph.resume(at_work.run.id, review.id) in (RunStatus.DONE, RunStatus.NEEDS_REVIEW)
        assert any("Vlídněji." in str(one["content"]) for one in model.history[2]["messages"])


async def test_a_notice_answered_with_words_is_drafted_by_the_pipeline(room: Room, model: ModelServer) -> None:
    (message,) = room.put(inquiry("Máte Paralen?"))
    async with agency(room, model, message) as at_work:
        assert await at_work.say(Answer("Nevím.")) is RunStatus.DONE
        await at_work.graph.forget(at_work.run.id)
        review = at_work.decide(Action.RESPOND, "Řekněte ano.")
        model.enqueue(Answer('{"decision": "respond", "category": "inquiry", "confidence": 0.9, "reason": "r"}'))
        model.enqueue(Answer('{"selected_tools": []}'), *(Answer('{"language": "cs", "questions": [], "body": "Ano."}'),) * 3)
        await at_work.graph.resume(at_work.run.id, review.id)
    assert "retrieve" in room.steps()


async def test_two_runs_at_once_keep_apart(room: Room, model: ModelServer) -> None:
    first, second = room.put(inquiry("Jedna"), inquiry("Dva", key="m2", thread="t2"))
    async with agency(room, model, first) as at_work:
        other = room.start(second, "run-2", route=Route.AGENT, profile="pharmacy")
        model.enqueue(*(Answer("Hotovo."),) * 2)
        graph: MailGraph = at_work.graph
        assert await asyncio.gather(graph.run(at_work.run), graph.run(other)) == [RunStatus.DONE, RunStatus.DONE]
    assert room.db.read("SELECT count(*) FROM agent_runs")[0][0] == 2
