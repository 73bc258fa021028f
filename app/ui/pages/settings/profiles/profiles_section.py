"""The Profiles section: one agent profile at a time in its form, and beside it a trial on a message."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QBoxLayout, QComboBox, QPlainTextEdit, QWidget

from app.config.paths import resource
from app.domain.agents.tools import AgentProfile, hidden
from app.domain.ids import MessageId, ThreadId
from app.domain.ports.window import MailView
from app.domain.protocol.agent_commands import (
    AllowServer,
    AllowTool,
    ForbidServer,
    ProfilesAnswer,
    ProfileTried,
    ReadProfiles,
    RemoveProfile,
    RestoreProfiles,
    SaveProfile,
    TryProfile,
)
from app.domain.protocol.events import CommandFailed, EngineReady, ProfilesChanged, RulesChanged
from app.domain.record import replace
from app.domain.wire import Event
from app.ui.context import Context
from app.ui.i18n.error_messages import said
from app.ui.pages.settings.form import FileErrorNotice, FreeForm, SettingsWriter
from app.ui.pages.settings.profiles.profile_editor import NEW, ProfileEditor, profile_of
from app.ui.pages.settings.profiles.tool_server import tried_words
from app.ui.services.async_task import EngineQuestion, loop_runs
from app.ui.services.notices import ErrorNotice, said_of, tell_discarded
from app.ui.session.session_store import PageState
from app.ui.theme.metrics import Space, Type, at_text_size
from app.ui.widgets.containers import FlowRow
from app.ui.widgets.factory import button, column, label, named, put, row, say_or_hide
from app.ui.widgets.form_controls import ChoiceBox

MAILS = 30
LINES = 12
SUBJECT = 80


class ProfileTrial(QWidget):
    """Tries a profile, saved or not, on one of the newest inbox messages. The model is called, but nothing is changed."""

    def __init__(self, context: Context, profile: Callable[[], AgentProfile]) -> None:
        super().__init__()
        self._context, self._profile = context, profile
        self._shown = ""
        self._query = EngineQuestion(context.link, self)
        self.mail = ChoiceBox(context.icons, self.tr("Email to try the profile on"))
        self.mail.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.mail.setMinimumContentsLength(20)
        self.start = button(self.tr("Try it"), "", self._toggle, turns=True)
        self.words = label("", wrap=True)
        self.words.hide()
        field = QPlainTextEdit(readOnly=True, tabChangesFocus=True)
        self.found = named(field, self.tr("What the agent did and would have done"))
        self.found.setFixedHeight(self.found.fontMetrics().lineSpacing() * LINES + Space.XLARGE)
        self.found.hide()
        hint = self.tr("Test run: the model is used, but nothing is changed, drafted or sent.")
        head = label(self.tr("Try it on an email"), Type.STRONG), label(hint, Type.CAPTION, "soft", wrap=True)
        column(self, 0, Space.SMALL, *head, put(row(), (self.mail, 1), self.start), self.words, self.found, 1)

    def show_profile(self, name: str) -> None:
        if name != self._shown:
            self._shown = name
            self._query.cancel()
            self._end_trial("", "")
        if not self.mail.count():
            self._fill()

    def _fill(self) -> None:
        """Lists the newest inbox conversations by their last received message."""
        reader = self._context.reader
        with ErrorNotice(self._context.notices):
            for thread_id in reader.thread_ids(MailView.INBOX, limit=MAILS):
                messages = [message for message in reader.messages(ThreadId(thread_id)) if not message.outgoing]
                if messages:
                    last = messages[-1]
                    self.mail.addItem(f"{last.sender.name or last.sender.email}: {last.subject}"[:SUBJECT], last.id)
        self.start.setEnabled(self.mail.count() > 0)

    def _toggle(self) -> None:
        if self._query.busy:
            self._query.cancel()
            self._end_trial("", "")
            return
        self.found.hide()
        say_or_hide(self.words, self.tr("The agent is working…"), "soft")
        self.start.setText(self.tr("Stop waiting"))
        query = TryProfile(self._profile(), MessageId(int(self.mail.currentData())))
        self._query.ask(query, self._answered, lambda error: self._end_trial(said(error.code, error.text), "danger"))

    def _answered(self, answer: ProfileTried) -> None:
        self._end_trial(answer.error, "danger")
        self.found.setPlainText(tried_words(answer))
        self.found.show()

    def _end_trial(self, words: str, tone: str) -> None:
        self.start.setText(self.tr("Try it"))
        say_or_hide(self.words, words, tone)
        if not words:
            self.found.hide()


SIDE_BY_SIDE = 860
"""Width in pixels at 100 % text size from which the trial is beside the form."""
COMMANDS = {one.__name__ for one in (AllowServer, AllowTool, ForbidServer, SaveProfile, RemoveProfile, RestoreProfiles)}
OPEN, TYPED = "profile.open", "profile.typed"
"""Keys of the edited profile in the page's state: the name of the one in force, and the fields."""
OFFERED_MS = 10_000


