"""Speech acts: what the sentences of a mail ask, promise, tell, and to whom."""

import pytest

from app.domain.language.own_words import own_words
from app.domain.language.speech_acts import Addressee, asks, speech_acts

OWNER = ("Anna Novak", "anna.novak@own.example")
OTHERS = ("Mary Lee", "john.smith@work.example")


def kinds(text: str) -> list[str]:
    return [act.kind.value for act in speech_acts(text, OWNER, OTHERS)]


def asked(text: str) -> list[str]:
    return [act.sentence for act in asks(text, OWNER, OTHERS)]


@pytest.mark.parametrize(
    "text",
    [
        "can you check the numbers", "pls send me the file", "would you mind checking the second tab", "I need the key back",
        "Could you please let me know whether the flat is still available?", "it would be great if you could join us",
        "Mohl byste mi poslat fakturu?", "pošli mi to prosím", "Potřebovala bych kopii smlouvy.",
        "Dejte mi vědět, jak to dopadlo.",
        "Könnten Sie mir den Vertrag schicken?", "Ich bräuchte noch die Rechnung.", "Bitte geben Sie mir Bescheid.",
        "Pourriez-vous m'envoyer le devis ?", "¿Me podría confirmar la reserva?", "For your approval: the new price list",
        "Let me know what you think.", "send me the slides when you can", "Mary asked that you provide us with any changes.",
        "A draft by Thursday noon would be great.",
        "We need you to please confirm the address.", "Please sign the attached copy for your landlord and return it.",
        "still waiting on the gasket report", "it would be great if the plumber had a look", "I'd like from you one idea.",
        "We need to change our booking.", "I need to change that.",
        "I'd like everybody's comments before Wednesday.", "Each of you must send me a number.", "Write to me by Monday.",
        "We still need two drivers for Saturday.", "Schreibt mir bis Montag.", "Hledáme ještě dva dobrovolníky.",
        "I am in Porto in May and would love to visit your workshop.", "It would be so good to catch up.",
        # What is missing, not known, or would be welcome; verbs that say it.
        "We still haven't received your signed lease.", "The stamp card is missing from your file.", "I'd need the ring size.",
        "We can't print the programme until you send the list.", "Your tax form hasn't turned up.", "Mir fehlt noch die Adresse.",
        "Das Gutachten liegt uns noch nicht vor.", "Dosud jsme nedostali podpis druhé strany.",
        "Chybí nám od vás rodné číslo.",
        "I'm not sure which gate the lorry should take.", "No one has told us when the water is back.",
        "Ich weiß nicht, wo ich den Schlüssel abgeben soll.", "Nevím, kdo má klíče od sklepa.",
        "It would help to know the width of the door.", "Your views on the new logo would be welcome.",
        "I should be glad to have an estimate.", "Es wäre gut, die Maße zu kennen.",
        "I hereby request access to my file.", "We seek permission to cut the lime tree.",
        "Wir beantragen eine Fristverlängerung.",
        "Vyzýváme Vás k úhradě nedoplatku.",
        "Your page of the annual report is still blank.", "Für die Abrechnung brauche ich noch den Zählerstand.",
        "Es reicht, wenn Sie mir die Zahl per E-Mail schicken.", "Ohne den Plan können wir nicht anfangen.",
        "Kann ich den Schlüssel behalten?", "Můžeme přijít se psem?",
        "Gern würden wir Ihre Meinung hören.", "We still have nobody from your team.", "Von euch haben wir noch keine Namen.",
        "Od vás zatím nemáme nikoho.", "I am assuming that the fee is included.",
        "Ich gehe davon aus, dass Sie den Termin kennen.", "We hold the order until Monday.",
        "Proof of the address is required by 3 May.", "Für die Akte wird noch eine Kopie benötigt.",
        "Die Unterlagen sind bis zum 6.11.2026 nachzureichen.",
        "Je třeba doložit nájemní smlouvu.", "I'll order the blue one unless I hear from you.",
        "Wenn ich nichts höre, nehme ich Freitag.",
        "Pokud se neozvete, pošlu to v pondělí.", "I would value a quick word before the board meets.",
        # Something went wrong again.
        "The lift has stopped for the third time since May.", "This is not what we agreed.", "Nobody seems to feel responsible.",
        "Jetzt ist das Dach schon das dritte Mal undicht.", "Dafür habe ich kein Verständnis mehr.",
        "Výtah nejede, už potřetí.", "Dochází nám trpělivost.",
    ],
)  # fmt: skip
def test_requests(text: str) -> None:
    assert kinds(text)[:1] == ["request"]


