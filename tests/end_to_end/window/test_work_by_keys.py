"""A morning on a real screen: the product as a user starts it, under Xvfb with a window manager, driven by xdotool's keys alone.

What happened is read from outside: from the store, the window's own files, and what the local server has in SENT.
"""

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

import psutil
import pytest

from app.config.paths import DataFolder, resource
from app.config.settings_file import change
from app.demo.local_server import LocalServer, source_arguments
from app.domain.drafting.review import ReviewKind, ReviewStatus
from app.domain.ids import MessageId
from app.domain.mail.letter import Letter, LetterState, StoredLetter
from app.domain.mail.outbox import OutboxKind, OutboxState
from fakes.engine.engine_process import ROOT
from fakes.gmail.sandbox import Admin
from fakes.window.keyboard_session import model
from fakes.window.keyboard_session.exits import chosen, held, in_doubt, later
from fakes.window.keyboard_session.model import ANN, MorningModel, model_settings
from fakes.window.keyboard_session.observer import Outside, admin_of, sample_engine, sample_program
from fakes.window.keyboard_session.reviews import (
    OURS,
    Reviewing,
    agree,
    answer,
    approve,
    change_asked,
    move_and_approve,
    reject,
    save,
)
from fakes.window.keyboard_session.screen import AGAIN_S, PATIENCE_S, TOOLS, Hands, real_screen, until

UNDO_S = 20
"""Leaves a slow machine the time to take something back."""
QUICK = (("sync.poll_s", "2"), ("sending.undo_s", str(UNDO_S)))
HANDED = f"mailto:{ANN}?subject=From%20outside&body=Handed%20over"
WITHOUT_MODEL, IN_ALL = 20, 34
REPLIES = {
    *((ReviewKind.REPLY, way, way) for way in ("approve", "edit_and_approve", "reject", "save")),
    *((ReviewKind.REPLY, way, "reject") for way in ("approve", "edit_and_approve", "save")),
    (ReviewKind.REPLY, "reject", "approve"),
}
"""How drafts are decided on, taken back, and decided on again."""
CHOSEN = {
    model.MEETING: approve,
    model.MOVED: move_and_approve,
    model.REFUSED: reject,
    model.MEMORY: agree,
    model.QUESTION: answer,
    model.BELL: reject,
}
"""What is said to the agents' questions and calls."""

pytestmark = [
    pytest.mark.soak,
    pytest.mark.timeout(900),
    pytest.mark.skipif(not all(map(shutil.which, TOOLS)), reason=f"needs {', '.join(TOOLS)}"),
]


@pytest.fixture
def screen() -> Iterator[dict[str, str]]:
    """The environment that names a screen."""
    with real_screen() as environment:
        yield environment


def sample_opened(hands: Hands, welcome: subprocess.Popen[bytes], room: Path) -> tuple[psutil.Process, Outside]:
    """From the welcome page to the sample mailbox in a window of its own; the first window is quit."""
    hands.window(welcome.pid)
    time.sleep(2)
    hands.press("Tab")  # Gmail comes first
    deadline = time.monotonic() + PATIENCE_S
    while not list(room.glob("replyroom-demo-*")):
        assert time.monotonic() < deadline, "the sample mailbox never started"
        hands.press("Return")  # what starts already is not started again
        again = time.monotonic() + AGAIN_S
        while not list(room.glob("replyroom-demo-*")) and time.monotonic() < again:
            time.sleep(0.2)
    sample, engine = sample_program(room), sample_engine(room)
    (folder,) = room.glob("replyroom-demo-*")
    hands.window(sample.pid)  # it takes the keyboard when it comes up: not between the two lines below
    hands.window(welcome.pid)
    hands.press("ctrl+q")
    assert welcome.wait(timeout=PATIENCE_S) == 0
    hands.window(sample.pid)
    data = DataFolder(folder)
    until(data.database.exists, "the store")
    change(data.settings, QUICK)
    return sample, Outside(data, admin_of(engine))


def by_itself(hands: Hands, outside: Outside) -> Reviewing:
    """Reviews as the sample mailbox gives them without a model, each way there and back."""
    until(lambda: outside.reader.counts().pending_reviews >= WITHOUT_MODEL, "the sample's reviews")
    hands.press("ctrl+1")
    desk = Reviewing(hands, outside)
    while len(desk.done) < WITHOUT_MODEL:
        desk.decide_next()
    assert desk.undone.keys() >= REPLIES, REPLIES - desk.undone.keys()
    assert any(words.startswith(OURS) for _to, _subject, words in outside.outgoing())
    return desk


