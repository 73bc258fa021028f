"""The Settings page: sections on the left, one form on the right.

Values follow the file. A damaged file locks the forms until it is repaired.
"""

from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import cast

from PySide6.QtCore import QFileSystemWatcher, QUrl
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QGraphicsOpacityEffect, QScrollArea, QWidget

from app.config.paths import DataFolder
from app.config.settings import Settings, load
from app.domain.agents.routing import RoutingRule
from app.domain.errors import BadFile
from app.domain.ids import AccountId
from app.domain.protocol.agent_commands import FileError
from app.domain.protocol.commands import StoreKey
from app.domain.protocol.events import CommandFailed, ConnectionChanged, ErrorReported
from app.domain.wire import Event
from app.ui.context import Context
from app.ui.navigation.painter import Place
from app.ui.navigation.view import Navigation
from app.ui.pages.base import Page
from app.ui.pages.settings.about import AboutSection
from app.ui.pages.settings.accounts_section import AccountsSection
from app.ui.pages.settings.form import FileErrorNotice, Form, SettingsWriter, changes_settings, scrolled
from app.ui.pages.settings.google_sections import SendingSection, ServicesSection
from app.ui.pages.settings.model_section import ModelSection
from app.ui.pages.settings.privacy import PrivacySection
from app.ui.pages.settings.profiles.profiles_section import ProfilesSection
from app.ui.pages.settings.rules.rules_section import RulesSection
from app.ui.pages.settings.sections import AppearanceSection, DraftingSection, SettingsForm
from app.ui.pages.settings.settings_table import SettingsSearch, SettingTexts
from app.ui.session.session_store import PageState
from app.ui.theme.metrics import Space
from app.ui.widgets.factory import RoleFrame, button, column, put, row
from app.ui.widgets.split_view import Stack

FAINT = 0.5
SECTIONS = (
    "accounts", "model", "drafting", "automation", "sending", "calendar", "web", "rules", "profiles", "privacy", "reading",
    "notifications", "appearance", "about",
)  # fmt: skip
UNBOUND = ("rules", "profiles", "privacy", "about")
"""Sections that are not in the settings file: damage there does not lock them."""
LIST_SHARE = 0.34
"""Most of the page's width that whole titles of the sections take."""
Opening = Callable[[Path], object]
"""Opens a folder or file."""


def make_settings_page(context: Context) -> "SettingsPage":
    """Makes the page. The data folder is that of window.ini; paths are opened as `file:` URLs."""
    data = DataFolder(Path(context.state.fileName()).parent)
    return SettingsPage(context, data, program_version, lambda path: context.open_link(QUrl.fromLocalFile(str(path)).toString()))


def program_version() -> str:
    """The installed version; "0.1.0+source" in a source tree."""
    try:
        return version("replyroom")
    except PackageNotFoundError:
        return "0.1.0+source"


