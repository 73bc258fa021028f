"""Thirty tasks of a mail user, done in a real window with key and mouse events: how many keys and clicks each takes.

    python3 packaging/dev.py bench tasks [--only WORDS] --json

The sandbox's server, the engine and the window are real; the window is offscreen unless QT_QPA_PLATFORM says otherwise. The
mailbox is the sample, with a scripted model where a task needs one. Nothing is done by calling a page's methods. Before a task
the bench brings the window to where the task begins (a list with a row chosen, a draft in Review); that is not counted.

How it counts: a chord such as Ctrl+Enter is one key, each part of a sequence such as G, I is one, a click or a drag is one
click. Words and sentences are not counted letter by letter: `texts` is how many were typed, on both sides the same, and they are
in neither `keys` nor `reference`. `reference` is the fewest keys and clicks that Superhuman or Gmail need, null where neither
can do the task or asks for it. Clicks on Google's own pages count like ours; the build has a Google client, as a distributor's
has (without one the guide's steps at Google come before). What a task did is read from the server over HTTP,
or from the window where nothing changes on the server; a task without that result is impossible (`ok` false, `why` tells).
"""

import argparse
import asyncio
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QFrame, QLabel, QLineEdit  # noqa: E402

from app.config.paths import DataFolder, resource  # noqa: E402
from app.config.settings_file import change  # noqa: E402
from app.demo.command import write_sample_settings  # noqa: E402
from app.domain.drafting.review import ReviewSection, ReviewStatus  # noqa: E402
from app.domain.ids import ThreadId  # noqa: E402
from app.domain.protocol.commands import StartDrafting  # noqa: E402
from app.domain.protocol.events import SyncPhase, SyncProgress  # noqa: E402
from app.domain.protocol.letter_commands import SaveTemplate  # noqa: E402
from app.domain.protocol.views import MailView  # noqa: E402
from app.store.reader.mailbox_reader import SqliteMailboxReader  # noqa: E402
from fakes.gmail.sandbox import Sandbox, start_sandbox  # noqa: E402
from fakes.models.model_process import scripted_child  # noqa: E402
from fakes.providers.server import ProviderServer  # noqa: E402
from fakes.providers.shapes import OPENAI  # noqa: E402
from fakes.window.counted_person import Person  # noqa: E402
from fakes.window.keyboard import spoken  # noqa: E402
from fakes.window.task_stage import (  # noqa: E402
    SEEN_S,
    Stage,
    answered_in_calendar,
    complete_reply,
    first_environment,
    label_id,
    long_thread,
    model_with_a_tool,
    more_notes,
    newsletter,
    not_counted,
    note,
    plain,
    replace_counts,
    reply_with_blank,
    rules_text,
    sample_environment,
    status_of,
    subject_of,
)

UNDO_S = 3
READY_S = 240.0
SETTINGS = (("sync.poll_s", "1"), ("sync.budget_units", "1000000"), ("sending.undo_s", str(UNDO_S)))
NOTES = 9
MODEL = "openai/scripted"
HOSTED = "gpt-5-mini"
CLICKS_AT_GOOGLE = 2
"""Choose the account, Allow."""


@dataclass
class Result:
    """What a task took."""

    task: str
    keys: int
    clicks: int
    texts: int
    reference: int | None
    ok: bool
    why: str = ""

    @property
    def worse(self) -> bool:
        return self.ok and self.reference is not None and self.keys + self.clicks > self.reference


Do = Callable[[Stage], Awaitable[None]]
TASKS: list[tuple[str, int | None, Do]] = []
"""With the sample mailbox."""
FIRST_TASKS: list[tuple[str, int | None, Do]] = []
"""In an empty data folder."""


def task(words: str, reference: int | None, tasks: list[tuple[str, int | None, Do]] = TASKS) -> Callable[[Do], Do]:
    """Adds a task with the keys and clicks of the reference."""

    def add(do: Do) -> Do:
        tasks.append((words, reference, do))
        return do

    return add


@task("Connect the first Gmail account", 4, FIRST_TASKS)
async def connect(stage: Stage) -> None:
    welcome = stage.window.page("welcome")
    await stage.person.until(welcome.isVisible, "the first page")
    await stage.person.pause(2)  # the engine starts
    await stage.person.click_button("Connect Gmail", welcome)
    await stage.person.until(stage.reader.accounts, "the account")
    stage.person.clicks += CLICKS_AT_GOOGLE
    assert stage.reader.accounts()[0].email == stage.server.account
    await stage.person.until(lambda: stage.reader.counts().messages, "mail")
    assert any(one["status"] == 200 and "messages" in one["path"] for one in stage.server.log()), "the server was not read"


