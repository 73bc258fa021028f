"""Qt's own tester on every model of the window: found by walking the package, so that a new model without a case fails here."""

import pkgutil
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module

import pytest
from PySide6.QtCore import QAbstractItemModel, QModelIndex
from PySide6.QtGui import QStandardItemModel
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QCompleter, QTreeView

import app.ui
from app.domain.ids import ThreadId
from app.domain.mail import ThreadRow
from app.domain.ports.window import MailView
from app.store.mailbox import SqliteMailbox
from app.ui.activity.json_tree import branch, open_branch
from app.ui.label_places import label_places
from app.ui.lists.model import IdModel
from app.ui.mail.looks import thread_look
from app.ui.main_window import MainWindow
from app.ui.navigation import Place, PlaceModel
from app.ui.palette.palette import Palette
from app.ui.places import places
from fakes.keyboard import Keyboard, entered
from fakes.lively_store import LEE, LivelyStore, Mail

FATAL = QAbstractItemModelTester.FailureReportingMode.Warning
"""A broken rule is a warning of Qt's, and the suite fails on those; Fatal would end the whole run."""


@contextmanager
def watched(model: QAbstractItemModel) -> Iterator[None]:
    """Every signal of the model is checked meanwhile, and its state at the end."""
    tester = QAbstractItemModelTester(model, FATAL)
    yield
    for row in range(model.rowCount()):
        model.data(model.index(row, 0, QModelIndex()))
    assert tester.model() is model


def conversations(store: LivelyStore) -> None:
    """The list of a mailbox: read, narrowed, moved about, changed row by row, appended to, emptied."""
    reader = SqliteMailbox(store.path)

    def read(ids: object) -> dict[int, ThreadRow]:
        rows = reader.thread_rows([ThreadId(key) for key in ids])  # type: ignore[attr-defined]
        return {int(key): row for key, row in rows.items()}

    model: IdModel[ThreadRow] = IdModel(read, lambda one: thread_look(one, store.clock()))
    with watched(model):
        everything = reader.thread_ids(MailView.ALL)
        for ids in (everything, everything[1:], everything[::-1], everything[2:5], array("q"), everything):
            model.set_ids(array("q", ids))
            assert model.rowCount() == len(ids)
        model.set_ids(array("q", range(10_000, 30_000)))  # nothing in common: a reset
        model.set_ids(array("q", everything[:3]))
        model.append(array("q", everything))
        assert model.rowCount() == len(everything)
        model.reread(everything[:2])
        store.put(Mail("fresh", "fresh", LEE, "Just in", "Hello", 0))
        model.set_ids(reader.thread_ids(MailView.ALL))
        assert model.rowCount() == len(everything) + 1
        assert model.record(0) is not None
    reader.close()


def navigation(store: LivelyStore) -> None:
    """The places: counts, labels that come, change and go."""
    model, reader = PlaceModel(places()), SqliteMailbox(store.path)
    fixed = model.rowCount()
    with watched(model):
        model.set_count("inbox", 12, strong=False)
        model.set_count("inbox", 0, strong=False)
        model.set_tail([Place(""), Place("label:bikes", "Bikes", "label"), Place("label:parts", "Parts", "label")])
        model.set_count("label:parts", 3, strong=True)
        assert model.rowCount() == fixed + 3
        model.set_tail([Place(""), Place("label:parts", "Parts", "label")])
        model.set_tail(label_places(reader))
    reader.close()


CASES: dict[type[QAbstractItemModel], Callable[[LivelyStore], None]] = {IdModel: conversations, PlaceModel: navigation}


def models() -> set[type[QAbstractItemModel]]:
    """Every model class that the window's package defines."""
    found = set()
    for module in pkgutil.walk_packages(app.ui.__path__, "app.ui."):
        for one in vars(import_module(module.name)).values():
            if isinstance(one, type) and issubclass(one, QAbstractItemModel) and one.__module__.startswith("app.ui."):
                found.add(one)
    return found


def test_every_model_has_a_case() -> None:
    assert models() == set(CASES)


@pytest.mark.parametrize("model", CASES, ids=lambda one: one.__name__)
def test_a_model_keeps_the_rules(qapp: QApplication, store: LivelyStore, model: type[QAbstractItemModel]) -> None:
    CASES[model](store)


def test_the_tree_of_a_state_keeps_the_rules(qapp: QApplication) -> None:
    """Items that are made when their parent is opened, in Qt's own model."""
    model, view = QStandardItemModel(), QTreeView()
    with watched(model):
        model.appendRow(branch("state", {"mail": {"id": 4, "to": ["a", "b"]}, "steps": [1, 2.5, None, True], "empty": {}}))
        view.setModel(model)
        top = model.item(0)
        open_branch(top)
        for row in range(top.rowCount()):
            open_branch(top.child(row))
        model.appendRow(branch("more", "words"))
        model.removeRow(0)
        model.clear()
    view.deleteLater()


def test_the_palettes_and_the_completers_lines_keep_the_rules(window: MainWindow, store: LivelyStore) -> None:
    """Both are models of Qt's own that we fill anew with each letter: typed into, narrowed, emptied, walked."""
    window.activateWindow()
    keys = Keyboard()
    keys.press("Ctrl+K")
    palette = window.findChild(Palette)
    assert palette is not None
    with watched(palette.model):
        keys.type("in")
        keys.press("Down", "Down", "Backspace", "Backspace")
        keys.type("zeb")
        assert palette.model.rowCount() == 2, "to search for it, or to ask for it"
        keys.press("Ctrl+A", "Delete")
    keys.press("Escape")
    keys.press("Ctrl+N")
    completer = window.compose_page.findChild(QCompleter)
    assert completer is not None
    model = completer.model()
    with watched(model):
        keys.type("a")
        assert model.rowCount() > 0
        keys.press("Down", "Up")
        keys.type("zq")
        assert model.rowCount() == 0
        keys.press("Backspace", "Backspace")
        keys.press("Return")
    assert "@" in entered(window.compose_page.card.to.line)
