"""The tools of a profile over the real graph: each with its backend, none without, and what each refuses."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

from app.agent.agents.profiles.casework import open_case
from app.agent.runtime.state import initial_state
from app.domain.agents.memory import Namespace
from app.domain.agents.runs import Route, RunStatus
from app.domain.agents.tools import TOOL_NAMES, WebHit, WebPage
from app.domain.drafting.meeting import BusyTime
from app.domain.drafting.review import Action, FlagKind, ReviewKind
from app.domain.ids import AccountId
from app.domain.mail.message import Message
from app.store.learning.preferences import Preferences
from fakes.engine.agent_mailbox import ANN, NOON, SENT, FixedTriage, Room, ScriptedCalendar, mail, verdict
from fakes.models.model_server import Answer, ModelServer, calls
from fakes.models.profile_agent import PROFILE, agency, inquiry, limited, toolbox

END = Answer("Hotovo.")


class Everything:
    """Backends that answer with one thing each."""

    def __init__(self, found: tuple[Message, ...] = ()) -> None:
        self.found = found

    async def find(self, *asked: Any) -> Any:
        """Mails for an account, hits for words."""
        return self.found if isinstance(asked[0], int) else (WebHit("T", "https://a.example/", "s"),)

    async def read(self, url: str) -> WebPage:
        return WebPage(url, "Title", "Words")


def full(room: Room, *found: Message) -> dict[str, Any]:
    """Every backend."""
    some = Everything(found)
    memory = Preferences(room.db, room.clock)
    box = toolbox(room, search=some, web=some, reader=some, memory=memory, hosts=frozenset({"www.sukl.example"}))
    return {"box": box, "calendar": ScriptedCalendar(), "may_schedule": lambda _account: True}


async def test_every_name_a_profile_may_list_is_a_tool_and_none_is_offered_without_its_backend(
    room: Room, model: ModelServer
) -> None:
    (message,) = room.put(inquiry("?"))
    run = room.start(message, route=Route.AGENT, profile="pharmacy")
    everything = full(room)
    box = everything.pop("box")
    common = {"profile": {"pharmacy": PROFILE}.get, "gateway": object()}
    whole = room.deps(FixedTriage(verdict()), toolbox=box, **common, **everything)
    assert set(open_case(initial_state(run), whole).registry().names) == TOOL_NAMES
    room.db.read("SELECT 1")
    with room.db.transaction() as connection:
        connection.execute("DELETE FROM drug_stock")
        connection.execute("DELETE FROM drugs")
    bare = room.deps(FixedTriage(verdict()), toolbox=toolbox_without(room), **common)
    assert set(open_case(initial_state(run), bare).registry().names) == {
        "read_thread",
        "get_contact",
        "send_reply",
        "create_draft",
        "escalate",
    }


def toolbox_without(room: Room) -> Any:
    """No backend but the book."""
    box = toolbox(room, artifacts=None)
    return type(box)(book=box.book)


async def test_reading_mail_leaves_codes_out_and_keeps_readers(room: Room, model: ModelServer) -> None:
    secret = mail("Your verification code is 123456", key="s1", thread="s", subject="Code")
    other = mail("The offer of the other party is seven million.", key="o1", thread="o", sender=ANN, subject="Offer")
    answered = mail("Yes of course.", key="o2", thread="o", labels=SENT, at=NOON + timedelta(hours=1))
    message, hidden, offer, _ = room.put(inquiry("?"), secret, other, answered)
    leak = {"to": "jana@patients.example", "subject": "x", "body": "They say: the offer of the other party is seven million."}
    async with agency(room, model, message, **full(room, hidden, offer)) as at_work:
        turns = (
            calls(("mail_search", {"query": "offer"})),
            calls(("read_thread", {"thread_id": int(offer.thread_id)}), ("read_thread", {"thread_id": 999})),
            calls(("get_contact", {"email": "ANN@partner.org"}), ("get_contact", {"email": "no@where.example"})),
            calls(("web_search", {"query": "offer of the other party"})),
            calls(("send_reply", leak)),
        )
        assert await at_work.say(*turns) is RunStatus.WAITING
        review = at_work.waiting()
        found, thread, missing, known, unknown, refused = at_work.heard()
    assert [one["id"] for one in found["messages"]] == [offer.id]
    assert len(thread["messages"]) == 2
    assert "no thread 999" in missing["error"]
    assert (known["known"], known["received"], unknown) == (True, 2, {"known": False})
    assert "may not repeat private text" in refused["error"]
    assert FlagKind.QUOTES_PRIVATE_SOURCE in {one.kind for one in review.proposal.flags}


async def test_the_web_within_its_rules(room: Room, model: ModelServer) -> None:
    (message,) = room.put(inquiry("?"))
    async with agency(room, model, message, **full(room)) as at_work:
        turns = (
            calls(("web_search", {"query": "ibuprofen"})),
            calls(("fetch_url", {"url": "https://www.sukl.example/leky"})),
            calls(("fetch_url", {"url": "https://evil.example.org/leky"})),
            END,
        )
        await at_work.say(*turns)
        hits, page, refused = at_work.heard()
    assert hits == {"results": [{"title": "T", "url": "https://a.example/", "snippet": "s"}]}
    assert (page["title"], page["text"]) == ("Title", "Words")
    assert "sites that the owner named" in refused["error"]


async def test_documents_go_by_handle(room: Room, model: ModelServer) -> None:
    (message,) = room.put(inquiry("?"))
    async with agency(room, model, message, limited("write_document", "read_document")) as at_work:
        await at_work.say(
            calls(("write_document", {"name": "a.md", "content": "# A"}), ("write_document", {"name": "a.exe", "content": "x"})),
            END,
        )
        made, refused = at_work.heard()
    assert (made["name"], made["size"]) == ("a.md", 3)
    assert "ends in one of" in refused["error"]
    async with agency(room, model, *room.put(inquiry("!", key="m2", thread="t2")), limited("read_document")) as again:
        again.run = room.start(again.message, "run-2", route=Route.AGENT, profile="pharmacy")
        turn = calls(("read_document", {"document": made["document"]}), ("read_document", {"document": "/etc/passwd"}))
        await again.say(turn, END)
        read, path = again.heard()
    assert (read["text"], read["cut"]) == ("# A", False)
    assert "named by the handle" in path["error"]


async def test_nothing_is_remembered_before_the_owner_agrees(room: Room, model: ModelServer) -> None:
    (message,) = room.put(inquiry("?"))
    preferences = Preferences(room.db, room.clock)
    async with agency(room, model, message, **full(room)) as at_work:
        assert await at_work.say(calls(("remember", {"text": "Answer in Czech."}))) is RunStatus.WAITING
        assert preferences.active(Namespace.RESPONSE) == ()
        review = at_work.decide(Action.ACCEPT)
        assert review.proposal.kind is ReviewKind.TOOL_CALL
        await at_work.say(END)
        assert at_work.heard()[0]["status"] == "remembered"
    assert [one.text for one in preferences.active(Namespace.RESPONSE)] == ["Answer in Czech."]
    assert preferences.add(Namespace.RESPONSE, " Answer in Czech. ") == preferences.active(Namespace.RESPONSE)[0].id


async def test_a_calendar_is_read_by_times_alone_and_a_meeting_asks(room: Room, model: ModelServer) -> None:
    (message,) = room.put(inquiry("?"))
    at = datetime(2026, 11, 24, 9, 0, tzinfo=UTC)
    everything = full(room) | {"calendar": ScriptedCalendar((BusyTime(at, at + timedelta(hours=1), "Secret"),))}
    meeting = {
        "attendees": ["jana@patients.example"],
        "title": "Call",
        "start_time": "2026-11-24T11:00:00",
        "end_time": "2026-11-24T11:30:00",
        "organizer_email": "me@example.com",
        "timezone": "Europe/Prague",
    }
    async with agency(room, model, message, **everything) as at_work:
        turns = (
            calls(("check_calendar", {"dates": ["24-11-2026", "99-11-2026"]})),
            calls(("check_calendar", {"dates": ["24-11-2026"]})),
            calls(("schedule_meeting", {**meeting, "timezone": "Nowhere/Town"})),
            calls(("schedule_meeting", meeting)),
        )
        assert await at_work.say(*turns) is RunStatus.WAITING
        wrong, busy, nowhere = at_work.heard()
        review = at_work.waiting()
    assert "no day of the form" in wrong["error"]
    assert "busy 09:00-10:00" in busy["summary"]
    assert "Secret" not in json.dumps(busy)
    assert "no time zone" in nowhere["error"]
    assert json.loads(review.proposal.request_json)["args"] == meeting
    assert room.account_id == AccountId(1)


async def test_of_a_long_conversation_the_newest_mails_are_read_whole(room: Room, model: ModelServer) -> None:
    long = [mail(f"{at:02} {'word ' * 400}", key=f"l{at}", thread="long", at=NOON + timedelta(hours=at)) for at in range(25)]
    message, *many = room.put(inquiry("?"), *long)
    async with agency(room, model, message, limited("read_thread")) as at_work:
        await at_work.say(calls(("read_thread", {"thread_id": int(many[0].thread_id)})), END)
        (read,) = at_work.heard()
    ids = [one["id"] for one in read["messages"]]
    assert ids == [one.id for one in many][-len(ids) :]
    assert 10 < len(ids) < 20