@task("Choose a hosted model", None, FIRST_TASKS)
async def choose_model(stage: Stage) -> None:
    welcome = stage.window.page("welcome")
    choose = lambda: [one for one in welcome.findChildren(QAbstractButton) if one.isVisible() and "Choose a model" in spoken(one)]  # noqa: E731
    await stage.person.until(choose, "the question for a model")
    await stage.person.click(choose()[0])
    with ProviderServer(OPENAI, model_with_a_tool) as model:
        model.models = (HOSTED,)
        await stage.person.click_button("Other server", stage.window)
        await stage.person.write(model.address)
        await stage.person.press("Return")
        await stage.person.until(lambda: isinstance(QApplication.focusWidget(), QComboBox), "the list of models")
        await stage.person.pause(SEEN_S)
        await stage.person.write(HOSTED)
        await stage.person.press("Return")
        settings = stage.window.review_page.context.settings
        await stage.person.until(lambda: settings().model.name.endswith(HOSTED), "the model in use", READY_S)


@task("See what it will cost before starting", None, FIRST_TASKS)
async def cost(stage: Stage) -> None:
    await stage.person.press("Ctrl+1")
    await stage.person.click_button("Choose mail to check…", stage.window)
    labels = lambda: [one.text() for one in stage.window.page("welcome").findChildren(QLabel) if one.isVisible()]  # noqa: E731
    await stage.person.until(lambda: any("$" in words for words in labels()), "the price", READY_S / 4)
    counted = any("to check" in words for words in labels())
    assert counted, "it does not say how many emails"


@task("Approve a ready draft", 2)
async def approve(stage: Stage) -> None:
    review = await stage.at_review(complete_reply)
    before = len(stage.sent_in(review.proposal.thread_id))
    await stage.person.press("Ctrl+Return")
    await stage.until_sent(review.proposal.thread_id, before)


@task("Approve with a blank", None)
async def approve_blank(stage: Stage) -> None:
    review = await stage.at_review(reply_with_blank)
    before = len(stage.sent_in(review.proposal.thread_id))
    await stage.person.press("Ctrl+Return")
    await stage.person.write("seven o'clock")
    await stage.person.press("Ctrl+Return")
    await stage.until_sent(review.proposal.thread_id, before, "seven o'clock")


@task("Edit and send a draft", 2)
async def edit(stage: Stage) -> None:
    review = await stage.at_review(complete_reply)
    before = len(stage.sent_in(review.proposal.thread_id))
    await stage.person.press("E")
    await stage.person.write("Good to hear from you. ")
    await stage.person.press("Ctrl+Return")
    await stage.until_sent(review.proposal.thread_id, before, "Good to hear from you.")


@task("Take back an approval within 10 s", 1)
async def undo_approval(stage: Stage) -> None:
    review = await stage.at_review(complete_reply)
    before = len(stage.sent_in(review.proposal.thread_id))
    await not_counted(stage, "Ctrl+Return")
    await stage.person.press("Z")
    await stage.person.until(lambda: status_of(stage, review) is ReviewStatus.PENDING, "the draft waiting again")
    await stage.person.pause(UNDO_S + 1)
    assert len(stage.sent_in(review.proposal.thread_id)) == before, "it was sent"


@task("Take back a dismissal", 1)
async def undo_dismissal(stage: Stage) -> None:
    review = await stage.at_review(note)
    await not_counted(stage, "Delete")
    await stage.person.until(lambda: status_of(stage, review) is ReviewStatus.DISMISSED, "the dismissal")
    await stage.person.press("Ctrl+Z")
    await stage.person.until(lambda: status_of(stage, review) is ReviewStatus.PENDING, "the item waiting again")


@task("Reject with a reason", 1)
async def reject(stage: Stage) -> None:
    review = await stage.at_review(complete_reply)
    await stage.person.press("N")
    await stage.person.until(lambda: status_of(stage, review) is ReviewStatus.REJECTED, "the rejection")
    stage.person.seen(QLabel, lambda one: "No answer needed" in one.text(), "the reason in the notice")


