"""The Templates page: a list of text templates and a form to edit one. `{{…}}` in a text is an open place, filled when it is
used.
"""

from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from app.domain.mail.letter import PLACE, TextTemplate
from app.domain.protocol.events import CommandFailed
from app.domain.protocol.letter_commands import DeleteTemplate, RestoreTemplate, SaveTemplate, TemplatesChanged
from app.domain.record import replace
from app.domain.wire import Event
from app.ui.actions import connect_actions
from app.ui.context import Context
from app.ui.lists.row_painter import RowPresentation
from app.ui.pages.base import RowsPage
from app.ui.session.session_store import PageState, long_number, type_again, typed_texts
from app.ui.theme.metrics import Space, Type
from app.ui.widgets.factory import STRETCH, action_button, column, label, named, put, row
from app.ui.widgets.split_view import Stack, listing

NEW = TextTemplate(0, "", "", "")
NAME_LENGTH = 40
Words = tuple[str, str, str]
"""Name, subject and text."""


class TemplatesPage(RowsPage[TextTemplate]):
    """Page to write text templates.

    Edits are saved when another template is selected and when the page is hidden. A template without a name gets the beginning of
    its text as name.
    """

    def __init__(self, context: Context) -> None:
        super().__init__(context, "templates", self.tr("Templates"))
        self._shown = NEW
        self._previous = NEW
        self._awaiting_id: Words | None = None
        self._deleted: set[int] = set()
        self.name_line, self.subject_line, self.text = QLineEdit(), QLineEdit(), QPlainTextEdit()
        self.text.setTabChangesFocus(True)
        self._form_stack = Stack(self._make_form(), self.state)
        listed = listing(self.title, self.list, [action_button(self.context.actions["templates.add"])])
        column(self).addWidget(self._split(listed, self._form_stack))
        self._form_stack.currentChanged.connect(lambda at: self.panes.show_empty(self.list, at == 1))
        handlers = {"templates.add": self.add, "templates.save": self.save, "templates.delete": self._delete}
        connect_actions(self, context, handlers)
        for field in (self.name_line, self.subject_line, self.text):
            field.textChanged.connect(self.moved)

    def refresh(self) -> None:
        """Reads again, without templates whose deletion is still on its way. A new one that was saved gets its id."""
        stored = self.context.reader.templates()
        for one in stored:
            words = (one.name.strip(), one.subject.strip(), one.body)  # as the engine stores them
            if one.id not in self._rows and one.id not in self._deleted and words == self._awaiting_id:
                self._awaiting_id, self._shown = None, replace(self._shown, id=one.id)
        self._deleted &= {one.id for one in stored}
        self._rows = {one.id: one for one in stored if one.id not in self._deleted}
        rows, at = list(self._rows.values()), max(self.list.current_row(), 0)
        self._set_ids(self._rows)
        writing = self.changed or self._awaiting_id is not None
        if not writing:
            self._show_template(self._rows.get(self._shown.id) or (rows[min(at, len(rows) - 1)] if rows else NEW))
        if self._shown.id in self._rows:
            self.list.select_row(self.model.row_of(self._shown.id), quiet=True)
        self._show_state(writing)

    def concerned_by(self, event: Event) -> bool:
        return isinstance(event, TemplatesChanged)

    def hear(self, event: Event) -> None:
        """Also reverts the local state when saving or deleting failed: the form counts as unsaved, and the stored templates are
        shown.
        """
        if isinstance(event, CommandFailed) and event.command == SaveTemplate.__name__:
            self._shown, self._awaiting_id = self._previous, None
            self._enable(editable=True)
        elif isinstance(event, CommandFailed) and event.command == DeleteTemplate.__name__:
            self._deleted.clear()
            self.touch()
        super().hear(event)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._save_changes()

    def take_focus(self) -> None:
        (self.list if self._rows else self).setFocus()

    @property
    def _typed(self) -> Words:
        return self.name_line.text(), self.subject_line.text(), self.text.toPlainText()

    @property
    def changed(self) -> bool:
        return self._typed != (self._shown.name, self._shown.subject, self._shown.body)

    def add(self) -> None:
        self._save_changes()
        self._show_template(NEW)
        self.list.clearSelection()
        self._show_state(writing=True)
        self.panes.show_detail()
        self.name_line.setFocus()

    def save(self) -> None:
        """Saves the form. If the name or the text is empty, gives that field the focus instead."""
        name, subject, body = self._typed
        if not name.strip() or not body.strip():
            (self.text if name.strip() else self.name_line).setFocus()
            self.context.notices.tell(self.tr("A template needs a name and text."))
            return
        words = (name.strip(), subject.strip(), body)
        self._previous, self._shown = self._shown, TextTemplate(self._shown.id, name, subject, body)
        self._awaiting_id = None if self._shown.id else words
        self.context.link.send(SaveTemplate(self._shown.id, *words))
        self._enable(editable=True)
        self.moved.emit()
        self.context.notices.tell(self.tr("Saved."))

    def _save_changes(self) -> None:
        words = self.text.toPlainText().split()
        if self.changed and words:
            if not self.name_line.text().strip():
                self.name_line.setText(" ".join(words)[:NAME_LENGTH])
            self.save()

    def _choose(self, key: int) -> None:
        template = self._rows.get(key)
        if template is not None:
            self._save_changes()
            self._show_template(template)

    def _delete(self) -> None:
        if not self._shown.id:
            typed = self._typed
            self._show_template(next(iter(self._rows.values()), NEW))
            self._show_state(writing=False)
            if any(typed):
                self.context.notices.tell(self.tr("Deleted."), self.tr("Undo"), lambda: self._write_again(typed))
            return
        self._save_changes()  # so that Undo restores the unsaved changes too
        gone = self._shown.id
        self._deleted.add(gone)
        self._show_template(NEW)
        self.context.link.send(DeleteTemplate(gone))
        self._refresh_now()
        self.context.notices.tell(self.tr("Deleted."), self.tr("Undo"), lambda: self._restore(gone))

    def _restore(self, gone: int) -> None:
        self._deleted.discard(gone)
        self.context.link.send(RestoreTemplate(gone))
        self.touch()

    def _write_again(self, words: Words) -> None:
        self.add()
        self._fill(words)

    def save_state(self) -> PageState:
        words = typed_texts(name=self.name_line, subject=self.subject_line, text=self.text)
        return self._back_to or {**super().save_state(), **({"id": self._shown.id, **words} if self.changed else {})}

    def _return(self) -> None:
        """Restores unsaved text after a restart, in a new template if its own is gone."""
        state = self._back_to
        super()._return()
        if "text" not in state:
            return
        template = self._rows.get(long_number(state, "id"))
        if template is None:
            self.add()
        else:
            self.list.select_row(self.model.row_of(template.id), quiet=True)
            self._show_template(template)
        type_again(state, name=self.name_line, subject=self.subject_line, text=self.text)

    def _show_template(self, template: TextTemplate) -> None:
        self._awaiting_id = None
        self._previous = template
        if self._shown != template or self.changed:  # setting the same text again would move the cursor
            self._shown = template
            self._fill((template.name, template.subject, template.body))

    def _fill(self, words: Words) -> None:
        self.name_line.setText(words[0])
        self.subject_line.setText(words[1])
        self.text.setPlainText(words[2])

    def _show_state(self, writing: bool) -> None:
        editable = bool(self._rows) or writing
        self._form_stack.setCurrentIndex(0 if editable else 1)
        self._enable(editable)
        if not editable:
            words = self.tr("Reusable text you can insert with two keys.")
            self.state.show_state("knowledge", self.tr("No templates yet"), words, self.tr("Add a template"), self.add)

    def _enable(self, editable: bool) -> None:
        """Enables Save and Delete, but not until the engine has given a new template its id."""
        for name in ("templates.save", "templates.delete"):
            self.context.actions[name].setEnabled(editable and self._awaiting_id is None)

    def _row(self, template: TextTemplate) -> RowPresentation:
        """The row of a template, open places in brackets. A subject equal to the name is left out."""
        name = template.name
        words, subject = _one_line(template.body), _one_line(template.subject)
        lines = (words, "") if subject in ("", name) else (subject, words)
        return RowPresentation(name, *lines, "", f"{name}, {words}", icon="knowledge")

    def _make_form(self) -> QWidget:
        form, actions = QWidget(), self.context.actions
        layout = column(form, Space.LARGE, Space.SMALL)
        for title, field in (
            (self.tr("Name"), self.name_line),
            (self.tr("Subject (if the message has none)"), self.subject_line),
            (self.tr("Text"), self.text),
        ):
            put(layout, label(title, Type.CAPTION, "soft"), named(field, title))
        hint = self.tr("{{price}} becomes a blank; {{first name}} is filled in for you.")
        buttons = (action_button(actions["templates.save"], "primary"), action_button(actions["templates.delete"]), STRETCH)
        put(layout, label(hint, Type.CAPTION, "soft", wrap=True), row(None, 0, Space.SMALL, *buttons))
        return form


def _one_line(text: str) -> str:
    return " ".join(PLACE.sub(lambda found: f"[{found.group(1)}]", text).split())[:160]
