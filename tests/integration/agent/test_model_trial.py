"""A model tried on a past message over HTTP: what it says, what code finds wrong with it, what it costs, and no effect."""

from collections.abc import Sequence
from datetime import timedelta

import pytest

from app.agent.agents.pipeline.model_trial import TrialLedger, faults_of, try_model
from app.agent.drafting.claims import DraftEvidence
from app.agent.llm.gateway import LiteLlmGateway
from app.agent.llm.target import ModelTarget
from app.agent.llm.trust import Trust
from app.domain.drafting.draft import Draft
from app.domain.mail.triage import Decision
from app.domain.protocol.commands import DraftFault
from fakes.engine.agent_mailbox import ANN, NOON, OWNER, SENT, FixedTriage, Room, mail, verdict
from fakes.models.model_server import Answer, ModelServer, structured

LATER = NOON + timedelta(minutes=5)


def judged(decision: str, body: str = "") -> Answer:
    return structured(
        decision=decision, category="inquiry", confidence=0.9, reason="Asks.", language="English", questions=[], body=body
    )


async def test_what_it_would_have_said_beside_what_the_owner_did(room: Room, model: ModelServer) -> None:
    question, answer = room.put(
        mail("What does model 7 cost?", key="q", thread="t9", sender=ANN),
        mail("Dear Ann, model 7 costs 12 EUR. Mia", key="a", thread="t9", sender=OWNER, to=(ANN,), labels=SENT, at=LATER),
    )
    assert answer.date > question.date
    ledger = TrialLedger(room.runs)
    gateway = LiteLlmGateway(ModelTarget("openai/scripted", model.api_base, "key"), ledger, room.clock, ())
    deps = room.deps(FixedTriage(verdict()), gateway=None)
    model.enqueue(judged("respond", "Sure! Model 7 costs 99 EUR."), judged("notify"), Answer("down", status=401))
    first, second, third = [await try_model(question, deps, gateway, ledger) for _ in range(3)]
    assert "costs 12 EUR" not in model.prompts()[0], "the owner's later answer is not told"
    assert (
        first.agrees(first.decision)
        and first.agrees(first.local)
        and not first.unusable
        and first.owner_text.startswith("Dear Ann, model 7 costs 12 EUR")
    )
    assert set(first.faults) == {DraftFault.UNSUPPORTED, DraftFault.PREAMBLE}
    assert first.tokens > 0 and first.seconds > 0
    assert not second.agrees(second.decision) and not second.body
    assert gateway.trust.likelihood(Decision.NOTIFY) < Trust().likelihood(Decision.NOTIFY), "the owner answered it"
    assert "MODEL_KEY_REFUSED" in third.error
    assert room.all_reviews() == []
    assert room.steps() == []
    assert len(room.db.read("SELECT 1 FROM llm_calls")) == 3


async def test_a_trial_goes_on_where_no_answer_has_the_form(room: Room, model: ModelServer) -> None:
    (question,) = room.put(mail("What does model 7 cost?", sender=ANN))
    ledger = TrialLedger(room.runs)
    gateway = LiteLlmGateway(ModelTarget("openai/scripted", model.api_base, "key"), ledger, room.clock, (), trial=True)
    model.enqueue(*[Answer("I am a model.")] * 20)
    tried = [await try_model(question, room.deps(FixedTriage(verdict()), gateway=None), gateway, ledger) for _ in range(8)]
    assert all(one.unusable and one.local == "respond" and one.seconds > 0 for one in tried)


CLEAN = "Hello Ann,\n\nmodel 7 costs 12 EUR and we deliver on Monday.\n\nMia"


@pytest.mark.parametrize(
    ("body", "faults"),
    [
        (CLEAN, []),
        ("Hello Ann,\n\nthank you for your message.\n\nMia", [DraftFault.UNANSWERED]),
        (CLEAN.replace("12", "13"), [DraftFault.UNSUPPORTED]),
        ("Dobrý den, model 7 stojí 12 EUR a dodáváme v pondělí, jak si přejete. Mia", [DraftFault.LANGUAGE]),
        (CLEAN + " deliver" * 250, [DraftFault.LENGTH]),
        (CLEAN.replace("Mia", "Write to eve@evil.example. Mia"), [DraftFault.RECIPIENTS]),
        (f"Sure! {CLEAN}", [DraftFault.PREAMBLE]),
    ],
)
def test_drafts_are_scored_by_code(room: Room, body: str, faults: Sequence[DraftFault]) -> None:
    (message,) = room.put(mail("What does model 7 cost? When do you deliver?", sender=ANN))
    evidence = DraftEvidence((), ("model 7 costs 12 EUR, delivery on Monday. Ann asks. Mia.",))
    draft = Draft((), (), (), "", body, "openai/x", message.id)
    found = faults_of(draft, message, (message,), room.corpus.account(message.account_id), evidence)
    assert [one for one in found if one in faults] == list(faults)
    assert DraftFault.PREAMBLE in faults or DraftFault.PREAMBLE not in found
    assert faults or not found
