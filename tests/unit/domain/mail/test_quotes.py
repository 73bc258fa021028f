"""Where a mail's own words end: attributions, dividers, header blocks, signatures and footers in many languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.mail import quotes
from app.domain.mail.quotes import newest_part, split_text

ATTRIBUTIONS = [
    "On Tue, Nov 3, 2026 at 10:00 AM Bob <bob@example.org> wrote:",
    "On Tue, 3 Nov 2026 at 10:00, Bob Builder <bob@example.org>\nwrote:",
    "On Tuesday, November 3, 2026 at 10:00:00 AM UTC+1, Bob Builder\n<bob@example.org> wrote:",
    "Am Di., 3. Nov. 2026 um 10:00 Uhr schrieb Bob <bob@example.org>:",
    "Am 03.11.2026 um 10:00 schrieb Bob:",
    "Dne 3. 11. 2026 10:00 Bob napsal(a):",
    "út 3. 11. 2026 v 10:00 odesílatel Bob <bob@example.org> napsal:",
    "Dňa 3. 11. 2026 o 10:00 Bob napísal:",
    "El mar, 3 nov 2026 a las 10:00, Bob (<bob@example.org>) escribió:",
    "Le mar. 3 nov. 2026 à 10:00, Bob <bob@example.org> a écrit :",
    "Il giorno mar 3 nov 2026 alle ore 10:00 Bob <bob@example.org> ha scritto:",
    "Em ter., 3 de nov. de 2026 às 10:00, Bob <bob@example.org> escreveu:",
    "Op di 3 nov 2026 om 10:00 schreef Bob <bob@example.org>:",
    "wt., 3 lis 2026 o 10:00 Bob <bob@example.org> napisał(a):",
    "W dniu 3.11.2026 o 10:00, Bob pisze:",
    "Den tis 3 nov. 2026 kl 10:00 skrev Bob <bob@example.org>:",
    "tir. 3. nov. 2026 kl. 10:00 skrev Bob <bob@example.org>:",
    "ti 3. marrask. 2026 klo 10.00 Bob (bob@example.org) kirjoitti:",
    "Bob <bob@example.org> ezt írta (időpont: 2026. nov. 3., K, 10:00):",
    "вт, 3 нояб. 2026 г. в 10:00, Bob <bob@example.org>:",
    "3 ноября 2026 г. в 10:00 Bob написал:",
    "2026年11月3日(火) 10:00 Bob <bob@example.org>:",
    "2026年11月3日 10:00 に Bob が書きました:",
    "Bob <bob@example.org> 于2026年11月3日周二 10:00写道：",
    "2026년 11월 3일 (화) 오전 10:00, Bob <bob@example.org>님이 작성:",
    "3 Kas 2026 Sal 10:00 tarihinde Bob <bob@example.org> şunu yazdı:",
    "Στις Τρί 3 Νοε 2026 στις 10:00 ο χρήστης Bob <bob@example.org> έγραψε:",
    "În mar., 3 nov. 2026 la 10:00, Bob <bob@example.org> a scris:",
    "вт, 3 лист. 2026 р. о 10:00 Bob <bob@example.org> пише:",
    "На вт, 3.11.2026 г. в 10:00 Bob <bob@example.org> написа:",
    "uto, 3. stu 2026. u 10:00 Bob <bob@example.org> napisao je:",
    "V tor., 3. nov. 2026 ob 10:00 je Bob <bob@example.org> napisal(a):",
    "2026-11-03, an, 10:00 Bob <bob@example.org> rašė:",
    "Vào Th 3, 3 thg 11, 2026 vào lúc 10:00 Bob <bob@example.org> đã viết:",
    "בתאריך יום ג׳, 3 בנוב׳ 2026 ב-10:00 מאת Bob <bob@example.org>:",
    "في الثلاثاء، 3 نوفمبر 2026 في 10:00 ص تمت كتابة ما يلي بواسطة Bob <bob@example.org>:",
]


@pytest.mark.parametrize("attribution", ATTRIBUTIONS)
def test_the_history_below_an_attribution_goes(attribution: str) -> None:
    text = f"Yes, Friday is fine.\n\n{attribution}\n\n> When do we meet?\n>\n>> Earlier.\n"
    assert newest_part(text) == "Yes, Friday is fine."
    assert split_text(text).history.startswith(attribution.split("\n")[0])


DIVIDERS = [
    "-----Original Message-----\nFrom: Bob",
    "-----Ursprüngliche Nachricht-----\nVon: Bob",
    "-----Původní zpráva-----\nOd: Bob",
    "---------- Forwarded message ---------\nFrom: Bob",
    "-------- Mensaje original --------\nDe: Bob",
    "-------- Message original --------\nDe : Bob",
    "-----Исходное сообщение-----\nОт: Bob",
    "From: Bob <bob@example.org>\nSent: Tuesday, November 3, 2026 10:00\nTo: Olga\nSubject: Plans",
    "*From:* Bob <bob@example.org>\n*Date:* Tuesday, November 3, 2026\n*To:* Olga",
    "Von: Bob <bob@example.org>\nGesendet: Dienstag, 3. November 2026 10:00\nAn: Olga\nBetreff: Pläne",
    "Od: Bob <bob@example.org>\nOdesláno: úterý 3. listopadu 2026 10:00\nKomu: Olga\nPředmět: Plány",
    "De : Bob <bob@example.org>\nEnvoyé : mardi 3 novembre 2026 10:00\nÀ : Olga",
    "De: Bob\nEnviado el: martes, 3 de noviembre de 2026\nPara: Olga",
    "Da: Bob\nInviato: martedì 3 novembre 2026\nA: Olga",
    "Van: Bob\nVerzonden: dinsdag 3 november 2026\nAan: Olga",
    "Від: Bob\nНадіслано: 3 листопада 2026 р. 10:00\nКому: Olga",
    "De la: Bob\nTrimis: marți, 3 noiembrie 2026 10:00\nCătre: Olga",
    "Från: Bob\nSkickat: den 3 november 2026 10:00\nTill: Olga",
    "Feladó: Bob\nElküldve: 2026. november 3., kedd 10:00\nCímzett: Olga",
    "От: Bob\nОтправлено: 3 ноября 2026\nКому: Olga",
    "发件人: Bob\n发送时间: 2026年11月3日\n收件人: Olga",
    "________________________________\nFrom: Bob\nSent: Tuesday, November 3, 2026",
]


@pytest.mark.parametrize("divider", DIVIDERS)
def test_outlooks_blocks_and_dividers_end_the_own_words(divider: str) -> None:
    assert newest_part(f"Yes, Friday is fine.\n\n{divider}\n\nWhen do we meet?\n") == "Yes, Friday is fine."


@pytest.mark.parametrize(
    "footer",
    [
        "-- \nOlga Example\n+420 123",
        "--\nOlga",
        "Sent from my iPhone",
        "Sent from Outlook for Android",
        "Get Outlook for iOS",
        "Von meinem iPhone gesendet",
        "Gesendet von Outlook für Android",
        "Odesláno z iPhonu",
        "Enviado desde mi iPhone",
        "Enviado do meu iPhone",
        "Envoyé de mon iPhone",
        "Inviato da iPhone",
        "Verzonden vanaf mijn iPhone",
        "Verstuurd vanaf mijn iPhone",
        "Az iPhone-omról küldve",
        "Надіслано з iPhone",
        "Στάλθηκε από το iPhone μου",
        "Wysłano z iPhone'a",
        "Skickat från min iPhone",
        "Sendt fra min iPhone",
        "Отправлено с iPhone",
        "iPhoneから送信",
        "从我的 iPhone 发送",
    ],
)
def test_signatures_and_footers_go(footer: str) -> None:
    text = f"Yes, Friday is fine.\n\n{footer}\n"
    assert newest_part(text) == "Yes, Friday is fine."
    assert split_text(text).signature == footer
    assert newest_part(f"{text}\nOn Tue, 3 Nov 2026 at 10:00, Bob wrote:\n> x") == "Yes, Friday is fine."


@pytest.mark.parametrize(
    "text",
    [
        "Plain words.",
        "On Monday we wrote to the bank about it.\nThey have not answered.",
        "From: now on, please use the new form.\nThanks",
        "I wrote:\nnothing",
        "A list:\n- one\n-- two\n- three and more",
        "He said > 5 is enough.",
        "> a question?\nYes.\n> another?\nNo.",
        "Sent from my office, the parcel should arrive.\n\nLet me know when it does, and tell Eva.\n\nThanks\nOlga\nExample Ltd",
        "--------\nTable\n--------",
    ],
)
def test_what_is_no_quote_stays(text: str) -> None:
    assert newest_part(text) == text


def test_answers_between_quoted_lines_are_kept_with_them() -> None:
    text = "On Tue, 3 Nov 2026, Bob wrote:\n> When?\nOn Friday.\n> Where?\nIn Room 3.\n\n-- \nOlga"
    assert newest_part(text) == text.removesuffix("\n\n-- \nOlga")


def test_a_mail_that_is_only_a_quote_stays_whole() -> None:
    text = "On Tue, 3 Nov 2026 at 10:00, Bob wrote:\n> When?"
    assert newest_part(text) == text
    assert newest_part("") == ""


def test_trailing_quotes_without_an_attribution_go() -> None:
    assert newest_part("Yes.\n\n> When?\n> Where?\n\n") == "Yes."


LINES = st.sampled_from(
    [
        *"\n".join([*ATTRIBUTIONS, *DIVIDERS]).split("\n"),
        "> quoted",
        "",
        "-- ",
        "Sent from my phone",
        "Own words.",
        "On ",
        "From:",
        "_" * 40,
    ]
)


@given(st.lists(st.one_of(LINES, st.text(max_size=40)), max_size=25).map("\n".join))
def test_nothing_is_invented_and_only_lines_go(text: str) -> None:
    split = split_text(text)
    newest = newest_part(text)
    assert newest in text
    assert bool(newest) == bool(text.strip())
    kept = [
        line.strip() for stretch in (split.own, split.signature, split.history) for line in stretch.split("\n") if line.strip()
    ]
    assert kept == [line.strip() for line in text.split("\n") if line.strip()]


@pytest.mark.parametrize(
    "text",
    [
        "On " * 200_000,
        "On x wrote " * 30_000,
        "> " * 200_000,
        "\n> x" * 60_000,
        "On a\nwrote b\n" * 20_000,
        "From: x\n" * 40_000,
        "Am schrieb\n" * 30_000,
        "_" * 300_000,
        ("-" * 20 + "Original Message\n") * 10_000,
        " " * 300_000,
        "\n" * 300_000,
        "On Tue wrote:\n> q\nanswer\n" * 10_000,
        "Sent from my x\n" * 30_000,
        "wrote:" * 50_000,
        "Dne napsal(a" * 30_000,
    ],
)
def test_long_texts_are_read_in_passing(text: str) -> None:
    assert len(newest_part(text)) <= len(text)


PIECES = (
    *("", " ", "Yes.", "> quoted", "  > more", "On 3 Nov 2026 at 10:00 Bob wrote:", "On 3 Nov 2026 at 10:00", "Bob <b@x.org>"),
    *("wrote:", "wrote 10:00", "Bob <b@x.org> 10:00：", "From: Bob", "Sent: Tuesday", "-----Original Message-----", "_" * 20),
    *("- item", "*a*"),
)


@given(st.lists(st.sampled_from(PIECES), max_size=30))
def test_nothing_is_missed_for_looking_only_where_history_can_begin(lines: list[str]) -> None:
    found = quotes._history_start(lines)
    with pytest.MonkeyPatch.context() as patch:
        everything = set(range(len(lines)))
        patch.setattr(quotes, "_candidates", lambda _lines, _filled: (everything, everything))
        assert found == quotes._history_start(lines)


@pytest.mark.parametrize(
    "quote",
    [
        "Bob Builder@EXAMPLE\n11/02/2026 03:34 PM\nTo: Ann Reed/HOU/EX@EX, Eve\nMoor/HOU/EX@EX\ncc:  \nSubject: Bells",
        "Bob Builder   02/26/2026 02:53 PM\n\nTo: Ann Reed/HOU/EX@EX\ncc:  \nSubject: Bells",
        "   From:  Bob Builder               11/15/2026 12:17 PM\n\t\n\nTo: Ann Reed/HOU/EX@EX\ncc:  \nSubject: Bells",
        "To: Ann Reed/HOU/EX@EX\ncc: Eve Moor/NA/EX@EX\nSubject: Re: Bells",
        "Bob Builder@EXAMPLE\n11/02/2026 03:34 PM\nTo: Ann Reed/HOU/EX@EX\ncc:  \n\nSubject: Re: Bells",
        "---------------------- Forwarded by Bob Builder/HOU/EX on 11/15/2026 \n12:17 PM ---------------------------",
    ],
)
def test_what_notes_quotes_goes(quote: str) -> None:
    own = "Yes, that is fine.\n\nThanks,\nOlga"
    assert newest_part(f"{own}\n\n\n{quote}\n\nCan I change it?\n\nThanks,\nFred") == own


def test_a_line_to_somebody_is_no_quote() -> None:
    text = "Please write the label so.\n\nTo: Ann Reed\nMill Lane 4\n\nSubject: bells"
    assert newest_part(text) == text
