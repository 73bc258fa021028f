"""Our own faults reach the log and the window."""

import asyncio
import sys
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from app.domain.errors import StoreDamaged
from app.ui.services.notices import watch_exceptions
from fakes.window.page_setup import until

pytestmark = pytest.mark.expects_warnings


@pytest.fixture
def told(qtbot: QtBot) -> Iterator[list[tuple[str, str]]]:
    yield []


def test_a_fault_in_a_slot_is_logged_and_told(
    qtbot: QtBot, told: list[tuple[str, str]], caplog: pytest.LogCaptureFixture
) -> None:
    loop = asyncio.new_event_loop()
    before = sys.excepthook
    with qtbot.capture_exceptions():
        stop = watch_exceptions(lambda code, text: told.append((code, str(text))), loop)
        QTimer.singleShot(0, lambda: 1 / 0)
        qtbot.waitUntil(lambda: told == [("bug", "ZeroDivisionError")])
        stop()
    assert "ZeroDivisionError" in caplog.text
    assert sys.excepthook is before
    loop.close()


async def test_a_fault_in_a_task_is_told(told: list[tuple[str, str]], caplog: pytest.LogCaptureFixture) -> None:
    loop = asyncio.get_running_loop()
    stop = watch_exceptions(lambda code, text: told.append((code, str(text))), loop)
    loop.call_exception_handler({"message": "lost", "exception": RuntimeError("x")})
    loop.call_exception_handler({"message": "only words"})
    await until(lambda: told == [("bug", "RuntimeError")])
    stop()
    assert "only words" in caplog.text


def test_expected_trouble_is_told_as_what_it_is(
    qtbot: QtBot, told: list[tuple[str, str]], caplog: pytest.LogCaptureFixture
) -> None:
    loop = asyncio.new_event_loop()

    def stumble() -> None:
        raise StoreDamaged("page 7")

    with qtbot.capture_exceptions():
        stop = watch_exceptions(lambda code, text: told.append((code, str(text))), loop)
        QTimer.singleShot(0, stumble)
        qtbot.waitUntil(lambda: told == [("store_damaged", "page 7")], timeout=30_000)
        stop()
    assert "page 7" not in caplog.text
    loop.close()
