"""Summary of a keyboard session for the test's output."""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from app.domain.drafting.review import request_of
from fakes.window.keyboard_session.reviews import Reviewing
from fakes.window.keyboard_session.screen import Hands


class Watch:
    """Counts keys and seconds of each part of a session."""

    def __init__(self, hands: Hands) -> None:
        self._hands = hands
        self.parts: dict[str, tuple[int, float]] = {}

    @contextmanager
    def over(self, part: str) -> Iterator[None]:
        """Counts during a `with` block."""
        keys, started = self._hands.keys, time.monotonic()
        yield
        self.parts[part] = self._hands.keys - keys, time.monotonic() - started


def report(desk: Reviewing, watch: Watch) -> str:
    """Counts by kind and way, undone decisions, keys and seconds by part."""
    lines = [f"reviews: {len(desk.done)} decided, {len(desk.undone)} ways taken back once, {desk.skipped} times skipped"]
    for (kind, status), times in sorted(desk.counts.items()):
        lines.append(f"  {kind:<14} {status:<15} {times:>3}")
    calls = Counter(request_of(review.proposal.request_json)[0] for review, _ in desk.done.values())
    lines += ["calls: " + ", ".join(f"{name} {times}" for name, times in sorted(calls.items()) if name), "taken back:"]
    for kind, way, last in sorted(desk.undone):
        lines.append(f"  {kind:<14} {way}, undone, {last}")
    for part, (keys, seconds) in watch.parts.items():
        lines.append(f"{part:<32} {keys:>5} keys {seconds:>6.1f} s")
    keys, seconds = map(sum, zip(*watch.parts.values(), strict=True))
    return "\n".join([*lines, f"{'in all':<32} {keys:>5} keys {seconds:>6.1f} s"])
