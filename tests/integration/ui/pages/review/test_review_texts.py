"""Words of the Review page for red flags."""

import pytest

from app.domain.drafting.review import FlagKind, RedFlag
from app.ui.pages.review.review_texts import flag_words


@pytest.mark.parametrize("kind", FlagKind)
def test_every_flag_has_words(kind: FlagKind) -> None:
    assert flag_words(RedFlag(kind, "this"))
