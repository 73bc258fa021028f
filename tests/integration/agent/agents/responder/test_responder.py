"""Each of the user's words on each kind of call, over the real graph: what the model hears, what is written, what ends."""

import json
from email import message_from_bytes

import pytest

from app.agent.agents.calls import CallStatus
from app.agent.agents.responder.tools import DONE, owner_words, settled
from app.agent.llm.turns import ToolCall
from app.agent.runtime.conversation import last_calls, with_result, with_turn, with_words
from app.agent.tools.registry import Toolbox
from app.domain.agents.runs import Route, RunStatus
from app.domain.drafting.review import Action, FlagKind, ReviewKind
from app.domain.errors import AgentsPaused
from app.domain.ids import RunId
from app.domain.mail.triage import Decision
from app.domain.record import replace
from app.store.runs.audit import AuditTable, load_snapshots
from fakes.engine.agent_mailbox import ANN, OWNER, Room, mail, verdict
from fakes.models.model_server import Answer, ModelServer, calls
from fakes.models.response_agent import Wishes, asks, done, office, sends

REPLY = "Hello Ann,\n\nyes.\n\nMia"


async def test_an_accepted_reply_is_queued_and_the_mail_is_to_be_marked(room: Room, model: ModelServer) -> None:
    (message,) = room.put(mail("Shall we meet?"))
    async with office(room, model, message) as at_work:
        assert await at_work.say(sends(message, REPLY)) is RunStatus.WAITING
        review = at_work.waiting()
        draft = review.proposal.draft
        assert (review.proposal.kind, draft.to, draft.subject, draft.reply_to) == (
            ReviewKind.TOOL_CALL,
            (ANN,),
            "Re: Question",
            message.id,
        )
        assert (draft.body, draft.maker) == (REPLY, "openai/scripted")
        assert json.loads(review.proposal.request_json)["action"] == "send_email"
        assert not [one for one in review.proposal.flags if one.kind is FlagKind.SECOND_SEND]
        assert at_work.outbox() == []
        at_work.decide(Action.ACCEPT)
        assert await at_work.say(done()) is RunStatus.DONE
        assert [one["status"] for one in at_work.heard()] == ["queued"]
        assert "sent." not in json.dumps(at_work.heard()).replace("to be sent.", "")
        assert [(row[0], row[1]) for row in at_work.executions()] == [("c1_1", "send_email"), ("mark_as_read", "mark_as_read")]
        (mime,) = at_work.outbox()
        assert message_from_bytes(mime)["In-Reply-To"] == message.rfc822_id
    found = [dict(row) for row in room.db.read("SELECT * FROM agent_log_snapshots WHERE run_id = 'run-1' ORDER BY step_order")]
    states = [{**one, **{name: json.loads(one[name]) for name in ("input_state", "output_state")}} for one in found]
    assert states == list(room.db.load(load_snapshots, RunId("run-1")))
    assert states[0]["input_state"]["email"]["text"] == "Shall we meet?"
    nodes = ["route", "classify", "llm_call", "interrupt_plan", "interrupt_gate", "interrupt_act"]
    assert room.steps() == [*nodes, "interrupt_plan", "llm_call", "interrupt_plan", "mark_as_read_node"]
    assert room.messages.get(message.id).labels == message.labels


async def test_an_edited_reply_is_what_the_model_has_said(room: Room, model: ModelServer) -> None:
    (message,) = room.put(mail("Shall we meet?"))
    async with office(room, model, message) as at_work:
        await at_work.say(sends(message, REPLY))
        at_work.decide(Action.EDIT, body="Dear Ann,\n\nno.\n\nMia")
        assert await at_work.say(done()) is RunStatus.DONE
        (result,) = at_work.heard()
        assert (result["status"], result["response_text"]) == ("queued", "Dear Ann,\n\nno.\n\nMia")
        told = next(one for one in model.history[-1]["messages"] if one.get("tool_calls"))
        arguments = json.loads(told["tool_calls"][0]["function"]["arguments"])
        assert arguments["response_text"] == "Dear Ann,\n\nno.\n\nMia"
        assert b"no." in at_work.outbox()[0]
        assert json.loads(room.db.read("SELECT arguments FROM tool_calls")[0][0]) == arguments


