"""Which mails carry a secret: the quick look for a sign never hides what the pattern finds."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.agent.agents.pipeline.retrieve import SECRET_MAIL, SECRET_SIGNS, secret
from fakes.engine.agent_mailbox import Room, mail

SECRETS = (
    *(f"your {kind} code is" for kind in ("verification", "security", "login", "sign-in", "sign in")),
    *(f"one-time {kind}" for kind in ("code", "password", "passcode")),
    *("an otp.", "two-factor", "two factor", "2fa on", "reset your password", "reset the password", "password reset"),
    *("Bestätigungscode", "Anmeldecode", "Passwort zurücksetzen", "ověřovací kód", "obnovení hesla"),
    *("código de verificación", "code de vérification", "mot de passe oublié"),
)
ODD_LETTERS = {"i": "iIıİ", "s": "sSſ", "k": "kK\u212a"}


@settings(max_examples=2 * settings.default.max_examples)
@given(st.sampled_from(SECRETS), st.data())
def test_a_sign_stands_in_whatever_the_pattern_finds(words: str, data: st.DataObject) -> None:
    letters = (ODD_LETTERS.get(one.lower(), one.lower() + one.upper()) for one in words)
    text = "".join(data.draw(st.sampled_from(each)) for each in letters)
    folded = text.casefold()
    assert not SECRET_MAIL.search(text) or any(sign in folded for sign in SECRET_SIGNS)


@pytest.mark.parametrize("words", SECRETS)
def test_secrets_are_seen(room: Room, words: str) -> None:
    plain, told, titled = room.put(
        mail("The price is 30.", key="a"), mail(f"Hello,\n{words}", key="b"), mail("Hello", key="c", subject=words.upper())
    )
    assert [secret(one) for one in (plain, told, titled)] == [False, True, True]
