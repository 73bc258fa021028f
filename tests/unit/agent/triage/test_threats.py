"""Signs of spam and phishing, and how many are needed."""

import pytest

from app.agent.triage.classifier import LocalTriage, text_of
from app.agent.triage.evidence import gather
from app.agent.triage.threat_signs import ThreatSign
from app.domain.ids import AttachmentId, MessageId
from app.domain.mail.message import Address, Attachment, Message
from app.domain.mail.triage import Category, Decision, ReasonCode, Triage, decode_reason, phishing_reasons
from app.domain.ports.agents import Contact
from app.domain.record import replace
from fakes.gmail.messages import ANN, OWNER, card, mail, stored_message

PRESSING = "Urgent: your account is suspended. Verify your password and card details within 24 hours at http://x-verify.example/a"
PROVEN = "mx.google.com; dkim=pass header.i=@{0}; spf=pass; dmarc=pass header.from={0}"
UNPROVEN = "mx.google.com; spf=none smtp.mailfrom=a"


def signs(message: Message) -> frozenset[ThreatSign]:
    return gather(message, (), OWNER, None, text_of(message)).threats.signs


def verdict(message: Message, contact: Contact | None = None) -> Triage:
    return LocalTriage().judge(message, (message,), OWNER, (), contact)


def results(text: str) -> tuple[tuple[str, str], ...]:
    return (("Authentication-Results", text),)


@pytest.mark.parametrize(
    ("sender", "sign"),
    [
        (Address("help@pay-check.example", "PayPal Support"), ThreatSign.BRAND_NAME),
        (Address("info@posta-balik.example", "Česká pošta"), ThreatSign.BRAND_NAME),
        (Address("a@paypa1.com"), ThreatSign.LOOK_ALIKE),
        (Address("a@paypal-secure.net"), ThreatSign.LOOK_ALIKE),
        (Address("a@micros0ft.com"), ThreatSign.LOOK_ALIKE),
        (Address("a@xn--pypal-4ve.com"), ThreatSign.LOOK_ALIKE),
        (Address("boss@p0tter.example"), ThreatSign.LOOK_ALIKE),
        (Address("boss@potter-hr.example"), ThreatSign.LOOK_ALIKE),
        (Address("a@parcel-delivery.example"), ThreatSign.SERVICE_DOMAIN),
        (Address("a@medident-renewal.example", "Medident"), ThreatSign.ADDED_WORD),
        (Address("support@streamcare.example", "Lexdrive"), ThreatSign.NAME_UNFIT),
        (Address("a@nimbushostlng.example", "Nimbus Hosting Accounts"), ThreatSign.NAME_TWIN),
        (Address("a@irs-refund-desk.com"), ThreatSign.LOOK_ALIKE),
        (Address("a@sparkasse-login.de"), ThreatSign.LOOK_ALIKE),
    ],
)
def test_false_identities(sender: Address, sign: ThreatSign) -> None:
    assert sign in signs(mail("Hello", sender=sender))


@pytest.mark.parametrize(
    "sender",
    [
        ANN, Address("service@paypal.com", "PayPal"), Address("x@mail.paypal.com", "PayPal"),
        Address("b@amazon.co.uk", "Amazon.co.uk"), Address("notifications@github.com", "mona-l"),
        Address("info@sparkasse-leipzig.de", "Sparkasse Leipzig"), Address("a.norton@work.example", "Anna Norton"),
        Address("x@museum-am-park.example", "Museum am Park"), Address("g@t-online.de", "Gerd"),
        Address("c@gmail.com", "Jo"),
        Address("info@haendlerbuero.example", "Händlerbüro"), Address("d@potter.example", "Colleague"), Address("", ""),
    ],
)  # fmt: skip
def test_honest_senders_have_no_sign(sender: Address) -> None:
    assert not signs(mail("Hello", sender=sender))


def test_a_link_that_shows_another_host() -> None:
    html = '<a href="https://evil.example/x">https://www.mybank.example/login</a>'
    honest = '<a href="https://www.mybank.example/x">mybank.example</a> <a href="https://b.example">Click here</a>'
    assert ThreatSign.LINK_ELSEWHERE in signs(mail(html=html))
    assert ThreatSign.LINK_ELSEWHERE not in signs(mail(html=honest))


