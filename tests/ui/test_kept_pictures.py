"""Painted parts are painted once, until they are dropped or pushed out."""

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QApplication

from app.ui.kept_pictures import KeptPictures

SIZE = QSize(20, 10)
BYTES = 20 * 10 * 4


def test_a_picture_is_painted_once_until_dropped_or_pushed_out(qapp: QApplication) -> None:
    kept, painted = KeptPictures[str](2 * BYTES), []

    def ask(key: str) -> QColor:
        def paint(painter: QPainter) -> None:
            painted.append(key)
            painter.fillRect(QRect(0, 0, 20, 10), QColor(key))

        return kept.picture(key, SIZE, 1.0, paint).toImage().pixelColor(19, 9)

    assert [ask(key).name() for key in ("#ff0000", "#00ff00", "#ff0000", "#0000ff", "#ff0000")] == [
        "#ff0000",
        "#00ff00",
        "#ff0000",
        "#0000ff",
        "#ff0000",
    ]
    assert painted == ["#ff0000", "#00ff00", "#0000ff"]
    ask("#00ff00")  # used longest ago, and pushed out
    kept.drop()
    ask("#ff0000")
    assert painted == ["#ff0000", "#00ff00", "#0000ff", "#00ff00", "#ff0000"]


def test_pictures_have_the_device_s_pixels(qapp: QApplication) -> None:
    picture = KeptPictures[int](BYTES).picture(
        1, SIZE, 1.5, lambda painter: painter.fillRect(QRect(0, 0, 20, 10), QColor("#123456"))
    )
    assert (picture.size(), picture.devicePixelRatio()) == (QSize(30, 15), 1.5)
    assert picture.toImage().pixelColor(29, 14).name() == "#123456"


def test_nothing_is_painted_where_there_is_no_room(qapp: QApplication) -> None:
    painted: list[QPainter] = []
    assert KeptPictures[int](2 * BYTES).picture(1, QSize(0, 20), 1.0, painted.append).isNull()
    assert painted == []


def test_larger_pictures_push_out_more(qapp: QApplication) -> None:
    kept, painted = KeptPictures[str](4 * BYTES), list[str]()

    def ask(key: str, ratio: float = 1.0) -> None:
        kept.picture(key, SIZE, ratio, lambda painter: painted.append(key))

    for key in ("a", "b", "c", "d", "a"):
        ask(key)
    assert painted == ["a", "b", "c", "d"]
    ask("large", 2.0)
    ask("a")
    assert painted == ["a", "b", "c", "d", "large", "a"], "four times the pixels take the room of four"
    ask("larger than all room", 3.0)
    ask("larger than all room", 3.0)
    assert painted[-2:] == ["a", "larger than all room"], "what is on screen is kept in any case"
