"""The mail as it is: who wrote, about what, and the text that its reader sees."""

from app.domain.mail import Message
from app.domain.tools import Preprocessed


class PlainPreprocessor:
    """Fits every mail."""

    name = "default"

    def matches(self, message: Message) -> bool:
        """Always."""
        return True

    def run(self, message: Message) -> Preprocessed:
        """Sender, subject and body, unchanged."""
        prompt = f"From: {message.sender.email}\nSubject: {message.subject}\n\n{message.body_text}"
        return Preprocessed(self.name, message.sender.email, message.subject, message.body_text, prompt)
