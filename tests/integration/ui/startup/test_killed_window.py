"""A window that is killed comes back as it was: real processes, killed with kill -9, started again over the same folder."""

import time
from collections.abc import Iterator
from random import Random
from typing import cast

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.config.paths import DataFolder, resource
from app.config.settings import load
from app.demo.command import write_sample_settings
from app.demo.local_server import LocalServer, source_arguments
from app.domain.ports.window import MailboxCounts
from app.store.reader.mailbox_reader import SqliteMailboxReader
from app.ui.pages.memory.page import MemoryPage
from app.ui.pages.templates import TemplatesPage
from app.ui.startup.application import build_window
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import ANA, LivelyStore, Mail
from fakes.window.driven_window import PATIENCE_S, driven
from fakes.window.recorded_engine import RecordedEngine

KEPT_S = 2.0
"""What was typed longer ago than this is never lost."""


def written(data: DataFolder, words: str) -> bool:
    """Whether words are in one of the window's own files."""
    files = (data.window_state, data.session)
    return any(words in file.read_text(encoding="utf-8") for file in files if file.exists())


def wait_written(data: DataFolder, words: str) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not written(data, words):
        assert time.monotonic() < deadline, f"{words} never kept"
        time.sleep(0.02)


def test_what_was_half_typed_is_back_after_a_kill(qtbot: QtBot, qapp: QApplication, data: DataFolder, store: LivelyStore) -> None:
    data.settings.write_text('[model]\nname = "ollama_chat/llama3.1"\n')
    store.put(Mail("long", "long", ANA, "Long", "\n".join(f"Line {number}" for number in range(300)), 0))
    with driven(data.root, "echo", {}) as one:
        first = one.ask("review", str(store.reviews["plain"]))
        one.ask("press", "R")
        one.ask("type", "Shorter, plese")
        wait_written(data, "Shorter, plese")
        one.ask("press", "Escape", "Delete")
        one.ask("type", "Not my cup of tea")
        one.ask("page", "inbox")
        one.ask("press", "/")
        one.ask("type", "order 4411")  # what is searched for does not get in the way
        one.ask("press", "Escape")
        one.until("look", lambda seen: bool(seen["read"]), "a letter on screen")
        read = one.ask("look")["read"]
        one.ask("press", "Ctrl+N")
        one.ask("tab_to", "Text")
        one.ask("type", "Dear Ana, half a le")
        one.ask("page", "memory")
        one.ask("press", "N")
        one.ask("type", "Never on a Mon")
        one.ask("page", "templates")
        one.ask("press", "N")
        one.ask("type", "Thanks")
        for words in ("Not my cup of tea", f'"message": {read}', "half a le", "Never on a Mon", "Thanks"):
            wait_written(data, words)
    again = another(qtbot, data)
    assert again.name == "templates"
    assert cast("TemplatesPage", again.page("templates")).name_line.text() == "Thanks"
    again.show_page("memory")
    assert cast("MemoryPage", again.page("memory")).editor.text.toPlainText() == "Never on a Mon"
    again.show_page("compose")
    editor = again.compose_page.card.editor
    assert editor.toPlainText() == "Dear Ana, half a le"
    again.show_page("inbox")
    qtbot.waitUntil(
        lambda: again.mail_page.reading.message is not None and again.mail_page.reading.message.id == read, timeout=30_000
    )
    again.show_page("review")
    desk = again.review_page.desk
    qtbot.waitUntil(lambda: desk.review is not None)
    assert (desk.review.id, desk.words().asking, desk.ask.line.text()) == (first["review"], "reason", "Not my cup of tea")


def another(qtbot: QtBot, data: DataFolder) -> MainWindow:
    """A window of this process over the folder as it lies there."""
    reader = SqliteMailboxReader(data.database)
    made = build_window(data, reader, RecordedEngine())
    qtbot.addWidget(made, before_close_func=lambda _one: reader.close())
    made.show()
    return made


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    server = LocalServer(source_arguments(resource("sample"), None, ""))
    yield server
    server.close()


