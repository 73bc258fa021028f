"""The Settings page: sections on the left, one form on the right.

Values follow the file. A damaged file locks the forms until it is repaired.
"""

from collections.abc import Callable
from pathlib import Path
from typing import cast

from PySide6.QtCore import QFileSystemWatcher, QUrl
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from app.config.paths import DataFolder
from app.config.settings import Settings, load
from app.domain.agents.routing import RoutingRule
from app.domain.errors import BadFile
from app.domain.ids import AccountId
from app.domain.protocol.agent_commands import FileError
from app.domain.protocol.commands import StoreKey
from app.domain.protocol.events import CommandFailed, ConnectionChanged, ErrorReported, SettingsChanged
from app.domain.wire import Event
from app.ui.context import Context
from app.ui.navigation.painter import Place
from app.ui.navigation.view import Navigation
from app.ui.pages.base import Page
from app.ui.pages.settings.about import AboutSection
from app.ui.pages.settings.accounts_section import AccountsSection
from app.ui.pages.settings.form import FileErrorNotice, Form, FormArea, SettingsWriter
from app.ui.pages.settings.google_sections import SendingSection, ServicesSection
from app.ui.pages.settings.model_section import ModelSection
from app.ui.pages.settings.privacy import PrivacySection
from app.ui.pages.settings.profiles.profiles_section import ProfilesSection
from app.ui.pages.settings.rules.rules_section import RulesSection
from app.ui.pages.settings.sections import AppearanceSection, DraftingSection, SettingsForm
from app.ui.pages.settings.settings_table import SettingsSearch, SettingTexts
from app.ui.session.session_store import PageState
from app.ui.theme.metrics import Space
from app.ui.widgets.factory import RoleFrame, button, column, row
from app.ui.widgets.split_view import Stack

UNBOUND = ("rules", "profiles", "privacy", "about")
"""Sections that are not in the settings file: damage there does not lock them."""
LIST_SHARE = 0.34
"""Most of the page's width that whole titles of the sections take."""


class SettingsPage(Page):
    """Builds each section when it is first opened."""

    def __init__(self, context: Context) -> None:
        super().__init__(context, "settings", "")
        self.title = self.tr("Settings")
        self.setAccessibleName(self.title)
        self._data = DataFolder(Path(context.state.fileName()).parent)  # that of window.ini
        self.writer = SettingsWriter(context.link, self)
        self.sections: dict[str, Form] = {}
        self._connections: dict[AccountId, ConnectionChanged] = {}
        self.shown = "model"
        self._areas: dict[str, FormArea] = {}
        self._settings = Settings()
        self._locked = self._is_read = False
        self._texts = SettingTexts(self)
        places = [Place(*section) for section in self._texts.sections()]
        self.search = SettingsSearch(self._texts, context.icons)
        self.search.chosen.connect(self.show_setting)
        self.list = Navigation(context.appearance, context.icons, places, self.tr("Sections of the settings"), Space.XLARGE)
        self.stack = Stack()
        self.look_again = button(self.tr("Check again"), "", self.touch)
        self.broken = FileErrorNotice(self._open_path, self.look_again)
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self.touch)
        self._watcher.directoryChanged.connect(self.touch)
        host, self._above, self._left = QWidget(), QWidget(), RoleFrame("side")
        host.setProperty("role", "surface")
        column(self._above, (Space.XLARGE, Space.XLARGE, Space.XLARGE, 0), 0, self.broken)
        column(host, 0, 0, self._above, (self.stack, 1))
        column(self._left, (0, Space.LARGE, 0, 0), Space.SMALL, self.search, (self.list, 1))
        row(self, 0, 0, self._left, (host, 1))
        self._above.hide()
        self.list.went.connect(self.show_section)
        self.search.searching.connect(lambda on: self.list.setVisible(not on))

    def _open_path(self, path: Path) -> None:
        """Opens a folder or file in the system's program."""
        self.context.open_link(QUrl.fromLocalFile(str(path)).toString())

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
            "about": lambda: AboutSection(writer, self._data, self._open_path),
        }
        if name in makers:
            return makers[name]()
        title = next(title for known, title, _icon in self._texts.sections() if known == name)
        rows = [key for key in self._texts.settings() if key.startswith(f"{name}.")]
        if name == "automation":
            rows += ["drafting.answer_route", "drafting.meeting_route", "drafting.mark_ignored_read", "assistant.run_at_once"]
        return SettingsForm(writer, context.icons, title, self._texts.intros().get(name, ""), rows)

    def show_section(self, name: str) -> None:
        """Opens a section, which is built at the first call."""
        self._build_section(name)
        if name not in self._areas:
            self._areas[name] = FormArea(self.sections[name])
            self.stack.addWidget(self._areas[name])
            self._show_locked(name)
            self._return()
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
        self.shown = next((known for known, *_words in self._texts.sections() if known == name), self.shown)

    def _return(self) -> None:
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
        if self._locked:
            self._watcher.removePaths([*self._watcher.files(), *self._watcher.directories()])
        self._set_locked(False)
        self._settings, self._is_read = settings, True
        self.writer.read(settings)
        for form in self.sections.values():
            form.show_values(settings)

    def concerned_by(self, event: Event) -> bool:
        return isinstance(event, SettingsChanged)

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

    def _lock(self, error: BadFile) -> None:
        rest = self.tr("Nothing can be changed here until you fix it.")
        self.broken.show_error(self._data.settings, FileError(error.line, error.text), rest)
        self._set_locked(True)
        self._watcher.addPaths([str(path) for path in (self._data.settings, self._data.root) if path.exists()])

    def _set_locked(self, locked: bool) -> None:
        self._locked = locked
        self._above.setVisible(locked)
        for name in self.sections:
            self._show_locked(name)

    def _show_locked(self, name: str) -> None:
        if name not in UNBOUND:
            self.sections[name].setEnabled(not self._locked)