@pytest.mark.parametrize(
    "text",
    [
        "Is the lamp still for sale?", "what time does the shop open on saturday", "any news on the refund", "thoughts?",
        "I was wondering whether dogs are allowed.", "Kolik stojí oprava?", "Zajímalo by mě, kolik to stojí.",
        "Was kostet die Reparatur?", "did the parcel arrive",
        "the blue van, is it insured", "how many tickets", "which colour for the door", "you around on Sunday",
        "still ok for the dentist at four", "should they come to the back door", "wer holt die Kinder ab", "kommst du am Samstag",
        "v kolik to začíná", "stihneš to do pátku",
    ],
)  # fmt: skip
def test_questions(text: str) -> None:
    assert kinds(text) == ["question"]


@pytest.mark.parametrize(
    "text",
    [
        "let me know if 3:30 works", "can we move it to thursday", "can we move it", "How about Friday at 10?",
        "Fancy lunch tomorrow?",
        "When would you be free for a call?", "Hodilo by se vám úterý v 9?", "Kdy byste měla čas?",
        "Passt Ihnen Dienstag um 15 Uhr?",
        "Wann passt es Ihnen?", "Could we meet next week to discuss the offer?",
    ],
)  # fmt: skip
def test_proposals_of_a_time(text: str) -> None:
    assert kinds(text) == ["proposal"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("I will send the contract by Monday.", "commitment"),
        ("Zítra vám pošlu smlouvu.", "commitment"),
        ("Ich schicke Ihnen den Vertrag morgen.", "commitment"),
        ("Thank you for the photos of the wheel.", "thanks"),
        ("Děkuji za fotky.", "thanks"),
        ("FYI, the office will be closed on Monday.", "notice"),
        ("Please find attached the report.", "notice"),
        ("Unfortunately I can't make it on Friday.", "decline"),
        ("Bohužel nemůžu přijít.", "decline"),
    ],
)
def test_what_wants_no_answer(text: str, kind: str) -> None:
    assert kind in kinds(text)
    assert asked(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Let me know if you need anything.", "Please do not hesitate to contact us.", "How are you?", "Hope you are well!",
        "If you have any questions, please call me.", "V případě dotazů mi zavolejte.", "Bei Fragen melden Sie sich gerne.",
        "When you arrive, the key is under the mat.", "Did you know that we ship to Malta?", "Morning meeting is at 9.",
        "You can view your invoice here.", "Please note that prices include tax.", "Let me introduce myself.",
        "I would like to introduce you to Maria, who joins us on Monday.", "We will meet on Tuesday at 3 pm in room 12.",
        "Meeting to be set up 5pm tomorrow - Tammie to email details.", "Rád bych vám představil naši novou kolegyni.",
        "I am going to schedule the meeting for tomorrow at 10.", "Ich möchte Ihnen unsere neue Kollegin vorstellen.",
        "At Eve's request we have prepared, and attach for your review, a list.", "If you try to please everyone, you fail.",
        "Ich melde mich, falls es wieder tropft.", "Wenn etwas fehlt, rufen Sie mich ruhig an.",
        "The vet will let us know when the results are in.", "I asked the caretaker to lock the hall.", "Which is fine.",
        "We will never ask for your PIN.", "Ich sage dem Hausmeister Bescheid.", "Do this before you leave the site.",
        "Have the soup while it is hot.", "So do I, as it happens.",
        "We expect a delay of two days.", "We seek to answer within a week.",
        "No one said it would be easy.", "Before you leave the site, do this.",
        "Damit können wir zum Notar.", "Dann kann ich endlich schlafen.", "V sobotu můžeme konečně natírat.",
        "Den Termin brauche ich nicht mehr.", "Reply for olga@studio.example",
        "We need to change that.", "I think we really need to get the prices up next year.",
    ],
)  # fmt: skip
def test_courtesy_and_notices_ask_nothing(text: str) -> None:
    assert asked(text) == []