@task("Ask for a shorter draft", 2)
async def shorter(stage: Stage) -> None:
    with scripted_child() as model:
        change(stage.data.settings, (("model.name", f'"{MODEL}"'), ("model.api_base", f'"{model.api_base}"')))
        await stage.person.until(lambda: stage.window.review_page.context.settings().model.name == MODEL, "the model")
        await stage.person.pause(2)  # the engine looks at the file every second
        review = await stage.at_review(complete_reply)
        await stage.person.press("R")
        await stage.person.write("Shorter, please")
        await stage.person.press("Return")
        drafted = lambda one: (  # noqa: E731
            one.proposal.thread_id == review.proposal.thread_id and (one.id, one.revision) != (review.id, review.revision)
        )
        await stage.person.until(lambda: stage.reviews(drafted), "another draft")
        asked = any("Shorter, please" in prompt for prompt in model.prompts())
        change(stage.data.settings, (("model.name", '""'), ("model.api_base", '""')))
    assert asked, "the model was not told what to change"


@task("Dismiss nine FYIs", 2)
async def dismiss_all(stage: Stage) -> None:
    await more_notes(stage, NOTES)
    await stage.at_review(note)
    await stage.person.press("Shift+X")
    gone = lambda: not stage.reader.section_sizes().get(ReviewSection.NOTICE)  # noqa: E731
    await stage.person.until(gone, "all of them gone")


@task("Read five mails", 5)
async def read_five(stage: Stage) -> None:
    ids = (await stage.at_inbox())[:6]
    for thread_id in ids[1:]:
        stage.server.mail.label(*(one.gmail_id for one in stage.reader.messages(thread_id)), add=["UNREAD"])
    rows = lambda: stage.reader.thread_rows(ids[1:])  # noqa: E731
    await stage.person.until(lambda: all(row.unread for row in rows().values()), "five unread conversations")
    for _ in range(5):
        await stage.person.press("J")
    await stage.person.until(lambda: stage.without("UNREAD", ids[1:]), "five read conversations on the server")


@task("Archive five in a row, downwards", 5)
async def archive_five(stage: Stage) -> None:
    ids = (await stage.at_inbox())[:6]
    for _ in range(5):
        await stage.person.press("E")
    await stage.person.until(lambda: stage.without("INBOX", ids[:5]), "five archived conversations")
    assert any("INBOX" in labels for labels in stage.labels(ids[5])), "a sixth was archived"
    assert stage.window.mail_page.reading.thread_id == ids[5]


@task("Answer by hand from the inbox", 2)
async def answer_by_hand(stage: Stage) -> None:
    thread_id = (await stage.at_inbox(lambda one: plain(stage, one)))[0]
    before = len(stage.sent_in(thread_id))
    await stage.person.press("R")
    await stage.person.write("Thank you, that works for us.")
    assert stage.window.name == "inbox", "the answer is written on another page"
    await stage.person.press("Ctrl+Return")
    await stage.until_sent(thread_id, before, "that works for us")
    await stage.person.until(lambda: stage.without("INBOX", [thread_id]), "the conversation archived")
    assert stage.without("UNREAD", [thread_id])


@task("Let the machine answer the open mail", 1)
async def machine_answer(stage: Stage) -> None:
    review = stage.reviews(complete_reply)[0]
    thread_id = review.proposal.thread_id
    before = len(stage.sent_in(thread_id))
    await stage.at_inbox(lambda one: one == thread_id)
    await stage.person.press("Ctrl+Return")
    await stage.until_sent(thread_id, before)


@task("Search and open a hit", 4)
async def search(stage: Stage) -> None:
    await stage.at_inbox()
    page = stage.window.search_page
    await stage.person.press("/")
    await stage.person.write("gift voucher")
    await stage.person.press("Return")
    await stage.person.until(lambda: stage.window.name == "search" and page.model.rowCount() > 1, "hits")
    first = page.reading.thread_id
    await stage.person.press("Down")

    def opened() -> bool:
        row, here = page.list.current_row(), page.reading.thread_id
        return here is not None and here != first and here == page.model.id_at(row) and page.reading.isVisible()

    await stage.person.until(opened, "the next hit opened")


