"""The panel beside an open message: asked by key, limited to the conversation, one session with the Assistant page."""

from typing import cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.config.paths import DataFolder
from app.domain.agents.requests import Capability, MailScope, PlannedStep, RequestStatus, StepResult
from app.domain.drafting.draft import Source, SourceKind
from app.domain.error_texts import Cause, ErrorText
from app.domain.ids import RequestId
from app.domain.protocol.assistant_commands import AskAssistant, RequestChanged, RunPlan
from app.domain.protocol.changes import ChangeLabels
from app.domain.protocol.commands import Decide
from app.domain.protocol.events import CommandFailed
from app.store.requests.requests import Requests, RequestSteps
from app.ui.pages.assistant.about_message import AboutMessage
from app.ui.pages.assistant.page import AssistantPage
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import LivelyStore
from fakes.window.keyboard import press
from fakes.window.recorded_engine import RecordedEngine

pytestmark = pytest.mark.usefixtures("with_model")
QUESTION = "When does the order ship?"


def opened(qtbot: QtBot, window: MainWindow, store: LivelyStore, key: str = "m03") -> AboutMessage:
    """The panel beside a message, opened by key."""
    window.show_page("inbox")
    window.activateWindow()
    page = window.mail_page
    page.list.select_row(page.model.row_of(store.mails[key].thread_id))
    qtbot.waitUntil(lambda: page.reading.settled and page.reading.thread_id == store.mails[key].thread_id)
    page.take_focus()
    press("Q")
    (panel,) = page.findChildren(AboutMessage)
    qtbot.waitUntil(panel.bar.field.hasFocus)
    return panel


def asked(link: RecordedEngine) -> list[AskAssistant]:
    return [one for one in link.commands if isinstance(one, AskAssistant)]


class Engine:
    """Stores requests, plans and answers as the engine does."""

    def __init__(self, store: LivelyStore, link: RecordedEngine) -> None:
        self._link, self._store = link, store
        self.requests, self.steps = Requests(store.db, store.clock), RequestSteps(store.db, store.clock)

    def plan(self) -> RequestId:
        ask = asked(self._link)[-1]
        self.requests.add(ask)
        self.requests.plan(ask.request_id, [PlannedStep(Capability.RESEARCH, "Read the conversation.")], "m", run=False)
        self._link.tell(RequestChanged(ask.request_id, RequestStatus.PROPOSED))
        return ask.request_id

    def answer(self, request_id: RequestId, words: str) -> None:
        mail = self._store.mails["m03"]
        self.requests.run(request_id)
        self.steps.begin(request_id, 0)
        self.steps.finish(request_id, 0, StepResult("{}", words, (Source(SourceKind.MESSAGE, mail.subject, "", mail.id),)))
        self._link.tell(RequestChanged(request_id, RequestStatus.DONE))


