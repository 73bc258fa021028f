"""Triage without a language model: header rules, then threats, then linear models with shipped weights and the owner's own.

The shipped weights decide alone until an archive was read (`OwnerModel`). Corrections change the verdict on mail of the same
sender and on similar mail. `TaughtTriage` adds the user's rules about senders.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256

import numpy as np

from app.agent.retrieval import mail_text
from app.agent.triage import header_rules
from app.agent.triage.cues import Cue
from app.agent.triage.evidence import CATEGORIES, SEARCHED, MailEvidence, complains, features, foreign_list, gather, reply_target
from app.agent.triage.explanation import explanation, heaviest, threat_reasons
from app.agent.triage.habits import Habits, list_id_of
from app.agent.triage.linear_model import LinearModel, probability
from app.agent.triage.owner_model import OwnerModel, ShippedWeights
from app.agent.triage.threat_signs import WARES
from app.agent.triage.threats import NAMED_FROM, Standing, phishing_probability, spam_probability, wants_care
from app.config.paths import resource
from app.domain.agents.backtest import STANDARD, TriageLimits
from app.domain.agents.memory import Preference, correction_of, settle_by_rules
from app.domain.ids import AccountId
from app.domain.language.speech_acts import ActKind
from app.domain.mail.message import Account, Message
from app.domain.mail.quotes import newest_part
from app.domain.mail.triage import SPAM_CERTAIN, Category, Decision, Reason, ReasonCode, Triage, encode_reason, owner_triage
from app.domain.ports.agents import Contact
from app.domain.record import Record, replace

FEATURES = 3
"""Raise it when features of the same name are read in another way. Then each owner's model is learned again."""

LIST_MAIL = "rule:list-mail"
"""Maker of verdicts on bulk mail. A language model does not judge it again."""

_CORRECTED_CONFIDENCE = 0.9
_SAME_SENDER = 6.0
_SIMILAR = 3.0
"""Log odds that one correction adds for the same sender, and for the same text."""

_ALIKE_FROM = 0.6
_MOST_TAUGHT = 7.0
_DROPPED_FROM = 0.9
"""Probability from which phishing of a stranger who poses as somebody is dropped, though a domain of his own vouches for it."""

_KEPT_DOUBT = 0.5
"""How much the model of ignoring counts against showing a mail that nothing says went to many."""


_TO_MANY = (
    Cue.PROMOTION, Cue.SALES_PITCH, Cue.MACHINE, Cue.RECEIPT, Cue.MONEY_LURE, Cue.GOODS_LURE, Cue.IMPERSONAL, Cue.AUTO_REPLY,
)  # fmt: skip
"""Cues of mail to many, of which two are enough."""


class Correction(Record):
    """A mail with the verdict the user gave it. `vector` is the embedding of its `text_of`."""

    message: Message
    thread: tuple[Message, ...]
    account: Account
    contact: Contact | None
    vector: tuple[float, ...]
    decision: Decision
    category: Category


class Likelihood(Record):
    """How likely a mail wants an answer, and may be skipped if it does not. `kept`: it is shown all the same."""

    respond: float
    ignore: float
    kept: bool = False


def text_of(message: Message) -> str:
    """The text that is embedded and classified: subject and newest part."""
    return mail_text(message.subject, newest_part(message.body_text[:SEARCHED]))


@lru_cache(maxsize=1)
def shipped_weights() -> ShippedWeights:
    data = resource("judgement", "weights.json").read_bytes()
    told = json.loads(data)
    respond, ignore, phishing = (
        LinearModel.of(told[name]["weights"], told[name]["bias"]) for name in ("respond", "ignore", "phishing")
    )
    version = f"{FEATURES}-{sha256(data).hexdigest()[:12]}"
    return ShippedWeights(respond, ignore, phishing, int(told["examples"]), version)