async def test_an_edit_that_is_longer_than_the_model_may_write_is_queued_all_the_same(room: Room, model: ModelServer) -> None:
    (message,) = room.put(mail("Shall we meet?"))
    async with office(room, model, message) as at_work:
        await at_work.say(sends(message, REPLY))
        at_work.decide(Action.EDIT, body="yes " * 4000)
        assert await at_work.say(done()) is RunStatus.DONE
        assert at_work.heard()[0]["status"] == "queued"
        assert len(at_work.outbox()) == 1


async def test_a_pause_stops_it_between_two_steps(room: Room, model: ModelServer) -> None:
    (message,) = room.put(mail("Shall we meet?"))
    paused = False
    box = Toolbox(AuditTable(room.db, room.clock), paused=lambda: paused)
    async with office(room, model, message, toolbox=box) as at_work:
        await at_work.say(sends(message, REPLY))
        at_work.decide(Action.ACCEPT)
        paused = True
        with pytest.raises(AgentsPaused):
            await at_work.say()
        assert at_work.executions() == []
        paused = False
        assert await at_work.say(done()) is RunStatus.DONE


async def test_slots_filled_on_acceptance_count_as_an_edit(room: Room, model: ModelServer) -> None:
    (message,) = room.put(mail("Shall we meet?"))
    async with office(room, model, message) as at_work:
        await at_work.say(sends(message, "We meet on [[the day]]."))
        assert at_work.waiting().proposal.draft.open_slots == ("the day",)  # type: ignore[union-attr]
        at_work.decide(Action.ACCEPT, body="We meet on Monday.")
        await at_work.say(done())
        assert at_work.heard()[0]["response_text"] == "We meet on Monday."


async def test_an_answer_goes_to_the_model_and_counts_as_the_owners_word(room: Room, model: ModelServer) -> None:
    (message,) = room.put(mail("What does model 7 cost?"))
    async with office(room, model, message) as at_work:
        await at_work.say(asks("What does it cost?"))
        review = at_work.waiting()
        assert (review.proposal.kind, review.proposal.detail) == (ReviewKind.QUESTION, "What does it cost?")
        assert review.allowed == {Action.RESPOND, Action.IGNORE}
        at_work.decide(Action.RESPOND, "499 EUR")
        await at_work.say(sends(message, "It costs 499 EUR and weighs 17 kg."))
        assert at_work.heard() == [{"status": "answer", "answer": "499 EUR"}]
        draft = at_work.waiting().proposal.draft
        assert draft is not None
        assert [draft.body[one.start : one.end].strip() for one in draft.spans] == ["17"]


async def test_two_replies_and_the_second_is_flagged(room: Room, model: ModelServer) -> None:
    (message,) = room.put(mail("Shall we meet?"))
    both = Answer(tool_calls=(*sends(message, "One.").tool_calls, *sends(message, "Two.").tool_calls))
    async with office(room, model, message) as at_work:
        assert await at_work.say(both) is RunStatus.WAITING
        assert at_work.waiting().proposal.draft.body == "One."  # type: ignore[union-attr]
        at_work.decide(Action.ACCEPT)
        assert await at_work.say() is RunStatus.WAITING
        second = at_work.waiting()
        assert second.proposal.draft.body == "Two."  # type: ignore[union-attr]
        assert [one.about for one in second.proposal.flags if one.kind is FlagKind.SECOND_SEND] == ["2"]
        assert len(model.history) == 1
        at_work.decide(Action.ACCEPT)
        assert await at_work.say(done()) is RunStatus.DONE
        assert [one["status"] for one in at_work.heard()] == ["queued", "queued"]
        assert len(at_work.outbox()) == 2


async def test_done_beside_a_reply_counts_once_the_reply_stands(room: Room, model: ModelServer) -> None:
    (message,) = room.put(mail("Shall we meet?"))
    both = Answer(tool_calls=(*done().tool_calls, *sends(message).tool_calls))
    async with office(room, model, message) as at_work:
        assert await at_work.say(both) is RunStatus.WAITING
        at_work.decide(Action.RESPOND, "shorter")
        assert await at_work.say(both) is RunStatus.WAITING
        assert [one["status"] for one in at_work.heard()] == ["feedback", "error"]
        at_work.decide(Action.ACCEPT)
        assert await at_work.say() is RunStatus.DONE
    assert len(model.history) == 2


