"""Settings: the way to the table of keys, which is long and has a page of its own."""

from app.ui.build import action_button
from app.ui.context import Context
from app.ui.settings.form import Form
from app.ui.settings.writing import SettingsWriter


class KeysSection(Form):
    """Two buttons: the table, and the sheet."""

    def __init__(self, writer: SettingsWriter, context: Context) -> None:
        super().__init__(writer, self.tr("Keyboard shortcuts"), self.tr("Everything can be done by keys."))
        hint = self.tr("Keys as in Gmail or in desktop programs, or your own; each of them can be changed.")
        self.add_widget(self.tr("Your keys"), hint, action_button(context.actions["window.shortcuts"]))
        hint = self.tr("All keys in force on one sheet.")
        self.add_widget(self.tr("At a glance"), hint, action_button(context.actions["window.keys"]))
