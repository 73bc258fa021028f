"""Makes the program's icons from the one drawing, resources/icons/replyroom.svg.

    python packaging/icons.py [--hicolor] FOLDER

Writes replyroom.ico (16 to 256 pixels) for Windows and replyroom.icns (16 to 1024) for macOS; with --hicolor the theme's folders
for Linux (16 to 512) with the drawing itself. Needs PySide6 and no display.
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

DRAWING = Path(__file__).resolve().parents[1] / "resources" / "icons" / "replyroom.svg"
ICO_SIZES = (16, 20, 24, 32, 40, 48, 64, 256)
HICOLOR_SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)
ICNS_TYPES = {
    b"icp4": 16, b"icp5": 32, b"icp6": 64, b"ic07": 128, b"ic08": 256, b"ic09": 512, b"ic10": 1024,
    b"ic11": 32, b"ic12": 64, b"ic13": 256, b"ic14": 512,
}  # fmt: skip
"""Apple's names of PNG entries and their sides in pixels; the last four are twice as fine as their size says."""


def drawn(side: int) -> QImage:
    """The drawing in so many pixels."""
    image = QImage(side, side, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(DRAWING)).render(painter)
    painter.end()
    return image


def saved(image: QImage, kind: str) -> bytes:
    """An image in a format of Qt's."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not image.save(buffer, kind):
        raise SystemExit(f"Qt cannot write {kind} here: install PySide6 whole.")
    return bytes(buffer.data().data())


def ico() -> bytes:
    """Windows' format: small sizes as bitmaps, which all of Windows reads, the large one as PNG."""
    entries = [saved(drawn(side), "PNG") if side == 256 else saved(drawn(side), "ICO")[22:] for side in ICO_SIZES]
    at = 6 + 16 * len(entries)
    head = struct.pack("<HHH", 0, 1, len(entries))
    for side, entry in zip(ICO_SIZES, entries, strict=True):
        head += struct.pack("<BBBBHHII", side % 256, side % 256, 0, 0, 1, 32, len(entry), at)
        at += len(entry)
    return head + b"".join(entries)


def icns() -> bytes:
    """Apple's format."""
    body = b""
    for name, side in ICNS_TYPES.items():
        picture = saved(drawn(side), "PNG")
        body += name + struct.pack(">I", len(picture) + 8) + picture
    return b"icns" + struct.pack(">I", len(body) + 8) + body


def write(folder: Path) -> None:
    """Both files."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "replyroom.ico").write_bytes(ico())
    (folder / "replyroom.icns").write_bytes(icns())


def write_hicolor(folder: Path) -> None:
    """The icon as desktops of Linux look for it."""
    for side in HICOLOR_SIZES:
        path = folder / f"{side}x{side}" / "apps" / "replyroom.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(saved(drawn(side), "PNG"))
    scalable = folder / "scalable" / "apps"
    scalable.mkdir(parents=True, exist_ok=True)
    (scalable / DRAWING.name).write_bytes(DRAWING.read_bytes())


if __name__ == "__main__":
    if len(sys.argv) == 2 and not sys.argv[1].startswith("-"):
        write(Path(sys.argv[1]))
    elif len(sys.argv) == 3 and sys.argv[1] == "--hicolor":
        write_hicolor(Path(sys.argv[2]))
    else:
        raise SystemExit("usage: python packaging/icons.py [--hicolor] FOLDER")
