"""The mailbox of the pictures: the lively store, and around it a month of work, labels, letters, templates, memory and waits.

Everything is written by the store's own tables.
"""

import json
from datetime import timedelta
from pathlib import Path

from app.domain.agents.memory import MailFeedback, Namespace, PreferenceRule, RuleKind, lesson_of
from app.domain.agents.owner_profile import OwnerFacts, Voice, WritingStyle, profile_rules
from app.domain.agents.runs import ModelCall, Route, Run, RunStatus, StepLog
from app.domain.drafting.draft import Draft, Source, SourceKind
from app.domain.drafting.review import FlagKind, RedFlag, ReviewKind
from app.domain.ids import AccountId, LetterId, RunId
from app.domain.mail.files import ArtifactHandle
from app.domain.mail.letter import Letter, LetterKind, Style, StyleKind
from app.domain.mail.message import Address, Label
from app.domain.mail.triage import Category, Decision, Triage
from app.mail.html.clean import clean_html
from app.store.accounts import Accounts
from app.store.archives import Archives, ArchiveState
from app.store.db.database import Database
from app.store.learning.lessons import Lessons, Teaching
from app.store.learning.preferences import Preferences
from app.store.letters.letters import Letters, NewFile, Templates
from app.store.mail.mail_writing import HtmlSources
from app.store.mail.messages import Messages
from app.store.mail.snoozes import Snoozes
from app.store.mail.sync_page import SyncPage
from app.store.runs.model_calls import ModelCalls
from app.store.runs.runs import Runs
from end_to_end.screenshots.requests import ask_for_things
from fakes.engine.store.rows import add_step, start_run
from fakes.engine.store.sample_store import ANA, ERIN, FAKE, LEE, NOW, OWNER, TOM, LivelyStore, Mail, lively_store

RUTH = Address("ruth@riders.example", "רות כהן")
HEBREW = "שלום Mia,\n\nהזמנה 4411 הגיעה ב-9:40, תודה!\nאפשר להזמין עוד 3 אופני Trek (מידה L)?\n\nרות"
DAYS = 30
CATEGORIES = tuple(Category)
WEIGHTS = (0, 0, 0, 1, 1, 2, 3, 3, 5)
DECISIONS = (Decision.RESPOND, Decision.RESPOND, Decision.NOTIFY, Decision.IGNORE)
MODEL = "openai/gpt-4o-mini"
DAY_MINUTES = 24 * 60
LABELS = (("Label_1", "Invoices"), ("Label_2", "Workshop/Winter 2026"), ("Label_3", "Customers and suppliers abroad"))


def connected(path: Path) -> LivelyStore:
    """An account that was only just connected: no mail yet."""
    db = Database.open(path)
    account = Accounts(db).add(OWNER.email, OWNER.name, (OWNER.email,), "<p>Mia Example<br>Workshop</p>", "#2B59C3")
    return LivelyStore(path, db, account, NOW)


def filled(path: Path) -> LivelyStore:
    """A mailbox after a month of use."""
    store = lively_store(path)
    labels = tuple(Label(key, name, "user") for key, name in LABELS)
    Messages(store.db).apply(store.account_id, SyncPage(labels=labels))
    _more_mail(store)
    HtmlSources(store.db, clean_html).clean([store.mails[key].id for key in ("m06", "m10")])
    _asked(store)
    _letters(store)
    _memory(store)
    ask_for_things(store)
    archives = Archives(store.db)
    archives.settle(archives.open(Path("/home/mia/All mail 2019.mbox"), 4_300_000_000).account_id, ArchiveState.STOPPED)
    for day in range(1, DAYS):
        weekday = (store.now - timedelta(days=day)).weekday() < 5
        for number in range(2 + (day * 7) % 9 if weekday else day % 2):
            _worked(store, day, number)
    return store


FAIR = (
    "shall we share a stand at the fair in Brno?",
    "gladly. The stand costs 450 euros for two days.",
    "can you bring the folding bikes and the banner?",
    "the banner is at the printer until Thursday.",
    "the deadline for the form is 30 November.",
)


