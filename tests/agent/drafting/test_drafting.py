"""The request for a draft and the evidence it is held against come from the same pieces."""

from app.agent.drafting.request import TONES, draft_messages, evidence_of
from app.agent.state import MailState
from app.domain.draft import Draft
from app.domain.triage import Category
from fakes.mailroom import OWNER, SENT, FixedTriage, Room, mail, verdict


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