class LocalTriage:
    """Triage without a language model. Immutable: `learn` and `adapted` return a new instance."""

    def __init__(self, corrections: Sequence[Correction] = (), owners: Mapping[AccountId, OwnerModel] | None = None) -> None:
        self._shipped = shipped_weights()
        self._corrections = tuple(corrections)
        self._by_sender = {_sender_key(one.message): one for one in self._corrections}
        self._vectors = np.asarray([one.vector for one in self._corrections], dtype=np.float64)
        self._owners = dict(owners or {})

    def learn(self, corrections: Sequence[Correction]) -> "LocalTriage":
        """A new instance with exactly these corrections."""
        return LocalTriage(corrections, self._owners)

    def adapted(self, account_id: AccountId, owner: OwnerModel) -> "LocalTriage":
        """A new instance with what an account's archive taught."""
        return LocalTriage(self._corrections, {**self._owners, account_id: owner})

    def owner(self, account_id: AccountId) -> OwnerModel | None:
        """What an account's archive taught, None before it was read."""
        return self._owners.get(account_id)

    @property
    def examples(self) -> int:
        """Number of examples: shipped ones, mail of the archive, corrections."""
        return self._shipped.examples + sum(one.examples for one in self._owners.values()) + len(self._corrections)

    @property
    def maker(self) -> str:
        return f"local:{self.examples}"

    def rule(self, message: Message, account: Account) -> Triage | None:
        """The verdict where headers alone decide: bounces, automatic replies, phishing, marked spam, invitations."""
        seen = gather(message, (), account, None, text_of(message), self._habits(message))
        settled = header_rules.by_header(message, account, seen) or self._threat(seen, phishing_only=True)
        return None if settled is None else self._as_corrected(message, settled)

    def judge(
        self,
        message: Message,
        thread: Sequence[Message],
        account: Account,
        vector: Sequence[float],
        contact: Contact | None,
        cleared: bool = False,
        limits: TriageLimits = STANDARD,
    ) -> Triage:
        """The verdict on `message`. `vector` is the embedding of its `text_of`; `thread` may contain the message or not.

        `cleared`: the owner said that it is no threat. `limits` are those that the owner chose.
        """
        seen = gather(message, thread, account, contact, text_of(message), self._habits(message))
        return self.verdict(message, account, seen, vector, cleared, limits)

    def verdict(
        self,
        message: Message,
        account: Account,
        seen: MailEvidence,
        vector: Sequence[float] = (),
        cleared: bool = False,
        limits: TriageLimits = STANDARD,
    ) -> Triage:
        settled = header_rules.by_header(message, account, seen) if cleared else self.settled(message, account, seen)
        if settled is not None:
            return self._as_corrected(message, settled)
        given = self._decide(message, seen, vector, limits)
        careful = not cleared and wants_care(seen.threats, standing(seen), self._shipped.phishing)
        return replace(given, reason=threat_reasons(seen, ReasonCode.CAREFUL)) if careful else given

    def likelihood(
        self, message: Message, seen: MailEvidence, vector: Sequence[float] = (), found: Mapping[str, float] | None = None
    ) -> Likelihood:
        """The probabilities behind a verdict, from its features. What cannot be answered has none of an answer."""
        found = features(seen) if found is None else found
        taught = self._taught(message, vector)
        owner = self._owners.get(message.account_id)
        score = self._shipped.respond.score(found) + (owner.shift(found) if owner else 0.0)
        respond = probability(score + taught[Decision.RESPOND]) if header_rules.answerable(seen) else 0.0
        kept = taught[Decision.IGNORE] <= 0.0 and (_protected(seen) or not _impersonal(seen))
        if kept and _protected(seen):
            return Likelihood(respond, 0.0, kept)
        quiet = owner.quiet_shift(found) if owner else 0.0
        return Likelihood(respond, probability(self._shipped.ignore.score(found) + quiet + taught[Decision.IGNORE]), kept)

    def settled(self, message: Message, account: Account, seen: MailEvidence) -> Triage | None:
        """The verdict of headers and threats, which no model changes."""
        return header_rules.by_header(message, account, seen) or self._threat(seen)

    def _decide(self, message: Message, seen: MailEvidence, vector: Sequence[float], limits: TriageLimits) -> Triage:
        found, owner = features(seen), self._owners.get(message.account_id)
        likely = self.likelihood(message, seen, vector, found)
        limits = limits.learned(owner.respond_from) if owner else limits
        if likely.respond >= limits.respond_from:
            decision, confidence = Decision.RESPOND, likely.respond
        elif likely.ignore >= limits.ignore_from and not likely.kept:
            decision, confidence = Decision.IGNORE, (1.0 - likely.respond) * likely.ignore
            if seen.bulk or foreign_list(seen):
                return Triage(decision, Category.OTHER, round(confidence, 3), ReasonCode.LIST_MAIL, LIST_MAIL)
        else:
            doubt = likely.ignore * (_KEPT_DOUBT if likely.kept else 1.0)
            decision, confidence = Decision.NOTIFY, (1.0 - likely.respond) * (1.0 - doubt)
        category = _category(seen, decision)
        near = self._nearest(message, vector)
        if near is not None and near.decision is decision:
            reason = encode_reason(Reason(ReasonCode.JUDGED, near.message.sender.email))
        else:
            told = explanation(decision, category, seen, self._heaviest(message, found, decision))
            reason = told or encode_reason(Reason(ReasonCode.WHOLE))
        return Triage(decision, category, round(confidence, 3), reason, self.maker)

    def _heaviest(self, message: Message, found: Mapping[str, float], decision: Decision) -> list[str]:
        """The features that spoke most for a decision, in the shipped model and the owner's own together."""
        ignoring = decision is not Decision.RESPOND
        owner = self._owners.get(message.account_id)
        model = self._shipped.ignore if ignoring else self._shipped.respond
        return heaviest(model.shares(found), owner.shares(found, ignoring) if owner else {})

    def _threat(self, seen: MailEvidence, phishing_only: bool = False) -> Triage | None:
        """The verdict on phishing and spam. What a domain vouches for is shown, unless a stranger poses as somebody."""
        sender = standing(seen)
        phishing = phishing_probability(seen.threats, sender, self._shipped.phishing)
        spam = 0.0 if phishing_only else spam_probability(seen.threats, sender)
        if max(phishing, spam) < NAMED_FROM:
            return None
        sure = round(max(phishing, spam), 3)
        posed = phishing >= _DROPPED_FROM and seen.stranger and seen.threats.doubtful
        shown = sure < SPAM_CERTAIN or (seen.threats.authentic and not posed)
        decision = Decision.NOTIFY if shown else Decision.IGNORE
        if decision is Decision.NOTIFY:
            sure = max(0.01, round(1.0 - sure, 3))  # how likely it is right to show it
        if phishing >= NAMED_FROM:
            return Triage(decision, Category.SPAM, sure, threat_reasons(seen, ReasonCode.PHISHING), "rule:phishing")
        return Triage(decision, Category.SPAM, sure, threat_reasons(seen), self.maker)

    def _taught(self, message: Message, vector: Sequence[float]) -> dict[Decision, float]:
        """Log odds that corrections of this sender and of similar mail add to an answer and to ignoring."""
        added = {Decision.RESPOND: 0.0, Decision.IGNORE: 0.0}
        for one, near in zip(self._corrections, self._likeness(message, vector), strict=True):
            added[Decision.RESPOND] += near if one.decision is Decision.RESPOND else -near
            added[Decision.IGNORE] += near if one.decision is Decision.IGNORE else -near
        return {decision: max(-_MOST_TAUGHT, min(_MOST_TAUGHT, odds)) for decision, odds in added.items()}

    def _likeness(self, message: Message, vector: Sequence[float]) -> list[float]:
        """How much each correction says about a mail, in log odds."""
        if not self._corrections:
            return []
        key = _sender_key(message)
        cosines = self._vectors @ np.asarray(vector, dtype=np.float64) if len(vector) else np.zeros(len(self._corrections))
        return [
            _SAME_SENDER * (_sender_key(one.message) == key)
            + _SIMILAR * max(0.0, (float(near) - _ALIKE_FROM) / (1.0 - _ALIKE_FROM))
            for one, near in zip(self._corrections, cosines, strict=True)
        ]

    def _nearest(self, message: Message, vector: Sequence[float]) -> Correction | None:
        shares = self._likeness(message, vector)
        place = int(np.argmax(shares)) if shares else 0
        return self._corrections[place] if shares and shares[place] > 1.0 else None

    def _as_corrected(self, message: Message, verdict: Triage) -> Triage:
        """Replaces a verdict of rules or on spam by the user's correction for the same sender, except for phishing."""
        told = self._by_sender.get(_sender_key(message))
        if told is None or verdict.maker == "rule:phishing":
            return verdict
        return Triage(told.decision, told.category, _CORRECTED_CONFIDENCE, ReasonCode.CORRECTED, self.maker)

    def _habits(self, message: Message) -> Habits | None:
        owner = self._owners.get(message.account_id)
        return owner.history.before(message) if owner else None


