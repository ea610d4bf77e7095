"""Key caps: with room in the sheet of shortcuts, and no hints of keys on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.memory_screens import DAYS, memory_at, rememberer
from tests.browser.pages import Opener, settle
from tests.browser.people import Person
from tests.browser.test_palette_layout import box_of, open_palette
from tests.browser.thread import composer
from tests.browser.whole import Whole

GAP_PX = 16


def open_sheet(page: Page) -> Locator:
    expect(composer(page)).to_be_visible()
    page.keyboard.press("Control+/")
    sheet = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(sheet.get_by_role("switch", name="Single-letter keys")).to_be_visible()
    settle(page)
    return sheet


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_the_switch_for_single_letters_is_clear_of_the_shortcuts(page_of: Opener, alice: Person, phone: bool) -> None:
    sheet = open_sheet(page_of(alice, phone=phone))
    # The switch has a label and a hint, which start above its own box.
    label = box_of(sheet.get_by_text("Single-letter keys", exact=True))
    rows = [box_of(row) for row in sheet.locator("dl > div").all()]
    assert label["y"] - max(row["y"] + row["height"] for row in rows) >= GAP_PX


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_the_sheet_of_shortcuts_always_shows_its_keys(page_of: Opener, alice: Person, phone: bool) -> None:
    sheet = open_sheet(page_of(alice, phone=phone))
    expect(sheet.get_by_text("Home", exact=True)).to_be_visible()


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_hints_of_keys_are_hidden_on_a_phone(page_of: Opener, stack: Whole, phone: bool) -> None:
    person = rememberer(stack.url)
    page = page_of(person, path=memory_at(person, DAYS), phone=phone)
    edit = page.get_by_role("button", name="Edit")
    expect(edit).to_be_visible()
    check_hints(edit.locator("kbd"), are_hidden=phone)
    check_hints(page.get_by_role("button", name="Merge").locator("kbd"), are_hidden=phone)
    check_hints(open_palette(page).locator("kbd"), are_hidden=phone)


def check_hints(hints: Locator, *, are_hidden: bool) -> None:
    expect(hints.first).to_be_attached()
    visible = hints.filter(visible=True)
    if are_hidden:
        expect(visible).to_have_count(0)
    else:
        expect(visible.first).to_be_visible()


def test_a_hidden_hint_leaves_no_gap_in_its_button(page_of: Opener, stack: Whole) -> None:
    person = rememberer(stack.url)
    page = page_of(person, path=memory_at(person, DAYS), phone=True)
    edit = page.get_by_role("button", name="Edit")
    expect(edit).to_be_visible()
    expect(edit.locator(".mantine-Button-section").last).to_be_hidden()