@task("Archive three search hits", 4)
async def archive_hits(stage: Stage) -> None:
    await stage.at_inbox()
    page = stage.window.search_page
    page.context.navigator.search("in:inbox bike")
    await stage.person.until(lambda: page.model.rowCount() > 3 and page.list.hasFocus(), "hits")
    await stage.person.pause(2)
    ids = [ThreadId(page.model.id_at(row)) for row in range(3)]
    for key in ("X", "Shift+J", "Shift+J", "E"):
        await stage.person.press(key)
    await stage.person.until(lambda: stage.without("INBOX", ids), "three archived hits")


@task("Snooze till tomorrow", 2)
async def snooze(stage: Stage) -> None:
    thread_id = (await stage.at_inbox())[0]
    await stage.person.press("B")
    await stage.person.write("tom")
    await stage.person.press("Return")
    until = lambda: stage.reader.snoozed_until([thread_id]).get(thread_id)  # noqa: E731
    await stage.person.until(until, "the conversation snoozed")
    back = until()
    assert back.astimezone().date() == datetime.now().astimezone().date() + timedelta(days=1)
    await stage.person.until(lambda: stage.without("INBOX", [thread_id]), "out of the inbox on the server")


@task("Label", 2)
async def label(stage: Stage) -> None:
    thread_id = (await stage.at_inbox())[0]
    await stage.person.press("L")
    await stage.person.write("supp")
    await stage.person.press("Return")
    wanted = label_id(stage, "Suppliers")
    await stage.person.until(lambda: any(wanted in one for one in stage.labels(thread_id)), "the label on the server")


@task("Move to label by mouse", 1)
async def drag(stage: Stage) -> None:
    thread_id = (await stage.at_inbox())[0]
    page = stage.window.mail_page
    await stage.person.drag(page.list, page.model.row_of(thread_id), stage.window.navigation, "Suppliers")
    wanted = label_id(stage, "Suppliers")
    moved = lambda: any(wanted in one for one in stage.labels(thread_id)) and stage.without("INBOX", [thread_id])  # noqa: E731
    await stage.person.until(moved, "the conversation under its label")


@task("Newsletters → archive for good", 6)
async def newsletters(stage: Stage) -> None:
    first = await stage.delivered(newsletter("An offer of the week"))
    await stage.at_inbox(lambda one: one == first)
    await stage.person.press("Ctrl+Shift+R", "Ctrl+Return")
    await stage.person.until(lambda: "archive" in rules_text(stage), "the rule")
    await stage.person.pause(2)
    there = str(stage.server.deliver(newsletter("Another offer"), labels=["INBOX", "UNREAD"])["id"])

    def archived() -> bool:
        return any(one["id"] == there and "INBOX" not in one["labelIds"] for one in stage.server.dump()["messages"])

    await stage.person.until(archived, "the next newsletter archived on the server")


@task("Unsubscribe", 2)
async def unsubscribe(stage: Stage) -> None:
    thread_id = await stage.delivered(newsletter("Please stay", "list.example"))
    await stage.at_inbox(lambda one: one == thread_id)
    await stage.person.press("Ctrl+U", "Return")
    asked = lambda: stage.trap.exists() and "getaddrinfo list.example " in stage.trap.read_text(encoding="utf-8")  # noqa: E731
    await stage.person.until(asked, "the request to the list's server")


@task("Write to Dana", 5)
async def write(stage: Stage) -> None:
    await stage.at_inbox()
    await stage.person.press("Ctrl+N")
    await stage.person.write("dana k")
    await stage.person.pause(SEEN_S)
    await stage.person.press("Return", "Tab")
    await stage.person.write("Saturday")
    await stage.person.press("Tab")
    await stage.person.write("Shall we open at nine?")
    await stage.person.press("Ctrl+Return")
    sent = lambda: [one for one in stage.server.sent() if one["subject"] == "Saturday"]  # noqa: E731
    await stage.person.until(sent, "the message on the server")
    assert "dana.krizova@example.com" in sent()[0]["to"]


@task("Send later", 2)
async def send_later(stage: Stage) -> None:
    thread_id = (await stage.at_inbox(lambda one: plain(stage, one)))[0]
    await not_counted(stage, "R")
    await stage.person.write("On Monday, then.")
    stage.person.texts = 0
    await stage.person.press("Ctrl+Shift+Return")
    await stage.person.write("mon")
    await stage.person.press("Return")
    waits = lambda: [one for one in stage.reader.open_items() if one.thread_id == thread_id]  # noqa: E731
    await stage.person.until(waits, "the message in the outbox")
    assert waits()[0].not_before.astimezone().weekday() == 0, "it does not wait until Monday"


