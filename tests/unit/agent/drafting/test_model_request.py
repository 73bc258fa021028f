"""The request for a draft and the evidence it is held against come from the same pieces.

Slots: marks become spans, placeholders never stay in the text.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.drafting.model_request import TONES, draft_messages, evidence_of, with_slots
from app.agent.runtime.state import MailState
from app.domain.drafting.draft import Draft, fill_slots
from app.domain.mail.triage import Category
from fakes.engine.agent_mailbox import OWNER, SENT, FixedTriage, Room, mail, verdict


class Preferences:
    """A memory with one text per namespace."""

    def read(self, account_id: int, namespace: str) -> str:
        return f"prefers {namespace}"


def test_the_request_holds_what_the_evidence_holds(room: Room) -> None:
    sent, message = room.put(
        mail("We close at six. Mia", key="s", sender=OWNER, labels=SENT), mail("When do you close on 24 December?", key="m")
    )
    deps = room.deps(FixedTriage(verdict()), background="Mia runs a bakery.", memory=Preferences())
    state = MailState(classification="complaint", feedback="say noon", unsupported=["figure: 5"], context=[], tool_results={})
    account = room.corpus.account(room.account_id)
    system, user = draft_messages(state, message, account, Draft((), (), (), "", "At 5.", "m"), deps)
    for words in ("Mia runs a bakery.", "prefers response_preferences", TONES[Category.COMPLAINT], "Friday 2026-11-20 12:05 UTC"):
        assert words in system["content"]
    assert "Sign with the name Mia Example." in system["content"]
    for words in ("We close at six.", "When do you close on 24 December?", "At 5.", "The owner says: say noon", "- figure: 5"):
        assert words in user["content"]
    evidence = evidence_of(state, message, deps)
    assert {"Mia runs a bakery.", "say noon", "Mia Example", "me@example.com"} <= set(evidence.owner)
    assert any("We close at six." in one for one in evidence.owner)
    assert any("24 December" in one for one in evidence.others)
    assert not any("24 December" in one for one in evidence.owner)
    assert sent.outgoing


def test_every_category_has_a_tone() -> None:
    assert set(TONES) == set(Category)


EMPTY = Draft((), (), (), "", "", "m")


@pytest.mark.parametrize(
    ("text", "body", "slots"),
    [
        ("The price is [[the price]].", "The price is .", ("the price",)),
        ("[[a]] and [[ b c ]]", " and ", ("a", "b c")),
        ("Regards, [Your Name]", "Regards, ", ("Your Name",)),
        ("On [insert date here] at [time]", "On  at ", ("insert date here", "time")),
        ("array[0] and [1] stay [sic]", "array[0] and [1] stay [sic]", ()),
        ("[[unclosed", "[[unclosed", ()),
        ("[[]]", "[[]]", ()),
    ],
)
def test_marks(text: str, body: str, slots: tuple[str, ...]) -> None:
    draft = with_slots(EMPTY, text)
    assert (draft.body, draft.open_slots) == (body, slots)
    assert draft.complete is (not slots)


@given(st.lists(st.tuples(st.text(alphabet="ab \n", max_size=8), st.text(alphabet="cd", min_size=1, max_size=5)), max_size=5))
def test_filling_the_slots_gives_the_text(parts: list[tuple[str, str]]) -> None:
    marked = "".join(f"{words}[[{need}]]" for words, need in parts)
    draft = with_slots(EMPTY, marked)
    assert draft.open_slots == tuple(need for _, need in parts)
    assert fill_slots(draft, draft.open_slots).body == "".join(words + need for words, need in parts)


def test_a_mark_without_end_costs_no_time() -> None:
    """Spaces were counted in every way there is."""
    text = "[[" + " " * 50_000 + "x" * 400
    assert with_slots(EMPTY, text).body == text
