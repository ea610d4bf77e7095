"""Pins, exclusions, user memory and corrections of the summary."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.inboxes import set_policy
from tests.browser.pages import Opener, check_accessible
from tests.browser.people import Person
from tests.browser.thread import compact, drawer, message, notice, open_drawer, open_talk, press, summary_is, undo

pytestmark = pytest.mark.same_tab

SAID = [
    "The wedding is on the sixth of June.",
    "Noted. How many guests?",
    "Eighty, and the door code is 4711.",
    "Then the hall by the lake is large enough.",
]
TYPES = ("preference", "fact", "constraint", "definition")
WORDS = "the guests come by train and stay for two nights, and the band wants a stage with a roof, "


@pytest.fixture
def page(page_of: Opener, alice: Person) -> Page:
    """A short conversation next to its drawer."""
    opened = open_talk(page_of, alice, alice.talk("The wedding", SAID))
    open_drawer(opened)
    return opened


@pytest.fixture
def newcomers_page(page_of: Opener, newcomer: Person) -> Page:
    """The page of a person without user memory."""
    opened = open_talk(page_of, newcomer, newcomer.talk("The wedding", SAID))
    open_drawer(opened)
    return opened


def section(page: Page, title: str) -> Locator:
    """By its title and how many there are; the unit of its numbers may follow."""
    return drawer(page).get_by_role("heading", name=re.compile(rf"^{re.escape(title)}($| ·)"))


def line_action(page: Page, name: str) -> None:
    """Press a button that shows while the pointer is on its line."""
    button = drawer(page).get_by_role("button", name=name).first
    button.locator("xpath=ancestor::li[1]").hover()
    button.click()


def test_a_pinned_message_is_in_the_drawer_until_it_is_unpinned(page: Page) -> None:
    press(page, 0, "Pin")
    expect(notice(page, "Pinned message 1")).to_be_visible()
    expect(message(page, 0)).to_contain_text("pinned")
    expect(section(page, "Pins 1")).to_be_visible()
    pinned = drawer(page).get_by_role("listitem").filter(has_text=SAID[0]).first
    expect(pinned).to_be_visible()
    line_action(page, f"Remove pin: {SAID[0]}")
    expect(notice(page, "Pin removed")).to_be_visible()
    expect(section(page, "Pins 0")).to_be_visible()
    expect(message(page, 0)).not_to_contain_text("pinned")
    undo(page)
    expect(section(page, "Pins 1")).to_be_visible()
    expect(message(page, 0)).to_contain_text("pinned")
    press(page, 0, "Unpin")
    expect(section(page, "Pins 0")).to_be_visible()


def test_a_text_is_pinned_by_hand(page: Page) -> None:
    drawer(page).get_by_role("button", name="Add pin").click()
    drawer(page).get_by_role("textbox", name="Text").fill("Never before noon.")
    drawer(page).get_by_role("combobox", name="Category").select_option("requirement")
    check_accessible(page)
    drawer(page).get_by_role("button", name="Pin this text").click()
    expect(drawer(page).get_by_role("listitem").filter(has_text="Never before noon.")).to_contain_text("requirement")


def test_an_excluded_message_is_not_sent_until_it_is_included_again(page: Page) -> None:
    press(page, 2, "Exclude")
    expect(message(page, 2)).to_contain_text("excluded")
    expect(section(page, "Exclusions 1")).to_be_visible()
    pack = drawer(page).get_by_role("button", name="What the model sees")
    pack.click()
    expect(drawer(page).get_by_text(SAID[0]).first).to_be_visible()
    expect(drawer(page).get_by_text("4711")).to_have_count(0)
    drawer(page).get_by_role("button", name="Back to context").click()
    line_action(page, "Stop excluding message 3")
    expect(drawer(page).get_by_text("Adds")).to_contain_text("live tokens.")
    check_accessible(page)
    drawer(page).get_by_role("button", name="Include message", exact=True).click()
    expect(section(page, "Exclusions 0")).to_be_visible()
    expect(message(page, 2)).not_to_contain_text("excluded")


def test_an_exclusion_is_previewed(page: Page) -> None:
    drawer(page).get_by_role("button", name="Recent (in full)").click()
    drawer(page).get_by_role("button", name="Exclude message 3").click()
    expect(drawer(page).get_by_text("Frees")).to_contain_text("live tokens.")
    expect(message(page, 2)).not_to_contain_text("excluded")
    drawer(page).get_by_role("button", name="Exclude message", exact=True).click()
    expect(message(page, 2)).to_contain_text("excluded")
    undo(page)
    expect(message(page, 2)).not_to_contain_text("excluded")
    expect(section(page, "Exclusions 0")).to_be_visible()


def remember(page: Page, kind: str) -> None:
    drawer(page).get_by_role("button", name="Add to user memory").click()
    drawer(page).get_by_role("combobox", name="Type").select_option(kind)
    drawer(page).get_by_role("textbox", name="Name").fill(f"my {kind}")
    drawer(page).get_by_role("textbox", name="Text").fill(f"The text of a {kind}.")
    drawer(page).get_by_role("button", name="Save memory").click()
    expect(drawer(page).get_by_role("button", name="Save memory")).to_be_hidden()
    expect(drawer(page).get_by_role("listitem").filter(has_text=f"The text of a {kind}.")).to_contain_text(kind)


def test_user_memory_is_added_disabled_and_restored(newcomers_page: Page) -> None:
    page = newcomers_page
    for kind in TYPES:
        remember(page, kind)
    expect(section(page, "User memory 4 active")).to_be_visible()
    check_accessible(page)
    fact = drawer(page).get_by_role("listitem").filter(has_text="The text of a fact.")
    drawer(page).get_by_role("switch", name="Send “my fact”").press("Space")
    expect(section(page, "User memory 3 active")).to_be_visible()
    expect(fact).to_contain_text(", off")
    line_action(page, "Delete “my constraint”")
    expect(notice(page, "Memory deleted")).to_be_visible()
    expect(section(page, "User memory 2 active")).to_be_visible()
    undo(page)
    expect(section(page, "User memory 3 active")).to_be_visible()
    page.reload()
    expect(section(page, "User memory 3 active")).to_be_visible()
    expect(fact).to_contain_text(", off")


def test_user_memory_is_found_and_listed_with_the_other_memories(page_of: Opener, alice: Person) -> None:
    page = open_talk(page_of, alice, alice.talk("The wedding", SAID))
    open_drawer(page)
    remember(page, "preference")
    page.goto("/memory/find?q=preference")
    page.get_by_role("link", name="my preference").click()
    expect(page.get_by_role("listitem").filter(has_text="The text of a preference.")).to_be_visible()
    expect(page.get_by_role("link", name="Sent with every chat")).to_have_attribute("aria-current", "page")
    check_accessible(page)


@pytest.fixture
def compacted(page_of: Opener, alice: Person) -> Page:
    """A conversation with a summary, and enough messages to compact again."""
    talk = alice.talk("The party", [f"Point {number}: {WORDS * 4}" for number in range(70)])
    opened = open_talk(page_of, alice, talk)
    open_drawer(opened)
    compact(opened)
    summary_is(opened, 1)
    return opened


def test_an_edited_line_survives_the_next_compaction(compacted: Page) -> None:
    page = compacted
    edited = drawer(page).get_by_role("listitem").filter(has_text="The stage needs no roof.")
    line_action(page, "Edit: Keep in mind: Point 0:")
    drawer(page).get_by_role("textbox", name="Text").fill("The stage needs no roof.")
    drawer(page).get_by_role("button", name="Save line").click()
    expect(notice(page, "Line saved")).to_be_visible()
    expect(edited.get_by_role("img", name="Edited by hand, never overwritten")).to_be_visible()
    check_accessible(page)
    edited.get_by_role("button", name="Source: message 1, user").click()
    expect(message(page, 0)).to_be_in_viewport()
    compact(page)
    summary_is(page, 3)
    expect(edited.get_by_role("img", name="Edited by hand, never overwritten")).to_be_visible()
    expect(drawer(page).get_by_text("Keep in mind: Point 0:")).to_have_count(0)


def test_a_chat_is_remembered_on_request_and_its_memories_are_on_the_memory_page(
    page_of: Opener, newcomer: Person
) -> None:
    set_policy(newcomer, model_calls_enabled=False)
    said = ["I'm a florist and I prefer short answers.", "Noted.", "If we had a van, I'd prefer the early round."]
    # So many messages at once are imported, and not read before somebody asks.
    page = open_talk(page_of, newcomer, newcomer.talk("The shop", said + ["Fine."] * 8))
    read_for_memories(page)
    expect(notice(page, "Remembered: 2 memories")).to_be_visible(timeout=30_000)
    page.get_by_role("region", name="Notifications").get_by_role("button", name="Open Memory").click()
    expect(page).to_have_url(re.compile("/memory"))
    expect(page.get_by_role("treeitem", name=re.compile("^preferences 1 memory"))).to_be_visible()
    page.go_back()
    read_for_memories(page)
    expect(notice(page, "No new messages since the last time")).to_be_visible(timeout=30_000)


def read_for_memories(page: Page) -> None:
    page.get_by_role("button", name="Chat actions").click()
    page.get_by_role("menuitem", name="Remember now").click()
