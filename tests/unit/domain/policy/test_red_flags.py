"""Each red flag: what raises it and what does not."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.drafting.draft import Draft, Source, SourceKind
from app.domain.drafting.review import FlagKind
from app.domain.ids import AccountId
from app.domain.mail.files import ArtifactHandle
from app.domain.mail.message import Account, Address, Message
from app.domain.policy.red_flags import FlagContext, credentials, red_flags, valid_card, valid_iban
from app.domain.record import replace
from fakes.gmail.messages import stored_message

ME, ANN, BOB, EVE = (Address(one) for one in ("me@x.org", "ann@y.org", "bob@z.org", "eve@y.0rg"))
ACCOUNT = Account(AccountId(1), "me@x.org", "Me", ("me@x.org",), "", "")
SECRET = "the cellar key lies under the third stone"


def mail(text: str = "Hello", reply_to: tuple[Address, ...] = ()) -> Message:
    return stored_message(body=text, sender=ANN, to=(ME,), reply_to=reply_to, subject="s")


def around(**changes: object) -> FlagContext:
    clean = FlagContext(ACCOUNT, (mail(),), mail(), frozenset({"ann@y.org"}), frozenset({"y.org"}), "", ())
    return replace(clean, **changes)  # type: ignore[arg-type]


DRAFT = Draft((ANN,), (), (), "Re: s", "Thank you.", "m")
PRIVATE = Source(SourceKind.MESSAGE, "t", f"I told you: {SECRET}.", readers=frozenset({"bob@z.org"}))
OWN = Source(SourceKind.OWN_REPLY, "t", "A bell costs 390 crowns, and Novak has paid for his.", readers=frozenset({"bob@z.org"}))
FILE = ArtifactHandle("d" * 64, "a.pdf", "d" * 64, 3)
ADDED = [FlagKind.RECIPIENT_OUTSIDE_THREAD, FlagKind.NEVER_WRITTEN_TO]
BOTH = replace(mail(), cc=(BOB,))
GMAIL = Address("ann@gmail.com")

TRUE_CASES = [
    (replace(DRAFT, cc=(BOB,)), around(), ADDED),
    (replace(DRAFT, to=(EVE,)), around(), [*ADDED, FlagKind.LOOK_ALIKE_DOMAIN]),
    (replace(DRAFT, to=(EVE,)), around(thread=(replace(mail(), sender=EVE),)), [FlagKind.LOOK_ALIKE_DOMAIN]),
    (
        replace(DRAFT, to=(Address("ann@x.0rg"),)),
        around(written_to=frozenset({"ann@x.0rg"})),
        [FlagKind.RECIPIENT_OUTSIDE_THREAD, FlagKind.LOOK_ALIKE_DOMAIN],
    ),
    (replace(DRAFT, bcc=(ANN,)), around(), [FlagKind.BCC]),
    (replace(DRAFT, bcc=(BOB,)), around(), [*ADDED, FlagKind.BCC]),
    (replace(DRAFT, body="See https://evil.example/x."), around(), [FlagKind.LINK_NOT_FROM_USER]),
    (
        replace(DRAFT, cc=(BOB,), body="See https://evil.example/x."),
        around(thread=(mail("https://evil.example/x"), BOTH)),
        [FlagKind.LINK_NOT_FROM_USER],
    ),
    (replace(DRAFT, attachments=(FILE,)), around(), [FlagKind.ATTACHMENT]),
    (replace(DRAFT, to=(BOB,)), around(answered=None, thread=()), [FlagKind.NEVER_WRITTEN_TO]),
    (replace(DRAFT, body="Your code is 493817."), around(), [FlagKind.CREDENTIAL]),
    (
        replace(DRAFT, body="Your code is 493817."),
        around(own_letters=lambda: [(frozenset({"bob@z.org"}), "The code is 493817")]),
        [FlagKind.CREDENTIAL],
    ),
    (replace(DRAFT, body=f"Well, {SECRET.upper()}!"), around(sources=(PRIVATE,)), [FlagKind.QUOTES_PRIVATE_SOURCE]),
    (replace(DRAFT, cc=(BOB,), body=SECRET), around(sources=(PRIVATE,), thread=(BOTH,)), [FlagKind.QUOTES_PRIVATE_SOURCE]),
    (
        replace(DRAFT, to=(BOB,), body=SECRET),
        around(sources=(replace(PRIVATE, readers=frozenset()),), thread=(mail(SECRET),), written_to=frozenset({"bob@z.org"})),
        [FlagKind.RECIPIENT_OUTSIDE_THREAD, FlagKind.QUOTES_PRIVATE_SOURCE],
    ),
    (
        replace(DRAFT, body="and Novak has paid for his."),
        around(sources=(OWN,), circle=lambda _source: (Address("bob@z.org", "Bob Novak"), ME)),
        [FlagKind.QUOTES_PRIVATE_SOURCE],
    ),
    (DRAFT, around(sends_before=1), [FlagKind.SECOND_SEND]),
    (DRAFT, around(phishing=True), [FlagKind.SENDER_POSES]),
    (replace(DRAFT, to=(BOB,)), around(answered=mail(reply_to=(BOB,))), [FlagKind.REPLY_TO_DIFFERS]),
    (
        replace(DRAFT, to=(GMAIL,)),
        around(answered=replace(mail(reply_to=(GMAIL,)), sender=Address("bob@gmail.com"))),
        [FlagKind.REPLY_TO_DIFFERS],
    ),
    (
        replace(DRAFT, to=(BOB,)),
        around(answered=replace(mail(reply_to=(BOB,)), sender=Address("form@x.org"))),
        [FlagKind.REPLIES_ELSEWHERE],
    ),
]


@pytest.mark.parametrize(("draft", "seen", "wanted"), TRUE_CASES)
def test_what_must_be_flagged(draft: Draft, seen: FlagContext, wanted: list[FlagKind]) -> None:
    assert [flag.kind for flag in red_flags(draft, seen)] == wanted


@pytest.mark.parametrize(
    ("draft", "seen"),
    [
        (DRAFT, around()),
        (DRAFT, around(written_to=frozenset())),
        (replace(DRAFT, cc=(BOB,)), around(thread=(BOTH,), answered=BOTH, written_to=frozenset())),
        (replace(DRAFT, bcc=(ME,)), around()),
        (replace(DRAFT, body="See https://mine.example/x."), around(owner_words="at https://mine.example/x")),
        (replace(DRAFT, body="I saw https://theirs.example/x."), around(thread=(mail("Look: https://theirs.example/x"),))),
        (replace(DRAFT, body="the cellar key is lost"), around(sources=(PRIVATE,))),
        (replace(DRAFT, body=SECRET), around(sources=(PRIVATE,), thread=(mail(SECRET),))),
        (replace(DRAFT, body=SECRET), around(sources=(replace(PRIVATE, readers=frozenset({"ann@y.org"})),))),
        (replace(DRAFT, body="A bell costs 390 crowns, and"), around(sources=(OWN,))),
        (
            replace(DRAFT, body="- Friday 27 November, 11:00"),
            around(sources=(Source(SourceKind.CALENDAR, "", "- Friday 27 November, 11:00"),)),
        ),
        (replace(DRAFT, body=SECRET), around(sources=(PRIVATE,), own_letters=lambda: [(frozenset({"ann@y.org"}), SECRET)])),
        (replace(DRAFT, body="Your code is 493817."), around(thread=(mail("My code is 493817"),))),
        (
            replace(DRAFT, body="Our IBAN is DE89370400440532013000"),
            around(own_letters=lambda: [(frozenset({f"{one}@z.org"}), "DE89370400440532013000") for one in ("bob", "eve")]),
        ),
        (DRAFT, around(answered=mail(reply_to=(ANN,)))),
        (DRAFT, around(answered=mail(reply_to=(EVE,)))),
        (replace(DRAFT, to=(Address("desk@help.y.org"),)), around(answered=mail(reply_to=(Address("desk@help.y.org"),)))),
    ],
)
def test_what_is_no_reason_to_warn(draft: Draft, seen: FlagContext) -> None:
    """The person answered, people on the same mail, the owner's own words, free times, and what the recipients have."""
    assert red_flags(draft, seen) == ()


