"""Mail that the Crisp helpdesk forwards: the customer's name, address and own words, without Crisp's frame around them.

Refuses to guess: where no single address or no words are found, the note says so and the plain mail is taken. All of it is a
stranger's word, the address included.
"""

from app.agent.preprocess.crisp_form import Inquiry, has_form, read_form
from app.domain.mail import Message
from app.domain.tools import Preprocessed

DOMAINS = ("crisp.chat", "crisp.email", "crisp.im", "crisp.help")
NO_ADDRESS = "crisp: no single customer address"
NO_WORDS = "crisp: no message of the customer"


class CrispPreprocessor:
    """Knows Crisp's mail by its sender, its headers or its form."""

    name = "crisp"

    def matches(self, message: Message) -> bool:
        """Whether Crisp made the mail, or somebody forwarded what it made."""
        domain = message.sender.domain
        by_sender = any(domain == one or domain.endswith(f".{one}") for one in DOMAINS)
        by_header = any(name.lower().startswith("x-crisp-") for name, _ in message.headers)
        return by_sender or by_header or has_form(message.body_text)

    def run(self, message: Message) -> Preprocessed:
        """The customer's inquiry."""
        inquiry = read_form(message.body_text)
        email = inquiry.email or _reply_to(message)
        if not email or not inquiry.words:
            note = NO_WORDS if email else NO_ADDRESS
            return Preprocessed(self.name, message.sender.email, message.subject, message.body_text, "", note=note)
        return self._made(message, inquiry, email)

    def _made(self, message: Message, inquiry: Inquiry, email: str) -> Preprocessed:
        name = inquiry.name or email
        prompt = f"New support inquiry from {name} ({email}):\nSubject: {message.subject}\n\n{inquiry.words}"
        fields = {"patient_name": name, "patient_email": email, "original_message": inquiry.words}
        return Preprocessed(self.name, message.sender.email, message.subject, message.body_text, prompt, fields)


def _reply_to(message: Message) -> str:
    """The address to answer, where it is exactly one and not Crisp's own."""
    others = {one.email for one in message.reply_to if not one.domain.endswith(DOMAINS)} - {message.sender.email}
    return others.pop() if len(others) == 1 else ""
