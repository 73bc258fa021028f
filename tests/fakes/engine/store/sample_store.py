"""A real store with a small mailbox: threads, every kind of review, outbox items in several states, runs."""

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from app.domain.agents.runs import Route, Run, RunStatus, StepLog
from app.domain.drafting.draft import Draft, Source, SourceKind, Span, SpanKind
from app.domain.drafting.review import Action, FlagKind, Proposal, RedFlag, ReviewKind, ReviewStatus, ToolStep
from app.domain.ids import AccountId, GmailId, GmailThreadId, MessageId, ReviewId, RunId, ThreadId
from app.domain.mail.message import Address, Message, RemoteAttachment, RemoteMessage
from app.domain.mail.outbox import OutboxKind, OutboxState
from app.domain.mail.triage import Category, Decision, Triage
from app.domain.protocol.commands import Decide
from app.store.accounts import Accounts
from app.store.db.database import Database
from app.store.mail.messages import Messages
from app.store.mail.sync_page import SyncPage
from app.store.outbox import NewOutbox, Outbox
from app.store.reviews.reviews import Reviews
from app.store.runs.runs import Runs
from fakes.engine.store.empty import prepared
from fakes.engine.store.rows import add_step, start_run
from fakes.gmail.messages import remote_message

NOW = datetime(2026, 11, 20, 11, 42, tzinfo=UTC)
OWNER = Address("mia@workshop.example", "Mia Example")
ANA = Address("ana.novak@partner.example", "Ana Novák")
TOM = Address("tom@cycles.example", "Tom Harding")
LEE = Address("lee.wong@studio.example", "Lee Wong")
SHOP = Address("news@parts.example", "Parts & More")
BANK = Address("service@bank.example", "First Example Bank")
FAKE = Address("ana.novak@partner-example.test", "Ana Novák")
ERIN = Address("erin.brandt@longcompanyname.example", "Erin Brandt-Schmidtbauer of the Procurement Department")


@dataclass(frozen=True, slots=True)
class Mail:
    """A message to store."""

    key: str
    thread: str
    sender: Address
    subject: str
    text: str
    minutes: int
    html: str = ""
    labels: frozenset[str] = frozenset({"INBOX"})
    to: tuple[Address, ...] = (OWNER,)
    cc: tuple[Address, ...] = ()
    files: tuple[str, ...] = ()
    triage: Triage | None = None


NEW = frozenset({"INBOX", "UNREAD"})
RESPOND = Triage(Decision.RESPOND, Category.INQUIRY, 0.91, "Asks when order 4411 arrives and wants a date.", "local:212")
MEETING = Triage(Decision.RESPOND, Category.MEETING_REQUEST, 0.84, "Proposes a call on Thursday.", "local:212")
COMPLAINT = Triage(Decision.RESPOND, Category.COMPLAINT, 0.58, "The frame arrived with a scratch.", "local:212")
NOTICE = Triage(Decision.NOTIFY, Category.OTHER, 0.77, "An automatic notice from a service.", "rule:list-mail")
BULK = Triage(Decision.IGNORE, Category.OTHER, 0.96, "A newsletter with an unsubscribe header.", "rule:list-mail")
NEWSLETTER = (
    '<div style="background:#f3f6fa;padding:24px"><div style="background:#ffffff;padding:24px;border-radius:8px">'
    '<h2 style="color:#1b3a57">Winter sale</h2><p>Chains, cables and lights: <b>up to 30 %</b> until Sunday.</p>'
    '<p><img data-remote-src="https://parts.example/banner.png" alt="Banner"></p>'
    '<p><a href="https://parts.example/sale">See all offers</a></p></div></div>'
)
QUOTED_HTML = (
    "<p>Hello Mia,</p><p>thank you, that works. One more question: can you send the invoice to our accountant as well?</p>"
    "<p>Ana</p><blockquote><p>We ship on Monday.</p><p>Mia</p></blockquote>"
)