def with_a_model(desk: Reviewing, api_base: str) -> None:
    """Every kind that needs a model: its mails come, and each is decided by keys, there and back where there is a way back."""
    outside = desk.outside
    (outside.data.root / "promises.txt").write_text(model.PROMPT)
    outside.data.rules.write_text(model.RULES)
    change(outside.data.settings, model_settings(api_base))
    time.sleep(3)  # the engine looks at both files every second
    for raw in model.mails():
        outside.mail.deliver(raw)
    for subject, kind in model.KINDS.items():
        until(lambda subject=subject: desk.waiting(subject) is not None, subject)
        review = desk.go_to(subject)
        assert review.proposal.kind is kind, subject
        if subject == model.CHANGED:
            desk.decide(review, change_asked)
            until(lambda: desk.waiting(model.CHANGED) is not None, "the other draft")
            desk.decide(desk.go_to(subject), save)
        elif subject in CHOSEN:
            desk.decide(review, CHOSEN[subject])
        elif subject not in (model.LATER, model.HELD):
            desk.decide_next()
    until(lambda: desk.waiting(model.QUESTION) is not None, "the letter after the answer")
    desk.decide(desk.go_to(model.QUESTION), approve)
    until(lambda: outside.at("review", "row") == "" or not desk.waiting(model.QUESTION), "the queue without it")


def remembered(hands: Hands, outside: Outside) -> None:
    """What an agent asked to remember stands in the memory; it is deleted there, and brought back."""

    def known() -> list[int]:
        return [one.id for one in outside.reader.preferences() if one.text == model.REMEMBERED]

    until(lambda: bool(known()), "the preference")
    (preference,) = known()
    chosen(hands, outside, "memory", "ctrl+6", preference)
    hands.press("Delete")
    until(lambda: not known(), "the preference to go")
    hands.press("ctrl+z")
    until(lambda: known() == [preference], "the preference to come back")


def searched(hands: Hands, outside: Outside) -> None:
    """From the line to a result, and back to the line."""
    hands.press("slash")
    hands.type("order")
    hands.press("Return")
    until(lambda: outside.at("search", "text") == "order" and outside.at("search", "row") != "", "results")
    hands.press("Escape")


def left(outside: Outside, letter: Letter, words: str) -> None:
    """It went out once, after the undo delay, to whom and with what was written."""
    until(lambda: any(subject == letter.subject for _to, subject, _words in outside.sent()), "the letter at the server")
    ((to, _subject, sent),) = [one for one in outside.sent() if one[1] == letter.subject]
    rows = [one.item for one in outside.reader.outbox() if one.item.subject == letter.subject]
    (row,) = [one for one in rows if one.state is OutboxState.SENT]
    assert [one.state for one in rows if one is not row] == [OutboxState.CANCELLED] * (len(rows) - 1)
    assert row.not_before - row.created_at >= timedelta(seconds=UNDO_S - 1)
    assert datetime.now(UTC) >= row.not_before
    assert to == ANN
    assert sent.startswith(words)


def letters(outside: Outside) -> list[StoredLetter]:
    """What is being written, as the store keeps it."""
    names = [one for one in outside.reader.draft_names() if isinstance(one, str)]
    return list(outside.reader.letters_of(names).values())


def composed(hands: Hands, outside: Outside, subject: str, words: str) -> Letter:
    """A letter on the page, as the store keeps it."""
    hands.press("ctrl+n")
    until(lambda: outside.said("letter="), "the form")
    hands.type(f"{ANN},")  # after a comma no list of addresses is open that would have the next key
    until(lambda: any([to.email for to in one.letter.to] == [ANN] for one in letters(outside)), "the address kept")
    hands.press("Tab", "Tab")  # over the button that shows Cc and Bcc
    hands.type(subject)
    hands.press("Tab")
    hands.type(words)
    until(lambda: any(one.letter.body.strip() == words for one in letters(outside)), "the letter kept")
    (letter,) = [one.letter for one in letters(outside)]
    assert ([one.email for one in letter.to], letter.subject) == ([ANN], subject)
    return letter