def test_reads_only_the_authors_own_words() -> None:
    text = (
        "Hi Anna,\n\nhow are you? Did the parcel arrive?\n\nBest regards\nTom\nAny questions? Call 123\n\n"
        "On Mon, 3 Mar 2025 Anna wrote:\n> Can you send it?\n"
    )
    assert asked(text) == ["Did the parcel arrive?"]
    assert asked("Ok.\n\nThis e-mail is confidential. If you received this in error, please delete it.") == []


def test_reads_the_beginning_and_the_end_of_a_long_mail_in_whole_sentences() -> None:
    middle = " ".join(f"In week {week} the garden of the school had {week + 3} visitors." for week in range(1, 120))
    mail = f"Hi Jana,\n\nPlease send me the plan. {middle} Could you also book the hall?\n\nBest,\nTom"
    told = [act.sentence for act in asks(mail)]
    assert told == ["Please send me the plan.", "Could you also book the hall?"]
    said = own_words(middle).sentences
    assert len(said) < 60 and all(one.startswith("In week") and one.endswith("visitors.") for one in said)


def test_addressee() -> None:
    acts = speech_acts(
        "Hi all,\nJohn, can you bring the projector? Mary - please book the room. Anna, could you pay?", OWNER, OTHERS
    )
    assert [act.addressee for act in acts] == [Addressee.OTHER, Addressee.OTHER, Addressee.OWNER]
    assert asked("Hi all,\nJohn, can you bring it?") == []
    assert [act.addressee for act in asks("Hi Anna,\ncan you bring it?", OWNER)] == [Addressee.OWNER]
    assert [act.addressee for act in asks("Hi all,\ncan you bring it?", OWNER, ("all@work.example",))] == [Addressee.ALL]
    assert [act.addressee for act in asks("Hello everybody,\ncan you bring it?", OWNER)] == [Addressee.ALL]
    assert [act.addressee for act in asks("can you bring it?", OWNER)] == [Addressee.NOBODY]


@pytest.mark.parametrize(
    ("text", "deadline"),
    [
        ("pls send me the numbers by friday.", "by friday"),
        ("Could you sign it before 25 May, please?", "before 25 May"),
        ("Můžete to poslat do pátku?", "do pátku"),
        ("Könnten Sie mir den Vertrag bis Freitag schicken?", "bis Freitag"),
        ("Please call me asap.", "asap"),
        ("Could you sign it?", ""),
        ("I will send it on Friday.", "on Friday"),
    ],
)
def test_deadline(text: str, deadline: str) -> None:
    assert [act.deadline for act in speech_acts(text)] == [deadline]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "hallo brauche wieder meine Blutdrucktabletten, hole es ab",
            "hallo brauche wieder meine Blutdrucktabletten, hole es ab",
        ),
        ("Dear sir or madam, please send the list.", "please send the list."),
        ("Everyone reply with yes/no by Tuesday.", "Everyone reply with yes/no by Tuesday."),
        ("Could you check the org. chart by Friday?", "Could you check the org. chart by Friday?"),
        ("We met at example.org. could you call me?", "could you call me?"),
        ("Für Frau Wendt, geb. 14.03.1991, fehlt uns die Akte.", "Für Frau Wendt, geb. 14.03.1991, fehlt uns die Akte."),
    ],
)
def test_a_sentence_is_read_whole_without_its_greeting(text: str, wanted: str) -> None:
    assert asked(text) == [wanted]