def _more_mail(store: LivelyStore) -> None:
    sent, inbox = {"SENT"}, {"INBOX"}
    rows = (
        ("q1", OWNER, "Price for the winter service", "Hello Erin,\n\nthat is 1,450.\n\nMia", 8, sent, ERIN),
        ("q2", OWNER, "Loan bike for Saturday", "Hi Tom,\n\nmay we pick the loan bike up on Friday?\n\nMia", 4, sent, TOM),
        ("q3", OWNER, "Invoice 2026-118", "Hello Ana,\n\nthe invoice is attached.\n\nMia", 11, sent | {"Label_1"}, ANA),
        ("s1", LEE, "You have won a voucher", "Click here to get it.", 2, {"SPAM"}, OWNER),
        ("b1", TOM, "Old photos", "No longer needed.", 12, {"TRASH"}, OWNER),
        ("z1", LEE, "Lease of the yard", "Hi Mia,\n\nthe lease ends in March.\n\nLee", 3, inbox | {"STARRED", "Label_2"}, OWNER),
        ("z3", RUTH, "אספקת אופניים", HEBREW, 5, inbox | {"STARRED"}, OWNER),
        ("z2", ANA, "Fair in Brno", "Hello Mia,\n\nshall we share a stand in Brno?\n\nAna", 6, inbox, OWNER),
    )
    rows += (("z4", FAKE, "Invoice 88", "Our bank account changed. Please pay to the new one.", 7, inbox | {"UNREAD"}, OWNER),)
    for key, sender, subject, text, days, labels, to in rows:
        store.put(Mail(key, f"t-{key}", sender, subject, text, DAY_MINUTES * days, labels=frozenset(labels), to=(to,)))
    for number in range(9):
        who, to = (ANA, OWNER) if number % 2 == 0 else (OWNER, ANA)
        words = FAIR[number % len(FAIR)]
        text = f"Hello,\n\n{words} I will call you on Monday.\n\n{who.name}\n\n> {FAIR[(number - 1) % len(FAIR)]}\n"
        minutes = DAY_MINUTES * 7 + 60 * (9 - number)
        labels = frozenset(inbox if who is ANA else sent)
        store.put(Mail(f"f{number}", "t-fair", who, "Stand at the fair", text, minutes, labels=labels, to=(to,)))
    Snoozes(store.db, store.clock).put("snooze", [store.mails["z2"].thread_id], store.now + timedelta(days=3))


def _asked(store: LivelyStore) -> None:
    """A mail that the assistant proposes on request with a report that it wrote, and an action without a card of its own."""
    arguments = {"action": "reserve", "drug": "Ibalgin 400", "pieces": 2, "pickup": "Tuesday afternoon"}
    request = json.dumps({"action": "manage_reservation", "args": arguments})
    store.propose("reservation", "m04", ReviewKind.TOOL_CALL, request_json=request, detail="Reserve it for Lee.")
    report = ArtifactHandle("9" * 64, "Orders of March 2026.pdf", "9" * 64, 184_320)
    table = ArtifactHandle("8" * 64, "Orders of March 2026.csv", "8" * 64, 5_320)
    body = "Dear Erin,\n\nattached you find the orders of March: 41 in all, for 18,450 in total.\n\nKind regards"
    draft = Draft((ERIN,), (LEE,), (), "Orders of March 2026", body, MODEL, attachments=(report, table))
    flags = tuple(RedFlag(FlagKind.ATTACHMENT, one.name) for one in draft.attachments)
    message = store.mails["q1"]
    source = Source(SourceKind.MESSAGE, message.subject, message.body_text, message.id)
    store.ask_for("new", draft, flags=flags, sources=(source,), elapsed_ms=4_100.0)


def _letters(store: LivelyStore) -> None:
    letters = Letters(store.db, store.clock)
    body = "Dear Erin,\n\nthank you for your request. We can offer:\n240 inspections in spring\n60 in autumn for \n\nYours"
    spring, autumn = body.index("240 insp"), body.index("60 in aut")
    end = body.index("\n", autumn)
    styles = (
        Style(spring, body.index("\n", spring), StyleKind.BULLET),
        Style(autumn, end, StyleKind.BULLET),
        Style(spring, spring + 15, StyleKind.BOLD),
        Style(end, end, StyleKind.SLOT, "price per inspection"),
    )
    about = store.mails["m09"]
    to, cc, subject = (ERIN,), (LEE,), f"Re: {about.subject}"
    offer = Letter(LetterId("offer"), store.account_id, LetterKind.REPLY, "", to, cc, (), subject, body, styles, about.id)
    letters.save(offer, 1)
    letters.attach(offer.id, (NewFile("price list 2027.pdf", "application/pdf", 184_320, b"%PDF" + b"x" * 184_316),))
    letters.save(Letter(LetterId("short"), store.account_id, LetterKind.NEW, to=(TOM,), body="Hi Tom,\n\n"), 1)
    templates = Templates(store.db, store.clock)
    words = "Hello {{first name}},\n\nour workshop is open {{opening hours}}.\n\nKind regards"
    first = templates.save(0, "Opening hours", "Opening hours", words)
    templates.save(0, "Thank you for the order", "Your order {{number}}", "Hello {{first name}},\n\nthank you for it.")
    for _ in range(7):
        templates.count_use(first)


