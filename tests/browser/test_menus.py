"""Everything in an open menu can be clicked where it is seen, whatever lies around it."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.browser.mouse import mouse_click, uncovered
from tests.browser.pages import Opener
from tests.browser.people import Person
from tests.browser.thread import drawer, open_drawer, open_talk

SAID = [f"Message {number} of a long talk, about nothing at all." for number in range(40)]


def check_items(opener: Locator, items: Locator) -> None:
    """Open a menu with the mouse, look for each item, and close it again."""
    mouse_click(opener)
    expect(items.first).to_be_visible()
    for item in items.all():
        uncovered(item)
    opener.page.keyboard.press("Escape")
    expect(items.first).to_be_hidden()


def items_of(page: Page) -> Locator:
    return page.get_by_role("menuitem").or_(page.get_by_role("menuitemradio"))


def test_the_menus_of_a_long_chat_lie_above_its_messages(page_of: Opener, newcomer: Person) -> None:
    talks = [newcomer.talk(f"Talk {number}", SAID[:2]) for number in range(12)]
    page = open_talk(page_of, newcomer, newcomer.talk("A long talk", SAID))
    open_drawer(page)
    for name in ("Chat actions", "Actions for A long talk", f"Actions for Talk {len(talks) - 1}"):
        check_items(page.get_by_role("button", name=name), items_of(page))
    check_items(page.get_by_role("button", name="Account:"), items_of(page))
    check_items(drawer(page).get_by_role("button", name="Compaction strength"), items_of(page))


def test_the_menus_of_a_phone_lie_above_the_messages(page_of: Opener, newcomer: Person) -> None:
    page = open_talk(page_of, newcomer, newcomer.talk("A long talk", SAID), phone=True)
    check_items(page.get_by_role("button", name="Chat actions"), items_of(page))


def test_what_a_layer_holds_lies_above_the_rest_of_the_drawer(page_of: Opener, newcomer: Person) -> None:
    page = open_talk(page_of, newcomer, newcomer.talk("A long talk", SAID))
    open_drawer(page)
    mouse_click(drawer(page).get_by_role("button", name="Recent (in full)"))
    shown = page.get_by_role("dialog", name="Recent (in full)")
    expect(shown.get_by_role("listitem").first).to_be_visible()
    for item in shown.get_by_role("listitem").all()[:3]:
        uncovered(item)
