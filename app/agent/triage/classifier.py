"""Local triage: header rules first, then a classifier trained on the shipped examples and on the user's corrections.

Its confidence is calibrated on examples the classifier did not see. `TaughtTriage` adds the user's rules about senders.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from app.agent.retrieval import mail_text
from app.agent.triage import header_rules, linear_model
from app.agent.triage.evidence import MailEvidence, as_vector, gather, reply_target
from app.agent.triage.examples import load_examples
from app.agent.triage.explanation import explanation, heaviest_example, telling_words
from app.agent.triage.linear_model import FeatureScaling, Matrix, RidgeClassifier, with_text
from app.domain.agents.memory import Preference, settle_by_rules
from app.domain.mail.message import Account, Message
from app.domain.mail.quotes import newest_part
from app.domain.mail.triage import Category, Decision, Reason, ReasonCode, Triage, encode_reason, settle_spam
from app.domain.ports.agents import Contact, Embedder

STRENGTH = 0.5
CORRECTION_WEIGHT = 3.0
NOTICE_IN_LIST = 0.6
SPAM_IN_LIST = 0.5
_CORRECTED_CONFIDENCE = 0.9

Verdict = tuple[Decision, Category]


@dataclass(frozen=True, slots=True)
class Correction:
    """A mail with the verdict the user gave it. `vector` is the embedding of its `text_of`."""

    message: Message
    thread: tuple[Message, ...]
    account: Account
    contact: Contact | None
    vector: tuple[float, ...]
    decision: Decision
    category: Category


@dataclass(frozen=True, slots=True)
class CorrectionRow:
    """A correction with its computed row."""

    correction: Correction
    row: Matrix


def text_of(message: Message) -> str:
    """The text that is embedded and classified: subject and newest part."""
    return mail_text(message.subject, newest_part(message.body_text))


class LocalTriage:
    """Triage without a language model. Immutable: `learn` returns a new instance."""

    def __init__(
        self, scaling: FeatureScaling, seeds: Matrix, verdicts: tuple[Verdict, ...], learned: tuple[CorrectionRow, ...]
    ) -> None:
        """`seeds` are the rows of the shipped examples, `verdicts` their verdicts. Use `train` instead."""
        self._scaling = scaling
        self._seeds = seeds
        self._seed_verdicts = verdicts
        self._learned = learned
        self._by_sender = {_sender_key(one.correction.message): one.correction for one in learned}
        answers = (*verdicts, *((one.correction.decision, one.correction.category) for one in learned))
        self._classes = tuple(sorted(set(answers)))
        self._ridge = self._fit(answers)

    @classmethod
    def train(cls, embedder: Embedder, corrections: Sequence[Correction] = ()) -> "LocalTriage":
        """Fits on the shipped examples (with cached vectors) and on `corrections`. Raises `BadFile`."""
        known = load_examples(embedder)
        scaling = FeatureScaling.of(known.features)
        rows = [scaling.row(*one) for one in zip(known.vectors, known.features, known.texts, strict=True)]
        taught = cls(scaling, np.asarray(rows), known.verdicts, ())
        return taught.learn(corrections) if corrections else taught

    def learn(self, corrections: Sequence[Correction]) -> "LocalTriage":
        """A new instance with exactly these corrections beside the shipped examples.

        Nothing is embedded and known corrections keep their rows, so one more correction costs a refit of some milliseconds.
        """
        rows = {id(one.correction): one.row for one in self._learned}
        learned = tuple(CorrectionRow(one, rows[id(one)] if id(one) in rows else self._row(one)) for one in corrections)
        return LocalTriage(self._scaling, self._seeds, self._seed_verdicts, learned)

    @property
    def examples(self) -> int:
        """Number of examples, seeds and corrections."""
        return len(self._seeds) + len(self._learned)

    @property
    def maker(self) -> str:
        """`local:` and the number of examples."""
        return f"local:{self.examples}"

    def rule(self, message: Message, account: Account) -> Triage | None:
        """The verdict where headers alone decide: bounces, automatic replies, false identities, marked spam, invitations."""
        settled = header_rules.by_header(message, account, gather(message, (), account, None, text_of(message)))
        return None if settled is None else settle_spam(self._as_corrected(message, settled))

    def judge(
        self, message: Message, thread: Sequence[Message], account: Account, vector: Sequence[float], contact: Contact | None
    ) -> Triage:
        """The verdict on `message`. `vector` is the embedding of its `text_of`; `thread` may contain the message or not."""
        text = text_of(message)
        seen = gather(message, thread, account, contact, text)
        settled = header_rules.by_header(message, account, seen)
        if settled is None:
            settled = self._guess(self._scaling.row(vector, as_vector(seen), text), seen, text)
        return settle_spam(self._as_corrected(message, settled))

    def _guess(self, row: Matrix, seen: MailEvidence, text: str) -> Triage:
        """The classifier's verdict, limited to what list mail and machine mail can be."""
        shares = self._ridge.probabilities(row)
        listed = header_rules.by_list(seen)
        spam = self._share(shares, category=Category.SPAM)
        talk = seen.list_id and not (seen.auto_submitted or seen.no_reply or seen.robot_name)
        noticed = self._share(shares, decision=Decision.NOTIFY)
        if listed is not None and (talk or (spam < SPAM_IN_LIST and noticed < NOTICE_IN_LIST)):
            return listed
        decision, category, confidence = self._chosen(shares, closed=listed is not None or not header_rules.answerable(seen))
        reason = explanation(decision, category, seen) or encode_reason(self._because(row, text, decision, category))
        return Triage(decision, category, confidence, reason, self.maker)

    def _chosen(self, shares: Matrix, closed: bool) -> tuple[Decision, Category, float]:
        """The likeliest decision, the likeliest category with it, and the confidence. `closed` mail cannot be answered."""
        allowed = np.asarray([not (closed and decision is Decision.RESPOND) for decision, _category in self._classes])
        held = shares * allowed
        held = held / held.sum()
        decision = max(Decision, key=lambda one: self._share(held, decision=one))
        category = max(Category, key=lambda one: self._share(held, decision=decision, category=one))
        if category is Category.SPAM:
            confidence = self._share(held, category=Category.SPAM)
        else:
            confidence = self._share(held, decision=decision)
        return decision, category, round(confidence, 3)

    def _because(self, row: Matrix, text: str, decision: Decision, category: Category) -> Reason:
        """What weighed most in a verdict for which no single sign was found: a correction, or words."""
        wanted = category if category is Category.SPAM else None
        fitting = [at for at, (one, two) in enumerate(self._classes) if one == decision and wanted in (None, two)]
        place = heaviest_example(self._ridge, row, fitting) - len(self._seeds)
        if place >= 0:
            return Reason(ReasonCode.JUDGED, self._learned[place].correction.message.sender.email)

        def sureness(left: str) -> float:
            return float(self._ridge.probabilities(with_text(row, left))[fitting].sum())

        return telling_words(text, sureness)

    def _share(self, shares: Matrix, decision: Decision | None = None, category: Category | None = None) -> float:
        """The probability of all classes with this decision and category."""
        fits = [decision in (None, one) and category in (None, two) for one, two in self._classes]
        return float(shares[np.asarray(fits)].sum())

    def _as_corrected(self, message: Message, verdict: Triage) -> Triage:
        """Replaces a header rule's verdict by the user's correction for the same sender, except for phishing.

        The classifier's verdicts stay: it has learned the correction.
        """
        told = self._by_sender.get(_sender_key(message))
        if told is None or not verdict.maker.startswith("rule:") or verdict.maker == "rule:phishing":
            return verdict
        return Triage(told.decision, told.category, _CORRECTED_CONFIDENCE, ReasonCode.CORRECTED, self.maker)

    def _row(self, one: Correction) -> Matrix:
        text = text_of(one.message)
        seen = gather(one.message, one.thread, one.account, one.contact, text)
        return self._scaling.row(one.vector, as_vector(seen), text)

    def _fit(self, answers: Sequence[Verdict]) -> RidgeClassifier:
        labels = np.asarray([self._classes.index(answer) for answer in answers], dtype=np.intp)
        weight = np.ones(len(answers))
        weight[len(self._seeds) :] = CORRECTION_WEIGHT
        rows = np.vstack([self._seeds, *(one.row for one in self._learned)])
        return linear_model.fit(rows, labels, len(self._classes), weight, STRENGTH)


