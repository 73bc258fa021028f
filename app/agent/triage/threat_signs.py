"""The signs of spam and phishing that code can see in a mail, and which of them make a fraud together."""

from enum import StrEnum

from app.domain.record import Record

ThreatSign = StrEnum(
    "ThreatSign",
    # whom the sender poses as
    "BRAND_NAME LOOK_ALIKE BRAND_ELSEWHERE NAME_TWIN NAMESAKE SHOWS_OTHER PADDED_ADDRESS POSES_AS_PROVIDER POSES_AS_OWN "
    "PRIVATE_SERVICE PRIVATE_PAYEE SERVICE_DOMAIN ADDED_WORD NAME_UNFIT FALSE_REPLY NOT_AUTHENTIC UNPROVEN REPLY_ELSEWHERE "
    "FREE_REPLY OWN_DOMAIN TITLED "
    # links and files
    "LINK_ELSEWHERE INSECURE_LINK HOSTED_LINK NAMED_LINK SERVICE_LINK POSED_LINK STRANGE_LINK DANGEROUS_FILE RUNS_CODE "
    # what it wants, and how it asks
    "ASKS_SECRETS ASKS_SIGN_IN ASKS_DATA ASKS_WHO THREATENS NEW_ACCOUNT FOREIGN_ACCOUNT PAY_NOW GIFT_CARD EXTORTS CALL_BACK "
    "ADVANCE_FEE FAVOUR ERRAND BAIT RELAYED PRETEXT SALARY CHECKABLE PROOF SECRECY URGENT IMPERSONAL "
    # what spam offers
    "MONEY GOODS PITCH LOUD OFFER ORDERS",
)
"""The signs."""


IDENTITY = frozenset(
    {
        ThreatSign.BRAND_NAME, ThreatSign.LOOK_ALIKE, ThreatSign.NAME_TWIN, ThreatSign.POSES_AS_PROVIDER,
        ThreatSign.SERVICE_DOMAIN, ThreatSign.NOT_AUTHENTIC, ThreatSign.UNPROVEN, ThreatSign.REPLY_ELSEWHERE,
        ThreatSign.LINK_ELSEWHERE, ThreatSign.SERVICE_LINK, ThreatSign.BRAND_ELSEWHERE, ThreatSign.NAMESAKE,
        ThreatSign.SHOWS_OTHER, ThreatSign.PADDED_ADDRESS, ThreatSign.POSES_AS_OWN, ThreatSign.HOSTED_LINK,
        ThreatSign.NAMED_LINK, ThreatSign.PRIVATE_SERVICE, ThreatSign.NAME_UNFIT, ThreatSign.PRIVATE_PAYEE,
        ThreatSign.FREE_REPLY, ThreatSign.FOREIGN_ACCOUNT, ThreatSign.ADDED_WORD, ThreatSign.OWN_DOMAIN,
        ThreatSign.TITLED,
    }
)  # fmt: skip
"""Signs that the sender is not who it seems."""

LURES = frozenset(
    {
        ThreatSign.ASKS_SECRETS, ThreatSign.ASKS_SIGN_IN, ThreatSign.ASKS_DATA, ThreatSign.NEW_ACCOUNT, ThreatSign.PAY_NOW,
        ThreatSign.GIFT_CARD, ThreatSign.EXTORTS, ThreatSign.CALL_BACK, ThreatSign.ADVANCE_FEE, ThreatSign.POSED_LINK,
        ThreatSign.LINK_ELSEWHERE, ThreatSign.DANGEROUS_FILE, ThreatSign.RUNS_CODE, ThreatSign.FAVOUR, ThreatSign.BAIT,
        ThreatSign.ASKS_WHO,
    }
)  # fmt: skip
"""Signs of what phishing wants."""

TAKEN_OVER = (
    {ThreatSign.FAVOUR},
    {ThreatSign.BAIT, ThreatSign.STRANGE_LINK},
    {ThreatSign.NEW_ACCOUNT, ThreatSign.PRETEXT},
    {ThreatSign.NEW_ACCOUNT, ThreatSign.FOREIGN_ACCOUNT},
    {ThreatSign.NEW_ACCOUNT, ThreatSign.FREE_REPLY, ThreatSign.URGENT},
    {ThreatSign.NEW_ACCOUNT, ThreatSign.PROOF},
    {ThreatSign.SECRECY, ThreatSign.FREE_REPLY},
    {ThreatSign.DANGEROUS_FILE, ThreatSign.RUNS_CODE},
    {ThreatSign.DANGEROUS_FILE, ThreatSign.ASKS_SECRETS},
    {ThreatSign.DANGEROUS_FILE, ThreatSign.ASKS_SIGN_IN},
)
"""Signs of a fraud that people fall for because they know the sender, whose mailbox somebody else may use."""