def test_a_link_to_the_brand_itself_is_no_lure() -> None:
    def sent(link: str) -> Message:
        return mail(f"Track your parcel: {link}", sender=Address("x@info-paypal.example", "PayPal"))

    assert ThreatSign.POSED_LINK not in signs(sent("https://www.paypal.com/activity"))
    assert ThreatSign.POSED_LINK in signs(sent("https://www.info-paypal.example/a"))


def test_failed_authentication_and_answers_to_a_free_mailbox() -> None:
    assert ThreatSign.NOT_AUTHENTIC in signs(mail(headers=results("mx.example; spf=pass; dmarc=fail (p=none)")))
    assert ThreatSign.NOT_AUTHENTIC in signs(mail("Hello", headers=(("From", "a@b.example"), ("From", "c@d.example"))))
    assert ThreatSign.REPLY_ELSEWHERE in signs(mail(reply_to=(Address("ceo@gmail.com"),)))


@pytest.mark.parametrize(
    "message",
    [
        mail(PRESSING, sender=Address("a@notice.example", "Netflix")),
        mail("Dear user, log in and appeal within 24 hours or it is permanently deleted: https://codehub-alerts.example/x",
             sender=Address("a@codehub-alerts.example", "CodeHub"), headers=results(PROVEN.format("codehub-alerts.example"))),
        mail("Please pay the invoice still today to the new account number. I am only reachable by e-mail.", subject="Invoice",
             sender=Address("z@zeta-law.example", "Zeta"), reply_to=(Address("zeta@fastbox.example"),),
             headers=results(PROVEN.format("zeta-law.example"))),
        mail("Are you free? I need you to buy some gift cards and send me the numbers. Don't mention it to anyone.",
             sender=Address("boss@quick.example", "The boss")),
        mail(f"Your mailbox has exceeded the storage limit. Re-validate {OWNER.email} with your password within 24 hours: http://q.example/a",
             sender=Address("admin@q.example"), headers=results(UNPROVEN)),
        mail("The file is ready. Sign in with your work email to open it: https://view-file.example/a",
             sender=Address("x@view-file.example", "Jo"), headers=results(PROVEN.format("view-file.example"))),
        mail("Your access token is out of date and your account will be locked. Sign in to update it: https://parcelkit.help/login",
             sender=Address("team@parcelkit.help", "Parcelkit"), headers=results(PROVEN.format("parcelkit.help"))),
        mail("Your request was granted. Before the payout a handling fee of 380 EUR is due. Please transfer it by tomorrow.",
             sender=Address("office@water-trust.example", "Water Trust"), headers=results(PROVEN.format("water-trust.example"))),
        mail("Hi, this is my new address, my phone is broken. Can you send 400 EUR to this account today? Tell nobody. Mum",
             sender=Address("anna.marsh.2210@gmail.com", "Anna Marsh"), headers=results(PROVEN.format("gmail.com"))),
        mail("Dear student, I need an assistant. Kindly send your full name, phone number and date of birth to be considered.",
             sender=Address("prof.dana.reyes.lab@gmail.com", "Dana Reyes"), headers=results(PROVEN.format("gmail.com"))),
        mail("You start on Monday. We send you a cheque, you keep EUR 450 and forward the rest to our supplier.",
             sender=Address("hr.ltd@gmail.com", "Human Resources"), headers=results(PROVEN.format("gmail.com"))),
        mail("I work abroad and can't show you the flat. The keys come by courier once the deposit is paid.",
             sender=Address("m.lowe@outlook.com", "Mara Lowe"), headers=results(UNPROVEN)),
        mail("Hi, I need something handled before the call. Text me on +44 7700 900812.\n\nPaul Adler\nManaging Director",
             sender=Address("p.adler.md@gmail.com", "Paul Adler"), headers=results(PROVEN.format("gmail.com"))),
        mail("Der Entwurf liegt bereit: https://akte-sehen.example/a. Die Anmeldung erfolgt mit Ihrer geschäftlichen "
             "E-Mail-Adresse und dem zugehörigen Kennwort.", sender=Address("p.stumm@akte-sehen.example", "Petra Stumm"),
             headers=results(UNPROVEN)),
        mail("I only have my private mail today. Could you send me a list of the bills that are due?",
             sender=Address("pauladler.potte@gmail.com", "Paul Adler"), headers=results(PROVEN.format("gmail.com"))),
    ],
)  # fmt: skip
def test_phishing_is_named_with_its_reasons(message: Message) -> None:
    given = verdict(message)
    assert (given.category, given.maker) == (Category.SPAM, "rule:phishing")
    assert phishing_reasons(given.reason)[0].said is ReasonCode.PHISHING
    assert len(phishing_reasons(given.reason)) > 1


