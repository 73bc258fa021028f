"""Claims without a source are found, and those with one are left alone."""

from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.drafting.claims import DraftEvidence, from_sources, plain, unsupported
from app.domain.drafting.draft import Source, SourceKind, SpanKind
from app.domain.ids import MessageId
from fakes.clock.growth import grows_with_size

OWNER = ("We deliver on weekdays only. I will call you when the parcel leaves. Mia Example",)
OTHERS = (
    "From: Ann Berg <ann@partner.org>\nDate: Friday 2026-11-20 12:00 UTC\nDo you sell 1,200 bags of Sencha for 49.90 EUR each? "
    "See https://shop.example/sencha. Could we meet on 3 December at 15:30?",
)
EVIDENCE = DraftEvidence(OWNER, OTHERS)


def found(body: str, evidence: DraftEvidence = EVIDENCE) -> list[tuple[str, str]]:
    return [(body[one.start : one.end], one.note) for one in unsupported(body, evidence)]


@pytest.mark.parametrize(
    "body",
    [
        "Hello Ann,\n\nthank you for your mail about Sencha.\n\nBest regards\nMia",
        "1200 bags at 49,90 EUR are fine with me.",
        "We could meet on 3 December at 15:30.",
        "Is Friday good?",
        "We deliver on weekdays only.",
        "I will call you when the parcel leaves.",
        "As on https://shop.example/sencha, ann@partner.org.",
        "I have 2 questions:\n1. Which one?\n2. When?",
        "Vielen Dank für Ihre Nachricht. Die Lieferung ist noch nicht da und wir prüfen das mit der Post.",
        "",
    ],
)
def test_supported(body: str) -> None:
    assert found(body) == []


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("It costs 59.90 EUR.", [("59.90", "figure")]),
        ("We give 15% off.", [("15%", "figure")]),
        ("Let us meet on Tuesday.", [("Tuesday", "date")]),
        ("The parcel leaves in October.", [("October", "date")]),
        ("Our colleague Ivan Petrov knows.", [("Ivan Petrov", "name")]),
        ("See https://evil.example/x now.", [("https://evil.example/x", "link")]),
        ("Write to sales@evil.example please.", [("sales@evil.example", "link")]),
        ("We will refund everything.", [("We will refund everything.", "commitment")]),
        ("Hello. I'll send it soon.", [("I'll send it soon.", "commitment")]),
        ("I have attached the offer.", [("I have attached the offer.", "commitment")]),
        ("Ich werde alles zahlen.", [("Ich werde alles zahlen.", "commitment")]),
        ("Please find the manual attached.", [("Please find the manual attached.", "commitment")]),
        ("Meet me at 16:45.", [("16:45", "figure")]),
        ("We will pay 777 EUR.", [("We will pay 777 EUR.", "commitment"), ("777", "figure")]),
        ("Ich habe das mit der Firma Müllerbach geklärt und die Sache ist erledigt.", [("Müllerbach", "name")]),
    ],
)
def test_unsupported(body: str, wanted: list[tuple[str, str]]) -> None:
    assert [(text.strip(), note) for text, note in found(body)] == wanted


@pytest.mark.parametrize(
    ("said", "promised"),
    [
        ("I cannot pay the 500 EUR for the kiln by Friday.", "I will pay the 500 EUR for the kiln by Friday."),
        ("We won't refund the whole order.", "We will refund the whole order."),
        ("Ich werde die Rechnung nicht zahlen.", "Ich werde die Rechnung zahlen."),
        ("Fakturu za pec nezaplatíme.", "Fakturu za pec zaplatíme."),
    ],
)
def test_what_the_owner_denied_backs_no_promise(said: str, promised: str) -> None:
    for owner, marked in (((said,), True), ((said, promised), False), ((f"{said} {promised}",), False)):
        notes = [one.note for one in unsupported(promised, DraftEvidence(owner, ()))]
        assert ("commitment" in notes) is marked, owner
    assert [one.note for one in unsupported(said, DraftEvidence((said,), ()))] == []


def test_a_stranger_cannot_make_the_owner_promise() -> None:
    demand = "Please confirm: we will refund the whole amount to you."
    body = "We will refund the whole amount to you."
    assert found(body, DraftEvidence(OWNER, (demand,))) == [(body, "commitment")]
    assert found(body, DraftEvidence((*OWNER, "tell her we will refund the whole amount"), (demand,))) == []


@pytest.mark.parametrize(
    ("figure", "wanted"),
    [("1,200.00", "1200"), ("1.200,50", "1200.50"), ("€49.90", "49.90"), ("007", "7"), ("15%", "15"), ("0", "0"), ("3,5", "3.5")],
)
def test_figures_agree_however_they_are_written(figure: str, wanted: str) -> None:
    assert plain(figure) == wanted


@given(st.text(alphabet="ab 12.,:/-%€IwilA\n", max_size=120))
def test_spans_lie_in_the_body(text: str) -> None:
    for span in unsupported(text, DraftEvidence((), ())):
        assert 0 <= span.start < span.end <= len(text)


def source(text: str, message_id: int = 5) -> Source:
    return Source(SourceKind.OWN_REPLY, "Delivery", text, MessageId(message_id))


def test_stretches_from_a_source() -> None:
    body = "Hello Ann, we deliver on weekdays only, never at night. Bye"
    (span,) = from_sources(body, [source("Dear Bob! We deliver on weekdays only. Mia")])
    assert (body[span.start : span.end], span.kind, span.source_message_id, span.note) == (
        "we deliver on weekdays only",
        SpanKind.FROM_SOURCE,
        5,
        "Delivery",
    )
    assert from_sources("we deliver on weekdays", [source("we deliver on weekdays")]) == ()


@pytest.mark.parametrize("unit", ["http://x ", "1:00 monday ", "a.b"])
def test_a_body_made_to_stall_the_reader_is_read(unit: str) -> None:
    """Took minutes when each claim was held against all others."""
    new, nothing = count(), DraftEvidence((), ())  # facts of the same text are remembered
    assert unsupported(unit * 1_000, nothing) or unit == "a.b"
    assert grows_with_size(lambda size: unit * size, lambda body: unsupported(f"{body} {next(new)}", nothing), 2_000)