class ProfilesSection(FreeForm):
    """Shows one profile at a time. `open_path` opens a file in the system's editor."""

    def __init__(self, writer: SettingsWriter, context: Context, open_path: Callable[[Path], object]) -> None:
        words = self.tr(
            "Agents for mail that a rule sends to them. Whatever the prompt says, nothing is sent without your approval."
        )
        super().__init__(writer, self.tr("Profiles"), words)
        self._context = context
        self.now: ProfilesAnswer | None = None
        self._saving: AgentProfile | None = None
        self._removing: tuple[str, ProfilesAnswer] | None = None
        self._typed_before: PageState = {}
        self._query = EngineQuestion(context.link, self)
        self.file_error = FileErrorNotice(open_path)
        self.choice = ChoiceBox(context.icons, self.tr("Profile"))
        self.choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.choice.activated.connect(lambda _at: self._choose(str(self.choice.currentData())))
        self.make = button(self.tr("New profile"), "", lambda: self._open(NEW))
        self.copy = button(self.tr("Duplicate"), "", self._duplicate)
        self.switch = button("", "", self._switch, turns=True)
        self.delete = button(self.tr("Delete"), "danger", self._delete)
        self.discard = button(self.tr("Discard"), "link", self.give_up)
        words = self.tr("No profiles yet. A profile answers one kind of mail with its own prompt and tools.")
        self.empty = label(words, wrap=True)
        self.editor = ProfileEditor(context, self._save, self.give_up, open_path)
        self.editor.edited.connect(self._edited)
        self.save = button(self.tr("Save"), "primary", self.editor.submit)
        self.trial = ProfileTrial(context, self.editor.written)
        self.shown = QWidget()
        self._sides = row(self.shown, 0, Space.XLARGE, (self.editor, 3), (self.trial, 2))
        self.error = label("", Type.BODY, "danger", wrap=True)
        self.error.hide()
        self.discard.hide()
        buttons = FlowRow([self.make, self.copy, self.switch, self.delete, self.discard], Space.SMALL)
        self.open_example = button(self.tr("Open the example"), "", lambda: open_path(resource("routing.example.yaml")))
        chosen, example = put(row(), (self.choice, 1), self.save), put(row(), self.open_example, 1)
        put(self.lines, self.file_error, chosen, self.empty, buttons, self.shown, self.error, example, 1)
        self._show()

    def fit(self, width: int) -> None:
        """Places the trial beside the form, or below it if `width` pixels are too few."""
        wide = width >= at_text_size(SIDE_BY_SIDE)
        self._sides.setDirection(QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.read()

    def read(self) -> None:
        if loop_runs():
            self._query.ask(ReadProfiles(), self._answered, lambda error: self._refuse(said_of(error, self._context.reader)))

    def save_state(self) -> PageState:
        if self.now is None or not self.editor.changed:
            return self._typed_before
        return {OPEN: self._open_name, TYPED: self.editor.saved_text()}

    def restore_state(self, state: PageState) -> PageState:
        """Takes a profile that was edited; it is shown once the profiles are read."""
        self._typed_before |= {key: value for key, value in state.items() if key in (OPEN, TYPED)}
        self._restore_before()
        return {key: value for key, value in state.items() if key not in (OPEN, TYPED)}

    def hear(self, event: Event) -> None:
        waits = self._saving is not None or self._removing is not None
        if isinstance(event, RulesChanged | ProfilesChanged | EngineReady) and (self.isVisible() or waits):
            self.read()
        elif isinstance(event, CommandFailed) and event.command in COMMANDS:
            self._saving = self._removing = None
            mine = event.command == SaveProfile.__name__ and self.editor.changed
            (self.editor.refuse if mine else self._refuse)(said(event.code, event.text))
            found = self._named(self._open_name)
            if found is not None:
                self.editor.rebase(found)
            self.read()

    def give_up(self) -> None:
        """Discards what is edited; the notice can restore it."""
        self._choose(self._open_name)

    @property
    def _open_name(self) -> str:
        """The name of the profile in force that is open, empty for a new one."""
        return self.editor.opened.name

    def _profiles(self) -> tuple[AgentProfile, ...]:
        return self.now.profiles if self.now is not None else ()

    def _named(self, name: str) -> AgentProfile | None:
        return next((one for one in self._profiles() if one.name == name), None)

    def _answered(self, answer: ProfilesAnswer) -> None:
        before, self.now = self.now, answer
        self._refuse("")
        if before is None or not self.editor.changed or self._is_saved():
            shown = self._saving.name if self._saving is not None else self.choice.currentData()
            self._show_list(str(shown or ""))
        else:
            found = self._named(self._open_name)
            if found is not None and replace(found, enabled=self.editor.opened.enabled) == self.editor.opened:
                self.editor.rebase(found)
            self.editor.stand(answer)
        self._show()
        self._tell_done()
        self._restore_before()

    def _is_saved(self) -> bool:
        """Whether the profile on its way to the file is in force."""
        if self._saving is None:
            return False
        wanted, found = hidden(self._saving), self._named(self._saving.name)
        return found is not None and replace(found, system_prompt_file=wanted.system_prompt_file) == wanted

    def _tell_done(self) -> None:
        """Says that a profile was saved or deleted, and offers the way back."""
        if self.now is None:
            return
        words = name = ""
        if self._saving is not None and self._is_saved():
            name, self._saving = self._saving.name, None
            words = self.tr("The profile “%1” is saved.")
        elif self._removing is not None and self._named(self._removing[0]) is None:
            (name, before), self._removing = self._removing, None
            words = self.tr("The profile “%1” was deleted.")
            if rules := sum(rule.profile == name for rule in before.rules):
                words = self.tr("The profile “%1” and its %n rule(s) were deleted.", "", rules)
        if words:
            undo = partial(self._context.link.send, RestoreProfiles(self.now.fingerprint))
            self._context.notices.tell(words.replace("%1", name), self.tr("Undo"), undo, OFFERED_MS)

    def _refuse(self, words: str) -> None:
        say_or_hide(self.error, words)

    def _show_list(self, name: str) -> None:
        """Fills the list of profiles and opens one of them: `name`, else the first."""
        self.choice.clear()
        for profile in self._profiles():
            off = self.tr("%1 (off)").replace("%1", profile.name)
            self.choice.addItem(profile.name if profile.enabled else off, profile.name)
        found = self._named(name) or next(iter(self._profiles()), None)
        if found is not None:
            self._open(found)

    def _choose(self, name: str) -> None:
        """Opens a profile in force; the notice can restore what is edited."""
        if self.editor.changed:
            undo = partial(self._restore_typed, self._open_name, self.editor.written())
            tell_discarded(self._context.notices, self.tr("Undo"), undo, OFFERED_MS)
        self._show_list(name)
        self._show()

    def _open(self, profile: AgentProfile) -> None:
        if self.now is None:
            return
        if profile == self.editor.opened and profile is not NEW and not self.editor.changed:
            self.editor.stand(self.now)
        else:
            self.editor.show_profile(profile, self.now, self._context.settings().model)
        new = profile.system_prompt_file == Path()
        if new and self.choice.findData("") < 0:
            self.choice.addItem(self.tr("New profile"), "")
        self.choice.setCurrentIndex(self.choice.findData("" if new else profile.name))
        self.trial.show_profile(profile.name)
        self._show()
        if new and self.isVisible():
            self.editor.name.setFocus()

    def _duplicate(self) -> None:
        taken = {one.name for one in self._profiles()}
        whole = self.editor.written()
        name = next(name for number in range(2, 1000) if (name := f"{whole.name}-{number}") not in taken)
        self._open(NEW)
        self.editor.put_back(replace(whole, name=name, enabled=True))

    def _switch(self) -> None:
        found = self._named(self._open_name)
        if found is not None:
            self._context.link.send(SaveProfile(replace(found, enabled=not found.enabled), found))

    def _delete(self) -> None:
        if self.now is not None and self._open_name:
            self._removing = self._open_name, self.now
            self._context.link.send(RemoveProfile(self._open_name, self.now.fingerprint))

    def _save(self) -> None:
        written, opened = self.editor.written(), self.editor.opened
        self._saving = written
        self._context.link.send(SaveProfile(written, opened if self._open_name else None))

    def _edited(self) -> None:
        self.save.setEnabled(self.editor.ready)
        self.discard.setVisible(self.editor.changed)
        self.moved.emit()

    def _restore_before(self) -> None:
        if self._typed_before and self.now is not None and not self.editor.changed:
            typed, self._typed_before = self._typed_before, {}
            profile = profile_of(str(typed.get(TYPED, "")))
            if profile is not None:
                self._restore_typed(str(typed.get(OPEN, "")), profile)

    def _restore_typed(self, name: str, profile: AgentProfile) -> None:
        """Opens the profile `name`, or a new one where it is gone, with this text in its fields."""
        self._open(self._named(name) or NEW)
        self.editor.put_back(profile)

    def _show(self) -> None:
        now = self.now
        some = bool(self._profiles())
        self.file_error.show_rules_error(Path(now.path) if now else Path(), now.error if now else None, some)
        sound = now is not None and now.error is None
        editing = some or self.choice.count() > 0
        self.empty.setVisible(sound and not editing)
        self.open_example.setVisible(sound and not editing)
        self.choice.setVisible(editing)
        self.save.setVisible(editing)
        self.shown.setVisible(editing)
        found = self._named(self._open_name)
        self.make.setEnabled(sound)
        self.make.setVisible(found is not None or not editing)
        for one in (self.copy, self.switch, self.delete):
            one.setVisible(found is not None)
            one.setEnabled(sound)
        self.switch.setText(self.tr("Turn on") if found is not None and not found.enabled else self.tr("Turn off"))
