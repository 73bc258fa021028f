"""Contact sheets: all pictures of one state on one, so that a person can look through them. Made with Qt."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter

COLUMNS, WIDTH, GAP, CAPTION = 4, 720, 16, 28
PAPER, INK = QColor("#8a8f98"), QColor("#101418")


def write_sheet(files: Sequence[Path], sheet: Path, title: str) -> None:
    """Write `sheet` with the pictures in `files`, each under its name; `WIDTH` pixels a picture."""
    pictures = [(file.stem, QImage(str(file)).scaledToWidth(WIDTH, Qt.TransformationMode.SmoothTransformation)) for file in files]
    columns = min(COLUMNS, len(pictures))
    tall = max(picture.height() for _name, picture in pictures) + CAPTION + GAP
    rows = -(-len(pictures) // columns)
    paper = QImage(columns * (WIDTH + GAP) + GAP, rows * tall + CAPTION + GAP, QImage.Format.Format_RGB32)
    paper.fill(PAPER)
    painter = QPainter(paper)
    font = QFont(painter.font())
    font.setPixelSize(CAPTION - 10)
    painter.setFont(font)
    painter.setPen(INK)
    painter.drawText(QRect(GAP, 0, paper.width(), CAPTION), Qt.AlignmentFlag.AlignVCenter, title)
    for number, (name, picture) in enumerate(pictures):
        at = QPoint(GAP + number % columns * (WIDTH + GAP), CAPTION + number // columns * tall)
        painter.drawText(QRect(at.x(), at.y(), WIDTH, CAPTION), Qt.AlignmentFlag.AlignVCenter, name)
        painter.drawImage(at + QPoint(0, CAPTION), picture)
    painter.end()
    sheet.parent.mkdir(parents=True, exist_ok=True)
    paper.save(str(sheet))