class SettingsPage(Page):
    """Builds each section when it is first opened.

    `open_path` opens a folder or file in the system's program. `version_words()` looks up the version.
    """

    def __init__(self, context: Context, data: DataFolder, version_words: Callable[[], str], open_path: Opening) -> None:
        super().__init__(context, "settings", "")
        self.title = self.tr("Settings")
        self.setAccessibleName(self.title)
        self._data, self._open_path = data, open_path
        self.writer = SettingsWriter(context.link, self)
        self._version_words = version_words
        self.sections: dict[str, Form] = {}
        self._connections: dict[AccountId, ConnectionChanged] = {}
        self.shown = "model"
        self._areas: dict[str, QScrollArea] = {}
        self._settings = Settings()
        self._locked = self._is_read = False
        self._texts = SettingTexts(self)
        places = [Place(*section) for section in self._texts.sections()]
        self.search = SettingsSearch(self._texts, context.icons)
        self.search.chosen.connect(self.show_setting)
        self.list = Navigation(context.appearance, context.icons, places, self.tr("Sections of the settings"), Space.XLARGE)
        self.stack = Stack()
        self.look_again = button(self.tr("Check again"), "", self._reload)
        self.broken = FileErrorNotice(open_path, self.look_again)
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(lambda _path: self.touch())
        self._watcher.directoryChanged.connect(lambda _path: self.touch())
        self._lay_out()
        self.list.went.connect(self.show_section)
        self.search.searching.connect(lambda on: self.list.setVisible(not on))

    def _make_section(self, name: str) -> Form:
        """Makes a section: one of its own kind, or rows of settings."""
        context, writer = self.context, self.writer
        makers: dict[str, Callable[[], Form]] = {
            "accounts": lambda: AccountsSection(writer, context),
            "model": lambda: ModelSection(writer, context.link, context.icons),
            "drafting": lambda: DraftingSection(writer, context),
            "sending": lambda: SendingSection(writer, context),
            "calendar": lambda: ServicesSection(writer, context),
            "rules": lambda: RulesSection(writer, context, self._open_path),
            "profiles": lambda: ProfilesSection(writer, context, self._open_path),
            "privacy": lambda: PrivacySection(writer, context),
            "appearance": lambda: AppearanceSection(writer, context),
            "about": lambda: AboutSection(writer, self._data, self._version_words(), self._open_path),
        }
        if name in makers:
            return makers[name]()
        title = next(title for known, title, _icon in self._texts.sections() if known == name)
        rows = [key for key in self._texts.settings() if key.startswith(f"{name}.")]
        if name == "automation":
            rows += ["drafting.answer_route", "drafting.meeting_route", "drafting.mark_ignored_read", "assistant.run_at_once"]
        return SettingsForm(writer, context.icons, title, self._texts.intros().get(name, ""), rows)

    def _lay_out(self) -> None:
        host = QWidget()
        host.setProperty("role", "surface")
        above = QWidget()
        put(column(above, (Space.XLARGE, Space.XLARGE, Space.XLARGE, 0), 0), self.broken)
        self._above = above
        put(column(host, 0, 0), above, (self.stack, 1))
        self._left = left = RoleFrame("side")
        put(column(left, (0, Space.LARGE, 0, 0)), self.search, (self.list, 1))
        put(row(self, 0, 0), left, (host, 1))
        above.hide()

    def show_section(self, name: str) -> None:
        """Opens a section, which is built at the first call."""
        self._build_section(name)
        if name not in self._areas:
            self._areas[name] = scrolled(self.sections[name])
            self.stack.addWidget(self._areas[name])
            self._show_locked(name)
            self._restore_typed()
        self.shown = name
        self.moved.emit()
        self.stack.setCurrentWidget(self._areas[name])
        self.list.mark(name)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.list.fit(Space.XLARGE, round(event.size().width() * LIST_SHARE))
        self._left.setFixedWidth(self.list.width())  # also while a search hides the list

    def _build_section(self, name: str) -> None:
        if name not in self.sections:
            form = self.sections[name] = self._make_section(name)
            form.show_values(self._settings)
            for event in self._connections.values():
                form.hear(event)
            form.moved.connect(self.moved)

    def show_setting(self, section: str, key: str) -> None:
        """Opens a section and focuses a setting in it; a key without a row only opens it."""
        self.show_section(section)
        field = self.sections[section].fields.get(key)
        if field is not None:
            field.control.field.setFocus()
            self._areas[section].ensureWidgetVisible(field.control.widget, 0, Space.HUGE)

    def save_state(self) -> PageState:
        """The open section and all unsaved text, that of sections not built yet included."""
        state: PageState = {**self._back_to, "section": self.shown}
        for form in self.sections.values():
            state |= form.save_state()
        return state

    def restore_state(self, state: PageState) -> None:
        """Takes the saved section, which is built when it is shown. Its text is restored once the values are read."""
        super().restore_state(state)
        name = state.get("section")
        if isinstance(name, str) and name in SECTIONS:
            self.shown = name

    def _return(self) -> None:
        self._restore_typed()

    def _restore_typed(self) -> None:
        if self._is_read:
            for form in self.sections.values():
                self._back_to = form.restore_state(self._back_to)

    def begin_rule(self, rule: RoutingRule, back: Callable[[], object]) -> None:
        self.show_section("rules")
        cast(RulesSection, self.sections["rules"]).begin(rule, back)

    def refresh(self) -> None:
        try:
            settings = load(self._data.settings)
        except BadFile as error:
            self._lock(error)
            return
        self._unlock(settings)

    def concerned_by(self, event: Event) -> bool:
        return changes_settings(event)

    def hear(self, event: Event) -> None:
        """Passes events to the writer and the sections, also while hidden.

        Connection states are kept for sections that are built later.
        """
        if isinstance(event, ConnectionChanged):
            self._connections[event.account_id] = event
        super().hear(event)
        self.writer.hear(event)
        for section in self.sections.values():
            section.hear(event)

    def steps_ahead(self) -> tuple[Callable[[], object], ...]:
        """Shows the section that is open when a step is taken: the user may have opened another one meanwhile."""
        return lambda: self._build_section(self.shown), lambda: self.show_section(self.shown)

    def showEvent(self, event: QShowEvent) -> None:
        self.show_section(self.shown)
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Saves typed values at once, because the page is left or the program ends."""
        super().hideEvent(event)
        for section in self.sections.values():
            section.settle()
        self.writer.send_now()

    def says(self, event: Event) -> bool:
        """Whether the key's field shows this failure, or the notice above rules or profiles this error of the rules file."""
        if isinstance(event, CommandFailed) and event.command == StoreKey.__name__:
            return self.isVisible() and self.shown == "model"
        here = self.isVisible() and self.shown in ("rules", "profiles")
        if not here or not isinstance(event, ErrorReported) or event.code != BadFile.code:
            return False
        return event.text.place.startswith(f"{self._data.rules}:")

    def take_focus(self) -> None:
        self.list.setFocus()

    def _reload(self) -> None:
        """Reads the settings file and the accounts again."""
        self.touch()
        if "accounts" in self.sections:
            cast(AccountsSection, self.sections["accounts"]).refresh()

    def _lock(self, error: BadFile) -> None:
        rest = self.tr("Nothing can be changed here until you fix it.")
        self.broken.show_error(self._data.settings, FileError(error.line, error.text), rest)
        self._above.show()
        self._set_locked(True)
        watched = [str(path) for path in (self._data.settings, self._data.root) if path.exists()]
        self._watcher.addPaths(watched)

    def _unlock(self, settings: Settings) -> None:
        for paths in (self._watcher.files(), self._watcher.directories()):
            if paths:
                self._watcher.removePaths(paths)
        self._above.hide()
        self._set_locked(False)
        self._settings, self._is_read = settings, True
        self.writer.read(settings)
        for form in self.sections.values():
            form.show_values(settings)

    def _set_locked(self, locked: bool) -> None:
        self._locked = locked
        for name in self.sections:
            self._show_locked(name)

    def _show_locked(self, name: str) -> None:
        form = self.sections[name]
        if name in UNBOUND or form.isEnabled() is not self._locked:
            return
        form.setEnabled(not self._locked)
        faint = QGraphicsOpacityEffect(form)
        faint.setOpacity(FAINT)
        faint.setEnabled(self._locked)
        form.setGraphicsEffect(faint)
