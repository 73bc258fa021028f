"""Files of the message on screen: fetched when wanted, shown with how far they are, opened, saved and looked at."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QFileDialog, QToolButton
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from app.domain.drafting.invitation import AnswerInvitation, Invitation, InvitationReply, ReceivedInvitation
from app.domain.drafting.meeting import BusyTime
from app.domain.ids import AttachmentId, MessageId
from app.domain.mail.files import SOURCE_PART, FetchFile, FileChanged, FileState, StoredFile
from app.domain.mail.message import Attachment, Message
from app.domain.record import replace
from app.store.mail.files import Downloads
from app.ui.message.attachments import AttachmentBar, ImageDialog, read_picture
from app.ui.message.banners import InvitationCard
from app.ui.message.thread_view import SourceView
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import LivelyStore
from fakes.window.recorded_engine import RecordedEngine


def attached(message: Message, name: str, kind: str = "application/pdf", **more: Any) -> Message:
    file = Attachment(AttachmentId(9), message.id, "1", name, kind, 1000, more.get("cid", ""), more.get("inline", False))
    return replace(message, attachments=(file,), body_html=more.get("html", ""))


@pytest.fixture
def bar(window: MainWindow, store: LivelyStore) -> AttachmentBar:
    window.show_page("inbox")
    return window.mail_page.reading.attachments


def show(bar: AttachmentBar, message: Message) -> None:
    bar._files.show_message(message)
    bar.show_message(message)


def picture(path: Path) -> Path:
    image = QImage(60, 40, QImage.Format.Format_RGB32)
    image.fill(QColor("#336699"))
    assert image.save(str(path), "PNG")
    return path


def arrive(store: LivelyStore, link: RecordedEngine, message: Message, path: Path, part: str = "1") -> None:
    Downloads(store.db, store.clock).put(message.id, part, StoredFile(FileState.HERE, path, path.stat().st_size, ""))
    link.tell(FileChanged(message.id, part, FileState.HERE, path.stat().st_size))


def words(bar: AttachmentBar) -> str:
    items = (line.itemAt(number) for line in bar._lines for number in range(line.count()))
    made = [one.widget() for one in items if one is not None]
    return " | ".join(one.text() for one in made if isinstance(one, QToolButton) and not one.isHidden())


def test_a_click_fetches_and_then_opens(
    bar: AttachmentBar, store: LivelyStore, link: RecordedEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("app.ui.message.attachments.QDesktopServices.openUrl", lambda url: opened.append(url.toLocalFile()))
    message = attached(store.mails["m05"], "report.pdf")
    show(bar, message)
    assert "report.pdf" in words(bar)
    assert FetchFile(message.id, "1") not in link.commands
    bar.open(message.attachments[0])
    assert link.commands[-1] == FetchFile(message.id, "1")
    link.tell(FileChanged(message.id, "1", FileState.WANTED, 600))
    assert "45%" in words(bar)
    path = tmp_path / "1-report.pdf"
    path.write_bytes(b"%PDF")
    arrive(store, link, message, path)
    assert opened == [str(path)]
    asked = len(link.commands)
    bar.open(message.attachments[0])
    assert opened == [str(path)] * 2
    assert len(link.commands) == asked


def test_failures_are_named_and_tried_again(bar: AttachmentBar, store: LivelyStore, link: RecordedEngine) -> None:
    message = attached(store.mails["m05"], "report.pdf")
    show(bar, message)
    bar.open(message.attachments[0])
    link.tell(FileChanged(message.id, "1", FileState.WANTED, 0, "offline"))
    assert "online" in words(bar)
    link.tell(FileChanged(message.id, "1", FileState.FAILED, 0, "disk_full"))
    assert "try again" in words(bar)
    bar.open(message.attachments[0])
    assert link.commands[-1] == FetchFile(message.id, "1")
    assert "downloading" in words(bar)


def test_programs_are_never_opened(bar: AttachmentBar, store: LivelyStore, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    saved: list[Attachment] = []
    monkeypatch.setattr("app.ui.message.attachments.QDesktopServices.openUrl", lambda url: opened.append(url.toLocalFile()))
    monkeypatch.setattr(bar, "save", saved.append)
    message = attached(store.mails["m05"], "invoice.pdf.exe")
    show(bar, message)
    bar.open(message.attachments[0])
    assert (opened, saved) == ([], [message.attachments[0]])


def test_what_was_saved_arrives_after_another_mail_was_opened(
    bar: AttachmentBar, store: LivelyStore, link: RecordedEngine, tmp_path: Path
) -> None:
    message = attached(store.mails["m05"], "big.zip")
    show(bar, message)
    bar._save_as(message.attachments[0], tmp_path / "mine.zip")
    show(bar, store.mails["m04"])
    source = tmp_path / "1-big.zip"
    source.write_bytes(b"PK")
    arrive(store, link, message, source)
    assert (tmp_path / "mine.zip").read_bytes() == b"PK"


def test_all_files_are_saved_in_a_folder_and_replace_none(
    bar: AttachmentBar, store: LivelyStore, link: RecordedEngine, tmp_path: Path
) -> None:
    (tmp_path / "a.pdf").write_bytes(b"old")
    message = attached(store.mails["m05"], "a.pdf")
    files = tuple(replace(message.attachments[0], part_id=part) for part in ("1", "2"))
    message = replace(message, attachments=files)
    for part in ("1", "2"):
        source = tmp_path / f"source-{part}"
        source.write_bytes(part.encode())
        arrive(store, link, message, source, part)
    show(bar, message)
    bar.save_all()
    dialog = bar.window().findChild(QFileDialog)
    dialog.fileSelected.emit(str(tmp_path))
    dialog.reject()
    assert [(tmp_path / name).read_bytes() for name in ("a.pdf", "a (2).pdf", "a (3).pdf")] == [b"old", b"1", b"2"]


def test_where_html_is_not_shown_pictures_are_files(
    window: MainWindow,
    bar: AttachmentBar,
    store: LivelyStore,
    link: RecordedEngine,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("app.ui.message.thread_view.web_refused", lambda: True)
    message = attached(store.mails["m05"], "scan.png", "image/png", cid="p1", inline=True, html='<img src="cid:p1">')
    arrive(store, link, message, picture(tmp_path / "scan.png"))
    reading = window.mail_page.reading
    reading.message = message
    reading._fill_body(message)
    assert "scan.png" in words(bar)


def test_a_picture_is_shown_and_a_broken_one_named(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    good = ImageDialog(picture(tmp_path / "a.png"), "a.png", window)
    good.show()
    assert not good.shown.pixmap().isNull()
    good.close()
    (tmp_path / "b.png").write_bytes(b"\x89PNG\r\n\x1a\nbroken")
    assert read_picture(tmp_path / "b.png") is None
    bad = ImageDialog(tmp_path / "b.png", "b.png", window)
    assert "can't" in bad.shown.text()
    bad.close()


def test_the_source_is_fetched_and_shown(
    window: MainWindow, bar: AttachmentBar, store: LivelyStore, link: RecordedEngine, tmp_path: Path
) -> None:
    page = window.mail_page
    page.list.select_row(page.model.row_of(store.mails["m05"].thread_id))
    window.actions_by_id["mail.source"].trigger()
    message = page.reading.message
    assert link.commands[-1] == FetchFile(message.id, SOURCE_PART)
    path = tmp_path / "mail.eml"
    path.write_bytes(b"Subject: x\r\n\r\nWords \xff\r\n")
    arrive(store, link, message, path, SOURCE_PART)
    view = page.reading.findChildren(SourceView)[0]
    assert view.text.toPlainText().startswith("Subject: x\n\nWords")
    view.close()


def received(invitation: Invitation, **more: Any) -> ReceivedInvitation:
    return ReceivedInvitation(invitation, **more)


PLAN = Invitation("request", "Plan", "2026-12-10T09:00:00+00:00", "2026-12-10T10:00:00+00:00", "Hall 4", "Olga", (), "", "weekly")


def test_an_invitation_says_what_when_where_and_who(qtbot: QtBot, window: MainWindow) -> None:
    card = InvitationCard(window.mail_page.context)
    qtbot.addWidget(card)
    guests = tuple(f"guest {number}" for number in range(8))
    card.show_card(received(replace(PLAN, attendees=guests)))
    assert card.title.text() == "Plan"
    for words_ in ("Hall 4", "Olga", "guest 5", "2 more", "2026", "every week"):
        assert words_ in card.words
    card.show_card(received(Invitation("cancel", "", "2026-11-10", "", "", "", (), "", "")))
    assert "2026" in card.words
    assert "Canceled" in card.accessibleName()
    card.show_card(received(Invitation("reply", "Plan", "2026-11-10", "2026-11-12", "", "", ("Bo",), "", "", "declined")))
    assert "Declined" in card.accessibleName()
    assert "10" in card.words.splitlines()[0]
    assert "12" in card.words.splitlines()[0]


def test_an_invitation_is_answered_where_the_calendar_allows_it(qtbot: QtBot, window: MainWindow, link: RecordedEngine) -> None:
    card = InvitationCard(window.mail_page.context)
    qtbot.addWidget(card)
    message = window.mail_page.context.reader.message(MessageId(1))
    assert message is not None
    card.show_message(message)
    busy = BusyTime(datetime(2026, 12, 10, 9, tzinfo=UTC), datetime(2026, 12, 10, 11, tzinfo=UTC), "Dentist")
    card.show_card(received(PLAN, can_answer=True, conflicts=(busy,)))
    assert "Dentist" in card.words
    card.answers[InvitationReply.YES].click()
    assert link.commands[-1] == AnswerInvitation(message.id, InvitationReply.YES)
    card.show_card(received(PLAN))
    assert all(button.isHidden() for button in card.answers.values())


def test_an_invitation_is_seen_whole_in_a_window_of_the_usual_size(qtbot: QtBot, window: MainWindow, store: LivelyStore) -> None:
    """The text below it takes the rest of the height."""
    window.resize(1280, 820)
    window.show_message(store.mails["m05"].id)
    reading = window.mail_page.reading
    qtbot.waitUntil(lambda: reading.settled and reading.message is not None and reading.message.id == store.mails["m05"].id)
    window.mail_page.desk.draft.set_aside(True)
    card, guests = reading.invitation, ("Bo <bo@example.org>", "Olga <olga@example.org>")
    for more in ({"can_answer": True}, {}):
        card.show_card(received(replace(PLAN, attendees=guests), **more))
        qtbot.wait(100)  # the layout follows
        assert card.visibleRegion().boundingRect() == card.rect()


@pytest.mark.parametrize("other_mail", [False, True])
def test_a_menu_stays_while_files_come_and_goes_with_its_mail(
    bar: AttachmentBar, store: LivelyStore, link: RecordedEngine, qtbot: QtBot, other_mail: bool
) -> None:
    """Qt turns the loop inside the button until its menu is closed: that button must not go meanwhile."""
    message = attached(store.mails["m05"], "report.pdf")
    show(bar, message)
    button = bar._buttons[0]
    seen: list[tuple[bool, bool]] = []

    def meanwhile() -> None:
        if other_mail:
            show(bar, attached(store.mails["m04"], "a.txt"))
        else:
            link.tell(FileChanged(message.id, "1", FileState.WANTED, 600))
        QTimer.singleShot(20, look)

    def look() -> None:
        seen.append((isValid(button), isValid(button) and button.menu().isVisible()))
        if isValid(button):
            button.menu().close()

    QTimer.singleShot(0, meanwhile)
    button.showMenu()
    qtbot.waitUntil(lambda: bool(seen))
    assert seen == [(True, not other_mail)]
    assert ("45%" in words(bar)) is not other_mail
