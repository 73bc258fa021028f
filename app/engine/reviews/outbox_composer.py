"""Composes the exact bytes of an approved draft or meeting and their outbox row, before the transaction that approves it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import uuid4

from app.domain.drafting.draft import Draft
from app.domain.drafting.meeting import busy_times, event_id, meeting_from
from app.domain.drafting.review import Review
from app.domain.errors import NotAllowed, NotFound
from app.domain.ids import GmailId, GmailThreadId, MessageId, ThreadId
from app.domain.mail.message import Message, SystemLabel
from app.domain.mail.outbox import HoldReason, OutboxKind
from app.domain.mail.recipients import own_addresses
from app.domain.record import Record
from app.engine.letters.letter_editor import contents, newest
from app.engine.runtime.tables import Tables
from app.store.outbox import NewOutbox
from app.store.requests.artifacts import ArtifactFolder

STALE = frozenset({HoldReason.NEWER_MAIL.value, HoldReason.ANSWERED_ELSEWHERE.value, HoldReason.THREAD_GONE.value})
"""Hold reasons about the conversation, which the user has then seen."""


class OutboxComposer(Record):
    """Makes outbox rows. Synchronous, call it off the loop."""

    tables: Tables
    artifacts: ArtifactFolder

    def item(self, review: Review, draft: Draft, kind: OutboxKind, not_before: datetime) -> NewOutbox:
        """The row for an approved `draft` of `review`. A draft that answers no mail belongs to no conversation.

        Raises `NotAllowed` for what cannot be composed, or `NotFound`.
        """
        account = self.tables.accounts.get(review.proposal.account_id)
        original = self._original(draft.reply_to)
        marker = f"<{uuid4()}@replyroom.invalid>"
        from app.mail.compose.letter import compose_draft  # imported when the first mail is composed

        mime = compose_draft(draft, account, original, marker, self.tables.clock(), contents(draft, self.artifacts))
        return NewOutbox(
            account_id=account.id,
            review_id=review.id,
            kind=kind,
            thread_id=original.thread_id if original else ThreadId(max(review.proposal.thread_id, 0)),
            gmail_thread_id=original.gmail_thread_id if original else GmailThreadId(""),
            to=", ".join(address.email for address in draft.recipients),
            subject=draft.subject,
            mime=mime,
            marker=marker,
            expected_tip=self._seen_tip(review, original) if original else GmailId(""),
            not_before=not_before,
        )

    def meeting(self, review: Review, arguments: Mapping[str, Any], not_before: datetime) -> NewOutbox:
        """The row for an approved meeting of `review`.

        Its id depends only on run, review and revision, so that one approval never makes two events. Raises `NotAllowed` for
        arguments that describe no meeting of this account, or `NotFound`.
        """
        about = review.proposal
        meeting = meeting_from(arguments)
        account = self.tables.accounts.get(about.account_id)
        if meeting.organizer not in own_addresses(account):
            raise NotAllowed(f"organizer_email: {meeting.organizer} is not an address of this account.")
        marker = event_id(about.run_id, review.id, review.revision)
        from app.mail.compose.meeting import compose_event  # imported when the first meeting is composed

        payload = compose_event(meeting, marker, busy_times(about.tools))
        message = self.tables.messages.get(about.message_id)
        return NewOutbox(
            account_id=account.id,
            review_id=review.id,
            kind=OutboxKind.CALENDAR,
            thread_id=about.thread_id,
            gmail_thread_id=message.gmail_thread_id,
            to=", ".join(meeting.guests),
            subject=meeting.title,
            mime=payload,
            marker=marker,
            not_before=not_before,
        )

    def _original(self, message_id: MessageId) -> Message | None:
        """The message answered, None for a new mail. Raises `NotFound` if it is gone, since a reply needs its conversation."""
        if not message_id:
            return None
        try:
            return self.tables.messages.get(message_id)
        except NotFound as error:
            raise NotFound("The mail this draft answers is gone from the mailbox.", "Write a new mail instead.") from error

    def _seen_tip(self, review: Review, original: Message) -> GmailId:
        """The newest message of the conversation, by the server's dates, that existed when the review was made.

        The user has to see later messages first, unless they are why an earlier item of this review was held.
        """
        earlier = self.tables.outbox.for_review(review.id)
        if earlier is not None and any(step.reason in STALE for step in self.tables.outbox.steps(earlier.id)):
            return newest(self.tables, original.thread_id) or original.gmail_id
        seen = [
            one
            for one in self.tables.messages.thread(original.thread_id)
            if SystemLabel.DRAFT not in one.labels and (_seen(one, review) or one.id == original.id)
        ]
        return seen[-1].gmail_id if seen else original.gmail_id


def _seen(message: Message, review: Review) -> bool:
    """Whether the message was stored when the review was made. Ids only rise, so a wrong clock of this machine does not
    matter.
    """
    return message.id <= review.seen_upto if review.seen_upto else message.date <= review.created_at
