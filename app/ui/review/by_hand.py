"""From a draft on the desk to a letter of the owner's: for files, styles, another signature or another sender.

The review goes on waiting: it closes by itself once the owner's answer is in the conversation. Refuses drafts that are decided,
and mail that answers none.
"""

from uuid import uuid4

from app.domain.draft import Draft, SpanKind
from app.domain.ids import LetterId
from app.domain.letter import Letter, LetterKind, Style, StyleKind
from app.domain.review import Proposal, Review
from app.ui.context import Context


def go_on_by_hand(context: Context, review: Review | None, draft: Draft | None) -> None:
    """Open the draft as it stands on the desk where letters are written."""
    if review is not None and draft is not None and may_go_on(review, draft):
        context.navigator.show_letter(as_letter(review.proposal, draft))


def may_go_on(review: Review, draft: Draft | None) -> bool:
    """Whether the draft may become a letter: no answer would ever close the review of a new mail, which could be sent twice."""
    return bool(review.allowed) and draft is not None and not review.proposal.starts


def as_letter(proposal: Proposal, draft: Draft) -> Letter:
    """The same words to the same people; places left open stay open."""
    slots = tuple(Style(one.start, one.start, StyleKind.SLOT, one.note) for one in draft.spans if one.kind is SpanKind.OPEN_SLOT)
    kind = LetterKind.REPLY_ALL if draft.cc else LetterKind.REPLY
    return Letter(
        LetterId(str(uuid4())),
        proposal.account_id,
        kind,
        to=draft.to,
        cc=draft.cc,
        bcc=draft.bcc,
        subject=draft.subject,
        body=draft.body,
        styles=slots,
        about=draft.reply_to or proposal.message_id,
    )
