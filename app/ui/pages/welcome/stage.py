"""Computes the stage of the first run from known facts."""

from dataclasses import dataclass
from enum import StrEnum

from app.domain.protocol.events import ConnectionChanged, ConnectionState, SyncPhase, SyncProgress


class WelcomeStage(StrEnum):
    """Stages of the first run; each has a screen."""

    CHOOSE = "choose"
    CONNECT = "connect"
    SIGN_IN = "sign_in"
    MODEL = "model"
    SYNC = "sync"
    PREVIEW = "preview"
    SAMPLE = "sample"


@dataclass(frozen=True, slots=True)
class WelcomeFacts:
    """What the page knows.

    `adding`: another account is being connected. `guiding`: Connect Gmail was chosen. `signing_in`: a client file was sent to the
    engine. `sample`: the sample mailbox was started. `model_settled`: a model is configured or the user continues without one.
    `hurried`: the user does not wait for all mail.
    """

    connected: bool = False
    adding: bool = False
    guiding: bool = False
    signing_in: bool = False
    sample: bool = False
    model_settled: bool = False
    hurried: bool = False
    messages: int = 0
    progress: SyncProgress | None = None


def stage_of(known: WelcomeFacts) -> WelcomeStage:
    if not known.connected or known.adding:
        return _unconnected(known)
    if not known.model_settled:
        return WelcomeStage.MODEL
    return WelcomeStage.PREVIEW if known.hurried or fetched(known) else WelcomeStage.SYNC


def _unconnected(known: WelcomeFacts) -> WelcomeStage:
    if known.sample:
        return WelcomeStage.SAMPLE
    if known.signing_in:
        return WelcomeStage.SIGN_IN
    return WelcomeStage.CONNECT if known.guiding else WelcomeStage.CHOOSE


def fetched(known: WelcomeFacts) -> bool:
    """Whether the mail is fetched.

    The sync reports it; before its first report, stored mail of an earlier start counts.
    """
    if known.progress is None:
        return known.messages > 0
    return known.progress.phase is SyncPhase.CURRENT


def hindrance(connection: ConnectionChanged | None) -> str:
    """Error code of what keeps mail from being fetched; empty if nothing does."""
    codes = {
        ConnectionState.OFFLINE: "offline",
        ConnectionState.LOGIN_NEEDED: "login_needed",
        ConnectionState.QUOTA: "quota_reached",
    }
    return codes.get(connection.state, "") if connection is not None else ""