FRAUDS = (
    *TAKEN_OVER,
    {ThreatSign.CALL_BACK, ThreatSign.PRIVATE_SERVICE},
    {ThreatSign.CALL_BACK, ThreatSign.RELAYED},
    {ThreatSign.NEW_ACCOUNT, ThreatSign.NAME_TWIN},
    {ThreatSign.NOT_AUTHENTIC, ThreatSign.SERVICE_LINK, ThreatSign.STRANGE_LINK},
    {ThreatSign.NEW_ACCOUNT, ThreatSign.SALARY, ThreatSign.PRIVATE_PAYEE},
    {ThreatSign.RUNS_CODE, ThreatSign.URGENT},
    {ThreatSign.EXTORTS},
    {ThreatSign.ADVANCE_FEE},
    {ThreatSign.GIFT_CARD, ThreatSign.SECRECY},
    {ThreatSign.ERRAND, ThreatSign.TITLED},
    {ThreatSign.NAMESAKE, ThreatSign.SECRECY},
    {ThreatSign.PADDED_ADDRESS, ThreatSign.SECRECY},
    {ThreatSign.PAY_NOW, ThreatSign.SECRECY},
    {ThreatSign.PADDED_ADDRESS, ThreatSign.NEW_ACCOUNT},
    {ThreatSign.NAMESAKE, ThreatSign.NEW_ACCOUNT},
    {ThreatSign.LOOK_ALIKE, ThreatSign.SECRECY},
    {ThreatSign.POSES_AS_OWN, ThreatSign.SECRECY},
    {ThreatSign.NEW_ACCOUNT, ThreatSign.SECRECY},
    {ThreatSign.NEW_ACCOUNT, ThreatSign.FALSE_REPLY},
    {ThreatSign.NEW_ACCOUNT, ThreatSign.NOT_AUTHENTIC},
    {ThreatSign.NEW_ACCOUNT, ThreatSign.LOOK_ALIKE},
)
"""Signs that are a fraud whoever sends them."""

FORGERIES = frozenset(
    {
        ThreatSign.NOT_AUTHENTIC, ThreatSign.LOOK_ALIKE, ThreatSign.NAME_TWIN, ThreatSign.NAMESAKE, ThreatSign.SHOWS_OTHER,
        ThreatSign.BRAND_NAME,
    }
)  # fmt: skip
"""Signs with which an address that is known may be somebody else's."""

LINK_LURES = frozenset(
    {
        ThreatSign.ASKS_SECRETS, ThreatSign.ASKS_SIGN_IN, ThreatSign.ASKS_DATA, ThreatSign.PAY_NOW, ThreatSign.POSED_LINK,
        ThreatSign.SERVICE_LINK,
    }
)  # fmt: skip
"""Lures that need a false page."""

POSED = frozenset(
    {
        ThreatSign.BRAND_NAME, ThreatSign.LOOK_ALIKE, ThreatSign.NAME_TWIN, ThreatSign.NAMESAKE, ThreatSign.POSES_AS_PROVIDER,
        ThreatSign.POSES_AS_OWN, ThreatSign.NAMED_LINK, ThreatSign.SHOWS_OTHER,
    }
)  # fmt: skip
"""Signs that make any link a lure."""

PASSED_ON = LURES - LINK_LURES - {ThreatSign.NEW_ACCOUNT, ThreatSign.ASKS_WHO} | {ThreatSign.SECRECY, ThreatSign.RELAYED}
"""Signs of a fraud that a service may pass on for somebody who uses it."""

WARES = frozenset({ThreatSign.MONEY, ThreatSign.GOODS, ThreatSign.PITCH, ThreatSign.OFFER, ThreatSign.ORDERS})
"""Signs of what spam wants."""


class ThreatSigns(Record):
    """The signs in a mail, those found more than once, and the brand or domain they are about.

    `authentic`: the sender's domain signed the mail. `own_links`: also its links belong to that domain. `fitting`: the name too.
    `bulk`: one can unsubscribe. `length` counts words, `sites` the places that links lead to. `harmless`: all links lead to the
    brand itself, a known service wrote it, or there is nothing to open, call, pay to or answer.
    """

    signs: frozenset[ThreatSign] = frozenset()
    repeated: frozenset[ThreatSign] = frozenset()
    about: str = ""
    authentic: bool = False
    own_links: bool = False
    fitting: bool = False
    bulk: bool = False
    length: int = 0
    sites: int = 0
    harmless: bool = False

    @property
    def doubtful(self) -> bool:
        """Whether the sender may not be who it seems."""
        return bool(self.signs & IDENTITY)

    @property
    def weight(self) -> int:
        """Number of signs of offers, lures and doubts; haste alone is none."""
        return len(self.signs & (WARES | LURES | IDENTITY))