@task("Use a template", 1)
async def template(stage: Stage) -> None:
    stage.bridge.send(SaveTemplate(0, "hours", "", "We are open from nine to five, every day."))
    await stage.person.until(lambda: any(one.name == "hours" for one in stage.reader.templates()), "the template")
    thread_id = (await stage.at_inbox(lambda one: plain(stage, one)))[0]
    before = len(stage.sent_in(thread_id))
    await not_counted(stage, "R")
    await stage.person.write(";hours")
    await stage.person.press("Tab")
    counted = replace_counts(stage)
    await stage.person.press("Ctrl+Return")
    await stage.until_sent(thread_id, before, "We are open from nine to five, every day.")
    assert not any(";hours" in text for text in stage.sent_in(thread_id))
    counted()


@task("Accept an invitation", 1)
async def accept(stage: Stage) -> None:
    found = next(one for one in stage.reader.thread_ids(MailView.ALL) if "committee" in subject_of(stage, ThreadId(one)))
    await stage.at_inbox(lambda one: one == found, "all")
    page = stage.window.mail_page
    invited = next(one for one in stage.reader.messages(ThreadId(found)) if not one.outgoing)
    if page.reading.message is None or page.reading.message.id != invited.id:
        stage.window.show_message(invited.id)
    await stage.person.until(lambda: page.reading.invitation.isVisible(), "the invitation")
    await stage.person.click_button("Yes", page.reading.invitation)
    await stage.person.until(lambda: answered_in_calendar(stage) == "accepted", "the answer in the calendar")


@task("Understand a 30-mail thread", 0)
async def understand(stage: Stage) -> None:
    thread_id = await long_thread(stage)
    await stage.at_inbox(lambda one: one == thread_id)
    summary = stage.person.seen(QFrame, lambda one: one.accessibleName() == "Summary", "a summary", stage.window)
    told = lambda: " ".join(one.text() for one in summary.findChildren(QLabel))  # noqa: E731
    agreed = lambda: all(words in told() for words in ("42 wheels", "2,450 euros", "Friday"))  # noqa: E731
    await stage.person.until(agreed, "what was agreed in the summary", 5)


@task("“Who owes me an answer?”", 1)
async def who_owes(stage: Stage) -> None:
    await stage.at_inbox()
    await stage.person.press("Ctrl+8")
    page = stage.window.page("waiting")
    await stage.person.pause(SEEN_S)
    model = page.model  # type: ignore[attr-defined]
    rows = [model.record(row) for row in range(model.rowCount())]
    assert page.isVisible()
    assert rows, "nobody is listed"
    sent = [" ".join(stage.text_of(one["id"]).split()) for one in stage.server.sent()]
    for row in rows:
        assert row is not None
        assert any(" ".join(row.sentence.split()) in text for text in sent), f"“{row.sentence}” was never sent"
    assert len(rows) < len(sent) / 5, f"{len(rows)} rows of {len(sent)} sent messages"


