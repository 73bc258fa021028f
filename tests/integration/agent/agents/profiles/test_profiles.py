"""A profile's loop over the real graph: how it ends, what the model is told, what the owner is asked, what stands in rows."""

import json
from typing import Any

import pytest

from app.domain.agents.runs import CallOutcome, RunStatus
from app.domain.drafting.review import Action, FlagKind, ReviewKind, ReviewStatus
from app.domain.errors import ModelUnavailable
from app.domain.mail.message import Address, RemoteMessage
from app.domain.policy.policy import PolicyReason
from app.domain.record import replace
from app.store.runs.audit import AuditTable
from fakes.engine.agent_mailbox import Room, mail
from fakes.engine.store.rows import audited_calls, mail_events
from fakes.models.model_server import Answer, ModelServer, calls
from fakes.models.profile_agent import PARALEN, agency, agent_row, inquiry, limited, toolbox

REPLY = {"to": "jana@patients.example", "subject": "Re: Nový dotaz", "body": "Dobrý den,\n\nPARALEN 500MG máme, stojí 39 Kč."}
BOOK = {"action": "create", "drug_name": PARALEN.code}


async def test_a_run_that_needs_no_tool_is_completed_and_shown(room: Room, model: ModelServer) -> None:
    (message,) = room.put(inquiry("Máte Paralen?"))
    async with agency(room, model, message) as at_work:
        assert await at_work.say(Answer("Není co dělat.")) is RunStatus.DONE
    row = agent_row(room)
    assert (row["status"], row["final_message"], row["iterations"], row["tool_calls_log"]) == (
        "completed",
        "Není co dělat.",
        1,
        [],
    )
    (review,) = room.all_reviews()
    assert (review.proposal.kind, review.proposal.detail) == (ReviewKind.NOTIFY, "Není co dělat.")
    (call,) = room.db.read("SELECT call_type, run_id FROM llm_calls")
    assert tuple(call) == ("agent", "run-1")
    assert [one.kind for one in mail_events(room.runs, message.id)] == ["agent_run"]


async def test_the_model_gets_its_settings_the_preprocessed_mail_and_only_listed_tools(room: Room, model: ModelServer) -> None:
    (message,) = room.put(inquiry("Máte Paralen?"))
    profile = limited("search_drugs", "web_search", "escalate", max_tokens=321, temperature=0.7)
    async with agency(room, model, message, profile) as at_work:
        await at_work.say(Answer("Hotovo."))
    (asked,) = model.history
    assert (asked["max_tokens"], asked["temperature"]) == (321, 0.7)
    assert sorted(one["function"]["name"] for one in asked["tools"]) == ["escalate", "search_drugs"]
    system, user = asked["messages"]
    assert system["content"].startswith("You work for a pharmacy.")
    assert (
        "New support inquiry from Jana Nováková (jana@patients.example):\nSubject: Nový dotaz\n\nMáte Paralen?" in user["content"]
    )


async def test_calls_are_carried_out_in_order_and_logged_with_their_turn(room: Room, model: ModelServer) -> None:
    (message,) = room.put(inquiry("Máte Paralen 500?"))
    async with agency(room, model, message) as at_work:
        two = calls(("search_drugs", {"query": "paralen 500"}), ("create_draft", REPLY))
        assert await at_work.say(two, Answer("Koncept čeká.")) is RunStatus.DONE
        searched, drafted = at_work.heard()
        assert searched["drugs"][0]["code"] == PARALEN.code
        assert searched["drugs"][0]["stock"] == [{"pharmacy_id": "P1", "pharmacy": "Lékárna U Anděla", "free": 3}]
        assert drafted == {"status": "created"}
    log = agent_row(room)["tool_calls_log"]
    assert [(one["tool"], one["iteration"]) for one in log] == [("search_drugs", 1), ("create_draft", 1)]
    assert log[1] == {"tool": "create_draft", "arguments": REPLY, "result": {"status": "created"}, "iteration": 1}
    (review,) = room.all_reviews()
    draft = review.proposal.draft
    assert (review.proposal.kind, draft.body, draft.reply_to, draft.maker) == (
        ReviewKind.REPLY,
        REPLY["body"],
        message.id,
        "openai/scripted",
    )
    assert draft.to[0].name == "Jana Nováková"
    assert not [one.note for one in draft.spans if "39" in draft.body[one.start : one.end]]
    assert FlagKind.RECIPIENT_OUTSIDE_THREAD in {one.kind for one in review.proposal.flags}
    audit = audited_calls(AuditTable(room.db, room.clock), at_work.run.id)
    assert [(one.tool, one.why, one.outcome) for one in audit] == [
        ("search_drugs", PolicyReason.READS_ONLY, CallOutcome.RAN),
        ("create_draft", PolicyReason.READS_ONLY, CallOutcome.RAN),
    ]