def _memory(store: LivelyStore) -> None:
    typed = Preferences(store.db, store.clock)
    styles = (
        WritingStyle("en", True, "Dear {first},", "Kind regards,\nMia Example", 80),
        WritingStyle("en", False, "Hi {first},", "Best,\nMia", 30),
        WritingStyle("cs", True, "Dobrý den,", "S pozdravem\nMia Example", 50),
    )
    languages, names = (("en", 84), ("cs", 16)), ("Mia Example", "Mia")
    facts = OwnerFacts(312, names, "Workshop manager", "+420 601 222 333", languages=languages, hours=(8, 18))
    typed.put_profile(profile_rules(AccountId(1), Voice(312, styles, gender="f"), facts))
    typed.add(Namespace.TRIAGE, "Mail about the lease of the yard is always urgent.")
    typed.used([typed.add(Namespace.CALENDAR, "No meetings on Friday afternoon.")])
    rules = (
        PreferenceRule(RuleKind.SENDER, "domain:parts.example", Decision.IGNORE),
        PreferenceRule(RuleKind.GREETING, "en", "Hi {first},"),
        PreferenceRule(RuleKind.SIGN_OFF, "", "With a greeting from the workshop,"),
        PreferenceRule(RuleKind.MEETING_LENGTH, "person:lee.wong@studio.example", "45"),
    )
    lessons = Lessons(store.db, store.clock)
    for name, rule in zip(("sent", "queued", "held", "uncertain"), rules, strict=True):
        review = store.desk().review(store.reviews[name])
        key = store.db.read("SELECT memory_key FROM decisions WHERE review_id = ?", (review.id,))[0][0]
        lessons.write(Teaching(key, review.id, review.proposal.message_id, LEE.email, MailFeedback.NOTHING), (lesson_of(rule),))


def _worked(store: LivelyStore, day: int, number: int) -> None:
    """One mail of a day of the past, and the run that looked at it."""
    at = store.now - timedelta(days=day, minutes=37 * number)
    category, decision = CATEGORIES[WEIGHTS[(day + number * number) % len(WEIGHTS)]], DECISIONS[(day + number) % 4]
    key = f"d{day}-{number}"
    verdict = Triage(decision, category, 0.8, "Looks like mail from before.", "local:212")
    minutes = round((store.now - at).total_seconds() / 60)
    who, subject = (ANA, TOM, LEE, ERIN)[number % 4], f"Order {4000 + day * 10 + number}"
    message = store.put(Mail(key, f"t-{key}", who, subject, "Is it ready?", minutes, triage=verdict))
    run_id, then = RunId(f"run-{key}"), lambda: at
    runs = Runs(store.db, then)
    start_run(
        runs, Run(run_id, store.account_id, message.id, message.thread_id, Route.PIPELINE, "", "", RunStatus.RUNNING, 1, at)
    )
    latency_ms = 300.0 + 170 * ((day * 3 + number) % 9)
    failed = "The model did not answer." if day % 11 == 5 and number == 0 else ""
    add_step(runs, StepLog(run_id, "route", 0, "{}", "{}", 2.0, "", at))
    add_step(runs, StepLog(run_id, "triage", 1, "{}", "{}", latency_ms * 0.2, failed, at))
    if decision is Decision.RESPOND:
        add_step(runs, StepLog(run_id, "draft", 2, "{}", "{}", latency_ms * 0.8, "", at))
        tokens, cost_usd = 900 + 230 * (number % 4), 0.0004 + 0.0002 * (number % 5)
        call = ModelCall(run_id, "draft", MODEL, tokens, 180, cost_usd, latency_ms * 0.7, "api.openai.com", 4200, "", at)
        ModelCalls(store.db, store.clock).model_call(call)
    runs.set_status(run_id, RunStatus.FAILED if failed else RunStatus.DONE, failed)