def test_the_owners_letters_are_read_only_where_something_is_quoted() -> None:
    read: list[int] = []

    def letters() -> list[tuple[frozenset[str], str]]:
        read.append(1)
        return [(frozenset({"bob@z.org"}), SECRET), (frozenset({"carol@z.org"}), SECRET)]

    assert red_flags(DRAFT, around(sources=(PRIVATE,), own_letters=letters)) == ()
    assert read == []
    assert red_flags(replace(DRAFT, body=SECRET), around(sources=(PRIVATE,), own_letters=letters)) == ()
    assert read == [1]


def test_words_of_a_thread_the_recipient_was_in_are_no_secret_but_figures_are() -> None:
    seen = around(sources=(PRIVATE,), circle=lambda _source: (ANN, BOB))
    assert red_flags(replace(DRAFT, body=SECRET), seen) == ()
    dated = f"{SECRET} number 4"
    seen = replace(seen, sources=(replace(PRIVATE, excerpt=dated),))
    assert [flag.kind for flag in red_flags(replace(DRAFT, body=dated), seen)] == [FlagKind.QUOTES_PRIVATE_SOURCE]


def test_an_amber_flag_that_was_approved_twice_is_quiet_and_a_red_one_never() -> None:
    def kinds(draft: Draft, approved: int) -> list[FlagKind]:
        seen = around(written_to=frozenset({"ann@y.org", "bob@z.org"}), approved=lambda _flag: approved)
        return [flag.kind for flag in red_flags(draft, seen)]

    copied = replace(DRAFT, cc=(BOB,))
    assert kinds(copied, 1) == [FlagKind.RECIPIENT_OUTSIDE_THREAD]
    assert kinds(copied, 2) == []
    assert kinds(replace(DRAFT, to=(EVE,)), 9) == [FlagKind.NEVER_WRITTEN_TO, FlagKind.LOOK_ALIKE_DOMAIN]
    assert kinds(replace(DRAFT, attachments=(FILE,)), 9) == [FlagKind.ATTACHMENT]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("IBAN DE89 3704 0044 0532 0130 00, thanks", 1),
        ("IBAN DE88 3704 0044 0532 0130 00", 0),
        ("card 4111 1111 1111 1111", 1),
        ("order 4111 1111 1111 1112", 0),
        ("form 0000 0000 0000 0000", 0),
        ("heslo je x9k2m4", 1),
        ("the code of conduct", 0),
        ("password: hunter22", 1),
        ("key sk-abcdefghijklmnop1234", 1),
        ("-----BEGIN RSA PRIVATE KEY-----", 1),
        ("call me on 2026-11-20 at 15:30", 0),
        ("PIN 4711", 1),
    ],
)
def test_credentials(text: str, found: int) -> None:
    assert len(credentials(text)) == found
    assert all(len(one) == 5 for one in credentials(text))


@settings(max_examples=2 * settings.default.max_examples)
@given(st.text(alphabet="0123456789 -", max_size=24))
def test_card_check_never_fails(text: str) -> None:
    valid_card(text)


@settings(max_examples=2 * settings.default.max_examples)
@given(st.from_regex(r"[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}", fullmatch=True))
def test_an_iban_has_one_pair_of_check_digits(text: str) -> None:
    valid = [digits for digits in range(100) if valid_iban(f"{text[:2]}{digits:02d}{text[4:]}")]
    assert 1 <= len(valid) <= 2