async def test_whom_a_reply_goes_to(room: Room, model: ModelServer) -> None:
    before, message = room.put(
        mail("First", key="m0", sender=replace(ANN, email="bob@partner.org", name="Bob")), mail("Shall we meet?", cc=(OWNER,))
    )
    stranger = "eve@elsewhere.example"
    async with office(room, model, message) as at_work:
        await at_work.say(
            sends(before, to=OWNER.email, additional_recipients=[ANN.email, stranger, OWNER.email, "bob@partner.org"])
        )
        review = at_work.waiting()
        draft = review.proposal.draft
        assert ([one.name for one in draft.to], draft.reply_to) == (["Bob"], before.id)
        assert [one.email for one in draft.cc] == [ANN.email, stranger]
        assert (FlagKind.RECIPIENT_OUTSIDE_THREAD, stranger) in [(one.kind, one.about) for one in review.proposal.flags]


async def test_a_decision_on_the_notice_leads_to_the_agent(room: Room, model: ModelServer) -> None:
    from app.domain.mail.triage import Category, Decision
    from fakes.engine.agent_mailbox import verdict

    (message,) = room.put(mail("We meet on Monday."))
    shown = verdict(Decision.NOTIFY, Category.OTHER, maker="rule:test")
    async with office(room, model, message, shown) as at_work:
        assert await at_work.say() is RunStatus.WAITING
        at_work.decide(Action.RESPOND, "thank her")
        assert await at_work.say(sends(message)) is RunStatus.WAITING
        assert "The owner says: thank her" in model.prompts()[0]


async def test_what_the_model_is_asked(room: Room, model: ModelServer) -> None:
    earlier, message = room.put(mail("The first mail", key="m0"), mail("Shall we meet?\n\n> The first mail"))
    async with office(room, model, message, memory=Wishes(), background="Mia bakes.") as at_work:
        await at_work.say(sends(message))
    (request,) = model.history
    (prompt,) = model.prompts()
    assert request["tool_choice"] == "required"
    assert [one["function"]["name"] for one in request["tools"]] == ["send_email", "Question", "Done"]
    for words in ("Mia bakes.", "wish about response_preferences", "wish about cal_preferences", f"Respond to mail {message.id}"):
        assert words in prompt
    fences = [line for line in prompt.splitlines() if line.startswith("<<<")]
    assert [line.split()[1] for line in fences] == [str(earlier.id), str(message.id)]
    assert len({line.split()[-1] for line in fences}) == 2
    assert prompt.count("The first mail") == 1


async def test_a_reply_taken_back_with_feedback_is_told_while_the_run_goes_on(room: Room, model: ModelServer) -> None:
    (message,) = room.put(mail("Shall we meet?"))
    async with office(room, model, message) as at_work:
        await at_work.say(sends(message, "One."))
        first = at_work.decide(Action.ACCEPT)
        await at_work.say(asks("Where?"))
        at_work.tables.reviews.undo(first.id)
        at_work.decide(Action.RESPOND, "say no", review=room.reviews.review(first.id))
        assert await at_work.say() is RunStatus.WAITING
        at_work.decide(Action.RESPOND, "At home")
        await at_work.say(sends(message, "No."))
        assert "say no" in str(model.history[-1]["messages"][-1]["content"])
        assert not [one for one in at_work.waiting().proposal.flags if one.kind is FlagKind.SECOND_SEND]


async def test_an_undone_word_after_the_end_is_answered_by_a_new_proposal(room: Room, model: ModelServer) -> None:
    (message,) = room.put(mail("Shall we meet?"))
    async with office(room, model, message) as at_work:
        await at_work.say(sends(message, "One."))
        first = at_work.decide(Action.ACCEPT)
        assert await at_work.say(done()) is RunStatus.DONE
        await at_work.graph.forget(at_work.run.id)
        at_work.tables.reviews.undo(first.id)
        at_work.decide(Action.RESPOND, "say no", review=room.reviews.review(first.id))
        model.enqueue(sends(message, "No."))
        assert await at_work.graph.resume(at_work.run.id, first.id) is RunStatus.WAITING
        assert at_work.heard() == [{"status": "feedback", "feedback": "say no"}]
        second = at_work.waiting()
        assert second.id != first.id
        assert second.proposal.kind is ReviewKind.TOOL_CALL


