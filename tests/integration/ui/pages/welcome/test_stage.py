"""The first run as a pure function of what is known."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from app.domain.ids import AccountId
from app.domain.protocol.events import ConnectionChanged, ConnectionState, SyncPhase, SyncProgress
from app.ui.pages.welcome.stage import WelcomeFacts, WelcomeStage, hindrance, stage_of


def progress(phase: SyncPhase) -> SyncProgress:
    return SyncProgress(AccountId(1), phase, 10, 100, -1.0)


flags = st.booleans()
knowledge = st.builds(
    WelcomeFacts,
    connected=flags,
    adding=flags,
    guiding=flags,
    signing_in=flags,
    sample=flags,
    model_settled=flags,
    hurried=flags,
    messages=st.integers(0, 5),
    progress=st.one_of(st.none(), st.sampled_from(list(SyncPhase)).map(progress)),
)


@given(knowledge)
def test_nothing_of_an_account_before_there_is_one(known: WelcomeFacts) -> None:
    connecting = {WelcomeStage.CHOOSE, WelcomeStage.CONNECT, WelcomeStage.SIGN_IN, WelcomeStage.SAMPLE}
    assert (stage_of(known) in connecting) is (not known.connected or known.adding)


@given(knowledge)
def test_the_model_is_settled_before_the_preview(known: WelcomeFacts) -> None:
    if stage_of(known) is WelcomeStage.PREVIEW:
        assert known.model_settled


def test_the_way_through() -> None:
    known = WelcomeFacts()
    assert stage_of(known) is WelcomeStage.CHOOSE
    known = replace(known, guiding=True)
    assert stage_of(known) is WelcomeStage.CONNECT
    known = replace(known, signing_in=True)
    assert stage_of(known) is WelcomeStage.SIGN_IN
    known = replace(known, connected=True)
    assert stage_of(known) is WelcomeStage.MODEL
    known = replace(known, model_settled=True)
    assert stage_of(known) is WelcomeStage.SYNC
    known = replace(known, messages=5, progress=progress(SyncPhase.BACKFILL))
    assert stage_of(known) is WelcomeStage.SYNC
    assert stage_of(replace(known, hurried=True)) is WelcomeStage.PREVIEW
    assert stage_of(replace(known, progress=progress(SyncPhase.CURRENT))) is WelcomeStage.PREVIEW
    assert stage_of(replace(known, progress=None)) is WelcomeStage.PREVIEW


def test_hindrances() -> None:
    told = {state: hindrance(ConnectionChanged(AccountId(1), state, 0, "")) for state in ConnectionState}
    assert told == {
        ConnectionState.ONLINE: "",
        ConnectionState.OFFLINE: "offline",
        ConnectionState.LOGIN_NEEDED: "login_needed",
        ConnectionState.QUOTA: "quota_reached",
        ConnectionState.PAUSED: "",
    }
    assert hindrance(None) == ""
