"""Painted parts are painted once, until they are dropped or pushed out."""

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QApplication

from app.ui.kept_pictures import KeptPictures

SIZE = QSize(20, 10)


def test_a_picture_is_painted_once_until_dropped_or_pushed_out(qapp: QApplication) -> None:
    kept, painted = KeptPictures[str](2), []

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
    picture = KeptPictures[int](1).picture(1, SIZE, 1.5, lambda painter: painter.fillRect(QRect(0, 0, 20, 10), QColor("#123456")))
    assert (picture.size(), picture.devicePixelRatio()) == (QSize(30, 15), 1.5)
    assert picture.toImage().pixelColor(29, 14).name() == "#123456"


def test_nothing_is_painted_where_there_is_no_room(qapp: QApplication) -> None:
    painted: list[QPainter] = []
    assert KeptPictures[int](2).picture(1, QSize(0, 20), 1.0, painted.append).isNull()
    assert painted == []