MAILS: tuple[Mail, ...] = (
    Mail("m01", "t1", ANA, "Delivery of order 4411", "Hello Mia,\n\nI would like to order 12 sets.\n\nAna", 60 * 24 * 6),
    Mail(
        "m02",
        "t1",
        OWNER,
        "Re: Delivery of order 4411",
        "Hello Ana,\n\nwe ship on Monday.\n\nMia",
        60 * 24 * 5,
        labels=frozenset({"SENT"}),
        to=(ANA,),
    ),
    Mail(
        "m03",
        "t1",
        ANA,
        "Re: Delivery of order 4411",
        "Hello Mia,\n\nwhen will order 4411 arrive? We need it before the 27th of November, because our customer opens the new"
        " shop then. Could you also tell me the tracking number?\n\nThank you\nAna\n\n"
        "On Sun, 15 Nov 2026 at 12:42, Mia Example <mia@workshop.example> wrote:\n> Hello Ana,\n>\n"
        "> we ship on Monday.\n>\n> Mia",
        122,
        labels=NEW | {"STARRED"},
        triage=RESPOND,
    ),
    Mail(
        "m04",
        "t2",
        LEE,
        "Call about the photo shoot",
        "Hi Mia,\n\nshall we talk on Thursday at 10:00? I have two questions about the photo shoot in December:"
        " who brings the bikes, and can we use the yard?\n\nLee",
        45,
        labels=NEW,
        cc=(TOM,),
        triage=MEETING,
        files=("moodboard.pdf",),
    ),
    Mail(
        "m05",
        "t3",
        TOM,
        "Scratch on the frame",
        "Hello,\n\nthe frame I picked up yesterday has a scratch on the down tube. See https://cycles.example/photos/771."
        " What can we do about it?\n\nTom",
        200,
        labels=NEW,
        triage=COMPLAINT,
        files=("scratch-1.jpg", "scratch-2.jpg"),
    ),
    Mail("m06", "t4", SHOP, "Winter sale: up to 30 % off", "Winter sale\nUp to 30 %", 300, html=NEWSLETTER, triage=BULK),
    Mail(
        "m07",
        "t5",
        BANK,
        "Your statement for October is ready",
        "Your statement is ready in online banking.",
        60 * 20,
        triage=NOTICE,
    ),
    Mail(
        "m08",
        "t6",
        FAKE,
        "New bank account",
        "Dear Mia,\n\nour bank account changed. Please pay invoice 88 to the new one.\n\nAna",
        15,
        labels=NEW,
        triage=Triage(Decision.RESPOND, Category.OTHER, 0.49, "Asks for a payment to a new account.", "local:212"),
    ),
    Mail(
        "m09",
        "t7",
        ERIN,
        "Framework agreement 2027: request for quotation with a subject line that is much too long to fit",
        "Dear Ms Example,\n\nplease quote for 240 inspections.\n\nErin",
        60 * 30,
        labels=NEW,
        triage=Triage(Decision.RESPOND, Category.INQUIRY, 0.73, "Requests a quotation.", "local:212"),
    ),
    Mail("m10", "t8", ANA, "Invoice for the accountant", "thank you, that works.", 60 * 26, html=QUOTED_HTML, triage=RESPOND),
    Mail(
        "m11",
        "t9",
        Address("yuki@example.test", "山本 由紀"),
        "自転車の修理について",
        "こんにちは。修理はいつ終わりますか？",
        60 * 50,
        triage=Triage(Decision.RESPOND, Category.FOLLOW_UP, 0.69, "Asks when the repair is done.", "local:212"),
    ),
    Mail(
        "m12",
        "t10",
        OWNER,
        "Opening hours in December",
        "We are closed from the 24th.",
        60 * 40,
        labels=frozenset({"SENT"}),
        to=(LEE,),
    ),
)


def remote(mail: Mail, now: datetime) -> RemoteMessage:
    """The message as the server would return it."""
    files = tuple(RemoteAttachment(str(n), name, "application/octet-stream", 184_320) for n, name in enumerate(mail.files))
    return remote_message(
        mail.key,
        mail.text,
        gmail_thread_id=GmailThreadId(mail.thread),
        date=now - timedelta(minutes=mail.minutes),
        sender=mail.sender,
        to=mail.to,
        cc=mail.cc,
        subject=mail.subject,
        snippet=" ".join(mail.text.split())[:120],
        body_html=mail.html,
        rfc822_id=f"<{mail.key}@example.test>",
        labels=mail.labels,
        attachments=files,
    )


