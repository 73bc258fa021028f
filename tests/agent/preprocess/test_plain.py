"""Any other mail comes as it is."""

from app.agent.preprocess.choosing import preprocess
from app.domain.mail import Address
from app.domain.tools import Preprocessed
from fakes.mailroom import Room


def test_any_other_mail_comes_unchanged(room: Room) -> None:
    made = preprocess(room.one("Hello,\nName: me", subject="Hi", sender=Address("eve@notcrisp.chat")))
    assert made == Preprocessed("default", "eve@notcrisp.chat", "Hi", "Hello,\nName: me", made.prompt)
    assert made.prompt == "From: eve@notcrisp.chat\nSubject: Hi\n\nHello,\nName: me"
