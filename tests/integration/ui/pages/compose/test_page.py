"""The menu of templates shows what a menu can; the others are found by their names."""

from app.store.letters.letters import Templates
from app.ui.pages.compose.page import MOST, template_menu
from app.ui.palette import Palette
from app.ui.window.main_window import MainWindow
from fakes.engine.store.sample_store import LivelyStore


def test_the_most_used_and_a_way_to_the_others(window: MainWindow, store: LivelyStore) -> None:
    templates = Templates(store.db, store.clock)
    made = [templates.save(0, f"Offer {number}", "", "Dear Ana,") for number in range(MOST)]
    window.show_page("compose")
    page, put = window.compose_page, list[int]()
    menu = template_menu(page.context, page, put.append)
    assert len([one for one in menu.actions() if not one.isSeparator()]) == MOST + 1, "all of them, and where they are written"
    menu.actions()[0].trigger()
    assert put[0] in made
    templates.save(0, "One too many", "", "Dear Tom,")
    menu = template_menu(page.context, page, put.append)
    assert len([one for one in menu.actions() if not one.isSeparator()]) == MOST + 2
    menu.actions()[MOST].trigger()
    palette = window.findChild(Palette)
    assert palette is not None
    palette.line.setText("too many")
    assert palette.titles()[0].endswith("One too many")
    palette.close()