@dataclass(slots=True)
class LivelyStore:
    """The open store. `reviews` are by a short name, `mails` by key."""

    path: Path
    db: Database
    account_id: AccountId
    now: datetime
    mails: dict[str, Message] = field(default_factory=dict)
    reviews: dict[str, ReviewId] = field(default_factory=dict)

    def copied(self, path: Path) -> "LivelyStore":
        """The same mailbox in another file (this one must be closed)."""
        return self.written(path, self.path.read_bytes())

    def written(self, path: Path, data: bytes) -> "LivelyStore":
        """The mailbox in a new file of these bytes."""
        path.touch(mode=0o600)
        path.write_bytes(data)
        return LivelyStore(path, Database.open(path), self.account_id, self.now, dict(self.mails), dict(self.reviews))

    def clock(self) -> datetime:
        return self.now

    def desk(self) -> Reviews:
        return Reviews(self.db, self.clock)

    def put(self, mail: Mail) -> Message:
        """Stores another message with its verdict."""
        messages = Messages(self.db)
        messages.apply(self.account_id, SyncPage(messages=(remote(mail, self.now),)))
        message = messages.by_gmail_id(self.account_id, GmailId(mail.key))
        assert message is not None
        if mail.triage is not None:
            messages.set_triage(message.id, mail.triage)
        self.mails[mail.key] = message
        return message

    def propose(self, name: str, key: str, kind: ReviewKind, draft: Draft | None = None, **rest: object) -> ReviewId:
        """Opens a review on a message."""
        triage = next((one.triage for one in MAILS if one.key == key), None) or NOTICE
        message = self.mails[key]
        run_id = RunId(f"run-{name}")
        run = Run(
            run_id,
            self.account_id,
            message.id,
            message.thread_id,
            Route.PIPELINE,
            "",
            "",
            RunStatus.WAITING,
            1,
            self.now - timedelta(minutes=4),
        )
        runs = Runs(self.db, self.clock)
        start_run(runs, run)
        others = [f"message:{one.id}@0.8" for one in self.mails.values() if one.thread_id == message.thread_id]
        sorted_as = {"decision": triage.decision, "classification": triage.category, "reason": triage.reason}
        steps = [
            ("route", 2.0, {}),
            ("classify", 31.4, sorted_as),
            ("retrieve", 88.0, {"context": others}),
            ("generate", 210.5, {"draft_response": "{}"} if draft is not None else {}),
        ]
        state: dict[str, object] = {"email": message.id, "route": "pipeline"}
        for order, (step, latency, changes) in enumerate(steps):
            at = self.now - timedelta(seconds=30 - order)
            add_step(runs, StepLog(run_id, step, order, json.dumps(state), json.dumps(changes), latency, "", at))
            state |= changes
        proposal = Proposal(
            self.account_id,
            run_id,
            message.id,
            message.thread_id,
            kind,
            triage.decision,
            triage.category,
            triage.confidence,
            triage.reason,
            triage.maker,
            draft,
            elapsed_ms=336.0,
            **rest,  # type: ignore[arg-type]
        )
        review_id = self.reviews[name] = self.desk().open(proposal, name)
        opened = {"review_id": review_id, "revision": 1, "draft_response": f"review:{review_id}" if draft is not None else ""}
        add_step(runs, StepLog(run_id, "review", len(steps), json.dumps(state), json.dumps(opened), 4.1, "", self.now))
        return review_id

    def ask_for(self, name: str, draft: Draft, **rest: object) -> ReviewId:
        """Opens a review on a new mail that the assistant proposes for a request."""
        thread_id = ThreadId(-1 - len(self.reviews))
        about = (self.account_id, RunId(f"ask-{name}"), MessageId(0), thread_id, ReviewKind.REPLY, "", "", 0.0)
        proposal = Proposal(*about, "You asked for it.", draft.maker, draft, **rest)  # type: ignore[arg-type]
        self.reviews[name] = self.desk().open(proposal, name)
        return self.reviews[name]

    def queue_send(self, name: str, state: OutboxState, reason: str = "", minutes: int = 0) -> None:
        """Approves a review and moves its outbox item to a state."""
        review = self.desk().review(self.reviews[name])
        draft = review.proposal.draft
        assert draft is not None
        message = next(one for one in self.mails.values() if one.id == review.proposal.message_id)
        new = NewOutbox(
            account_id=self.account_id,
            review_id=review.id,
            kind=OutboxKind.SEND,
            thread_id=message.thread_id,
            gmail_thread_id=message.gmail_thread_id,
            to=draft.to[0].email,
            subject=draft.subject,
            mime=b"x",
            marker=f"<{name}@replyroom>",
            expected_tip=message.gmail_id,
            not_before=self.now + timedelta(minutes=minutes),
        )
        decided = self.desk().decide(Decide(review.id, review.revision, Action.ACCEPT, draft), new, ReviewStatus.APPROVED, None)
        outbox = Outbox(self.db, self.clock)
        item = outbox.get(decided.outbox_id)  # type: ignore[arg-type]
        for step in PATHS[state]:
            item = outbox.move(item.id, item.state, step, reason=reason if step is state else "")

    def close(self) -> None:
        self.db.close()


