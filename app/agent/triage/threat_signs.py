"""The signs of spam and phishing that code can see in a mail, and which of them make a fraud together."""

from enum import StrEnum

from app.domain.record import Record


class ThreatSign(StrEnum):
    """The signs."""

    # whom the sender poses as
    BRAND_NAME = "brand_name"
    LOOK_ALIKE = "look_alike"
    BRAND_ELSEWHERE = "brand_elsewhere"
    NAME_TWIN = "name_twin"
    NAMESAKE = "namesake"
    SHOWS_OTHER = "shows_other"
    PADDED_ADDRESS = "padded_address"
    POSES_AS_PROVIDER = "poses_as_provider"
    POSES_AS_OWN = "poses_as_own"
    PRIVATE_SERVICE = "private_service"
    PRIVATE_PAYEE = "private_payee"
    SERVICE_DOMAIN = "service_domain"
    ADDED_WORD = "added_word"
    NAME_UNFIT = "name_unfit"
    FALSE_REPLY = "false_reply"
    NOT_AUTHENTIC = "not_authentic"
    UNPROVEN = "unproven"
    REPLY_ELSEWHERE = "reply_elsewhere"
    FREE_REPLY = "free_reply"
    OWN_DOMAIN = "own_domain"
    TITLED = "titled"

    # links and files
    LINK_ELSEWHERE = "link_elsewhere"
    INSECURE_LINK = "insecure_link"
    HOSTED_LINK = "hosted_link"
    NAMED_LINK = "named_link"
    SERVICE_LINK = "service_link"
    POSED_LINK = "posed_link"
    STRANGE_LINK = "strange_link"
    DANGEROUS_FILE = "dangerous_file"
    RUNS_CODE = "runs_code"

    # what it wants, and how it asks
    ASKS_SECRETS = "asks_secrets"
    ASKS_SIGN_IN = "asks_sign_in"
    ASKS_DATA = "asks_data"
    ASKS_WHO = "asks_who"
    THREATENS = "threatens"
    NEW_ACCOUNT = "new_account"
    FOREIGN_ACCOUNT = "foreign_account"
    PAY_NOW = "pay_now"
    GIFT_CARD = "gift_card"
    EXTORTS = "extorts"
    CALL_BACK = "call_back"
    ADVANCE_FEE = "advance_fee"
    FAVOUR = "favour"
    ERRAND = "errand"
    BAIT = "bait"
    RELAYED = "relayed"
    PRETEXT = "pretext"
    SALARY = "salary"
    CHECKABLE = "checkable"
    PROOF = "proof"
    SECRECY = "secrecy"
    URGENT = "urgent"
    IMPERSONAL = "impersonal"

    # what spam offers
    MONEY = "money"
    GOODS = "goods"
    PITCH = "pitch"
    LOUD = "loud"
    OFFER = "offer"
    ORDERS = "orders"


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
