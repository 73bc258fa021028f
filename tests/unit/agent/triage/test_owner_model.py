"""The owner's own limit: learned from the archive, used where the owner chose none."""

import numpy as np

from app.agent.triage.classifier import LocalTriage
from app.agent.triage.habits import MailHistory
from app.agent.triage.linear_model import LinearModel
from app.agent.triage.owner_model import ArchiveRow, OwnerModel, ShippedWeights, learn_owner
from app.domain.agents.backtest import RESPOND_FROM, STANDARD, TriageLimits
from app.domain.mail.triage import Decision
from fakes.gmail.messages import OWNER, mail

SHIPPED = ShippedWeights(
    LinearModel.of({"asks": 1.0}, -3.0), LinearModel.of({"asks": -1.0}, 0.0), LinearModel.of({}, 0.0), 1, "1"
)


def archive(answered_in_ten: int) -> list[ArchiveRow]:
    """500 mails, one in five of which asks; of these so many in ten were answered, of the others one in fifty."""
    rows = []
    for at in range(500):
        asks = at % 5 == 0
        answered = at // 5 % 10 < answered_in_ten if asks else at % 50 == 1
        rows.append(ArchiveRow(at, np.asarray([float(asks)], dtype="<f4").tobytes(), answered, False))
    return rows


def test_who_answers_seldom_has_a_lower_limit() -> None:
    assert learn_owner(MailHistory(), archive(3), SHIPPED).respond_from < RESPOND_FROM
    assert learn_owner(MailHistory(), archive(8), SHIPPED).respond_from == RESPOND_FROM
    assert learn_owner(MailHistory(), archive(8)[:20], SHIPPED).respond_from == RESPOND_FROM, "too little to learn from"


def test_what_the_owner_chose_comes_first() -> None:
    assert STANDARD.learned(0.2) == TriageLimits(0.2)
    assert TriageLimits(0.6).learned(0.2) == TriageLimits(0.6)
    message = mail("The report is attached. Kind regards")
    owner = OwnerModel(MailHistory(), None, np.zeros(0), 0, respond_from=0.01)
    triage = LocalTriage(owners={message.account_id: owner})
    assert triage.judge(message, (message,), OWNER, (), None).decision is Decision.RESPOND
    chosen = TriageLimits(0.6)
    assert triage.judge(message, (message,), OWNER, (), None, limits=chosen).decision is Decision.NOTIFY