PATHS: dict[OutboxState, tuple[OutboxState, ...]] = {
    OutboxState.QUEUED: (),
    OutboxState.HELD: (OutboxState.HELD,),
    OutboxState.UNCERTAIN: (OutboxState.DRAFTING, OutboxState.DRAFTED, OutboxState.SENDING, OutboxState.UNCERTAIN),
    OutboxState.SENT: (OutboxState.DRAFTING, OutboxState.DRAFTED, OutboxState.SENDING, OutboxState.SENT),
}


def lively_store(path: Path, now: datetime = NOW) -> LivelyStore:
    """The mailbox in a file of its own."""
    filled, data = _original(now)
    return filled.written(path, data)


@lru_cache(maxsize=4)
def _original(now: datetime) -> tuple[LivelyStore, bytes]:
    """The mailbox, filled once in a process (120 ms) and closed, and the bytes of its file."""
    with TemporaryDirectory(prefix="replyroom-store-", ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "lively.db"
        db = Database.open(prepared(path))
        account_id = Accounts(db).add(OWNER.email, OWNER.name, (OWNER.email,), "<p>Mia Example<br>Workshop</p>", "#2B59C3")
        store = LivelyStore(path, db, account_id, now)
        for mail in MAILS:
            store.put(mail)
        _replies(store)
        _others(store)
        _history(store)
        store.close()
        return store, path.read_bytes()


def _replies(store: LivelyStore) -> None:
    """Adds pending drafts."""
    body = (
        "Hello Ana,\n\nthank you for your message about order 4411. It leaves us on Monday and arrives by Friday.\n\n"
        "You asked: “Could you also tell me the tracking number?”\n\n\nKind regards"
    )
    slot = body.index("\n\nKind") - 0
    friday = body.index("by Friday")
    monday = body.index("It leaves us on Monday")
    spans = (
        Span(
            monday,
            monday + len("It leaves us on Monday"),
            SpanKind.FROM_SOURCE,
            "From your mail of 15 November",
            store.mails["m02"].id,
        ),
        Span(friday, friday + len("by Friday"), SpanKind.UNSUPPORTED, "“by Friday” stands in no source."),
        Span(slot, slot, SpanKind.OPEN_SLOT, "your answer"),
    )
    sources = (
        Source(SourceKind.OWN_REPLY, "Your reply of 15 November", "we ship on Monday.", store.mails["m02"].id, score=0.82),
        Source(SourceKind.MESSAGE, "Delivery of order 4411", "I would like to order 12 sets.", store.mails["m01"].id, score=0.64),
        Source(SourceKind.CONTACT, "Ana Novák", "12 mails since March, last on 15 November"),
    )
    tools = (
        ToolStep("search_mail", '{"query": "order 4411"}', "3 mails", "", 41.0),
        ToolStep("check_calendar", '{"day": "2026-11-26"}', "", "The calendar is not connected.", 12.0),
    )
    draft = Draft((ANA,), (), (), "Re: Delivery of order 4411", body, "template", store.mails["m03"].id, spans)
    store.propose("slots", "m03", ReviewKind.REPLY, draft, sources=sources, tools=tools)
    own = Draft(
        (TOM,),
        (),
        (),
        "Re: Scratch on the frame",
        "Hello Tom,\n\nI am sorry about that. Please bring it in, we will repaint it.\n\nKind regards",
        "own-reply",
    )
    store.propose("plain", "m05", ReviewKind.REPLY, own, sources=(sources[0],))
    meeting = Draft(
        (LEE,),
        (TOM,),
        (),
        "Re: Call about the photo shoot",
        "Hi Lee,\n\nThursday at 10:00 works for me. I will send an invitation.\n\nKind regards",
        "openai/gpt-4o-mini",
    )
    store.propose("meeting", "m04", ReviewKind.REPLY, meeting)
    flags = (RedFlag(FlagKind.LOOK_ALIKE_DOMAIN, FAKE.email), RedFlag(FlagKind.NEVER_WRITTEN_TO, FAKE.email))
    fake = Draft((FAKE,), (), (), "Re: New bank account", "Hello,\n\nthank you, we will check this.\n\nKind regards", "template")
    store.propose("flagged", "m08", ReviewKind.REPLY, fake, flags=flags)


def _others(store: LivelyStore) -> None:
    """Adds one review of each kind without a draft."""
    store.propose("notify", "m07", ReviewKind.NOTIFY, detail="The October statement is ready.")
    store.propose("question", "m09", ReviewKind.QUESTION, detail="Which price per inspection may I quote for 240 inspections?")
    store.propose("escalation", "m11", ReviewKind.ESCALATION, detail="The mail is in a language without a profile.")
    request, look = _meeting(store.now)
    words = "Put the call into your calendar and invite Lee."
    store.propose("tool", "m10", ReviewKind.TOOL_CALL, request_json=request, tools=(look,), detail=words)


def _meeting(now: datetime) -> tuple[str, ToolStep]:
    """A meeting in six days, and the calendar check that found something else on that day."""
    start = (now + timedelta(days=6)).replace(hour=10, minute=0, second=0, microsecond=0)
    arguments = {
        "title": "Photo shoot",
        "attendees": [LEE.email],
        "start_time": start.strftime("%Y-%m-%dT%H:%M:%S"),
        "end_time": (start + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%S"),
        "organizer_email": OWNER.email,
        "timezone": "Europe/Prague",
    }
    later = start + timedelta(hours=3)
    row = {"start": later.isoformat(), "end": (later + timedelta(minutes=90)).isoformat(), "title": "Dentist"}
    looked = {"start": (start - timedelta(days=1)).isoformat(), "end": (start + timedelta(days=14)).isoformat()}
    look = ToolStep("check_calendar", json.dumps(looked), json.dumps({"busy": [row]}), "", 3.0)
    return json.dumps({"action": "schedule_meeting", "args": arguments}), look


def _history(store: LivelyStore) -> None:
    """Adds decided reviews with their outbox items."""
    states = (
        ("sent", OutboxState.SENT, "", "Spare wheels for Saturday"),
        ("queued", OutboxState.QUEUED, "", "Key for the workshop"),
        ("held", OutboxState.HELD, "newer_mail", "Price for two services"),
        ("uncertain", OutboxState.UNCERTAIN, "not_confirmed", "Pick-up on Tuesday"),
    )
    for name, state, reason, subject in states:
        mail = Mail(f"x-{name}", f"x-{name}", LEE, subject, "Hello Mia,\n\nplease confirm.\n\nLee", 60 * 70)
        store.put(mail)
        message = store.mails[mail.key]
        draft = Draft((LEE,), (), (), f"Re: {mail.subject}", "Hi Lee,\n\nconfirmed.\n\nKind regards", "template", message.id)
        proposal = Proposal(
            store.account_id,
            RunId(f"run-{name}"),
            message.id,
            message.thread_id,
            ReviewKind.REPLY,
            "respond",
            "inquiry",
            0.8,
            "Asks for a confirmation.",
            "local:212",
            draft,
        )
        run = Run(
            RunId(f"run-{name}"),
            store.account_id,
            message.id,
            message.thread_id,
            Route.PIPELINE,
            "",
            "",
            RunStatus.DONE,
            1,
            store.now,
        )
        start_run(Runs(store.db, store.clock), run)
        store.reviews[name] = store.desk().open(proposal, name)
        store.queue_send(name, state, reason, minutes=2 if state is OutboxState.QUEUED else 0)


def message_id(store: LivelyStore, key: str) -> MessageId:
    """The local id of a message."""
    return store.mails[key].id
