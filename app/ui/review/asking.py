"""What the line under the desk asks for: changes to a draft, or the reason of a rejection with its common answers."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication

from app.domain.memory import SHARED_DOMAINS, Reason
from app.domain.ports.window import MailboxReader
from app.domain.review import Review
from app.ui.review.ask_bar import AskBar
from app.ui.review.words import respond_words

CHANGES, REASON = "changes", "reason"
"""What the line is open for."""


class Asking:
    """`respond` is called with what to change, `reject` with the words of a rejection and its reason."""

    def __init__(
        self,
        reader: MailboxReader,
        bar: AskBar,
        respond: Callable[[str], None],
        reject: Callable[[str, Reason], None],
    ) -> None:
        self._reader = reader
        self._bar = bar
        self._respond, self._reject = respond, reject
        self._offered: list[tuple[Reason, str]] = []

    def open(self, review: Review, asking: str) -> None:
        """Show the line for what to change, or for the reason of a rejection."""
        if asking == CHANGES:
            verb, hint = respond_words(review.proposal.kind)
            self._bar.ask(hint, verb, self._respond, required=True, purpose=CHANGES)
            return
        hint = QCoreApplication.translate("ReviewPage", "Why? (optional)")
        verb = QCoreApplication.translate("ReviewPage", "Reject")
        self._offered = self._never(review)
        options = [words for _reason, words in self._offered]
        suggestions = [
            words for words, why in common_reasons().items() if why is not Reason.NO_ANSWER or not review.proposal.starts
        ]
        self._bar.ask(hint, verb, self._rejected, required=False, suggestions=suggestions, options=options, purpose=REASON)

    def _rejected(self, text: str) -> None:
        """Reject with what was said and ticked."""
        ticked = self._bar.ticked
        never = self._offered[ticked][0] if ticked >= 0 else None
        self._reject(text, never or common_reasons().get(text, Reason.NONE))

    def _never(self, review: Review) -> list[tuple[Reason, str]]:
        """For whose mail no drafts may be wanted any more."""
        message = self._reader.message(review.proposal.message_id)
        if message is None:
            return []
        email, domain = message.sender.email, message.sender.domain
        words = QCoreApplication.translate("ReviewPage", "No more drafts for mail from %1")
        found = [(Reason.NEVER_SENDER, words.replace("%1", email))]
        if domain and domain not in SHARED_DOMAINS:
            words = QCoreApplication.translate("ReviewPage", "No more drafts for mail from anybody at %1")
            found.append((Reason.NEVER_DOMAIN, words.replace("%1", domain)))
        return found


def common_reasons() -> dict[str, Reason]:
    """Common reasons, in the window's language."""
    return {
        QCoreApplication.translate("ReviewPage", "No answer needed"): Reason.NO_ANSWER,
        QCoreApplication.translate("ReviewPage", "Wrong tone"): Reason.TONE,
        QCoreApplication.translate("ReviewPage", "Facts are wrong"): Reason.FACTS,
        QCoreApplication.translate("ReviewPage", "I will write it myself"): Reason.OWN_WORDS,
    }
