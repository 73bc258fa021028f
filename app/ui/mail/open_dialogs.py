"""The mail page's dialogs after a crash of the window: which label, and until when to snooze, for the same conversations."""

from functools import partial

from app.ui.mail.page import MailPage
from app.ui.mail.picking import pick_label
from app.ui.mail.snooze_menu import SnoozeDialog
from app.ui.returning_dialog import ReturningDialog, for_threads, keep_dialogs, threads_of
from app.ui.whereabouts import Spot


def keep_mail_dialogs(page: MailPage) -> None:
    """Let them come back, for the conversations that are still there."""

    def reopen(place: Spot) -> ReturningDialog | None:
        context = page.context
        wanted = threads_of(place)
        rows = context.reader.thread_rows(wanted)
        threads = [one for one in wanted if one in rows]
        if not threads:
            return None
        if place.get("kind") != "snooze":
            return pick_label(context, page.changing, threads, place.get("kind") == "move", page)
        dialog = SnoozeDialog(context.clock().astimezone(), partial(page.changing.snooze, threads=threads), page)
        dialog.again = for_threads("snooze", threads)
        dialog.open()
        return dialog

    keep_dialogs(page, reopen)