def doubted(hands: Hands, outside: Outside) -> Letter:
    """A letter whose sending breaks off."""
    letter = composed(hands, outside, "Through a bad line", "Sent once.")
    hands.press_until("ctrl+Return", lambda: not outside.said("letter="), "the sending")
    in_doubt(hands, outside, letter)
    return letter


def written(hands: Hands, outside: Outside) -> Letter:
    """A letter from its key to its leaving; taken back, and sent again."""
    letter = composed(hands, outside, "By keys alone", "Written at a desk.")
    hands.press_until("ctrl+Return", lambda: not outside.said("letter="), "the sending")
    hands.press("ctrl+z")
    until(lambda: outside.said(f"letter={letter.id}"), "the letter on the page again")
    stored = outside.reader.letter(letter.id)
    assert stored.state is LetterState.OPEN
    hands.press_until("ctrl+Return", lambda: not outside.said("letter="), "the sending again")
    return letter


def handed(hands: Hands, outside: Outside, again: Callable[[], int], pid: int) -> Letter:
    """A second start hands its mailto address to the window and ends; the letter is thrown away, taken back, and sent."""
    assert again() == 0
    until(lambda: outside.said("letter="), "the form")
    hands.window(pid)
    hands.type("Hello. ")
    until(lambda: any(one.letter.body == "Hello. Handed over" for one in letters(outside)), "the letter kept")
    (letter,) = [one.letter for one in letters(outside) if one.letter.body == "Hello. Handed over"]
    hands.press_until("ctrl+shift+d", lambda: not outside.said("letter="), "the throwing away")
    hands.press_until("ctrl+z", lambda: outside.said(f"letter={letter.id}"), "the letter again")
    hands.press_until("ctrl+Return", lambda: not outside.said("letter="), "the sending")
    return letter


def ruled(hands: Hands, outside: Outside) -> None:
    """A rule made from the newest mail stands in the rules' file, until it is taken back."""
    rules = outside.data.rules
    before = rules.read_text() if rules.exists() else ""
    hands.press("ctrl+2")
    until(lambda: outside.at("window", "page") == "inbox", "the inbox")
    hands.press_until("Home", lambda: outside.at("mail", "message").isdigit(), "a mail")
    message = outside.reader.message(MessageId(int(outside.at("mail", "message"))))
    line = f"sender_email: {message.sender.email}"
    assert line not in before
    hands.press("ctrl+shift+r")
    hands.press_until("ctrl+Return", lambda: rules.exists() and line in rules.read_text(), "the rule")
    hands.press_until("ctrl+z", lambda: line not in rules.read_text(), "the rule's undo")


def gone(program: psutil.Process, hands: Hands) -> None:
    """Quitting ends the window in order, and its engine and server with it."""
    kin = program.children(recursive=True)
    assert any("engine" in child.cmdline() for child in kin)
    hands.press("ctrl+q")
    assert not psutil.wait_procs([program, *kin], timeout=PATIENCE_S)[1]


def agrees(outside: Outside, before: list[tuple[str, str, str]], desk: Reviewing, letters: int) -> None:
    """SENT holds what was there before and exactly what was approved, word for word; the same of drafts and the calendar."""
    mail = outside.outgoing()
    mailed = [one for one in desk.ended(ReviewStatus.APPROVED) if one.proposal.draft is not None]
    assert len(mail) == len(mailed) + letters
    until(lambda: len(outside.sent()) == len(before) + len(mail), "everything approved at the server")
    assert sorted(outside.sent()) == sorted([*before, *mail])
    until(lambda: outside.drafts() == len(outside.outgoing(OutboxKind.GMAIL_DRAFT)), "the drafts at the server")
    assert outside.drafts() == len(desk.ended(ReviewStatus.SAVED_AS_DRAFT))
    for review in mailed:
        assert outside.answers(review.proposal.message_id) == [True], review.id
    for status in (ReviewStatus.REJECTED, ReviewStatus.SAVED_AS_DRAFT, ReviewStatus.DISMISSED):
        for review in desk.ended(status):
            assert not outside.answers(review.proposal.message_id), review.id


