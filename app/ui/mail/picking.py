"""Asking which label, for the conversations at hand when it was asked. Labels belong to an account; so does a choice of one."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from app.domain.ids import AccountId, ThreadId
from app.domain.mail import Label
from app.domain.ports.window import MailboxReader
from app.ui.context import Context
from app.ui.mail.changing import Changing
from app.ui.mail.label_picker import LabelPicker
from app.ui.returning_dialog import for_threads

SAMPLED = 200
"""Of so many selected conversations the labels are looked at."""


def pick_label(
    context: Context, changing: Changing, threads: Sequence[ThreadId], moving: bool, parent: QWidget
) -> LabelPicker | None:
    """Choose a label, or name a new one, and put it on `threads`, or move them there; None where they are gone."""
    reader = context.reader
    first = next(iter(reader.thread_rows(list(threads[:SAMPLED])).values()), None)
    if first is None:
        return None
    account_id = first.account_id
    own, whose = of_account(reader, threads, account_id)
    labels = [frozenset(one.labels) for one in reader.thread_rows(list(own[:SAMPLED])).values()]
    present = frozenset.intersection(*labels)

    def chosen(one: Label) -> None:
        if moving:
            changing.move(one.gmail_label_id, one.name, own)
        else:
            changing.put_label(one.gmail_label_id, one.name, one.gmail_label_id in present, own)

    words = QCoreApplication.translate("MailPage", "Move to") if moving else QCoreApplication.translate("MailPage", "Label")
    made = partial(changing.new_label, account_id, moving=moving, threads=own)
    title = " · ".join(filter(None, (words, whose)))
    picker = LabelPicker(title, reader.labels(account_id), present, chosen, made, parent)
    picker.again = for_threads("move" if moving else "label", own)
    picker.open()
    return picker


def of_account(reader: MailboxReader, threads: Sequence[ThreadId], account_id: AccountId) -> tuple[list[ThreadId], str]:
    """Those of one account, and its address; with a single account all, and no address."""
    accounts = reader.accounts()
    if len(accounts) < 2:
        return list(threads), ""
    owners = reader.accounts_of(threads)
    whose = next((one.email for one in accounts if one.id == account_id), "")
    return [one for one in threads if owners.get(one) == account_id], whose