async def test_many_calls_in_one_turn_are_cut(room: Room, model: ModelServer) -> None:
    (message,) = room.put(mail("Shall we meet?"))
    many = calls(*[("check_everything", {})] * 9)
    async with office(room, model, message) as at_work:
        assert await at_work.say(many, asks("What?")) is RunStatus.WAITING
        assert [one["status"] for one in at_work.heard()] == ["error"] * 4


async def test_a_new_mail_is_reviewed_as_one_and_starts_a_conversation(room: Room, model: ModelServer) -> None:
    (message,) = room.put(mail("Please tell Bob that we meet on Friday."))
    new = {"email_id": "", "response_text": "Hello Bob,\n\nFriday.", "email_address": "bob@other.example", "subject": "Friday"}
    async with office(room, model, message) as at_work:
        without = calls(("send_email", {**new, "subject": " "}))
        assert await at_work.say(without, calls(("send_email", new))) is RunStatus.WAITING
        assert "needs a subject" in at_work.heard()[0]["error"]
        review = at_work.waiting()
        draft = review.proposal.draft
        assert (review.proposal.starts, draft.reply_to, draft.subject) == (True, 0, "Friday")
        assert [one.email for one in draft.to] == ["bob@other.example"]
        assert FlagKind.RECIPIENT_OUTSIDE_THREAD in {one.kind for one in review.proposal.flags}
        at_work.decide(Action.EDIT, body="Hello Bob,\n\nSaturday.")
        assert await at_work.say(done()) is RunStatus.DONE
        assert at_work.heard()[-1]["response_text"] == "Hello Bob,\n\nSaturday."
        (mime,) = at_work.outbox()
    left = message_from_bytes(mime)
    assert (left["To"], left["Subject"], left["In-Reply-To"]) == ("bob@other.example", "Friday", None)


async def test_done_at_once_leaves_the_mail_unread_and_a_notice(room: Room, model: ModelServer) -> None:
    (message,) = room.put(mail("Shall we meet?"))
    async with office(room, model, message) as at_work:
        assert await at_work.say(done()) is RunStatus.DONE
        assert at_work.executions() == []
    (review,) = room.all_reviews()
    assert (review.proposal.kind, review.proposal.detail) == (ReviewKind.NOTIFY, "nothing_to_do")


@pytest.mark.parametrize("wanted", [True, False])
async def test_ignored_mail_is_marked_read_where_the_owner_wants_it(room: Room, model: ModelServer, wanted: bool) -> None:
    (message,) = room.put(mail("Buy now.", labels=frozenset({"INBOX", "UNREAD"})))
    ignored = verdict(decision=Decision.IGNORE, maker="rule:test")
    async with office(room, model, message, ignored, Route.PIPELINE, mark_ignored_read=wanted) as at_work:
        assert await at_work.say() is RunStatus.DONE
        assert [tool for _, tool, _ in at_work.executions()] == ["mark_as_read"] * wanted


def test_done_waits_for_what_the_model_has_not_heard() -> None:
    turn = [ToolCall("", "send_email", {}), ToolCall("", DONE, {})]
    for status, ends in (
        (CallStatus.QUEUED, True),
        (CallStatus.FEEDBACK, False),
        (CallStatus.ERROR, False),
        (CallStatus.READ, False),
    ):
        talk = with_turn([], "", turn)
        assert not settled(talk)
        assert settled(with_result(talk, last_calls(talk)[0], {"status": status})) is ends


def test_the_owners_words_are_gathered() -> None:
    talk = with_turn(with_words([], "be kind"), "", [ToolCall("", "Question", {}), ToolCall("", "send_email", {})])
    first, second = last_calls(talk)
    talk = with_result(talk, first, {"status": CallStatus.ANSWER, "answer": "499 EUR"})
    talk = with_result(talk, second, {"status": CallStatus.FEEDBACK, "feedback": "shorter"})
    assert owner_words(talk) == "be kind\n499 EUR\nshorter"
