"""Decides on reviews by keys alone, each kind in each possible way.

The first decision of each way is undone, and then the same or another decision is made.
"""

import time
from collections import Counter
from collections.abc import Callable

from app.domain.drafting.review import Review, ReviewKind, ReviewStatus
from app.domain.ids import ReviewId
from fakes.window.keyboard_session.observer import Outside
from fakes.window.keyboard_session.screen import AGAIN_S, PATIENCE_S, Hands, until

OURS = "Gladly so. "
ANSWER = "Blue it is."
GLANCE_S = 0.6
"""An item that has just come up is not approved by one press."""


class Reviewing:
    """The state of a session.

    `done` has the final status of each review, `undone` the kinds with the undone and the final way, `skipped` how often an item
    was skipped.
    """

    def __init__(self, hands: Hands, outside: Outside) -> None:
        self.hands, self.outside = hands, outside
        self.done: dict[ReviewId, tuple[Review, ReviewStatus]] = {}
        self.undone: dict[tuple[ReviewKind, str, str], ReviewId] = {}
        self.skipped = 0
        self._turns: Counter[ReviewKind] = Counter()

    @property
    def counts(self) -> Counter[tuple[ReviewKind, ReviewStatus]]:
        """How many reviews of each kind ended in each status."""
        return Counter((review.proposal.kind, status) for review, status in self.done.values())

    def ended(self, status: ReviewStatus) -> list[Review]:
        """The reviews that ended with this status, as proposed."""
        return [review for review, its in self.done.values() if its is status]

    def decide_next(self) -> None:
        """Decides on the current item in the next way of its kind."""
        kind = (review := self.outside.item()).proposal.kind
        turn, self._turns[kind] = self._turns[kind], self._turns[kind] + 1
        self.decide(review, *ways(kind)[turn % len(ways(kind))])

    def decide(self, review: Review, way: "Way", then: "Way | None" = None) -> None:
        """Decides in this way. The first time it is undone and decided again by `then`, or in the same way."""
        kind, last, status = review.proposal.kind, then or way, self._go(way, review)
        known = (kind, way.__name__, last.__name__)
        if way in (answer, change_asked):  # the agents may have opened the next draft already
            status = ReviewStatus.ANSWERED
        elif way is not agree and (last is not way or known not in self.undone):
            self._take_back(review)
            self.undone[known] = review.id
            status = self._go(last, self.outside.review(review.id))
        self.done[review.id] = review, status

    def _go(self, way: "Way", review: Review) -> ReviewStatus:
        """Decides and presses the keys again when nothing happened. Waits until another item is shown, if there is one."""
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
        """Whether another item is shown or none waits."""
        return not self.outside.reader.review_ids() or self.outside.at("review", "row") != str(review.id)

    def _take_back(self, review: Review) -> None:
        """Undoes the decision, pressing the key again when nothing happens.

        The first HTML mail gives the window another native window, and a key between the two is lost.
        """
        back, what = lambda: self.outside.status(review) is ReviewStatus.PENDING, f"the undo of {review.proposal.kind}"
        self.hands.press_until("z", back, what)
        assert not self.outside.outgoing(review_id=review.id)
        until(lambda: self.outside.at("review", "row") == str(review.id), "the item on the desk again")

    def waiting(self, subject: str) -> ReviewId | None:
        """The pending review of the mail with this subject."""
        for row in self.outside.reader.review_rows(self.outside.reader.review_ids()).values():
            if row.subject.endswith(subject):
                return row.id
        return None

    def go_to(self, subject: str) -> Review:
        """Steps through the queue until the review of this mail is shown."""
        key, deadline = "j", time.monotonic() + PATIENCE_S
        while (review := self.outside.item()).id != self.waiting(subject):
            assert time.monotonic() < deadline, f"{subject} is not in the queue"
            self.hands.press(key)
            self.skipped += 1
            at_end = time.monotonic() + 2
            while self.outside.at("review", "row") == str(review.id) and time.monotonic() < at_end:
                time.sleep(0.1)
            if self.outside.at("review", "row") == str(review.id):
                key = "k" if key == "j" else "j"
        return review


Way = Callable[[Hands, Review], None]


def approve(hands: Hands, review: Review) -> None:
    """Approves; fills open slots first."""
    fill(hands, review)
    hands.press("ctrl+Return")


def fill(hands: Hands, review: Review) -> None:
    """Fills the open slots, moving with Tab, and returns the focus to the queue."""
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
    """Approves with text before the draft, if it has no open slot."""
    draft = review.proposal.draft
    if draft is not None and not draft.open_slots and not draft.body.startswith(OURS):
        hands.press("e", "ctrl+Home")
        hands.type(OURS)
        hands.press("ctrl+Return")
    else:
        approve(hands, review)


def reject(hands: Hands, review: Review) -> None:
    """Rejects with a reason; reviews without a draft need none."""
    hands.press("x")
    if review.proposal.draft is not None:
        hands.type("not now")
        hands.press("Return")


def save(hands: Hands, review: Review) -> None:
    """Saves as a Gmail draft."""
    fill(hands, review)
    hands.press("s")


def answer(hands: Hands, review: Review) -> None:
    """Answers a question in its field."""
    hands.press("r")
    hands.type(ANSWER)
    hands.press("ctrl+Return" if review.proposal.kind is ReviewKind.QUESTION else "Return")


def change_asked(hands: Hands, _review: Review) -> None:
    """Asks for another draft."""
    hands.press("r")
    hands.type("Shorter, please")
    hands.press("Return")


def agree(hands: Hands, _review: Review) -> None:
    """Agrees to something done at once that cannot be undone here."""
    hands.press("ctrl+Return")


def move_and_approve(hands: Hands, _review: Review) -> None:
    """Approves a meeting one step later in its day."""
    hands.press("e", "Down", "ctrl+Return")


def send_tomorrow(hands: Hands, review: Review) -> None:
    """Approves with a time on another day, chosen from the menu."""
    fill(hands, review)
    hands.press("ctrl+shift+Return")
    hands.press("Up", "Up", "Return")  # the last time in the menu, above the custom one


def ways(kind: ReviewKind) -> tuple[tuple[Way, ...], ...]:
    """The ways to decide on a kind, in turn. In a pair, the first is undone and the second stays."""
    if kind is ReviewKind.QUESTION:
        return (answer,), (reject,)
    if kind is ReviewKind.TOOL_CALL:
        return (approve,), (move_and_approve,), (reject,)
    if kind is ReviewKind.REPLY:
        changes = (approve, reject), (edit_and_approve, reject), (reject, approve), (save, reject)
        return (approve,), (edit_and_approve,), (reject,), (save,), *changes
    return ((reject,),)
