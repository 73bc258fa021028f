"""A morning on a real screen: the product as a user starts it, under Xvfb with a window manager, driven by xdotool's keys alone.

What happened is read from outside: from the store, the window's own files, and what the local server has in SENT.
"""

import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from pathlib import Path

import psutil
import pytest

from app.config.paths import DataFolder, resource
from app.demo.local_server import LocalServer, source_arguments
from app.domain.ids import MessageId, ReviewId
from app.domain.letter import Letter
from app.domain.review import Review, ReviewKind, ReviewStatus
from app.store.mailbox import SqliteMailbox
from app.ui.whereabouts import Whereabouts
from fakes.engine_process import ROOT

TOOLS = ("Xvfb", "openbox", "xdotool")
PATIENCE_S = 60
AGAIN_S = 5
UNDO_S = 20
"""Leaves a slow machine the time to take something back."""
SETTINGS = f"[sync]\npoll_s = 2\n[sending]\nundo_s = {UNDO_S}\n"
ANN = "ann@reader.example"
HANDED = f"mailto:{ANN}?subject=From%20outside&body=Handed%20over"
OURS = "Gladly so. "

pytestmark = [
    pytest.mark.soak,
    pytest.mark.timeout(600),
    pytest.mark.skipif(not all(map(shutil.which, TOOLS)), reason=f"needs {', '.join(TOOLS)}"),
]


def until(holds: Callable[[], bool], what: str) -> None:
    """Wait for something that is seen from outside."""
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline, f"{what} never happened"
        time.sleep(0.1)


@pytest.fixture
def screen() -> Iterator[dict[str, str]]:
    """A screen with a window manager, without keys that repeat when a release comes late; the environment that names it."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1600x1000x24", "-nolisten", "tcp", "-r"], pass_fds=[write]
    )
    os.close(write)
    with os.fdopen(read) as told:
        display = f":{told.readline().strip()}"
    inherited = {name: value for name, value in os.environ.items() if name not in ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY")}
    environment = {**inherited, "DISPLAY": display, "PYTHONPATH": str(ROOT), "QTWEBENGINE_DISABLE_SANDBOX": "1"}
    manager = subprocess.Popen(["openbox"], env=environment, stderr=subprocess.DEVNULL)
    yield environment
    for process in (manager, server):
        process.terminate()
        process.wait(timeout=30)


class Hands:
    """Keys, and nothing else."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._environment = environment

    def press(self, *keys: str) -> None:
        """One after the other, in xdotool's names."""
        for key in keys:
            self._do("key", "--clearmodifiers", key)

    def type(self, text: str) -> None:
        """Letter by letter."""
        self._do("type", "--delay", "40", text)

    def window(self) -> None:
        """Wait until the window is there and has the keyboard."""
        self._do("search", "--sync", "--onlyvisible", "--name", "Replyroom", "windowactivate", "--sync")

    def _do(self, *words: str) -> None:
        subprocess.run(["xdotool", *words], env=self._environment, check=True, timeout=PATIENCE_S, stdout=subprocess.DEVNULL)


def press_until(hands: Hands, key: str, holds: Callable[[], bool], what: str) -> None:
    """Press a key until something is so, as a user does whose first press met a window that was not ready."""
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline, f"{what} never happened"
        hands.press(key)
        until_next = time.monotonic() + AGAIN_S
        while not holds() and time.monotonic() < until_next:
            time.sleep(0.1)


def begins(text: str, words: str) -> bool:
    """Whether a mail begins with these words, however its lines are broken; a signature or a quote follows."""
    return text.split()[: len(words.split())] == words.split()


class Outside:
    """What can be seen without looking at the screen."""

    def __init__(self, data: DataFolder) -> None:
        self._data = data
        self.reader = SqliteMailbox(data.database)

    def said(self, words: str) -> bool:
        """Whether window.ini says it."""
        return self._data.window_state.exists() and words in self._data.window_state.read_text(encoding="utf-8")

    def at(self, page: str, key: str) -> str:
        """A part of the place on a page."""
        from PySide6.QtCore import QObject

        owner = QObject()
        return str(Whereabouts(self._data.whereabouts, owner).at(page).get(key, ""))

    def item(self) -> Review:
        """What is on the desk."""
        until(lambda: self.at("review", "row").isdigit(), "an item")
        found = self.reader.review(ReviewId(int(self.at("review", "row"))))
        assert found is not None
        return found

    def status(self, review: Review) -> ReviewStatus:
        """What became of it."""
        found = self.reader.review(review.id)
        assert found is not None
        return found.status

    def outgoing(self, review: Review) -> list[str]:
        """The words of the mails of a review that stand in the outbox and were not taken back."""
        asked = "SELECT mime FROM outbox_mime JOIN outbox ON id = outbox_id WHERE review_id = ? AND state != 'cancelled'"
        with closing(sqlite3.connect(self._data.database)) as store:
            found = [message_from_bytes(row[0], policy=policy.default) for row in store.execute(asked, (review.id,))]
        parts = [one.get_body(("plain",)) for one in found]
        return [part.get_content() for part in parts if part is not None]