@pytest.fixture
def synced(data: DataFolder, sample: LocalServer) -> DataFolder:
    """A folder with the sample mailbox in it, and reviews of it."""
    write_sample_settings(data, resource("sample"))
    with driven(data.root, "real", dict(sample.environment())) as one:
        one.until("look", lambda seen: counts(data).messages >= sample.messages, "the first sync")
        one.ask("draft")
        one.until("look", lambda seen: counts(data).pending_reviews >= 12, "reviews")
    return data


def counts(data: DataFolder) -> MailboxCounts:
    reader = SqliteMailboxReader(data.database)
    try:
        return reader.counts()
    finally:
        reader.close()


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_everything_is_back_on_the_sample_mailbox(synced: DataFolder, sample: LocalServer) -> None:
    real = ("real", dict(sample.environment()))
    with driven(synced.root, *real) as one:
        one.ask("page", "all")
        one.until("look", lambda seen: seen["mails"] > 60, "a list")
        one.ask("press", *("Down",) * 25)
        one.ask("scroll", "1103")
        one.ask("press", "/")
        one.ask("type", "half a sear")
        one.ask("page", "search")
        one.ask("type", "invoice")
        one.until("look", lambda seen: seen["found"] > 3, "results")
        one.ask("press", "Return", "Down", "Down")
        one.ask("page", "settings")
        one.ask("section", "rules")
        one.until("look", lambda seen: seen["rules_known"], "the rules")
        one.ask("tab_to", "Add a rule")
        one.ask("press", "Space")
        one.ask("type", "half a ru")
        one.ask("tab_to", "Subject contains")
        one.ask("type", "invo")
        one.ask("page", "all")
        one.until("look", lambda seen: bool(seen["read"]), "a letter on screen")
        one.ask("press", "Ctrl+N")
        one.ask("type", "somebody@example.org")
        one.ask("page", "all")
        before = one.ask("look")
        time.sleep(KEPT_S)
    with driven(synced.root, *real) as one:
        after = one.until(
            "look", lambda seen: seen["found"] == before["found"] and seen["top"] == before["top"], "the same again"
        )
        for key in ("page", "line", "mail", "row", "top", "searched", "chosen", "section"):
            assert after[key] == before[key], key
        one.until("look", lambda seen: seen["read"] == before["read"], "the letter that was read")
        one.ask("page", "settings")
        one.until("look", lambda seen: seen["rule"] == before["rule"] != [], "the rule that was being written")
        assert one.ask("page", "review")["review"] == before["review"]


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_kills_at_any_moment_lose_nothing_older_than_two_seconds(synced: DataFolder, sample: LocalServer) -> None:
    """Typing into an answer and a draft, walking, resizing; killed anywhere."""
    dice, real = Random(20261122), ("real", dict(sample.environment()))
    typed: list[tuple[float, str]] = []
    for turn in range(10):
        with driven(synced.root, *real) as one:
            after = one.until("look", lambda seen: seen["review"] > 0, "the queue")
            old = [text for at, text in typed if typed[-1][0] - at > KEPT_S]
            if old:
                assert after["line"].startswith(old[-1]) or old[-1] in after["line"], (turn, old[-1], after["line"])
            one.ask("press", "/", "End")
            text, begun = after["line"], time.monotonic()
            typed = [(begun - 60, text)]
            while time.monotonic() - begun < dice.uniform(0.2, 5.0):
                letter = dice.choice("abcdefghij ")
                text += letter
                one.ask("type", letter)
                typed.append((time.monotonic(), text))
                if dice.random() < 0.1:
                    one.ask("size", str(dice.randint(800, 1400)), str(dice.randint(600, 900)))
            typed.append((time.monotonic(), text))
        assert load(synced.settings)