def _sender_key(message: Message) -> str:
    """Identifies the sender: the list id, or the reply address."""
    return message.header("List-Id").strip().lower() or reply_target(message)


class TaughtTriage:
    """Implements the graph's `Triager` with the user's preferences.

    `rules` gives the triage preferences in force that have a rule; `used` is called with the ids of those that decided a mail.
    """

    def __init__(
        self, triage: LocalTriage, rules: Callable[[], Sequence[Preference]], used: Callable[[Sequence[int]], None]
    ) -> None:
        self._triage = triage
        self._rules = rules
        self._used = used

    @property
    def examples(self) -> int:
        """Number of examples the classifier learned from."""
        return self._triage.examples

    def learn(self, corrections: Sequence[Correction]) -> None:
        """Refits on these corrections and the seeds; some milliseconds for each new one. Call it in a thread."""
        self._triage = self._triage.learn(corrections)

    def rule(self, message: Message, account: Account) -> Triage | None:
        """The verdict where headers or the user's rules decide."""
        settled = self._triage.rule(message, account)
        verdict = settled or self._unsettled()
        taught, by = settle_by_rules(verdict, message, written_to=False, known=self._rules())
        return taught if by else settled

    def judge(
        self, message: Message, thread: Sequence[Message], account: Account, vector: Sequence[float], contact: Contact | None
    ) -> Triage:
        """The verdict on a mail. Its `maker` starts with `rule:` where headers or the user's rules decided."""
        verdict = self._triage.judge(message, thread, account, vector, contact)
        written_to = contact is not None and contact.sent > 0
        taught, by = settle_by_rules(verdict, message, written_to, self._rules())
        if by:
            self._used((by,))
        return taught

    def _unsettled(self) -> Triage:
        """An empty verdict, for a rule to replace."""
        return Triage(Decision.NOTIFY, Category.OTHER, 0.0, "", self._triage.maker)