def first_run(hands: Hands, outside: Outside, server: LocalServer) -> None:
    """Without a model, over the preview, to Review."""
    until(lambda: bool(outside.reader.accounts()) and outside.reader.counts().messages >= server.messages, "the first sync")
    time.sleep(2)
    hands.press("Return")
    until(lambda: outside.said("without_model=true"), "going on without a model")
    until(lambda: not outside.reader.runs(1), "nothing started unasked")
    time.sleep(3)
    hands.press("Tab", "Return")
    until(lambda: outside.reader.counts().pending_reviews >= 10, "reviews")
    until(lambda: outside.said("page=review"), "Review")


def undone_and_edited(hands: Hands, outside: Outside) -> None:
    """The last draft that may go is approved, taken back, edited and approved again. The desk kept the first item that came,
    which is the last one of the queue by now."""
    while (draft := (review := outside.item()).proposal.draft) is None or draft.open_slots:
        press_until(hands, "k", lambda row=review.id: outside.at("review", "row") != str(row), "another item")  # type: ignore[misc]
    time.sleep(1)
    hands.press("ctrl+Return")
    until(lambda: outside.status(review) is ReviewStatus.APPROVED and len(outside.outgoing(review)) == 1, "the approval")
    hands.press("z")
    until(lambda: outside.status(review) is ReviewStatus.PENDING and not outside.outgoing(review), "the undo")
    until(lambda: outside.at("review", "row") == str(review.id), "the item on the desk again")
    time.sleep(1)
    hands.press("e")
    hands.type(OURS)
    hands.press("ctrl+Return")
    until(lambda: outside.status(review) is ReviewStatus.APPROVED, "the second approval")
    (words,) = outside.outgoing(review)
    assert begins(words, OURS + draft.body)
    until(lambda: outside.at("review", "row") != str(review.id), "the next item")


def reviews(hands: Hands, outside: Outside) -> list[ReviewStatus]:
    """Twelve items, each as its kind asks for; the last dismissal is taken back."""
    done: list[ReviewStatus] = []
    for _ in range(12):
        review, before = outside.item(), outside.at("review", "row")
        time.sleep(0.5)
        draft = review.proposal.draft
        if draft is not None and not draft.open_slots:
            hands.press("ctrl+Return")
        elif draft is not None:
            hands.press("x")
            hands.type("no")
            hands.press("Return")
        elif review.proposal.kind in (ReviewKind.NOTIFY, ReviewKind.NEEDS_REVIEW, ReviewKind.ESCALATION):
            hands.press("x")
        else:
            hands.press("j")
            until(lambda before=before: outside.at("review", "row") != before, "another item")  # type: ignore[misc]
            continue
        deadline = time.monotonic() + 15
        while outside.status(review) is ReviewStatus.PENDING and time.monotonic() < deadline:
            time.sleep(0.1)
        if outside.status(review) is ReviewStatus.PENDING:
            continue  # the key came while Chromium was made for the first HTML mail: once more
        done.append(outside.status(review))
        until(lambda before=before: outside.at("review", "row") != before, "another item")  # type: ignore[misc]
    return done


def left(outside: Outside, server: LocalServer, letter: Letter, words: str) -> None:
    """It went out once, after the undo delay, to whom and with what was written."""
    until(lambda: any(one.subject == letter.subject for one in server.sent()), "the letter at the server")
    (mail,) = [one for one in server.sent() if one.subject == letter.subject]
    (row,) = [one.item for one in outside.reader.outbox() if one.item.subject == letter.subject]
    assert row.not_before - row.created_at >= timedelta(seconds=UNDO_S - 1)
    assert datetime.now(UTC) >= row.not_before
    assert mail.to == ANN
    assert begins(server.text_of(mail.id), words)


