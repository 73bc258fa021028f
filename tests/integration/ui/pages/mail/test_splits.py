"""The inbox in splits: by click and key, with counts; each conversation is in one."""

import asyncio
from array import array
from datetime import timedelta
from random import Random
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.config.paths import DataFolder
from app.config.settings_file import change
from app.domain.protocol.commands import ChangeSettings
from app.domain.protocol.events import SettingsChanged
from app.domain.protocol.queries import CountMail, MailCounts
from app.domain.protocol.views import SPLITS, MailView
from app.domain.record import replace
from app.store.accounts import Accounts
from app.ui.i18n.formatting import periods
from app.ui.lists.row_painter import LOOK_ROLE, RowPresentation
from app.ui.pages.mail.page import ListedRows, MailPage
from app.ui.pages.mail.split_bar import SplitDialog
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import ANA, LivelyStore, Mail
from fakes.window.keyboard import press
from fakes.window.page_setup import Stage
from fakes.window.recorded_engine import RecordedEngine


@pytest.fixture
def page(window: MainWindow) -> MailPage:
    window.show_page("inbox")
    window.activateWindow()
    window.mail_page.take_focus()
    return window.mail_page


def test_keys_go_from_split_to_split(page: MailPage, store: LivelyStore, window: MainWindow) -> None:
    seen = []
    for _ in SPLITS:
        press("`")
        seen.append(window.name)
        assert window.navigation.currentIndex().row() >= 0, "the inbox stays marked"
    assert seen == list(map(str, SPLITS))
    press("`")
    assert window.name == "inbox"


def test_a_click_lists_what_needs_a_reply(qtbot: QtBot, page: MailPage, store: LivelyStore) -> None:
    link = page.splits.buttons[MailView.NEEDS_REPLY]
    assert any(letter.isdigit() for letter in link.text())
    qtbot.mouseClick(link, Qt.MouseButton.LeftButton)
    assert page.model.row_of(store.mails["m10"].thread_id) >= 0
    assert page.model.row_of(store.mails["m04"].thread_id) < 0, "it has a draft to review"
    assert page.model.row_of(store.mails["m06"].thread_id) < 0, "a newsletter"
    assert page.model.rowCount() == page.context.reader.split_counts()[MailView.NEEDS_REPLY]


def test_own_splits_are_made_in_the_dialog_and_reached_by_key(
    qtbot: QtBot, page: MailPage, window: MainWindow, link: RecordedEngine, data: DataFolder
) -> None:
    window.actions_by_id["mail.splits"].trigger()
    (dialog,) = page.findChildren(SplitDialog)
    ((name, query),) = dialog.fields
    qtbot.keyClicks(name, "Ana")
    dialog.take()
    assert dialog.isVisible(), "a search is missing"
    qtbot.keyClicks(query, "from:ana")
    press("Return", on=query)
    qtbot.waitUntil(lambda: not dialog.isVisible())
    assert link.commands[-1] == ChangeSettings((("reading.splits", '["Ana: from:ana"]'),))
    change(data.settings, [("reading.splits", '["Ana: from:ana"]')])
    window.hear(SettingsChanged("m"))
    own = "label:inbox from:ana"
    assert page.splits.buttons[own].text() == "Ana"
    page.take_focus()
    press("`", "~", "~")
    assert (window.name, page.splits.isVisible(), page._heading.text()) == (own, True, "Ana")
    assert str(window.navigation.currentIndex().data()).startswith("Inbox")


def test_days_stand_above_their_conversations(page: MailPage, window: MainWindow) -> None:
    heads = [look.heading for row in range(page.model.rowCount()) if (look := page.model.index(row, 0).data(LOOK_ROLE)).heading]
    assert heads == ["Today", "Yesterday", "Earlier this week"]
    assert page.list.rowHeight(0) > page.list.row_height == page.list.rowHeight(1)
    window.show_page("snoozed")
    window.show_page("inbox")
    assert page.list.rowHeight(0) > page.list.row_height


def test_rows_of_several_accounts_have_the_colour_of_theirs(window: MainWindow, store: LivelyStore) -> None:
    page = window.mail_page
    window.show_page("all")

    def look(mail: str) -> RowPresentation:
        page.touch_now()
        return page.model.index(page.model.row_of(store.mails[mail].thread_id), 0).data(LOOK_ROLE)  # type: ignore[no-any-return]

    assert look("m05").dot == ""
    club = replace(store, account_id=Accounts(store.db).add("club@b.example", "Club", ("club@b.example",), "", "#a33b5d"))
    club.put(Mail("other", "other", ANA, "For the club", "Hello", 60 * 24 * 300))
    own = window.accounts()[0]
    assert (look("m05").dot, look("other").dot) == (own.colour, "#a33b5d")
    assert look("other").spoken.endswith("club@b.example")


@pytest.mark.parametrize("count", [0, 1, 2, 40, 3000])
def test_a_period_begins_where_its_first_conversation_is(stage: Stage, count: int) -> None:
    """Few queries find what reading every date finds."""
    asked: list[int] = []
    chance, now = Random(count), stage.context.clock()
    dates = sorted((now - timedelta(days=chance.expovariate(0.01)) for _ in range(count)), reverse=True)
    reader = SimpleNamespace(last_dates=lambda ids: asked.append(len(ids)) or {one: dates[one] for one in ids})
    rows = ListedRows(replace(stage.context, reader=reader), lambda: MailView.INBOX, str)  # type: ignore[arg-type]
    found = rows.head(array("q", range(count)))
    words = [next(words for began, words in periods(now) if date >= began) for date in dates]
    assert found == [row for row in range(count) if row == 0 or words[row] != words[row - 1]]
    assert [rows.headings[row] for row in found] == list(dict.fromkeys(words))
    assert len(asked) <= 4
    assert sum(asked) <= 2500


async def test_own_splits_have_counts(page: MailPage, window: MainWindow, link: RecordedEngine, data: DataFolder) -> None:
    change(data.settings, [("reading.splits", '["Ana: from:ana", "Nobody: from:nobody"]')])
    window.hear(SettingsChanged("m"))
    page.splits._counting.flush()
    await asyncio.sleep(0)
    assert [one.texts for one in link.queries if isinstance(one, CountMail)][-1] == (
        "label:inbox from:ana",
        "label:inbox from:nobody",
    )
    link.answer(MailCounts((7, 0)), CountMail)
    for _ in range(3):
        await asyncio.sleep(0)
    assert page.splits.buttons["label:inbox from:ana"].text() == "Ana 7"
    assert page.splits.buttons["label:inbox from:nobody"].text() == "Nobody"
