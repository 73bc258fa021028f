"""Qt's own tester on every model of the window: found by walking the package, so that a new model without a case fails here.

Steps between id lists lead exactly there, and stay few.

The set of ids behind a long list, beside Python's own.
"""

import pkgutil
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QAbstractItemModel, QModelIndex
from PySide6.QtGui import QStandardItemModel
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QCompleter, QTreeView

import app.ui
from app.domain.ids import ThreadId
from app.domain.mail.message import ThreadRow
from app.domain.ports.window import MailView
from app.store.reader.mailbox_reader import SqliteMailboxReader
from app.ui.lists.model import MOST_COMPARED, IdModel, IdSet, Insert, Remove, Step, spliced, steps
from app.ui.lists.row_presentation import RowPresentation
from app.ui.message.row_looks import thread_look
from app.ui.navigation.places import label_places, places
from app.ui.navigation.view import Place, PlaceModel
from app.ui.pages.activity.timeline import branch, open_branch
from app.ui.palette.palette import Palette
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import LEE, LivelyStore, Mail
from fakes.window.keyboard import Keyboard, entered

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
    reader = SqliteMailboxReader(store.path)

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
    model, reader = PlaceModel(places()), SqliteMailboxReader(store.path)
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


ids = st.lists(st.integers(0, 60), unique=True, max_size=40)


def taken(old: list[int], wanted: list[Step]) -> list[int]:
    """What the steps make of a list."""
    rows = list(old)
    for step in wanted:
        if isinstance(step, Remove):
            assert 0 <= step.first <= step.last < len(rows)
            del rows[step.first : step.last + 1]
        else:
            assert 0 <= step.at <= len(rows)
            rows[step.at : step.at] = step.ids
    return rows


@given(ids, ids)
def test_steps_lead_to_the_new_list(old: list[int], new: list[int]) -> None:
    found = steps(array("q", old), array("q", new))
    assert found is not None
    assert taken(old, found) == new


@given(ids)
def test_nothing_changed_needs_no_step(old: list[int]) -> None:
    assert steps(array("q", old), array("q", old)) == []


def test_a_thread_that_comes_to_the_top_is_one_remove_and_one_insert() -> None:
    found = steps(array("q", range(100)), array("q", [50, *range(50), *range(51, 100)]))
    assert found == [Remove(50, 50), Insert(0, array("q", [50]))]


def test_too_much_change_is_a_reset() -> None:
    assert steps(array("q", range(MOST_COMPARED)), array("q", range(MOST_COMPARED, 2 * MOST_COMPARED))) is None


def test_what_was_passed_by_a_row_that_moved_up_stays() -> None:
    found = spliced(array("q", [0, 1, 2, 3, 4, 5]), array("q", [1000, 0, 1, 5]))
    assert found is not None
    assert list(found[1]) == [1000, 0, 1, 5, 4]


@given(st.lists(st.integers(0, 200), unique=True, min_size=1, max_size=60), st.sets(st.integers(0, 40), max_size=6), st.data())
def test_a_beginning_read_anew_is_spliced_in(old: list[int], moved: set[int], data: st.DataObject) -> None:
    """New mail comes in above, threads move up and some go away: what is spliced is what a whole reading gives."""
    size = data.draw(st.integers(1, len(old)))
    up = [old[at] for at in sorted(moved) if at < len(old)]
    gone = {key for at, key in enumerate(old) if at < size and data.draw(st.booleans())} - set(up)
    new = [1000, *up, *(key for key in old if key not in set(up) | gone)]
    head = array("q", new[:size])
    found = spliced(array("q", old), head)
    if found is None:
        assert not set(head) & set(old[: 2 * len(head)])
        return
    near, wanted, fresh = found
    assert fresh == set(head) - set(near)
    rows = [*wanted, *(key for key in old[len(near) :] if key not in fresh)]
    assert len(rows) == len(set(rows))
    assert rows[: len(head)] == list(head)
    assert set(rows) >= set(new) - set(old[:size])


IDS = st.lists(st.integers(-70, 200) | st.integers(-(2**63), 2**63 - 1))


@given(IDS, IDS, IDS)
def test_it_is_a_set(first: list[int], gone: list[int], further: list[int]) -> None:
    members, known = IdSet(first), set(first)
    members.discard(gone)
    members.add(further)
    known = (known - set(gone)) | set(further)
    assert all((key in members) == (key in known) for key in [*first, *gone, *further, 0, 1, -1])


def test_what_is_appended_costs_what_is_new() -> None:
    """Rows that stand there are not looked at again: as much is read for the first chunk as for the hundredth."""
    read = count()

    class Counted(array):
        def __iter__(self) -> Iterator[int]:
            next(read)
            return super().__iter__()

    model: IdModel[int] = IdModel(lambda ids: {}, lambda row: RowPresentation("", "", "", "", ""))
    model.set_ids(array("q", range(50)))
    model._ids = Counted("q", model._ids)
    for start in range(40, 4000, 40):
        model.append(array("q", range(start, start + 50)))
    assert list(model.ids) == list(range(4010))
    model.set_ids(array("q", range(100, 4010)))
    model.append(array("q", [5, 5, 200, 4009]))
    assert list(model.ids) == [*range(100, 4010), 5]
    assert next(read) <= 3