def written(hands: Hands, outside: Outside, server: LocalServer) -> None:
    """A letter from its key to its going out."""
    hands.press("ctrl+n")
    until(lambda: outside.said("letter="), "the form")
    hands.type(ANN)
    hands.press("Tab", "Tab")  # over the button that shows Cc and Bcc
    hands.type("By keys alone")
    hands.press("Tab")
    hands.type("Written at a desk.")
    until(lambda: any(one.letter.body.strip() == "Written at a desk." for one in outside.reader.letters()), "the letter kept")
    (letter,) = [one.letter for one in outside.reader.letters()]
    assert ([one.email for one in letter.to], letter.subject) == ([ANN], "By keys alone")
    press_until(hands, "ctrl+Return", lambda: not outside.said("letter="), "the sending")
    left(outside, server, letter, "Written at a desk.")


def handed(hands: Hands, outside: Outside, server: LocalServer, command: list[str], environment: dict[str, str]) -> None:
    """A second start hands its mailto address to the window and ends; the letter is gone on with and sent."""
    assert subprocess.run(command, env=environment, cwd=ROOT, timeout=PATIENCE_S, check=False).returncode == 0
    until(lambda: outside.said("letter="), "the form")
    hands.window()
    hands.type("Hello. ")
    until(lambda: any(one.letter.body == "Hello. Handed over" for one in outside.reader.letters()), "the letter kept")
    (letter,) = [one.letter for one in outside.reader.letters() if one.letter.body == "Hello. Handed over"]
    press_until(hands, "ctrl+Return", lambda: not outside.said("letter="), "the sending")
    left(outside, server, letter, "Hello. Handed over")


def ruled(hands: Hands, outside: Outside, rules: Path) -> None:
    """A rule made from the newest mail stands in the rules' file, until it is taken back."""
    before = rules.read_text() if rules.exists() else ""
    hands.press("ctrl+2")
    until(lambda: outside.said("page=inbox"), "the inbox")
    press_until(hands, "Home", lambda: outside.at("mail", "message").isdigit(), "a mail")
    message = outside.reader.message(MessageId(int(outside.at("mail", "message"))))
    assert message is not None
    line = f"sender_email: {message.sender.email}"
    assert line not in before
    hands.press("ctrl+shift+r")
    press_until(hands, "ctrl+Return", lambda: rules.exists() and line in rules.read_text(), "the rule")
    press_until(hands, "ctrl+z", lambda: line not in rules.read_text(), "the rule's undo")


def gone(product: subprocess.Popen[bytes], hands: Hands) -> None:
    """Quitting ends the window in order, and its engine with it."""
    kin = psutil.Process(product.pid).children(recursive=True)
    assert any("engine" in child.cmdline() for child in kin)
    hands.press("ctrl+q")
    assert product.wait(timeout=PATIENCE_S) == 0
    assert not psutil.wait_procs(kin, timeout=PATIENCE_S)[1]


def test_a_morning(data: DataFolder, screen: dict[str, str]) -> None:
    data.settings.write_text(SETTINGS)
    server = LocalServer(source_arguments(resource("sample"), None, ""))
    environment = {**screen, **server.environment()}
    command = [sys.executable, "-m", "app", "--data", str(data.root)]
    product = subprocess.Popen(command, env=environment, cwd=ROOT)
    hands = Hands(screen)
    try:
        hands.window()
        until(data.database.exists, "the store")
        outside, before = Outside(data), len(server.sent())
        first_run(hands, outside, server)
        undone_and_edited(hands, outside)
        done = reviews(hands, outside)
        assert len(set(done)) >= 2, done
        hands.press("slash")
        hands.type("order")
        hands.press("Return")
        until(lambda: outside.at("search", "text") == "order" and outside.at("search", "row") != "", "results")
        written(hands, outside, server)
        handed(hands, outside, server, [*command, HANDED], environment)
        ruled(hands, outside, data.rules)
        approved = done.count(ReviewStatus.APPROVED) + 1
        until(lambda: len(server.sent()) == before + approved + 2, "everything approved at the server")
        gone(product, hands)
        assert len(server.sent()) == before + approved + 2
        outside.reader.close()
    finally:
        if product.poll() is None:
            product.kill()
            product.wait(timeout=30)
        server.close()
