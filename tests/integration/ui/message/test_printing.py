"""Mail as a PDF file: its head and its words are in it, HTML and plain, without the night's colours or remote pictures."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QSize
from PySide6.QtGui import QColor, QImage
from PySide6.QtPdf import QPdfDocument
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from app.domain.ids import AttachmentId
from app.domain.mail.files import FileState, StoredFile
from app.domain.mail.message import Attachment, Message
from app.domain.record import replace
from app.mail.html.clean import clean_html
from app.store.mail.files import Downloads
from app.ui.message.printing import MailPrinter, file_name
from app.ui.window.main_window import MainWindow
from fakes.engine.store.accounts import message
from fakes.engine.store.sample_store import LivelyStore
from fakes.window.page_setup import Stage

HTML = clean_html("<body bgcolor=white><p>Words in <b>HTML</b></p><img src='https://a.example/x.png' alt='Half price'></body>")


class Desk:
    """A page with paper for one message."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.page = QWidget()
        self.message: Message | None = message(subject="Plans: May/June?", body_text="Plain words")
        self.paper = MailPrinter(stage.context, lambda: self.message, self.page)


@pytest.fixture
def desk(tmp_path: Path, qapp: QApplication) -> Iterator[Desk]:
    stage = Stage(tmp_path, qapp, theme="dark")
    made = Desk(stage)
    yield made
    made.page.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    stage.close()


def words_of(path: Path) -> str:
    document = QPdfDocument()
    document.load(str(path))
    texts = [document.getAllText(number).text() for number in range(document.pageCount())]
    document.close()
    return " ".join(" ".join(texts).split())


@pytest.mark.parametrize("html", ["", HTML], ids=["plain", "html"])
def test_a_mail_becomes_a_pdf_file(desk: Desk, qtbot: QtBot, tmp_path: Path, html: str) -> None:
    path = tmp_path / "mail.pdf"
    assert desk.message is not None
    desk.paper.save(replace(desk.message, body_html=html), path)
    qtbot.waitUntil(lambda: bool(desk.stage.neighbours.told), timeout=20_000)
    assert desk.stage.neighbours.told == ["Saved as mail.pdf."]
    words = words_of(path)
    assert "Plans: May/June?" in words
    assert "bob@example.org" in words
    assert ("Words in HTML" if html else "Plain words") in words
    assert not html or "Half price" in words


def test_pictures_of_the_text_and_names_of_files_are_printed(
    window: MainWindow, store: LivelyStore, qtbot: QtBot, tmp_path: Path
) -> None:
    image, file, path = QImage(80, 80, QImage.Format.Format_RGB32), tmp_path / "p1.png", tmp_path / "mail.pdf"
    image.fill(0xCC2211)
    assert image.save(str(file))
    mail = store.mails["m05"]
    shown = Attachment(AttachmentId(1), mail.id, "1", "p1.png", "image/png", 100, "p1", inline=True)
    whole = replace(shown, part_id="2", filename="deed.pdf", mime_type="application/pdf", content_id="", inline=False)
    html = clean_html('<body bgcolor=white><p>See</p><img src="cid:p1"></body>')
    Downloads(store.db, store.clock).put(mail.id, "1", StoredFile(FileState.HERE, file, 100, ""))
    paper = window.mail_page.desk.paper
    paper.save(replace(mail, body_html=html, attachments=(shown, whole)), path)
    qtbot.waitUntil(lambda: paper._view is None)
    document = QPdfDocument()
    document.load(str(path))
    page = document.render(0, QSize(600, 850))
    document.close()
    colours = {QColor(page.pixel(x, y)).name() for x in range(0, 600, 4) for y in range(0, 850, 4)}
    assert "#cc2211" in colours
    assert "deed.pdf" in words_of(path) and "p1.png" not in words_of(path)


def test_a_folder_that_cannot_be_written_is_said(desk: Desk, qtbot: QtBot, tmp_path: Path) -> None:
    assert desk.message is not None
    desk.paper.save(replace(desk.message, body_html=HTML), tmp_path / "none" / "mail.pdf")
    qtbot.waitUntil(lambda: bool(desk.stage.neighbours.told), timeout=20_000)
    assert desk.stage.neighbours.told == ["It could not be printed."]


def test_the_file_is_asked_for_with_a_name_of_its_own(desk: Desk, qtbot: QtBot) -> None:
    desk.page.show()
    desk.stage.context.actions["mail.pdf"].trigger()
    dialog = desk.page.findChild(QFileDialog)
    assert dialog is not None
    assert [Path(one).name for one in dialog.selectedFiles()] == ["Plans May June.pdf"]
    dialog.reject()
    desk.message = None
    desk.paper.ask_for_file()
    desk.paper.ask_for_printer()


@pytest.mark.parametrize(
    ("subject", "name"),
    [("Re: Plans", "Re Plans.pdf"), ("../../etc/passwd", "etc passwd.pdf"), ("", "mail.pdf"), ("x" * 300, "x" * 80 + ".pdf")],
)
def test_a_subject_becomes_a_harmless_name(subject: str, name: str) -> None:
    assert file_name(subject) == name