def test_a_conversation_is_asked_about_without_leaving_it(
    qtbot: QtBot, window: MainWindow, store: LivelyStore, link: RecordedEngine
) -> None:
    panel, engine = opened(qtbot, window, store), Engine(store, link)
    assert panel.bar.limits.scope == MailScope(conversation=store.mails["m03"].id)
    qtbot.keyClicks(panel.bar.field, QUESTION)
    press("Return")
    (first,) = asked(link)
    assert (first.text, first.scope, first.after) == (QUESTION, MailScope(conversation=store.mails["m03"].id), "")
    assert panel.detail.words.text() == QUESTION, "it is shown before the engine has it"
    engine.plan()
    qtbot.waitUntil(lambda: panel.detail.plan.isVisible())
    assert panel.detail.limits.text().startswith("Reads only: Conversation")
    press("Ctrl+Return")
    assert link.commands[-1] == RunPlan(first.request_id)
    assert not [one for one in link.commands if isinstance(one, Decide)], "the key approves no draft"
    engine.answer(first.request_id, "On Friday.")
    qtbot.waitUntil(lambda: any("On Friday." in one.answer.toPlainText() for one in panel.detail.cards))
    assert panel.bar.follow.isChecked(), "the next question refers to this one"
    qtbot.keyClicks(panel.bar.field, "And who says so?")
    press("Return")
    assert (asked(link)[-1].after, asked(link)[-1].scope) == (first.request_id, first.scope)
    engine.plan()
    changes = [one.remove for one in link.commands if isinstance(one, ChangeLabels)]
    assert set(changes) <= {("UNREAD",)}, "letters are words here, no keys of mail"
    press("Escape")
    assert not panel.isVisible()
    assert (window.name, window.mail_page.reading.thread_id) == ("inbox", store.mails["m03"].thread_id)
    assert window.mail_page.list.hasFocus()
    window.show_page("assistant")
    page = cast(AssistantPage, window.page("assistant"))
    rows = [page.model.index(at, 0).data(Qt.ItemDataRole.AccessibleTextRole) for at in range(2)]
    assert ["And who says so?" in rows[0], QUESTION in rows[1]] == [True, True]


def test_each_conversation_has_its_own_words_and_requests(
    qtbot: QtBot, window: MainWindow, store: LivelyStore, link: RecordedEngine
) -> None:
    panel, page = opened(qtbot, window, store), window.mail_page
    qtbot.keyClicks(panel.bar.field, QUESTION)
    page.open(store.mails["m10"].thread_id)
    assert (panel.bar.words, panel.detail.isVisible()) == ("", False)
    assert panel.bar.limits.scope == MailScope(conversation=store.mails["m10"].id)
    page.open(store.mails["m03"].thread_id)
    assert panel.bar.words == QUESTION
    panel.bar.submit()
    request_id = Engine(store, link).plan()
    page.open(store.mails["m10"].thread_id)
    page.open(store.mails["m03"].thread_id)
    assert panel.detail.request.id == request_id
    press("Escape", "Q")
    assert panel.detail.plan.isVisible()


def test_a_request_that_fails_comes_back_here_and_not_to_the_page(
    qtbot: QtBot, window: MainWindow, store: LivelyStore, link: RecordedEngine
) -> None:
    window.show_page("assistant")
    panel = opened(qtbot, window, store)
    qtbot.keyClicks(panel.bar.field, QUESTION)
    press("Return")
    link.tell(CommandFailed("AskAssistant", "not_allowed", ErrorText.of(Cause.REQUEST_EMPTY)))
    assert panel.bar.words == QUESTION
    assert panel.bar.refused.isVisible()
    assert cast(AssistantPage, window.page("assistant")).bar.words == ""


def test_it_stands_beside_the_message_or_over_it(qtbot: QtBot, window: MainWindow, store: LivelyStore) -> None:
    window.resize(1800, 900)
    panel, page = opened(qtbot, window, store), window.mail_page
    assert page.desk.card.isVisible(), "there is room for both"
    window.resize(1500, 900)
    qtbot.waitUntil(lambda: not page.desk.card.isVisible())
    assert panel.parentWidget() is not page.reading
    window.resize(900, 600)
    qtbot.waitUntil(lambda: panel.parentWidget() is page.reading)
    assert not panel.isHidden()
    assert page.reading.rect().contains(panel.geometry())
    window.resize(1800, 900)
    qtbot.waitUntil(lambda: panel.parentWidget() is not page.reading and page.desk.card.isVisible())
    press("Escape")
    assert page.desk.card.isVisible()


def test_without_a_model_it_says_so(qtbot: QtBot, window: MainWindow, store: LivelyStore, data: DataFolder) -> None:
    data.settings.write_text("")
    panel = opened(qtbot, window, store)
    assert panel.bar.standing.words == "Without AI, I can find mail, and archive, star, trash or mark it as read."
    assert not [one for one in panel.ideas.findChildren(QPushButton) if one.isVisible()]