async def test_a_second_draft_takes_the_place_of_the_first(room: Room, model: ModelServer) -> None:
    (message,) = room.put(inquiry("Máte Paralen 500?"))
    async with agency(room, model, message) as at_work:
        turns = (calls(("create_draft", REPLY)), calls(("create_draft", {**REPLY, "body": "Jinak."})), Answer("Hotovo."))
        await at_work.say(*turns)
        assert at_work.heard() == [{"status": "created"}, {"status": "revised"}]
    (review,) = room.all_reviews()
    assert (review.revision, review.proposal.draft.body) == (2, "Jinak.")


async def test_nobody_is_asked_about_what_cannot_be_done(room: Room, model: ModelServer) -> None:
    (message,) = room.put(inquiry("Prosím o Paralen."))
    async with agency(room, model, message) as at_work:
        turns = (
            calls(("manage_reservation", {"action": "create", "drug_name": "paralen"})),
            calls(("manage_reservation", {**BOOK, "quantity": 5})),
            calls(("manage_reservation", {"action": "cancel", "reservation": "R-NONE"})),
            calls(("manage_reservation", {"action": "check"})),
            Answer("Nejde to."),
        )
        assert await at_work.say(*turns) is RunStatus.DONE
        several, few, none, check = at_work.heard()
    assert "Several drugs" in several["error"]
    assert "No pharmacy has 5 free packs" in few["error"]
    assert "holds: none" in none["error"]
    assert check == {"reservations": []}
    assert [one.proposal.kind for one in room.all_reviews()] == [ReviewKind.NOTIFY]


@pytest.mark.parametrize(
    ("action", "text", "told"),
    [(Action.RESPOND, "Raději zítra.", {"status": "feedback", "feedback": "Raději zítra."}), (Action.IGNORE, "", None)],
)
async def test_a_word_against_a_call_is_heard_and_nothing_happens(
    room: Room, model: ModelServer, action: Action, text: str, told: dict[str, str] | None
) -> None:
    (message,) = room.put(inquiry("Prosím o rezervaci."))
    async with agency(room, model, message) as at_work:
        await at_work.say(calls(("manage_reservation", BOOK)))
        at_work.decide(action, text)
        ends = () if told is None else (Answer("Dobře."),)
        assert await at_work.say(*ends) is RunStatus.DONE
        if told is not None:
            assert at_work.heard() == [told]
    assert room.db.read("SELECT count(*) FROM reservations")[0][0] == 0
    (audit,) = audited_calls(AuditTable(room.db, room.clock), at_work.run.id)
    assert (audit.why, audit.outcome, audit.approved_by) == (PolicyReason.OWNER_REFUSED, CallOutcome.DENIED, "")
    assert agent_row(room)["status"] == "completed"


async def test_a_reply_becomes_a_reply_review_and_stands_in_the_outbox_once_approved(room: Room, model: ModelServer) -> None:
    (message,) = room.put(inquiry("Máte Paralen?"))
    async with agency(room, model, message) as at_work:
        assert await at_work.say(calls(("search_drugs", {"query": "paralen"}), ("send_reply", REPLY))) is RunStatus.WAITING
        review = at_work.waiting()
        assert review.proposal.kind is ReviewKind.REPLY
        assert {FlagKind.RECIPIENT_OUTSIDE_THREAD, FlagKind.NEVER_WRITTEN_TO} <= {one.kind for one in review.proposal.flags}
        assert [one.name for one in review.proposal.tools] == ["search_drugs"]
        at_work.decide(Action.EDIT, body="Ano, máme.")
        again = calls(("send_reply", REPLY))
        assert await at_work.say(again, Answer("Odpověď čeká na odeslání.")) is RunStatus.DONE
        _, sent, second = at_work.heard()
        assert (sent["status"], sent["response_text"]) == ("queued", "Ano, máme.")
        assert "sent what it may send" in second["error"]
        assert len(at_work.outbox()) == 1
    log = agent_row(room)["tool_calls_log"]
    assert log[1]["arguments"]["body"] == "Ano, máme."
    audit = audited_calls(AuditTable(room.db, room.clock), at_work.run.id)
    assert [(one.tool, one.outcome, one.why) for one in audit][1:] == [
        ("send_reply", CallOutcome.RAN, PolicyReason.SEND_ASKS),
        ("send_reply", CallOutcome.DENIED, PolicyReason.SENDS_SPENT),
    ]