@pytest.mark.parametrize(
    "message",
    [
        mail("Somebody asked for a new password. Use this link within 30 minutes: https://app.lexdrive.example/reset/8f2c",
             sender=Address("no-reply@lexdrive.example", "Lexdrive"), headers=results(PROVEN.format("lexdrive.example"))),
        mail("Your password expires in 5 days. Change it on any computer. We will never send you a link for this.",
             sender=Address("helpdesk@potter.example"), headers=results(PROVEN.format("potter.example"))),
        mail("We change our bank. The new account number is on the next invoice.", sender=ANN),
        mail("Your card ending in 4411 was charged. Log in to see the receipt: https://shop.example/a",
             sender=Address("billing@shop.example", "Shop"), headers=results(PROVEN.format("shop.example"))),
        mail("The investigation of the Seoul fund continues. We lost the millionth stock.", sender=Address("x@work.example")),
        mail("Tax your vehicle by Friday, log in at https://www.gov.uk/vehicle-tax",
             sender=Address("noreply@notifications.service.gov.uk", "Car tax"), headers=results(PROVEN.format("service.gov.uk"))),
        mail("Felix sent you a document to sign. Review and sign: https://eu1.documents.adobe.com/a",
             sender=Address("adobesign@adobesign.com", "Adobe Sign"), headers=results(PROVEN.format("adobesign.com"))),
        mail("I only have my private mail today. Could you send me the minutes of the choir?",
             sender=Address("ann.lee.alto@gmail.com", "Ann Lee"), headers=results(PROVEN.format("gmail.com"))),
        mail("Hello, I am a journalist and never wrote to you. May I call you about the market?",
             sender=Address("x@paper.example")),
        mail("Your statement is in your inbox at the bank. Log in to online banking: https://meine.postbank.de/a",
             sender=Address("x@mailing-postbank.example", "Postbank"),
             headers=results(PROVEN.format("mailing-postbank.example"))),
        mail("Your card expires. Confirm your account within 24 hours or it is closed.",
             sender=Address("noreply@mail-postbank.example")),
        mail("Please check your bank details by Friday: https://potter.peoplehub.example/me", sender=Address("hr@potter.example"),
             headers=results(PROVEN.format("potter.example"))),
        mail("Could you send me an offer for a website? My mobile is 087 555 0142.\n\nPaul Adler\nDirector, Choir of Cork",
             sender=Address("p.adler@gmail.com", "Paul Adler"), headers=results(PROVEN.format("gmail.com"))),
    ],
)  # fmt: skip
def test_honest_mail_of_strangers_is_neither(message: Message) -> None:
    assert verdict(message).category is not Category.SPAM
    assert phishing_reasons(verdict(message).reason) == ()


def test_a_forged_address_gets_no_credit_for_the_person_it_names() -> None:
    text = "We changed our bank, please send the refund to our new account today."
    forged = results("mx.example; spf=softfail; dmarc=fail (p=none)")
    proven = results(PROVEN.format(ANN.domain))
    assert verdict(mail(text, sender=ANN, headers=forged), card(9, 7)).maker == "rule:phishing"
    assert verdict(mail(text, sender=ANN, headers=proven), card(9, 7)).category is not Category.SPAM


@pytest.mark.parametrize(
    "text",
    [
        "Can you help? I need a gift card for my niece but I'm away. Could you get one? I'll pay you back tonight.",
        "Ich sitze im Krankenhaus fest und komme nicht an mein Konto. Kannst du 900 Euro auslegen? Am Montag hast du es zurück.",
        "Unser Konto ist wegen einer Prüfung gesperrt. Bitte überweisen Sie heute auf PL27 1140 2004 0000 3002 0135 5387.",
        "OMG is that you in this photo? https://pics-viewer.example/a?ann",
        "Sign in with your Microsoft or Google login to open the secure document: https://docs-viewer.example/s/7",
    ],
)
def test_a_known_persons_mailbox_may_be_taken_over(text: str) -> None:
    proven = results(PROVEN.format(ANN.domain))
    assert verdict(mail(text, sender=ANN, headers=proven), card(9, 7)).maker == "rule:phishing"


