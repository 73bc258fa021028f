"""Settings: words on the desktop and when there are none, and whether the program stays in the tray."""

from app.ui.icons import Icons
from app.ui.settings import controls
from app.ui.settings.form import Form
from app.ui.settings.sections import hours
from app.ui.settings.writing import SettingsWriter


class NotificationsSection(Form):
    """Whether and when the desktop is told."""

    def __init__(self, writer: SettingsWriter, icons: Icons) -> None:
        words = self.tr("While the window is not in front: drafts to look at, sends that were stopped, a sign-in that ended.")
        super().__init__(writer, self.tr("Notifications"), words)
        hint = self.tr("They never show words of a mail.")
        self.add("notifications.shown", self.tr("On the desktop"), hint, controls.switch(self.tr("Show notifications")))
        self.add("notifications.quiet_from", self.tr("Quiet from"), "", hours(icons))
        hint = self.tr("The same time twice: no quiet hours.")
        self.add("notifications.quiet_to", self.tr("Quiet until"), hint, hours(icons))
        hint = self.tr("Days that are no working days of the calendar.")
        weekend = controls.switch(self.tr("Quiet on days off"))
        self.add("notifications.quiet_weekend", self.tr("Days off"), hint, weekend)
        hint = self.tr(
            "Then new mail comes in and approved mail leaves. Otherwise, and where the desktop has no tray, Replyroom ends."
        )
        in_tray = controls.switch(self.tr("Go on in the tray"))
        self.add("notifications.in_tray", self.tr("When the window is closed"), hint, in_tray)
