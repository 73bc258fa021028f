"""A file that is taken off a letter: its way back by the notice, by Ctrl+Z, and until when."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QImage, QTextCursor, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from app.domain.mail.letter import MOST_PICTURE_BYTES, Letter, StyleKind
from app.domain.protocol.letter_commands import AttachFile, CloseLetter, InsertPicture, LetterChanged, RemoveFile, RestoreFile
from app.engine.letters.letter_editor import picture_file
from app.store.letters.letters import Letters, NewFile
from app.ui.pages.compose.new_letter import new_letter
from app.ui.pages.compose.page import ComposePage
from app.ui.window.main_window import MainWindow
from app.ui.window.toast import Toast
from fakes.engine.store.sample_store import ANA, LivelyStore
from fakes.window.keyboard import press
from fakes.window.recorded_engine import RecordedEngine


class Engine:
    """The store's end: does what was asked for files since the last turn, and says so."""

    def __init__(self, letters: Letters, link: RecordedEngine) -> None:
        self._letters, self._link = letters, link
        self._seen = 0

    def turn(self) -> None:
        for one in self._link.commands[self._seen :]:
            if isinstance(one, RemoveFile):
                self._letters.remove_file(one.letter_id, one.file_id)
            elif isinstance(one, RestoreFile):
                self._letters.restore_file(one.letter_id, one.file_id)
            elif isinstance(one, CloseLetter):
                self._letters.close(one.letter_id)
            else:
                continue
            self._link.tell(LetterChanged(one.letter_id, 1, "open"))
        self._seen = len(self._link.commands)


@pytest.fixture
def letter(window: MainWindow, store: LivelyStore) -> Letter:
    made, letters = new_letter(store.account_id, (ANA,), "Plan", "Hello"), Letters(store.db, store.clock)
    letters.save(made, 1)
    letters.attach(made.id, (NewFile("a.txt", "text/plain", 1, b"x"), NewFile("b.txt", "text/plain", 2, b"yz")))
    window.context.navigator.show_letter(made)
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window, 30_000)
    return made


@pytest.fixture
def page(window: MainWindow) -> ComposePage:
    return window.compose_page


@pytest.fixture
def engine(store: LivelyStore, link: RecordedEngine) -> Engine:
    return Engine(Letters(store.db, store.clock), link)


def files(page: ComposePage) -> list[QToolButton]:
    return [one for one in page.card.files.findChildren(QToolButton) if one.isVisible()]


def settled(qtbot: QtBot, page: ComposePage, engine: Engine, count: int) -> None:
    engine.turn()
    qtbot.waitUntil(lambda: len(files(page)) == count, timeout=30_000)


def test_the_notice_puts_it_back(
    qtbot: QtBot, window: MainWindow, page: ComposePage, letter: Letter, engine: Engine, link: RecordedEngine
) -> None:
    before = page.context.reader.letter(letter.id)
    QTest.mouseClick(files(page)[0], Qt.MouseButton.LeftButton)
    settled(qtbot, page, engine, 1)
    toast = window.findChildren(Toast)[0]
    assert "a.txt" in toast.words.text()
    QTest.mouseClick(toast.action, Qt.MouseButton.LeftButton)
    settled(qtbot, page, engine, 2)
    assert page.context.reader.letter(letter.id).files == before.files  # type: ignore[union-attr]
    assert "attached again" in toast.words.text()


def test_by_keys_alone_the_newest_first_and_after_what_was_typed_since(
    qtbot: QtBot, page: ComposePage, letter: Letter, engine: Engine, link: RecordedEngine
) -> None:
    files(page)[0].setFocus()
    press("Space", on=files(page)[0])
    settled(qtbot, page, engine, 1)
    qtbot.waitUntil(lambda: QApplication.focusWidget() is files(page)[0], timeout=30_000)  # the next file's
    press("Space", on=files(page)[0])
    settled(qtbot, page, engine, 0)
    assert page.card.editor.hasFocus()
    for count in (1, 2):
        press("Ctrl+Z", on=page.card.editor)
        settled(qtbot, page, engine, count)
    back = [one.file_id for one in link.commands if isinstance(one, RestoreFile)]
    gone = [one.file_id for one in link.commands if isinstance(one, RemoveFile)]
    assert back == gone[::-1]
    press("Ctrl+Z", on=page.card.editor)
    assert len([one for one in link.commands if isinstance(one, RestoreFile)]) == 2
    QTest.mouseClick(files(page)[0], Qt.MouseButton.LeftButton)
    settled(qtbot, page, engine, 1)
    QTest.keyClicks(page.card.editor, "Oh. ")
    press("Ctrl+Z", on=page.card.editor)
    assert page.card.editor.toPlainText() == "Hello"
    assert len([one for one in link.commands if isinstance(one, RestoreFile)]) == 2
    press("Ctrl+Z", on=page.card.editor)
    settled(qtbot, page, engine, 2)


