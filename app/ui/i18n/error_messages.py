"""One translated sentence for each error code. It says what happened, what was kept and what to do. With several accounts the
sentence begins with the account's address.
"""

from PySide6.QtCore import QCoreApplication

from app.domain.error_texts import NO_TEXT, ErrorText
from app.domain.errors import ExpectedError
from app.domain.ids import AccountId
from app.domain.mail.message import GMAIL
from app.domain.ports.window import MailboxReader
from app.domain.protocol.events import CommandFailed
from app.ui.i18n.translation import QT_TRANSLATE_NOOP

DETAILED = frozenset(
    {
        "bad_file",
        "refused",
        "rejected",
        "model_unavailable",
        "keyring_unavailable",
        "store_restored",
        "store_copied",
        "slow_pattern",
        "wipe_unclear",
        "file_gone",
        "sign_in_ending",
        "sign_in_testing",
        "trouble",
        "bug",
    }
)
"""Codes whose text is shown to the user."""

SENTENCES: dict[str, str] = {
    "trouble": QT_TRANSLATE_NOOP("Trouble", "Something went wrong; nothing was lost."),
    "offline": QT_TRANSLATE_NOOP(
        "Trouble", "The mail server cannot be reached. Everything stays queued and goes out when you are online."
    ),
    "intercepted": QT_TRANSLATE_NOOP(
        "Trouble",
        "Something between here and the mail server answers in its place, and is not believed. If this network wants a sign-in, "
        "open any page in the browser.",
    ),
    "login_needed": QT_TRANSLATE_NOOP("Trouble", "Google wants you to sign in again. Nothing is sent or fetched until then."),
    "sign_in_cancelled": QT_TRANSLATE_NOOP("Trouble", "Sign-in cancelled."),
    "sign_in_ending": QT_TRANSLATE_NOOP(
        "Trouble",
        "Google ends a sign-in within a day, since the consent screen is in testing. Sign in again in Settings, Accounts.",
    ),
    "sign_in_testing": QT_TRANSLATE_NOOP(
        "Trouble",
        "Google ended a sign-in after 7 days, since the consent screen is in testing. Publish it, then sign in again.",
    ),
    "quota_reached": QT_TRANSLATE_NOOP(
        "Trouble", "Google's quota is used up for the moment. Work goes on by itself when it opens again."
    ),
    "permission_missing": QT_TRANSLATE_NOOP(
        "Trouble", "Google does not allow this for your account. Sign in again and grant every permission."
    ),
    "api_off": QT_TRANSLATE_NOOP(
        "Trouble",
        "The API is not enabled in your Google project. Enable it in Google's console, wait a few minutes, and try again.",
    ),
    "policy_forbids": QT_TRANSLATE_NOOP(
        "Trouble", "Your organisation does not let this program in. Only its administrator can allow it."
    ),
    "not_found": QT_TRANSLATE_NOOP("Trouble", "This is no longer on the server."),
    "cursor_expired": QT_TRANSLATE_NOOP(
        "Trouble", "The mailbox changed too much since the last sync; it is being compared anew."
    ),
    "server_trouble": QT_TRANSLATE_NOOP(
        "Trouble", "The mail server has trouble. Reading is tried again by itself; nothing is sent twice."
    ),
    "rejected": QT_TRANSLATE_NOOP("Trouble", "The mail server refused this; trying again would not help."),
    "model_unavailable": QT_TRANSLATE_NOOP(
        "Trouble", "The language model does not answer. Check its settings; drafting goes on without it."
    ),
    "cap_reached": QT_TRANSLATE_NOOP(
        "Trouble", "A cap on model calls is reached. Raise it in Settings, or wait until the day or month is over."
    ),
    "paused": QT_TRANSLATE_NOOP("Trouble", "The agents are paused. What they were doing goes on when you let them."),
    "keyring_unavailable": QT_TRANSLATE_NOOP(
        "Trouble", "No safe keyring answers on this computer, so the secret was not stored."
    ),
    "disk_full": QT_TRANSLATE_NOOP("Trouble", "The disk is full. Nothing was half written; free some space and try again."),
    "store_too_new": QT_TRANSLATE_NOOP(
        "Trouble", "This mailbox was written by a newer Replyroom. It was not touched; update the program."
    ),
    "store_damaged": QT_TRANSLATE_NOOP(
        "Trouble", "The mailbox file is damaged. It is kept as it is while a good copy takes its place."
    ),
    "store_restored": QT_TRANSLATE_NOOP("Trouble", "The mailbox file was damaged and has been replaced."),
    "store_copied": QT_TRANSLATE_NOOP(
        "Trouble", "The mailbox file is a copy, put in its place by hand or brought from another computer."
    ),
    "index_lost": QT_TRANSLATE_NOOP(
        "Trouble", "What Replyroom looks up for drafts was damaged. It is built anew from your mail; nothing else is affected."
    ),
    "already_running": QT_TRANSLATE_NOOP("Trouble", "Another Replyroom works in this data folder. Close it first."),
    "bad_file": QT_TRANSLATE_NOOP("Trouble", "A file has a mistake and was not used."),
    "wipe_unclear": QT_TRANSLATE_NOOP(
        "Trouble",
        "An account was to be forgotten, but the note that says which cannot be read, so nothing was deleted. Forget the account "
        "again in Settings, Accounts. If none was to be forgotten, delete the file that is named here.",
    ),
    "file_gone": QT_TRANSLATE_NOOP(
        "Trouble",
        "The mail that this file came with is gone, so the file was taken off the letter. Attach it from elsewhere before you "
        "send.",
    ),
    "draft_simplified": QT_TRANSLATE_NOOP(
        "Trouble",
        "Words, bold, italic, links, lists and quotes of this draft were taken over. Some of its other formatting was left out; "
        "the draft in Gmail keeps it until you change something here.",
    ),
    "slow_pattern": QT_TRANSLATE_NOOP(
        "Trouble", "A header pattern of a rule takes too long and counts as no match. Simplify it in Settings, Rules."
    ),
    "stale_decision": QT_TRANSLATE_NOOP("Trouble", "This draft changed meanwhile, so nothing was decided. Look at it once more."),
    "open_slots": QT_TRANSLATE_NOOP("Trouble", "The draft still has open places. Fill or remove them first."),
    "refused": QT_TRANSLATE_NOOP("Trouble", "This is not possible now; nothing was changed."),
    "link_broken": QT_TRANSLATE_NOOP("Trouble", "The engine answered nonsense and was restarted. Nothing was lost."),
    "engine_ended": QT_TRANSLATE_NOOP(
        "Trouble", "What you asked for ended the engine several times, so it is not tried again. Look at it once more."
    ),
    "link_closed": QT_TRANSLATE_NOOP("Trouble", "The engine is not running; it is being restarted."),
    "bug": QT_TRANSLATE_NOOP("Trouble", "A fault of Replyroom's own. It is in the log; nothing was lost."),
}
"""English sentences by code. A test checks that every error class has one."""


def translated(text: ErrorText) -> str:
    return text.translated(lambda template: QCoreApplication.translate("", template))


def sentence(code: str, text: ErrorText = NO_TEXT) -> str:
    """Translated sentence of a code, with the text of the error where it helps."""
    known = QCoreApplication.translate("Trouble", SENTENCES.get(code, SENTENCES["trouble"]))
    return f"{known} {translated(text)}".strip() if code in DETAILED or code not in SENTENCES else known


def said(code: str, text: ErrorText) -> str:
    return translated(text) if text else sentence(code)


def refused(event: CommandFailed, reader: MailboxReader) -> str:
    return named(sentence(event.code, event.text), event.account_id, reader)


def named(words: str, account_id: AccountId, reader: MailboxReader) -> str:
    """Prefixes a sentence with the account's address, if there are several. Unchanged while the database cannot be read."""
    try:
        signed_in = {one.id: one.email for one in reader.accounts() if one.kind == GMAIL}
    except ExpectedError:
        return words
    email = signed_in.get(account_id)
    if email is None or len(signed_in) < 2:
        return words
    return QCoreApplication.translate("Whose", "%1: %2").replace("%1", email).replace("%2", words)