def standing(seen: MailEvidence) -> Standing:
    """What speaks for the sender of a mail."""
    return Standing(seen.colleague, seen.written_to, seen.known, seen.in_reply_to_own)


def _protected(seen: MailEvidence) -> bool:
    """Whether a person wrote whom the owner knows: never ignored."""
    person = not (seen.bulk or seen.by_program or seen.list_id or seen.robot_name)
    return person and (seen.written_to or seen.colleague or seen.known or seen.in_reply_to_own)


def _impersonal(seen: MailEvidence) -> bool:
    """Whether anything says that a mail went to many or came from a program. Other mail is never ignored."""
    if seen.mentioned:
        return False
    sent_to_many = seen.bulk or seen.list_id or seen.precedence != "" or bool(CATEGORIES & seen.labels)
    by_nobody = seen.by_program or seen.robot_name or not (seen.addressed or seen.asks or seen.deeds)
    return sent_to_many or by_nobody or bool(seen.threats.signs & WARES) or sum(seen.cues[cue] for cue in _TO_MANY) > 1


def _category(seen: MailEvidence, decision: Decision) -> Category:
    """The kind of a mail that wants an answer, from its speech acts and cues."""
    kinds = {act.kind for act in seen.asks}
    if decision is not Decision.RESPOND:
        return Category.FOLLOW_UP if decision is Decision.NOTIFY and seen.in_reply_to_own else Category.OTHER
    if complains(seen):
        return Category.COMPLAINT
    if header_rules.follows_up(seen) or (seen.in_reply_to_own and ActKind.PROPOSAL not in kinds):
        return Category.FOLLOW_UP
    if ActKind.PROPOSAL in kinds:
        return Category.MEETING_REQUEST
    return Category.INQUIRY if kinds else Category.OTHER


