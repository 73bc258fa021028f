"""What the Gmail agent is given of all that agents may be given: so little that a process beside the engine can bring it."""

from datetime import tzinfo
from pathlib import Path
from typing import Protocol

from app.agent.deps import Gateway, MemoryReader
from app.agent.tools.toolbox import Toolbox
from app.domain.ids import AccountId, MessageId
from app.domain.mail import Account, Message
from app.domain.ports.agents import Clock, Contact
from app.domain.red_flags import Skeleton


class MailHere(Protocol):
    """The mailbox as the agent looks it up. Synchronous: call it off the loop."""

    def account(self, account_id: AccountId) -> Account:
        """The account. Raises `NotFound`."""

    def message(self, message_id: MessageId) -> Message:
        """One message with its body. Raises `NotFound`."""

    def contact(self, account_id: AccountId, email: str) -> Contact | None:
        """The correspondent's card, if the mailbox knows the address."""


class GmailParts(Protocol):
    """A part of `Deps`, which says what each is."""

    @property
    def corpus(self) -> MailHere:
        """The mailbox."""

    @property
    def clock(self) -> Clock:
        """Now, aware, UTC."""

    @property
    def prompts(self) -> Path:
        """The folder of prompt files."""

    @property
    def gateway(self) -> Gateway | None:
        """The language model, None where none is configured."""

    @property
    def toolbox(self) -> Toolbox | None:
        """What the tools work with."""

    @property
    def memory(self) -> MemoryReader | None:
        """The owner's preferences."""

    @property
    def background(self) -> str:
        """What the owner says of themselves."""

    @property
    def time_zone(self) -> tzinfo:
        """Where the owner is."""

    @property
    def skeleton(self) -> Skeleton:
        """By what look-alikes are compared."""
