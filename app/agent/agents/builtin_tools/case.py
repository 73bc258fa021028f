"""What the tools of a run work on: the account, the current call and, for a profile run, the mail."""

from app.agent.runtime.dependencies import Deps
from app.agent.runtime.state import MailState
from app.agent.tools.toolbox import Toolbox
from app.domain.agents.requests import ALL_MAIL, MailScope
from app.domain.agents.tools import AgentProfile, Preprocessed
from app.domain.drafting.review import RedFlag
from app.domain.ids import RunId, ThreadId
from app.domain.mail.message import Account, Message
from app.domain.record import Record


class Case(Record, kw_only=True):
    """A run for one account without a mail.

    `scope` is the mail that may be read, `conversation` the only one of it, 0 for any. `call_id` names the call, so that its
    effect happens once. `maker` is the model, `flags` are policy's flags on the call.
    """

    deps: Deps
    toolbox: Toolbox
    run_id: RunId
    account: Account
    call_id: str = ""
    maker: str = ""
    flags: tuple[RedFlag, ...] = ()
    scope: MailScope = ALL_MAIL
    conversation: ThreadId = ThreadId(0)

    @property
    def thread_id(self) -> ThreadId:
        """The current conversation, 0 for none."""
        return self.conversation

    def may_read(self, message: Message) -> bool:
        """Whether a message is of the account, in the scope, and may reach a model."""
        inside = self.scope.holds(message) and self.conversation in (0, message.thread_id)
        return inside and message.account_id == self.account.id and not self.deps.stays_here(message)

    @property
    def effect_key(self) -> str:
        """Stays the same when the call runs again after a crash."""
        return f"{self.run_id}:{self.call_id}"


class MailCase(Case, kw_only=True):
    """A profile run of a mail. `given` is the preprocessed mail."""

    state: MailState
    profile: AgentProfile
    message: Message
    given: Preprocessed

    @property
    def thread_id(self) -> ThreadId:
        return self.message.thread_id
