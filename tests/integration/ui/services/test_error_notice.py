"""What cannot be read where somebody clicked is a notice; what was to be done is left undone, and a fault of ours stays one."""

import pytest

from app.domain.errors import StoreDamaged
from app.ui.i18n.error_messages import sentence
from app.ui.services.notices import ErrorNotice, tell_discarded
from fakes.window.page_setup import Neighbours


def test_trouble_is_told_and_ends_what_was_begun() -> None:
    notices, done = Neighbours(), list[str]()
    with ErrorNotice(notices) as told:
        done.append("begun")
        raise StoreDamaged("page 7")
    done.append("gone on")
    assert (done, told.failed) == (["begun", "gone on"], True)
    assert notices.told == [sentence(StoreDamaged.code)]


def test_a_fault_of_ours_is_not_hidden() -> None:
    notices = Neighbours()
    with pytest.raises(KeyError), ErrorNotice(notices) as told:
        raise KeyError("ours")
    assert (told.failed, notices.told) == (False, [])


def test_what_was_given_up_can_be_had_back() -> None:
    notices = Neighbours()
    tell_discarded(notices, "Undo", list)
    assert notices.told == ["Discarded."]
