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
    "offline": QT_TRANSLATE_NOOP("Trouble", "You're offline. Everything is queued and will send when you're back."),
    "intercepted": QT_TRANSLATE_NOOP("Trouble", "This network may need a sign-in. Open any web page to connect."),
    "login_needed": QT_TRANSLATE_NOOP("Trouble", "Sign in to Google again to keep sending and receiving."),
    "sign_in_cancelled": QT_TRANSLATE_NOOP("Trouble", "Sign-in canceled."),
    "sign_in_ending": QT_TRANSLATE_NOOP(
        "Trouble",
        "Google will sign you out within a day because the consent screen is in testing mode. Sign in again in Settings "
        "> Accounts.",
    ),
    "sign_in_testing": QT_TRANSLATE_NOOP(
        "Trouble",
        "Google signed you out after 7 days because the consent screen is in testing mode. Publish it, then sign in again.",
    ),
    "quota_reached": QT_TRANSLATE_NOOP("Trouble", "Google's limit reached. Work resumes automatically when it resets."),
    "permission_missing": QT_TRANSLATE_NOOP(
        "Trouble", "Google does not allow this for your account. Sign in again and grant every permission."
    ),
    "api_off": QT_TRANSLATE_NOOP(
        "Trouble",
        "The API is not enabled in your Google project. Enable it in Google's console, wait a few minutes, and try again.",
    ),
    "policy_forbids": QT_TRANSLATE_NOOP("Trouble", "Your organization doesn't allow this program. Ask its administrator."),
    "not_found": QT_TRANSLATE_NOOP("Trouble", "This is no longer on the server."),
    "cursor_expired": QT_TRANSLATE_NOOP("Trouble", "Re-syncing your mailbox."),
    "server_trouble": QT_TRANSLATE_NOOP(
        "Trouble", "The mail server has a problem. Replyroom tries again automatically; nothing is sent twice."
    ),
    "rejected": QT_TRANSLATE_NOOP("Trouble", "The mail server rejected this. Trying again won't help."),
    "model_unavailable": QT_TRANSLATE_NOOP(
        "Trouble", "The language model isn't responding. Check its settings; drafting continues without it."
    ),
    "cap_reached": QT_TRANSLATE_NOOP("Trouble", "AI limit reached. Raise it in Settings or wait until it resets."),
    "paused": QT_TRANSLATE_NOOP("Trouble", "The assistant is paused. It picks up where it left off when you resume."),
    "keyring_unavailable": QT_TRANSLATE_NOOP("Trouble", "No keychain is available, so the key wasn't saved."),
    "disk_full": QT_TRANSLATE_NOOP("Trouble", "The disk is full. Free some space and try again. Nothing was lost."),
    "store_too_new": QT_TRANSLATE_NOOP(
        "Trouble", "This mailbox was written by a newer Replyroom. Update the program to open it."
    ),
    "store_damaged": QT_TRANSLATE_NOOP(
        "Trouble", "The mailbox file is damaged. It is being replaced with a good copy; the damaged file stays."
    ),
    "store_restored": QT_TRANSLATE_NOOP("Trouble", "The mailbox file was damaged and has been replaced."),
    "store_copied": QT_TRANSLATE_NOOP("Trouble", "The mailbox file was copied here by hand or from another computer."),
    "index_lost": QT_TRANSLATE_NOOP(
        "Trouble", "The smart-search index was damaged and is being rebuilt. Nothing else is affected."
    ),
    "already_running": QT_TRANSLATE_NOOP("Trouble", "Replyroom is already running with this data folder."),
    "bad_file": QT_TRANSLATE_NOOP("Trouble", "The file couldn't be used."),
    "wipe_unclear": QT_TRANSLATE_NOOP(
        "Trouble",
        "An account was to be removed, but the file that says which one can't be read, so nothing was deleted. Remove the "
        "account again in Settings > Accounts. If you didn't remove any, delete the file named here.",
    ),
    "file_gone": QT_TRANSLATE_NOOP(
        "Trouble", "The email this file came with is gone, so the attachment was removed. Attach it again before you send."
    ),
    "draft_simplified": QT_TRANSLATE_NOOP(
        "Trouble", "Some formatting of this draft can't be shown here. The draft in Gmail keeps it until you edit the draft here."
    ),
    "slow_pattern": QT_TRANSLATE_NOOP(
        "Trouble", "A header pattern of a rule is too slow and never matches. Simplify it in Settings > Rules."
    ),
    "stale_decision": QT_TRANSLATE_NOOP("Trouble", "This draft changed in the meantime, so nothing was decided. Check it again."),
    "open_slots": QT_TRANSLATE_NOOP("Trouble", "The draft still has blanks. Fill in or delete them first."),
    "refused": QT_TRANSLATE_NOOP("Trouble", "That can't be done right now."),
    "link_broken": QT_TRANSLATE_NOOP("Trouble", "Replyroom had to restart in the background. Nothing was lost."),
    "engine_ended": QT_TRANSLATE_NOOP(
        "Trouble", "This failed several times, so it isn't tried again. Check it and try once more."
    ),
    "link_closed": QT_TRANSLATE_NOOP("Trouble", "Replyroom is restarting in the background."),
    "bug": QT_TRANSLATE_NOOP("Trouble", "Something went wrong. Nothing was lost (details in the log)."),
}
"""English sentences by code. A test checks that every error class has one."""


def translated(text: ErrorText) -> str:
    return text.translated(lambda template: QCoreApplication.translate("", template))


def sentence(code: str, text: ErrorText = NO_TEXT) -> str:
    """Translated sentence of a code, with the text of the error where it helps. A refusal is its reason."""
    if code == "refused" and text:
        return translated(text)
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