@task("Switch theme", 2)
async def theme(stage: Stage) -> None:
    await stage.at_inbox()
    await stage.person.press("Ctrl+K")
    await stage.person.write("dark")
    await stage.person.press("Return")
    await stage.person.until(lambda: stage.window.appearance.choice == "dark", "the dark theme")
    light = stage.window.palette().window().color().lightness()
    assert stage.window.grab().toImage().pixelColor(5, stage.window.height() // 2).lightness() < 128, f"it is light: {light}"


@task("Back up / move machine", None)
async def back_up(stage: Stage) -> None:
    await stage.at_inbox()
    await stage.person.press("Ctrl+K")
    await stage.person.write("back up")
    await stage.person.press("Return")
    place = str(stage.data.root)
    shown = lambda: any(  # noqa: E731
        place in one.text() and one.isVisible() for kind in (QLabel, QLineEdit) for one in stage.window.findChildren(kind)
    )
    await stage.person.until(shown, "the folder to copy")
    copied = DataFolder(stage.data.root.parent / "copied")
    shutil.copytree(stage.data.root, copied.root)
    there = SqliteMailboxReader(copied.database)
    assert there.counts().messages == stage.reader.counts().messages
    there.close()


async def ready(stage: Stage) -> None:
    """Waits for the first sync and the sample's drafts."""
    told: list[SyncProgress] = []
    stage.bridge.subscribe(lambda event: told.append(event) if isinstance(event, SyncProgress) else None)
    synced = lambda: told and told[-1].phase is SyncPhase.CURRENT  # noqa: E731
    await stage.person.until(synced, "the first sync", READY_S)
    stage.bridge.send(StartDrafting(stage.reader.accounts()[0].id, 7))
    await stage.person.until(lambda: len(stage.reviews(complete_reply)) > 6, "drafts", READY_S)
    busy = lambda: [run for run in stage.reader.runs(1000) if str(run.status) in ("queued", "running")]  # noqa: E731
    await stage.person.until(lambda: not busy(), "all drafts", READY_S)


async def all_done(stage: Stage, tasks: list[tuple[str, int | None, Do]], only: str) -> list[Result]:
    wanted = [one for one in tasks if only.casefold() in one[0].casefold() or tasks is FIRST_TASKS]
    if tasks is TASKS:
        await ready(stage)
    results = []
    for words, reference, do in wanted:
        results.append(await done(stage, words, reference, do))
        print(f"{results[-1]}", file=sys.stderr, flush=True)
    return results


async def done(stage: Stage, words: str, reference: int | None, do: Do) -> Result:
    """One task, and back to a window without open dialogs and menus."""
    person, why = stage.person, ""
    stage.window.activateWindow()
    person.keys = person.clicks = person.texts = 0
    try:
        await do(stage)
    except (AssertionError, StopIteration, LookupError) as error:
        why = f"{type(error).__name__}: {error}".removeprefix("AssertionError: ").removeprefix("Impossible: ")
    except RuntimeError as error:
        why = f"{error} {error.__cause__!r}"
    result = Result(words, person.keys, person.clicks, person.texts, reference, not why, why)
    while (over := QApplication.activePopupWidget() or QApplication.activeModalWidget()) is not None:
        over.close()
        await person.pause()
    stage.window.activateWindow()
    await person.pause()
    await person.press("Escape", "Escape")
    return result


def measured(folder: Path, server: Sandbox, tasks: list[tuple[str, int | None, Do]], only: str) -> list[Result]:
    """The tasks in a window over one data folder."""
    import qasync

    from app.main import engine_command
    from app.ui.services.engine_bridge import EngineBridge
    from app.ui.startup.application import PROGRAM, WindowOptions, build_window, make_application
    from app.ui.startup.run_window import begin_idle_work

    data, first = DataFolder(folder / "data"), tasks is FIRST_TASKS
    data.prepare()
    if not first:
        write_sample_settings(data, resource("sample"))
    change(data.settings, SETTINGS)
    environment = first_environment(folder, server) if first else sample_environment(folder, server)
    app = make_application()
    loop = qasync.QEventLoop(app)
    asyncio.set_event_loop(loop)
    reader, bridge = SqliteMailboxReader(data.database), EngineBridge(engine_command(data), environment, PROGRAM)
    window = build_window(data, reader, bridge, WindowOptions(page="welcome" if first else "review", sample=not first))
    window.resize(1440, 900)
    window.first_painted.connect(bridge.start)
    window.show()
    window.activateWindow()
    rest = begin_idle_work(window)
    stage = Stage(window, Person(), reader, bridge, server, data, folder / "trap")
    try:
        results: list[Result] = loop.run_until_complete(all_done(stage, tasks, only))
        return results
    finally:
        rest()
        window.close()
        bridge.stop()
        reader.close()
        loop.close()


def main() -> int:
    """Serve the sample, do the tasks, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", default="", help="only the tasks whose name has these words")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    results = []
    first = any(options.only.casefold() in one[0].casefold() for one in FIRST_TASKS)
    later = any(options.only.casefold() in one[0].casefold() for one in TASKS)
    for tasks in [FIRST_TASKS] * first + [TASKS] * later:
        with tempfile.TemporaryDirectory(prefix="replyroom-bench-", ignore_cleanup_errors=True) as name:
            server = start_sandbox("--sample", resource("sample"))
            try:
                results += measured(Path(name), server, tasks, options.only)
            finally:
                server.stop()
    whole = {
        "tasks": [asdict(one) for one in results],
        "steps_impossible": sum(not one.ok for one in results),
        "worse_than_reference": sum(one.worse for one in results),
    }
    print(json.dumps(whole, indent=None if options.json else 2, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