async def test_an_escalation_waits_in_review_and_the_run_goes_on(room: Room, model: ModelServer) -> None:
    (message,) = room.put(inquiry("Chci mluvit s vedoucím!"))
    async with agency(room, model, message) as at_work:
        status = await at_work.say(calls(("escalate", {"reason": "Stížnost na personál."})), Answer("Předáno."))
        assert status is RunStatus.DONE
        assert at_work.heard() == [{"status": "escalated"}]
    (review,) = room.all_reviews()
    assert (review.proposal.kind, review.proposal.detail, review.status) == (
        ReviewKind.ESCALATION,
        "Stížnost na personál.",
        ReviewStatus.PENDING,
    )


async def test_a_run_that_never_ends_is_ended_at_its_limit(room: Room, model: ModelServer) -> None:
    (message,) = room.put(inquiry("?"))
    async with agency(room, model, message, limited(max_iterations=2)) as at_work:
        turn = calls(("search_drugs", {"query": "paralen"}))
        assert await at_work.say(turn, turn) is RunStatus.NEEDS_REVIEW
    row = agent_row(room)
    assert (row["status"], row["iterations"], len(row["tool_calls_log"])) == ("max_iterations", 2, 2)
    (review,) = room.all_reviews()
    assert "not done after 2 turns" in review.proposal.detail


async def test_a_refused_request_ends_the_run_with_its_error_and_what_was_done(room: Room, model: ModelServer) -> None:
    (message,) = room.put(inquiry("?"))
    async with agency(room, model, message) as at_work:
        turns = (
            calls(("search_drugs", {"query": "paralen"})),
            Answer("This model's maximum context length is 9 tokens.", status=400),
        )
        assert await at_work.say(*turns) is RunStatus.NEEDS_REVIEW
    row = agent_row(room)
    assert (row["status"], len(row["tool_calls_log"])) == ("error", 1)
    assert row["error"]
    (review,) = room.all_reviews()
    assert (review.proposal.kind, row["error"] in review.proposal.detail) == (ReviewKind.NEEDS_REVIEW, True)


@pytest.mark.expects_warnings
async def test_a_tool_that_raises_is_an_error_result_and_the_run_goes_on(room: Room, model: ModelServer) -> None:
    (message,) = room.put(inquiry("?"))

    class Broken:
        """A catalogue that fails when it is searched."""

        def count(self) -> int:
            return 1

        def __getattr__(self, name: str) -> object:
            raise RuntimeError("the catalogue is broken")

    broken: Any = Broken()
    box = replace(toolbox(room), drugs=broken)
    async with agency(room, model, message, box=box) as at_work:
        assert await at_work.say(calls(("search_drugs", {"query": "paralen"})), Answer("Hotovo.")) is RunStatus.DONE
        (told,) = at_work.heard()
    assert told["error"]
    assert "result" not in told
    assert agent_row(room)["tool_calls_log"][0]["result"] == told


@pytest.mark.expects_warnings
async def test_a_run_has_its_row_from_the_start(room: Room, model: ModelServer) -> None:
    (message,) = room.put(inquiry("?"))
    async with agency(room, model, message) as at_work:
        with pytest.raises(ModelUnavailable):
            await at_work.say(*(Answer("down", status=503),) * 3)
    row = agent_row(room)
    assert (row["profile"], row["status"], row["iterations"], row["tool_calls_log"]) == ("pharmacy", "running", 0, [])


async def test_odd_calls_get_errors_and_the_run_goes_on(room: Room, model: ModelServer) -> None:
    (message,) = room.put(inquiry("?"))
    broken = Answer(tool_calls=(("search_drugs", {"query": "paralen"}),))
    async with agency(room, model, message, limited("search_drugs", "escalate")) as at_work:
        turns = (
            calls(("format_disk", {"now": True})),
            calls(("send_reply", REPLY)),
            calls(("search_drugs", {"words": "x"})),
            replace(broken, raw=_with_arguments("{broken")),
            Answer("Hotovo."),
        )
        assert await at_work.say(*turns) is RunStatus.DONE
        unknown, unlisted, unfit, unreadable = at_work.heard()
    assert unknown["error"] == "There is no tool format_disk. The tools are: escalate, search_drugs."
    assert "There is no tool send_reply" in unlisted["error"]
    assert "'query' is a required property" in unfit["error"]
    assert "'query' is a required property" in unreadable["error"]
    assert agent_row(room)["tool_calls_log"][3]["arguments"] == {}


def _with_arguments(text: str) -> bytes:
    """A completion whose call has these arguments."""
    made = {"id": "x", "type": "function", "function": {"name": "search_drugs", "arguments": text}}
    choice = {"index": 0, "message": {"role": "assistant", "content": None, "tool_calls": [made]}, "finish_reason": "tool_calls"}
    return json.dumps({"id": "c", "object": "chat.completion", "created": 1, "model": "scripted", "choices": [choice]}).encode()


