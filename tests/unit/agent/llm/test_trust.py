"""How far a model's verdict counts: rules that hold for all answers, and what models of every kind cost or gain."""

import random
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.llm.trust import HOSTED, LOCAL, MOST_ANSWERS, Trust
from app.domain.mail.triage import Category, Decision, Triage

DECISIONS = list(Decision)
decisions = st.sampled_from(DECISIONS)
answers = st.lists(st.tuples(decisions, decisions), max_size=60)
priors = st.sampled_from([HOSTED, LOCAL])
shares = st.floats(0.34, 0.99)


def local(decision: Decision, confidence: float) -> Triage:
    return Triage(decision, Category.OTHER, confidence, "", "local:1")


def said(decision: Decision) -> Triage:
    return Triage(decision, Category.OTHER, 1.0, "", "m")


@given(priors, answers, decisions, decisions, shares)
def test_one_of_both_verdicts_counts_and_a_surer_one_never_less(
    prior: tuple[float, ...], known: list[tuple[Decision, Decision]], ours: Decision, theirs: Decision, confidence: float
) -> None:
    trust, answer = Trust(prior, known), said(theirs)
    first = local(ours, confidence)
    counts = trust.weighed(first, answer)
    assert counts in (first, answer)
    surer = local(ours, (1 + confidence) / 2)
    if counts is first and ours is not theirs:
        assert trust.weighed(surer, answer) is surer


@given(priors, answers, decisions)
def test_right_answers_raise_the_trust_in_a_model(
    prior: tuple[float, ...], known: list[tuple[Decision, Decision]], one: Decision
) -> None:
    before, after = Trust(prior, known), Trust(prior, [*known, *((right, right) for right in DECISIONS)])
    assert after.likelihood(one) >= before.likelihood(one) - 1e-9


@given(priors, decisions, st.integers(3, 20))
def test_a_model_that_says_the_same_of_all_mail_is_soon_left_alone(
    prior: tuple[float, ...], always: Decision, rounds: int
) -> None:
    trust = Trust(prior, [(right, always) for right in DECISIONS] * rounds)
    for right in DECISIONS:
        verdict = local(right, 0.5)
        assert trust.weighed(verdict, said(always)).decision is right
    assert trust.likelihood(always) < 0.5


def test_old_answers_are_forgotten() -> None:
    trust = Trust(LOCAL, [(right, Decision.RESPOND) for right in DECISIONS] * MOST_ANSWERS)
    verdict, answer = local(Decision.NOTIFY, 0.8), said(Decision.IGNORE)
    assert trust.weighed(verdict, answer) is verdict
    for right in DECISIONS * MOST_ANSWERS:
        trust.learn(right, right)
    assert trust.weighed(verdict, answer) is answer, "a better model has the same name now"


Model = Callable[[Decision, random.Random], Decision]


def right_in(share: float) -> Model:
    """A model that errs evenly."""

    def answer(right: Decision, chance: random.Random) -> Decision:
        return right if chance.random() < share else chance.choice([one for one in DECISIONS if one is not right])

    return answer


def gain(prior: tuple[float, ...], model: Model, tested: bool, boxes: int = 12, mails: int = 135) -> float:
    """Points of 100 that a model's verdicts add to local ones as sure as those of the sample mailbox."""
    added = 0
    for seed in range(boxes):
        chance = random.Random(seed)
        trust = Trust(prior, [(right, model(right, chance)) for right in DECISIONS * 2 * tested])
        for _ in range(mails):
            right = chance.choice(DECISIONS)
            confidence = chance.choice((0.45, 0.6, 0.75, 0.85, 0.85, 0.95, 0.95))
            verdict = local(right_in(confidence)(right, chance), confidence)
            answer = said(model(right, chance))
            added += (trust.weighed(verdict, answer).decision is right) - (verdict.decision is right)
            trust.learn_from(verdict, answer)
    return 100 * added / boxes / mails


WEAK: Sequence[tuple[str, Model]] = [
    *((f"always {one}", lambda right, chance, one=one: one) for one in DECISIONS),
    ("guesses", lambda right, chance: chance.choice(DECISIONS)),
    ("right in 60", right_in(0.6)),
]


@pytest.mark.parametrize(("name", "model"), WEAK, ids=[name for name, _ in WEAK])
def test_a_weak_model_costs_next_to_nothing(name: str, model: Model) -> None:
    assert gain(HOSTED, model, tested=True) > -0.5
    assert gain(LOCAL, model, tested=True) > -0.5
    assert gain(HOSTED, model, tested=False) > -2
    assert gain(LOCAL, model, tested=False) > -1.5


@pytest.mark.parametrize(("share", "least"), [(0.8, 1.0), (0.95, 8.0), (1.0, 13.0)])
def test_a_better_model_makes_it_better(share: float, least: float) -> None:
    gained = [gain(prior, right_in(share), tested) for prior in (HOSTED, LOCAL) for tested in (True, False)]
    assert min(gained) > least, gained