def test_a_new_account_and_a_wish_to_see_the_payment_at_once() -> None:
    text = "We changed banks, please pay invoice 221 to our new account ES77 0182 3344 5566 7788 today"
    proven = results(PROVEN.format(ANN.domain))
    hasty = mail(f"{text} and send me the proof of payment.", sender=ANN, headers=proven)
    assert verdict(hasty, card(9, 7)).maker == "rule:phishing"
    assert verdict(mail(f"{text}.", sender=ANN, headers=proven), card(9, 7)).category is not Category.SPAM


def test_a_stranger_speaks_of_the_owners_domain() -> None:
    text = "The domain potter.example expires today. Renew it by card: https://names.example/pay"
    assert ThreatSign.OWN_DOMAIN in signs(mail(text, sender=Address("x@names.example")))
    assert ThreatSign.OWN_DOMAIN not in signs(mail("I wrote to olga@potter.example", sender=Address("x@names.example")))


@pytest.mark.parametrize(
    "text",
    [
        "I left my wallet at work. Could you get my ticket too? It's 12 EUR, I'll pay you back on Sunday.",
        "We are abroad and it is lovely. I paid for the house, please send me your half, 200 EUR.",
        "Our new account from January is in the letter attached. Please call me if anything is unclear.",
        "Here is the video from Saturday: https://youtu.be/dQ1x2yZ",
        "The plan is in our cloud: https://cloud.elsewhere.example/s/7. Can you approve it today?",
    ],
)
def test_what_known_people_want_is_no_threat(text: str) -> None:
    proven = results(PROVEN.format(ANN.domain))
    assert verdict(mail(text, sender=ANN, headers=proven), card(9, 7)).category is not Category.SPAM


def test_a_charge_to_be_cancelled_by_phone_is_a_lure_from_a_private_address() -> None:
    text = "was renewed for $349.99. If you did not authorize it, call +1 805 555 0119 to cancel."
    private = mail(f"Your plan {text}", sender=Address("renewals22@gmail.com", "Shield Billing"))
    assert verdict(private).maker == "rule:phishing"
    bank = mail(
        f"Your plan {text}", sender=Address("service@shield.example", "Shield"), headers=results(PROVEN.format("shield.example"))
    )
    assert verdict(bank).category is not Category.SPAM


@pytest.mark.parametrize(
    "text",
    [
        "Dobrý den, dostal jsem na Vás kontakt od kolegy. Jsme plátci DPH a hledáme novou účetní. Berete nové klienty?",
        "Hello, we pay four people and look for a new accountant. I am told you do accounting for small shops.",
    ],
)
def test_who_looks_for_an_accountant_names_no_account(text: str) -> None:
    found = signs(mail(text, sender=Address("jan@stavby.example", "Jan Hora"), headers=results(UNPROVEN)))
    assert not found & {ThreatSign.NEW_ACCOUNT, ThreatSign.SECRECY}


def test_a_page_as_a_file_that_wants_a_sign_in_is_no_trusted_persons() -> None:
    text = "The invoice is attached. The document is protected, please log in to view it."
    page = Attachment(AttachmentId(1), MessageId(1), "1", "invoice.html", "text/html", 10, "", False)
    message = stored_message(body=text, headers=results(PROVEN.format(ANN.domain)), attachments=(page,))
    assert verdict(message, card(9, 7)).maker == "rule:phishing"
    assert verdict(mail(text, headers=results(PROVEN.format(ANN.domain))), card(9, 7)).category is not Category.SPAM


def test_spam_needs_two_signs() -> None:
    lure = "You won the lottery! Claim the jackpot of a million dollars."
    unproven = verdict(mail(lure, headers=results(UNPROVEN)))
    assert unproven.category is Category.SPAM
    assert verdict(mail("You won the lottery!")).category is not Category.SPAM
    assert verdict(mail(lure, headers=results(UNPROVEN)), card()).category is not Category.SPAM


def test_what_a_domain_vouches_for_is_never_dropped_unseen() -> None:
    loud = "WIN!! You won the lottery, dear friend. Casino jackpot, free spins, viagra without prescription, click https://win.example/a"
    given = verdict(mail(loud, sender=Address("a@win.example"), headers=results(PROVEN.format("win.example"))))
    assert (given.category, given.decision) == (Category.SPAM, Decision.NOTIFY)


