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


def _signs(names: str) -> frozenset[ThreatSign]:
    return frozenset(map(ThreatSign, names.split()))


def _each(sets: str) -> tuple[frozenset[ThreatSign], ...]:
    return tuple(map(_signs, sets.split(";")))


IDENTITY = _signs(
    "brand_name look_alike name_twin poses_as_provider service_domain not_authentic unproven reply_elsewhere link_elsewhere "
    "service_link brand_elsewhere namesake shows_other padded_address poses_as_own hosted_link named_link private_service "
    "name_unfit private_payee free_reply foreign_account added_word own_domain titled"
)
"""Signs that the sender is not who it seems."""

LURES = _signs(
    "asks_secrets asks_sign_in asks_data new_account pay_now gift_card extorts call_back advance_fee posed_link "
    "link_elsewhere dangerous_file runs_code favour bait asks_who"
)
"""Signs of what phishing wants."""

TAKEN_OVER = _each(
    "favour; bait strange_link; new_account pretext; new_account foreign_account; new_account free_reply urgent; "
    "new_account proof; secrecy free_reply; dangerous_file runs_code; dangerous_file asks_secrets; "
    "dangerous_file asks_sign_in"
)
"""Signs of a fraud that people fall for because they know the sender, whose mailbox somebody else may use."""

FRAUDS = TAKEN_OVER + _each(
    "call_back private_service; call_back relayed; new_account name_twin; not_authentic service_link strange_link; "
    "new_account salary private_payee; runs_code urgent; extorts; advance_fee; gift_card secrecy; errand titled; "
    "namesake secrecy; padded_address secrecy; pay_now secrecy; padded_address new_account; namesake new_account; "
    "look_alike secrecy; poses_as_own secrecy; new_account secrecy; new_account false_reply; new_account not_authentic; "
    "new_account look_alike"
)
"""Signs that are a fraud whoever sends them."""

FORGERIES = _signs("not_authentic look_alike name_twin namesake shows_other brand_name")
"""Signs with which an address that is known may be somebody else's."""

LINK_LURES = _signs("asks_secrets asks_sign_in asks_data pay_now posed_link service_link")
"""Lures that need a false page."""

POSED = _signs("brand_name look_alike name_twin namesake poses_as_provider poses_as_own named_link shows_other")
"""Signs that make any link a lure."""

PASSED_ON = LURES - LINK_LURES - {ThreatSign.NEW_ACCOUNT, ThreatSign.ASKS_WHO} | {ThreatSign.SECRECY, ThreatSign.RELAYED}
"""Signs of a fraud that a service may pass on for somebody who uses it."""

WARES = _signs("money goods pitch offer orders")
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
