"""Deciding on reviews by keys alone: each kind in each of its ways; each way is taken back the first time and gone again."""

import time
from collections import Counter
from collections.abc import Callable

from app.domain.ids import ReviewId
from app.domain.review import Review, ReviewKind, ReviewStatus
from fakes.morning.outside import Outside
from fakes.morning.screen import AGAIN_S, PATIENCE_S, Hands, until

OURS = "Gladly so. "
ANSWER = "Blue it is."
GLANCE_S = 0.6
"""What has only just come up is not approved by one press."""


class Reviewing:
    """`done` counts kinds with what became of them, `undone` are the kinds with the way in which they were taken back once."""

    def __init__(self, hands: Hands, outside: Outside) -> None:
        self.hands, self.outside = hands, outside
        self.done: Counter[tuple[ReviewKind, ReviewStatus]] = Counter()
        self.undone: set[tuple[ReviewKind, str]] = set()
        self._turns: Counter[ReviewKind] = Counter()

    @property
    def saved(self) -> int:
        """How many became drafts in the end."""
        return self.done[ReviewKind.REPLY, ReviewStatus.SAVED_AS_DRAFT]

    @property
    def approved(self) -> int:
        """How many were approved in the end."""
        return sum(times for (_kind, status), times in self.done.items() if status is ReviewStatus.APPROVED)

    def decide_next(self) -> None:
        """What is on the desk, in its kind's next way; the first time there and back."""
        kind = (review := self.outside.item()).proposal.kind
        way = ways(kind)[self._turns[kind] % len(ways(kind))]
        self._turns[kind] += 1
        self.decide(review, way)

    def decide(self, review: Review, way: "Way") -> None:
        """In this way; the first time there and back."""
        kind, status = review.proposal.kind, self._go(way, review)
        if way in (answer, change_asked):  # the agents have it, and may have put the next draft up already
            status = ReviewStatus.ANSWERED
        elif (kind, way.__name__) not in self.undone:
            self._take_back(review)
            self.undone.add((kind, way.__name__))
            assert self._go(way, self.outside.review(review.id)) is status
        self.done[kind, status] += 1

    def _go(self, way: "Way", review: Review) -> ReviewStatus:
        """Decide; keys that came to nothing are pressed once more. Waits until another item is on the desk, if there is one."""
        for _ in range(3):
            time.sleep(GLANCE_S)
            way(self.hands, review)
            deadline = time.monotonic() + AGAIN_S * 3
            while self._waits(review) and time.monotonic() < deadline:
                time.sleep(0.1)
            if not self._waits(review):
                until(lambda: self._left(review), "another item")
                return self.outside.status(review)
            self.hands.press("Escape")
        raise AssertionError(f"{way.__name__} came to nothing: {review.proposal.kind} {review.id}")

    def _waits(self, review: Review) -> bool:
        now = self.outside.review(review.id)
        return now.status is ReviewStatus.PENDING and now.revision == review.revision

    def _left(self, review: Review) -> bool:
        """Another item is on the desk, or none waits."""
        return not self.outside.reader.review_ids() or self.outside.at("review", "row") != str(review.id)

    def _take_back(self, review: Review) -> None:
        self.hands.press("z")
        until(lambda: self.outside.status(review) is ReviewStatus.PENDING, f"the undo of {review.proposal.kind}")
        assert not self.outside.outgoing(review_id=review.id)
        until(lambda: self.outside.at("review", "row") == str(review.id), "the item on the desk again")

    def waiting(self, subject: str) -> ReviewId | None:
        """What waits about the mail of this subject."""
        for row in self.outside.reader.review_rows(self.outside.reader.review_ids()).values():
            if row.subject.endswith(subject):
                return row.id
        return None

    def go_to(self, subject: str) -> Review:
        """Step through the queue, back from its end, until the item about this mail is on the desk."""
        key, deadline = "j", time.monotonic() + PATIENCE_S
        while (review := self.outside.item()).id != self.waiting(subject):
            assert time.monotonic() < deadline, f"{subject} is not in the queue"
            self.hands.press(key)
            at_end = time.monotonic() + 2
            while self.outside.at("review", "row") == str(review.id) and time.monotonic() < at_end:
                time.sleep(0.1)
            if self.outside.at("review", "row") == str(review.id):
                key = "k" if key == "j" else "j"
        return review


Way = Callable[[Hands, Review], None]


def approve(hands: Hands, review: Review) -> None:
    """As it stands; open places are typed over first."""
    fill(hands, review)
    hands.press("ctrl+Return")


def fill(hands: Hands, review: Review) -> None:
    """Type over the open places, from one to the next by Tab; the keyboard goes back to the queue."""
    slots = review.proposal.draft.open_slots if review.proposal.draft is not None else ()
    if slots:
        hands.press("e")
    for number in range(len(slots)):
        if number:
            hands.press("Tab")
        hands.type("4711")
    if slots:
        hands.press("Escape")


def edit_and_approve(hands: Hands, review: Review) -> None:
    """With words before the first, where no place is open."""
    draft = review.proposal.draft
    if draft is not None and not draft.open_slots and not draft.body.startswith(OURS):
        hands.press("e", "ctrl+Home")
        hands.type(OURS)
        hands.press("ctrl+Return")
    else:
        approve(hands, review)


def reject(hands: Hands, review: Review) -> None:
    """With a reason; what has no draft needs none."""
    hands.press("x")
    if review.proposal.draft is not None:
        hands.type("not now")
        hands.press("Return")


def save(hands: Hands, review: Review) -> None:
    """Among Gmail's drafts."""
    fill(hands, review)
    hands.press("s")


def answer(hands: Hands, review: Review) -> None:
    """What is asked, in its own field."""
    hands.press("r")
    hands.type(ANSWER)
    hands.press("ctrl+Return" if review.proposal.kind is ReviewKind.QUESTION else "Return")


def change_asked(hands: Hands, _review: Review) -> None:
    """Ask for another draft."""
    hands.press("r")
    hands.type("Shorter, please")
    hands.press("Return")


def ways(kind: ReviewKind) -> tuple[Way, ...]:
    """In what ways one decides on it, in turn."""
    if kind is ReviewKind.QUESTION:
        return (answer,)
    if kind is ReviewKind.TOOL_CALL:
        return (approve,)
    if kind is ReviewKind.REPLY:
        return (approve, edit_and_approve, reject, save)
    return (reject,)