def test_closed_it_is_gone_for_good_and_not_before(
    qtbot: QtBot, window: MainWindow, page: ComposePage, letter: Letter, engine: Engine, link: RecordedEngine, store: LivelyStore
) -> None:
    def stored() -> int:
        return int(store.db.read("SELECT count(*) FROM letter_files WHERE letter_id = ?", (letter.id,))[0][0])

    QTest.mouseClick(files(page)[0], Qt.MouseButton.LeftButton)
    settled(qtbot, page, engine, 1)
    window.show_page("inbox")
    engine.turn()
    assert stored() == 2, "another page is not the end of it"
    window.show_page("compose")
    press("Escape", on=page.card.editor)
    assert link.commands[-1] == CloseLetter(letter.id)
    engine.turn()
    assert stored() == 1
    count = len(link.commands)
    window.findChildren(Toast)[0].action.click()
    assert len(link.commands) == count


def clip(image: QImage) -> QMimeData:
    made = QMimeData()
    made.setImageData(image)
    return made


def test_pasted_and_dropped_pictures_stand_in_the_text(
    page: ComposePage, letter: Letter, link: RecordedEngine, store: LivelyStore, window: MainWindow, tmp_path: Path
) -> None:
    image = QImage(900, 300, QImage.Format.Format_RGB32)
    image.fill(0x2B59C3)
    page.card.editor.moveCursor(QTextCursor.MoveOperation.End)
    page.card.editor.insertFromMimeData(clip(image))
    file = tmp_path / "photo.jpg"
    assert image.save(str(file))
    both = QMimeData()
    both.setUrls([QUrl.fromLocalFile(str(file)), QUrl.fromLocalFile(str(tmp_path / "notes.txt"))])
    page.card.editor.insertFromMimeData(both)
    pasted, dropped = (one for one in link.commands if isinstance(one, InsertPicture))
    assert (pasted.name[-4:], dropped.data) == (".png", file.read_bytes())
    assert [one.path.name for one in link.commands if isinstance(one, AttachFile)] == ["notes.txt"]
    body, styles = page.card.editor.words()
    assert (body, [(one.start, one.kind, one.value) for one in styles]) == (
        "Hello",
        [(5, StyleKind.PICTURE, pasted.name), (5, StyleKind.PICTURE, dropped.name)],
    )
    letters = Letters(store.db, store.clock)
    for one in (pasted, dropped):
        letters.attach(letter.id, (picture_file(one.name, one.data),))
    made = page.card.letter()
    assert made is not None
    letters.save(made, 99)
    page.close_letter()
    page.open(made)
    assert page.card.editor.words() == (body, styles), "a draft keeps them in their order"
    page.card.editor.set_words(body, styles[::-1])
    assert page.card.editor.words() == (body, styles[::-1]), "whatever their names"
    page.card.editor.set_words(body, styles)
    shown = page.card.editor.document().resource(int(QTextDocument.ResourceType.ImageResource), QUrl(f"picture:{pasted.name}"))
    assert shown.width() == 900
    assert page.card.editor.document().size().height() > 300, "shown in place"
    listed = [one for one in page.card.files.findChildren(QToolButton) if one.isVisible()]
    assert len(listed) == 2, "not listed as files"


PASTED = """<html><body><p>Dear <b>Ann</b>,</p><p>two points:</p><ul><li>the <i>lease</i></li>
<li><a href="https://court.example/1">order</a></li></ul>
<p><a href="file:///etc/passwd">here</a><img src="x.png"></p></body></html>"""


def test_pasted_text_keeps_its_looks(page: ComposePage, letter: Letter) -> None:
    """Bold, italic, links to the web and lists stay; one step undoes all. Ctrl+Shift+V pastes the words alone."""
    editor, source = page.card.editor, QMimeData()
    source.setHtml(PASTED)
    source.setText("Dear Ann,\n\ntwo points:\n")
    QApplication.clipboard().setMimeData(source)
    editor.set_words("", ())
    editor.setFocus()
    press("Ctrl+V", on=editor)
    body, styles = editor.words()
    assert body == "Dear Ann,\n\ntwo points:\n\nthe lease\norder\n\nhere"
    assert [(body[one.start : one.end], one.kind, one.value) for one in styles] == [
        ("Ann", StyleKind.BOLD, ""),
        ("the lease\norder", StyleKind.BULLET, ""),
        ("lease", StyleKind.ITALIC, ""),
        ("order", StyleKind.LINK, "https://court.example/1"),
    ]
    QTest.keyClicks(editor, "!")
    assert editor.words()[1] == styles, "what is typed behind it has no style"
    press("Ctrl+Z", on=editor)
    press("Ctrl+Z", on=editor)
    assert editor.words() == ("", ())
    press("Ctrl+Shift+V", on=editor)
    assert editor.words() == ("Dear Ann,\n\ntwo points:\n", ())


def test_what_cannot_be_shown_is_attached_or_refused(
    page: ComposePage, letter: Letter, link: RecordedEngine, tmp_path: Path
) -> None:
    big = tmp_path / "big.png"
    big.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(MOST_PICTURE_BYTES))
    other = tmp_path / "phone.jpg"
    other.write_bytes(b"\0\0\0\x18ftypheic")
    source = QMimeData()
    source.setUrls([QUrl.fromLocalFile(str(big)), QUrl.fromLocalFile(str(other))])
    page.card.editor.insertFromMimeData(source)
    assert [one.path for one in link.commands if isinstance(one, AttachFile)] == [big, other]
    page.insert_picture(b"<svg/>")
    assert not [one for one in link.commands if isinstance(one, InsertPicture)]
    assert page.card.editor.words()[1] == ()