def met(outside: Outside, desk: Reviewing) -> None:
    """The calendar has what was approved, when it was approved for, and whom it concerns was invited once to each."""
    approved = [one for one in desk.ended(ReviewStatus.APPROVED) if '"schedule_meeting"' in one.proposal.request_json]
    until(lambda: len(outside.invitations(ANN)) >= len(approved) == 2, "the meetings at the server")
    assert outside.invitations(ANN) == [[ANN], [ANN]]
    begins = outside.meetings(ANN)
    assert begins.keys() == {model.MEETING, model.MOVED}
    for review in approved:
        asked = json.loads(review.proposal.request_json)["args"]
        proposed = datetime.fromisoformat(asked["start_time"]).replace(tzinfo=ZoneInfo(asked["timezone"]))
        assert (begins[asked["title"]] == proposed) is (asked["title"] == model.MEETING)


def spend(hands: Hands, outside: Outside, sample: psutil.Process, api_base: str, again: Callable[[], int]) -> None:
    """The morning, from the first review to the last check; `again` is a second start with a mailto address."""
    before = outside.sent()
    desk = by_itself(hands, outside)
    with_a_model(desk, api_base)
    later(desk)
    held(desk)
    assert len(desk.done) >= IN_ALL
    assert desk.skipped
    assert {kind for kind, _status in desk.counts} == set(ReviewKind) - {ReviewKind.PLAN}, "nothing puts up a plan"
    remembered(hands, outside)
    searched(hands, outside)
    letters = [written(hands, outside), handed(hands, outside, again, sample.pid)]
    ruled(hands, outside)
    for letter, words in zip(letters, ("Written at a desk.", "Hello. Handed over"), strict=True):
        left(outside, letter, words)
    left(outside, doubted(hands, outside), "Sent once.")
    agrees(outside, before, desk, len(letters) + 1)
    met(outside, desk)
    assert len(list(outside.data.root.parent.glob("replyroom-demo-*"))) == 1
    outside.reader.close()
    gone(sample, hands)


def test_a_morning(data: DataFolder, screen: dict[str, str], tmp_path: Path) -> None:
    room = tmp_path / "room"
    room.mkdir()
    environment, hands = {**screen, "TMPDIR": str(room)}, Hands(screen)

    def started(folder: Path, *words: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-m", "app", "--data", str(folder), *words], env=environment, cwd=ROOT)

    with MorningModel() as model_server:
        welcome, sample = started(data.root), None
        try:
            sample, outside = sample_opened(hands, welcome, room)
            again = partial(started, outside.data.root, HANDED)
            spend(hands, outside, sample, model_server.api_base, lambda: again().wait(timeout=PATIENCE_S))
        except BaseException:
            hands.picture(tmp_path / "screen.png")
            raise
        finally:  # before the model, which waits for its clients
            kin = sample.children(recursive=True) if sample is not None and sample.is_running() else []
            for process in (welcome, sample, *kin):
                with suppress(psutil.NoSuchProcess):
                    if process is not None:
                        process.kill()
                        process.wait(timeout=30)


def test_the_first_run_of_an_account(data: DataFolder, screen: dict[str, str]) -> None:
    """Without a model, over the preview, to Review; nothing starts before it is asked for."""
    change(data.settings, QUICK)
    server = LocalServer(source_arguments(resource("sample"), None, ""))
    environment = {**screen, **server.environment()}
    product = subprocess.Popen([sys.executable, "-m", "app", "--data", str(data.root)], env=environment, cwd=ROOT)
    hands = Hands(screen)
    try:
        hands.window()
        until(data.database.exists, "the store")
        outside = Outside(data, Admin(server.url, server.token))
        until(lambda: bool(outside.reader.accounts()) and outside.reader.counts().messages >= server.messages, "the first sync")
        time.sleep(2)
        hands.press("Return")
        until(lambda: outside.said("without_model=true"), "going on without a model")
        until(lambda: not outside.reader.runs(1), "nothing started unasked")
        time.sleep(3)
        hands.press("Tab", "Return")
        until(lambda: outside.reader.counts().pending_reviews >= 3, "reviews")
        until(lambda: outside.at("window", "page") == "review", "Review")
        outside.reader.close()
        gone(psutil.Process(product.pid), hands)
        assert product.wait(timeout=PATIENCE_S) == 0
    finally:
        if product.poll() is None:
            product.kill()
            product.wait(timeout=30)
        server.close()