@pytest.mark.expects_warnings
async def test_without_a_model_the_mail_is_shown_as_it_was_read(room: Room, model: ModelServer) -> None:
    (message,) = room.put(inquiry("Máte Paralen?"))
    async with agency(room, model, message, gateway=None) as at_work:
        assert await at_work.say() is RunStatus.NEEDS_REVIEW
    (review,) = room.all_reviews()
    assert "needs a language model" in review.proposal.detail
    assert review.proposal.detail.endswith(
        "New support inquiry from Jana Nováková (jana@patients.example):\nSubject: Nový dotaz\n\nMáte Paralen?"
    )
    assert room.db.read("SELECT count(*) FROM agent_runs")[0][0] == 0


@pytest.mark.expects_warnings
async def test_a_model_without_a_key_is_named(room: Room, model: ModelServer) -> None:
    (message,) = room.put(inquiry("Máte Paralen?"))
    async with agency(room, model, message, profile_gateway=lambda _: None) as at_work:
        assert await at_work.say() is RunStatus.NEEDS_REVIEW
    assert "no key for openai/scripted" in room.all_reviews()[0].proposal.detail


async def test_paused_agents_keep_their_place(room: Room, model: ModelServer) -> None:
    from app.domain.errors import AgentsPaused

    stopped = [True]
    (message,) = room.put(inquiry("Máte Paralen?"))
    async with agency(room, model, message, box=toolbox(room, paused=lambda: stopped[0])) as at_work:
        with pytest.raises(AgentsPaused):
            await at_work.say()
        stopped[0] = False
        assert await at_work.say(Answer("Hotovo.")) is RunStatus.DONE


async def test_a_permanent_refusal_ends_the_run_with_its_error_at_once(room: Room, model: ModelServer) -> None:
    (message,) = room.put(inquiry("Máte Paralen?"))
    async with agency(room, model, message) as at_work:
        assert await at_work.say(Answer("Incorrect API key provided", status=401)) is RunStatus.NEEDS_REVIEW
    assert agent_row(room)["status"] == "error"
    assert len(model.history) == 1


@pytest.mark.expects_warnings
async def test_calls_beyond_sixteen_are_told_to_the_model(room: Room, model: ModelServer) -> None:
    (message,) = room.put(inquiry("Máte Paralen?"))
    many = calls(*[("search_drugs", {"query": f"paralen {number}"}) for number in range(18)])
    async with agency(room, model, message) as at_work:
        assert await at_work.say(many, Answer("Hotovo.")) is RunStatus.DONE
        assert len(at_work.heard()) == 16
    said = next(one["content"] for one in model.history[-1]["messages"] if one["role"] == "assistant")
    assert "Only the first 16 of these 18 calls ran. Not run: search_drugs, search_drugs." in said


async def test_tools_reach_the_model_with_defaults_and_limits(room: Room, model: ModelServer) -> None:
    (message,) = room.put(inquiry("Máte Paralen?"))
    async with agency(room, model, message, limited("search_drugs")) as at_work:
        await at_work.say(Answer("Hotovo."))
    (tool,) = model.history[0]["tools"]
    assert tool["function"]["parameters"]["properties"]["limit"] == {"type": "integer", "minimum": 1, "maximum": 20, "default": 5}


SHOP = Address("me@example.com", "Shop")


@pytest.mark.parametrize(
    ("sent", "patient"),
    [
        (mail("Reserve Paralen.", sender=SHOP), None),
        (mail("Reserve Paralen.", sender=Address("noreply@patients.example")), None),
        (mail("Reserve Paralen.", sender=Address("shop-noreply_orders@patients.example")), None),
        (mail("Name: Eva\nEmail: no-reply@x.example\nMessage:\nReserve.", sender=SHOP), None),
        (mail("Reserve Paralen.", sender=SHOP, reply_to=(Address("eva@x.example", "Eva"),)), "Eva <eva@x.example>"),
        (mail("Name: Eva\nEmail: eva@x.example\nMessage:\nReserve.", sender=SHOP), "Eva <eva@x.example>"),
    ],
)
async def test_nothing_is_reserved_for_the_shop_or_for_nobody(
    room: Room, model: ModelServer, sent: RemoteMessage, patient: str | None
) -> None:
    (message,) = room.put(sent)
    async with agency(room, model, message) as at_work:
        if patient is None:
            await at_work.say(calls(("manage_reservation", BOOK)), Answer("Hotovo."))
            assert "Ask the customer for" in at_work.heard()[0]["error"]
        else:
            assert await at_work.say(calls(("manage_reservation", BOOK))) is RunStatus.WAITING
            assert at_work.waiting().proposal.detail.endswith(patient)
