"""The engine's side of the assistant page: request tables, and events for their changes."""

from datetime import UTC, datetime, timedelta

from app.domain.agents.requests import ALL_MAIL, MailScope, PlannedStep, Request
from app.domain.ids import AccountId, RequestId
from app.domain.protocol.assistant_commands import AskAssistant, RequestChanged
from app.store.accounts import Accounts
from app.store.db.database import Database
from app.store.requests.requests import Requests, RequestSteps
from fakes.engine.store.empty import prepared
from fakes.window.page_setup import Stage


class RequestOffice:
    """Changes requests as the engine does. The clock advances two seconds with each reading."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.db = Database.open(prepared(stage.data.database))
        self.now = datetime(2026, 3, 12, 15, 0, tzinfo=UTC)
        self.requests = Requests(self.db, self._clock)
        self.steps = RequestSteps(self.db, self._clock)
        self.account = AccountId(0)

    def connect(self, email: str = "mia@workshop.example") -> AccountId:
        """Adds an account."""
        account = Accounts(self.db).add(email, "Mia", (email,), "", "#2B59C3")
        self.account = self.account or account
        return account

    def ask(self, name: str, text: str, *plan: PlannedStep, run: bool = False, scope: MailScope = ALL_MAIL) -> RequestId:
        """Adds a request with its plan."""
        self.now += timedelta(minutes=1)
        request_id = RequestId(f"{name}-4000-8000-000000000000")
        self.requests.add(AskAssistant(request_id, self.account, text, scope=scope))
        if plan:
            self.requests.plan(request_id, plan, "openai/gpt-4o-mini", run=run)
        return request_id

    def tell(self, request_id: RequestId) -> None:
        """Sends `RequestChanged` to the window."""
        self.stage.engine.tell(RequestChanged(request_id, str(self.requests.get(request_id).status)))

    def get(self, request_id: RequestId) -> Request:
        return self.requests.get(request_id)

    def _clock(self) -> datetime:
        self.now += timedelta(seconds=2)
        return self.now