def _sender_key(message: Message) -> str:
    """Identifies the sender: the list id, or the reply address."""
    return list_id_of(message) or reply_target(message)


class TaughtTriage:
    """Implements the graph's `Triager` with the user's preferences.

    `rules` gives the triage preferences in force that have a rule; `used` is called with the ids of those that decided a mail.
    `limits` gives the limits that the owner chose.
    """

    def __init__(
        self,
        triage: LocalTriage,
        rules: Callable[[], Sequence[Preference]],
        used: Callable[[Sequence[int]], None],
        limits: Callable[[], TriageLimits] = lambda: STANDARD,
    ) -> None:
        self._limits, self._triage, self._rules, self._used = limits, triage, rules, used

    @property
    def examples(self) -> int:
        """Number of examples the classifier learned from."""
        return self._triage.examples

    def learn(self, corrections: Sequence[Correction]) -> None:
        """Judges with exactly these corrections from now on."""
        self._triage = self._triage.learn(corrections)

    def owner(self, account_id: AccountId) -> OwnerModel | None:
        """What an account's archive taught, None before it was read."""
        return self._triage.owner(account_id)

    def adapt(self, account_id: AccountId, owner: OwnerModel) -> None:
        """Judges with what an account's archive taught from now on."""
        self._triage = self._triage.adapted(account_id, owner)

    def rule(self, message: Message, account: Account) -> Triage | None:
        """The verdict where the user's word, headers or rules decide."""
        known = self._rules()
        told = correction_of(message.id, known)
        if told is not None and not told.clears:
            return owner_triage(told)
        settled = self._triage.rule(message, account)
        verdict = settled or Triage(Decision.NOTIFY, Category.OTHER, 0.0, "", "local")  # empty, for a rule to replace
        taught, by = settle_by_rules(verdict, message, written_to=False, known=known)
        return taught if by else settled

    def judge(
        self, message: Message, thread: Sequence[Message], account: Account, vector: Sequence[float], contact: Contact | None
    ) -> Triage:
        """The verdict on a mail. Its `maker` starts with `rule:` where the user's word, headers or rules decided."""
        known = self._rules()
        told = correction_of(message.id, known)
        cleared, limits = told is not None, self._limits()
        verdict = self._triage.judge(message, thread, account, vector, contact, cleared=cleared, limits=limits)
        if told is not None:
            return owner_triage(told, verdict)
        written_to = contact is not None and contact.sent > 0
        taught, by = settle_by_rules(verdict, message, written_to, known)
        if by:
            self._used((by,))
        return taught
