"""Garbage with Qt objects in it ends on the window's thread, whatever other threads do meanwhile."""

import gc
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.ui.startup.run_window import GarbageCollection, collect_due


class Knot:
    """Part of a cycle that tells where it ended."""

    def __init__(self, ended: list[threading.Thread]) -> None:
        self.me = self
        self.ended = ended

    def __del__(self) -> None:
        self.ended.append(threading.current_thread())


@pytest.fixture
def collecting(qtbot: QtBot) -> Iterator[GarbageCollection]:
    parent = QObject()
    made = GarbageCollection(parent)
    made.start()
    yield made
    made.stop()
    gc.disable()


def _make_and_keep(kept: list[list[object]]) -> None:
    """More living containers than the youngest generation's threshold."""
    kept.extend([] for _ in range(5_000))


def test_another_thread_collects_nothing(qtbot: QtBot, collecting: GarbageCollection) -> None:
    ended: list[threading.Thread] = []
    kept: list[list[object]] = []
    Knot(ended)
    thread = threading.Thread(target=_make_and_keep, args=(kept,))
    thread.start()
    thread.join()
    assert ended == []
    qtbot.waitUntil(lambda: bool(ended), timeout=30_000)
    assert ended == [threading.main_thread()]


def test_what_passed_a_threshold_is_collected() -> None:
    gc.collect()
    ended: list[threading.Thread] = []
    kept: list[list[object]] = []
    Knot(ended)
    _make_and_keep(kept)
    assert collect_due() is not None
    assert len(ended) == 1
