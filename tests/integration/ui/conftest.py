"""A window over a real store file, with the engine's end recorded."""

import asyncio
import gc
from collections.abc import Callable, Iterator
from inspect import iscoroutinefunction, signature
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTranslator
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.config.paths import DataFolder
from app.ui.i18n.translation import load_language
from app.ui.services.async_task import end_all
from app.ui.startup.run_window import collect_due
from app.ui.startup.single_instance import QtProgram
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import LivelyStore, lively_store
from fakes.window.page_setup import Stage, drive
from fakes.window.ready_window import READY, shown_window
from fakes.window.recorded_engine import RecordedEngine

QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
CHROMIUM = ("Sandboxing disabled by user", "QRhiGles2", "Failed to create RHI", "QVulkanInstance", "GBM is not", "GPUInfo")
"""What Chromium says on a machine without a graphics card."""
HERE = Path(__file__).parent
PATIENCE_MS = 30_000
"""For what comes soon where the machine is free; Qt's tests give up after five seconds."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The offscreen platform says that it has no window manager; that is no fault of ours."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.qt_log_ignore("This plugin does not support", *CHROMIUM))
            if isinstance(item, pytest.Function) and takes_ready_window(item):
                item.add_marker("ready_window")


def takes_ready_window(test: pytest.Function) -> bool:
    """Whether a test takes the window as it is made here, with nothing done before."""
    if test.get_closest_marker("fresh_window"):
        return False
    definitions = test._fixtureinfo.name2fixturedefs
    ours = all(len(definitions.get(name, "")) == 1 for name in ("window", "data", "store", "link"))
    return ours and not {"with_model", "czech", "stage"} & set(test.fixturenames)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Runs an `async def` test on the window's event loop."""
    if not iscoroutinefunction(pyfuncitem.obj):
        return None
    names = signature(pyfuncitem.obj).parameters
    drive(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


class Patient(QtBot):
    """Waits as long for a condition as a busy machine may need."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = PATIENCE_MS) -> None:  # noqa: N802 - pytest-qt's name
        super().waitUntil(callback, timeout=timeout)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    """The hand at the window."""
    return Patient(request)


@pytest.fixture(scope="session")
def qapp_cls() -> type[QtProgram]:
    """As in the window."""
    return QtProgram


@pytest.fixture(scope="session")
def qapp(qapp: QApplication) -> QApplication:
    """The application in English, with its plural forms."""
    load_language(qapp, "")
    return qapp


@pytest.fixture(autouse=True)
def standing_loop() -> Iterator[None]:
    """What a widget asks for is begun on a loop, which stands still where no test drives it; a test before may have closed its
    own."""
    loop = READY[0].loop if READY else asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    yield
    end_all(loop)
    loop.close()


@pytest.fixture(autouse=True)
def collected_here(standing_loop: None) -> Iterator[None]:
    """As in the window: garbage is collected on this thread only, between two tests; a closed window's timers end with it."""
    gc.disable()
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    collect_due()


@pytest.fixture
def data(tmp_path: Path) -> DataFolder:
    if READY:
        return READY[0].renewed_data()
    folder = DataFolder(tmp_path / "data")
    folder.prepare()
    return folder


@pytest.fixture
def with_model(data: DataFolder) -> None:
    """A language model is chosen."""
    data.settings.write_text('[model]\nname = "ollama_chat/llama3.1"\n')


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> LivelyStore:
    """The lively mailbox, filled once and closed."""
    made = lively_store(tmp_path_factory.mktemp("lively") / "mail.db")
    made.close()
    return made


@pytest.fixture
def store(data: DataFolder) -> Iterator[LivelyStore]:
    made = READY[0].opened_store() if READY else lively_store(data.database)
    yield made
    made.close()


@pytest.fixture
def link() -> RecordedEngine:
    return READY[0].link if READY else RecordedEngine()


@pytest.fixture
def window(qapp: QApplication, data: DataFolder, store: LivelyStore, link: RecordedEngine) -> Iterator[MainWindow]:
    """The whole window on screen, at Review."""
    if READY:
        yield READY[0].window
        READY[0].window.close()
        return
    made, reader = shown_window(qapp, data, store, link)
    yield made
    made.close()
    made.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    reader.close()


@pytest.fixture
def czech(root: Path, qapp: QApplication) -> Iterator[None]:
    """The Czech catalogue in force."""
    translator = QTranslator()
    assert translator.load(str(root / "resources" / "i18n" / "replyroom_cs.qm"))
    QCoreApplication.installTranslator(translator)
    yield
    QCoreApplication.removeTranslator(translator)


@pytest.fixture
def stage(tmp_path: Path, qapp: QApplication) -> Iterator[Stage]:
    """A data folder and everything a page is handed."""
    made = Stage(tmp_path, qapp)
    yield made
    made.close()
