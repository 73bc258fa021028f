"""Commands: each is handled once; spelling with the real Hunspell."""

from collections import Counter
from pathlib import Path

from app.domain.protocol.commands import Shutdown
from app.domain.protocol.queries import CheckSpelling, SuggestSpelling
from app.domain.wire import Command, Query
from app.engine.assistant.assistant_service import AssistantService
from app.engine.commands.account_commands import AccountCommands
from app.engine.commands.corrections import CorrectionService
from app.engine.commands.drafting_commands import DraftingCommands, SettingsCommands
from app.engine.commands.spelling import Spelling
from app.engine.files.file_commands import FileCommands
from app.engine.files.invitations import InvitationService
from app.engine.learning.backtest import BacktestService
from app.engine.learning.memory import PreferenceCommands
from app.engine.letters.letter_service import LetterService
from app.engine.reviews.review_service import ReviewService
from app.engine.rules.rules_service import RulesService
from app.engine.search.mail_search import TextSearch
from app.engine.search.semantic_search import SemanticSearch
from app.engine.sync.label_changes import LabelService
from app.link.codec import known_classes


async def test_english_words_are_checked_and_suggested() -> None:
    spelling = Spelling(())
    text = "Hello, this is a sentense with two erors. Write to ana@exampel.org about the NASA API, it’s fine."
    found = await spelling.answer(CheckSpelling(text))
    assert (found.words, found.language) == (("sentense", "erors"), "en")
    assert "sentence" in (await spelling.answer(SuggestSpelling("sentense", "en"))).words
    assert (await spelling.answer(SuggestSpelling("sentense", "xx"))).words == ()


async def test_a_dictionary_of_the_system_is_used(tmp_path: Path) -> None:
    (tmp_path / "cs_CZ.aff").write_text("SET UTF-8\n", encoding="utf-8")
    words = ["dobrý", "den", "prosím", "vás", "o", "nabídku", "děkuji"]
    (tmp_path / "cs_CZ.dic").write_text("\n".join([str(len(words)), *words]) + "\n", encoding="utf-8")
    found = await Spelling((tmp_path,)).answer(CheckSpelling("Dobrý den, prosím vás o nabítku, děkuji."))
    assert (found.words, found.language) == (("nabítku",), "cs")


BOTH = (AccountCommands, DraftingCommands, InvitationService, RulesService)
COMMANDS = (
    *BOTH,
    FileCommands,
    AssistantService,
    CorrectionService,
    LabelService,
    LetterService,
    PreferenceCommands,
    ReviewService,
    SettingsCommands,
)
QUERIES = (*BOTH, AssistantService, BacktestService, SemanticSearch, Spelling, TextSearch)


def test_every_command_and_query_is_handled_once() -> None:
    known = set(known_classes().values()) - {Shutdown}
    commands, queries = ({one for one in known if issubclass(one, kind)} for kind in (Command, Query))
    assert len(commands) > 30
    assert Counter(one for service in COMMANDS for one in service.commands) == Counter(commands)
    assert Counter(one for service in QUERIES for one in service.queries) == Counter(queries)
