"""The panel of a review: reasons as high as what they say, the line in the message's place, and the marks of a draft in words."""

from app.domain.drafting.draft import Span, SpanKind
from app.ui.pages.review.draft_card import marks_spoken

BODY = "We ship on\nMonday, by Friday."


def test_what_holds_an_approval_back_comes_first() -> None:
    source = Span(0, 17, SpanKind.FROM_SOURCE)
    spans = (source, Span(19, 28, SpanKind.UNSUPPORTED, "why"), Span(29, 29, SpanKind.OPEN_SLOT, "price"))
    assert (
        marks_spoken(BODY, spans) == "Fill in: price. Not found in your mail: “by Friday”. From your mail: “We ship on Monday”."
    )
    assert marks_spoken(BODY, (source,)) == "From your mail: “We ship on Monday”."
    assert marks_spoken(BODY, ()) == ""