def test_a_stranger_who_poses_as_somebody_is_dropped_though_his_own_domain_vouches_for_him() -> None:
    text = "Your PayPal account is suspended. Verify your password within 24 hours: https://paypal-help.example/login"
    sender = Address("service@paypal-help.example", "PayPal")
    posing = mail(text, sender=sender, headers=results(PROVEN.format("paypal-help.example")))
    assert (verdict(posing).maker, verdict(posing).decision) == ("rule:phishing", Decision.IGNORE)
    assert phishing_reasons(verdict(posing).reason)
    known = verdict(posing, Contact(sender, 5, 0, posing.date))
    assert (known.maker, known.decision) == ("rule:phishing", Decision.NOTIFY)


def test_a_known_service_and_its_own_links_are_never_phishing() -> None:
    text = (
        "We couldn't process the payment for your plan. To keep using your files please update your payment information before "
        "14 November.\n\nUpdate payment https://account.adobe.com/orders\n\nIf your card was replaced, enter the new number."
    )
    proven = results(PROVEN.format("adobe.com"))
    adobe = mail(text, sender=Address("message@adobe.com", "Adobe"), subject="Your payment was declined", headers=proven)
    assert not phishing_reasons(verdict(adobe).reason)
    assert ThreatSign.NEW_ACCOUNT not in signs(adobe)  # the word stands in a link only
    other = mail(text, sender=Address("message@adobe-billing.com", "Adobe"), subject="Your payment was declined")
    assert phishing_reasons(verdict(other).reason)


def test_answers_to_the_owners_own_firm_go_nowhere_else() -> None:
    shared = "Jan has invited you to edit a document.\nOpen: https://docs.google.com/document/d/1/edit\nPlease look at it today."
    google = mail(
        shared, sender=Address("drive-shares-dm-noreply@google.com", "Jan (via Google Docs)"),
        headers=results(PROVEN.format("google.com")), reply_to=(Address("jan@potter.example"),),
    )  # fmt: skip
    assert ThreatSign.REPLY_ELSEWHERE not in signs(google)
    assert ThreatSign.REPLY_ELSEWHERE in signs(replace(google, reply_to=(Address("jan@elsewhere.example"),)))


def test_ones_own_forged_address_that_wants_coins_is_blackmail() -> None:
    text = "Natočil jsem tě přes kameru. Pošli 900 USD v bitcoinech, ať to nevidí všichni tvoji známí. Policii nevolej."
    forged = mail(text, sender=Address(OWNER.email, "Olga"), headers=results("mx; spf=softfail; dmarc=fail"))
    assert {ThreatSign.EXTORTS, ThreatSign.NAMESAKE} <= signs(forged)
    assert phishing_reasons(verdict(forged).reason)
    assert ThreatSign.NAMESAKE not in signs(replace(forged, headers=results(PROVEN.format("potter.example"))))


def test_what_may_be_phishing_is_shown_with_a_warning_and_no_verdict() -> None:
    text = "Please find the revised proforma attached. Please pay the invoice today.\n\nStefan"
    moved = mail(
        text, sender=Address("stefan@pumps.example", "Stefan Bauer"), headers=results(PROVEN.format("pumps.example")),
        reply_to=(Address("stefan.bauer.pumps@outlook.com"),),
    )  # fmt: skip
    known = card(12, 9)
    given = verdict(moved, known)
    assert decode_reason(given.reason)[0].said is ReasonCode.CAREFUL
    assert given.category is not Category.SPAM
    assert not phishing_reasons(given.reason)
    plain = verdict(replace(moved, reply_to=()), known)
    assert given.decision is plain.decision
    assert decode_reason(plain.reason)[0].said is not ReasonCode.CAREFUL
    cleared = LocalTriage().judge(moved, (moved,), OWNER, (), known, cleared=True)
    assert decode_reason(cleared.reason)[0].said is not ReasonCode.CAREFUL


def test_a_suppliers_office_with_a_new_account_is_in_doubt() -> None:
    text = (
        "Our bank is closing our branch after an audit. Please pay all invoices to our new account: DE89 3704 0044 0532 0130 00."
    )
    proven = results(PROVEN.format("steelparts.example"))
    office = mail(text, sender=Address("accounts@steelparts.example", "Steelparts"), headers=proven)
    assert phishing_reasons(verdict(office).reason)
