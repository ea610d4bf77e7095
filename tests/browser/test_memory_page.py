"""The memory page: browse, edit, undo, merge and search memories."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.memory_screens import DAYS, FILE, HOURS, memory_at, rememberer
from tests.browser.pages import Opener, Troubles, check_fits
from tests.browser.people import Person
from tests.browser.thread import notice
from tests.browser.whole import Whole

pytestmark = pytest.mark.same_tab


@pytest.fixture
def person(stack: Whole) -> Person:
    """A person with a few memories."""
    return rememberer(stack.url)


def item(page: Page, name: str) -> Locator:
    """A line of the tree; a folder's name ends with the number of its memories."""
    return page.get_by_role("tree", name="Memories").get_by_role("treeitem", name=name, exact=True)


def text_of(person: Person, uri: str) -> str:
    content: str = person.client.get(f"/api/memories?uri={uri}")["content"]
    return content


def test_the_tree_can_be_browsed_by_keyboard(page_of: Opener, person: Person) -> None:
    page = page_of(person)
    page.get_by_role("link", name="Memory", exact=True).click()
    preferences = item(page, "preferences 2 memories")
    preferences.focus()
    page.keyboard.press("ArrowRight")
    expect(item(page, "deploy-days")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(item(page, "deploy-days")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Deploy hours")).to_be_visible()
    expect(item(page, "deploy-hours")).to_have_attribute("aria-selected", "true")
    page.get_by_role("navigation", name="Address").get_by_role("link", name="preferences").click()
    expect(page.get_by_role("region", name="Contents").get_by_role("link", name="deploy-days")).to_be_visible()


def test_an_edit_is_a_revision_that_can_be_undone_and_redone(page_of: Opener, person: Person) -> None:
    page = page_of(person, path=memory_at(person, DAYS))
    page.get_by_role("button", name="Edit").click()
    page.get_by_role("textbox", name="Text", exact=True).fill("Deploys on Thursdays at noon.\n\nNever in December.")
    page.get_by_role("textbox", name="Reason").fill("Fridays were too late")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Fridays were too late")).to_be_visible()
    page.get_by_role("button", name="Show changes r2").click()
    lines = page.get_by_role("region", name="From line 1")
    expect(lines).to_contain_text("Deploys on Fridays at noon.")
    expect(lines).to_contain_text("Deploys on Thursdays at noon.")
    page.get_by_role("button", name="Undo r2").click()
    expect(page.get_by_role("article")).to_contain_text("Deploys on Fridays at noon.")
    assert text_of(person, DAYS).startswith("Deploys on Fridays")
    page.get_by_role("button", name="Redo r3").click()
    expect(page.get_by_role("article")).to_contain_text("Deploys on Thursdays at noon.")
    assert text_of(person, DAYS).startswith("Deploys on Thursdays")


def test_a_draft_survives_a_reload_and_a_concurrent_edit(page_of: Opener, person: Person) -> None:
    page = page_of(person, path=memory_at(person, DAYS))
    page.get_by_role("button", name="Edit").click()
    box = page.get_by_role("textbox", name="Text", exact=True)
    box.fill("Mine.")
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_enabled()
    page.reload()
    expect(box).to_have_value("Mine.")
    other = page_of(person, path=memory_at(person, DAYS))
    other.get_by_role("button", name="Edit").click()
    other.get_by_role("textbox", name="Text", exact=True).fill("Theirs.")
    other.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("region", name="Current version")).to_have_text("Theirs.")
    expect(box).to_have_value("Mine.")
    page.get_by_role("button", name="Overwrite").click()
    expect(notice(page, "Saved as a new revision")).to_be_visible()
    assert text_of(person, DAYS) == "Mine."


def test_a_merge_can_be_undone(page_of: Opener, person: Person) -> None:
    page = page_of(person, path=memory_at(person, DAYS))
    page.get_by_role("button", name="Merge…").click()
    page.get_by_role("checkbox", name="Deploy hours").check()
    merged = page.get_by_role("textbox", name="Text after the merge")
    expect(merged).to_have_value(re.compile(r"Fridays at noon\.(.|\s)*Never before ten in the morning\."))
    page.get_by_role("button", name="Merge 1 memory").click()
    expect(page.get_by_role("article")).to_contain_text("Never before ten in the morning.")
    expect(item(page, "preferences 1 memory")).to_be_visible()
    page.get_by_role("button", name="Undo r2").click()
    expect(item(page, "preferences 2 memories")).to_be_visible()
    expect(page.get_by_role("article")).not_to_contain_text("Never before ten in the morning.")
    assert text_of(person, HOURS) == "Never before ten in the morning."


def test_search_explains_a_result_and_links_to_the_memory(page_of: Opener, person: Person) -> None:
    page = page_of(person, path="/memory")
    page.get_by_role("textbox", name="Search memories").fill("when do we deploy")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Why Deploy days").click()
    parts = page.get_by_role("table", name="Parts of the score")
    expect(parts.get_by_role("row", name="Similar meaning")).to_be_visible()
    expect(parts.get_by_role("row", name="Score")).to_be_visible()
    page.get_by_text("Filters", exact=True).click()
    page.get_by_role("combobox", name="Category").select_option("event")
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page.get_by_role("link", name="2026-11-09-schema frozen")).to_be_visible()
    expect(page.get_by_role("link", name="Deploy days")).to_have_count(0)
    page.get_by_role("link", name="2026-11-09-schema frozen").click()
    expect(page.get_by_role("article")).to_contain_text("The schema is frozen until the switch.")


def test_a_memory_is_created_moved_archived_and_deleted(page_of: Opener, person: Person, troubles: Troubles) -> None:
    # The event of the deletion may arrive before its response, while the page still shows the memory.
    troubles.expect("status of 404 .*/api/memories/")
    page = page_of(person, path="/memory")
    page.get_by_role("link", name="New memory").click()
    page.get_by_role("combobox", name="Category").select_option("event")
    page.get_by_role("textbox", name="Name").fill("First launch")
    page.get_by_role("textbox", name="Text").fill("We launched.")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="First launch")).to_be_visible()
    page.get_by_role("button", name="Move…").click()
    page.get_by_role("textbox", name="New address").fill("mem://user/preferences/launches")
    page.get_by_role("button", name="Move", exact=True).click()
    expect(page.get_by_role("heading", name="Launches")).to_be_visible()
    expect(item(page, "preferences 3 memories")).to_be_visible()
    page.get_by_role("button", name="Archive", exact=True).click()
    expect(page.get_by_text("Archived: replies and searches")).to_be_visible()
    page.get_by_role("button", name="Unarchive").click()
    expect(page.get_by_text("Archived: replies and searches")).to_have_count(0)
    page.get_by_role("button", name="Delete permanently…").click()
    erase = page.get_by_role("button", name="Delete permanently", exact=True)
    expect(erase).to_be_disabled()
    page.get_by_role("textbox", name="Type “launches” to confirm").fill("launches")
    erase.click()
    expect(page.get_by_role("heading", name="Preferences")).to_be_visible()
    expect(item(page, "preferences 2 memories")).to_be_visible()


def test_an_import_shows_the_result_of_each_memory(page_of: Opener, person: Person) -> None:
    page = page_of(person, path="/memory/at?uri=mem://user")
    page.get_by_role("link", name="Import…").click()
    expect(page.get_by_label("File")).to_be_focused()
    page.get_by_label("File").set_input_files(FILE)
    preview = page.get_by_role("region", name="Contents")
    expect(preview).to_contain_text("Markdown, 3 memories. Addresses are kept.")
    page.get_by_role("button", name="Preview").press("Enter")
    expect(preview).to_contain_text("Nothing is imported yet. Result: 1 new, 1 unchanged, 1 refused.")
    expect(item(page, "events 1 memory")).to_be_visible()
    page.get_by_role("button", name="Import as mine").press("Enter")
    expect(page.get_by_role("heading", name="1 new, 1 unchanged, 1 refused")).to_be_focused()
    refused = page.get_by_role("list", name="Refused").get_by_role("listitem")
    expect(refused).to_have_text([f"{DAYS} The existing memory has higher trust than an import."])
    assert text_of(person, DAYS).startswith("Deploys on Fridays")
    page.get_by_role("button", name="Open folder").click()
    expect(item(page, "events 2 memories")).to_be_visible()


def test_another_stores_memories_are_imported_below_the_folder(page_of: Opener, person: Person) -> None:
    page = page_of(person, path="/memory/import?uri=mem://user/entities/mail")
    told = '[{"uri": "mem://agent/patterns/imap/port", "content": "993."}]'
    page.get_by_role("textbox", name="Or paste text").fill(told)
    preview = page.get_by_role("region", name="Contents")
    expect(preview).to_contain_text("Imported under mem://user/entities/mail")
    page.reload()
    expect(page.get_by_role("textbox", name="Or paste text")).to_have_value(told)
    page.keyboard.press("Control+Enter")
    expect(preview).to_contain_text("Result: 1 new.")
    page.get_by_role("button", name="Import into the inbox").press("Enter")
    page.get_by_role("region", name="Result").get_by_text("All entries (1)").click()
    page.get_by_role("link", name="mem://user/entities/mail/port").click()
    expect(page.get_by_text("awaiting approval", exact=True)).to_be_visible()


def test_changes_made_elsewhere_appear_immediately(page_of: Opener, person: Person) -> None:
    page = page_of(person, path="/memory/at?uri=mem://user/preferences")
    inside = page.get_by_role("region", name="Contents")
    expect(inside.get_by_role("link", name="deploy-days")).to_be_visible()
    person.client.post("/api/memories", {"uri": "mem://user/preferences/tea", "content": "Green tea."})
    expect(inside.get_by_role("link", name="tea", exact=True)).to_be_visible()


def test_on_a_phone_the_tree_and_a_memory_are_two_screens(page_of: Opener, person: Person) -> None:
    page = page_of(person, path="/memory", phone=True)
    check_fits(page)
    item(page, "preferences 2 memories").get_by_text("preferences").tap()
    page.get_by_role("region", name="Contents").get_by_role("link", name="deploy-days").tap()
    expect(page.get_by_role("heading", name="Deploy days")).to_be_visible()
    expect(page.get_by_role("tree", name="Memories")).to_be_hidden()
    check_fits(page)
    page.get_by_role("link", name="Back to the tree").tap()
    expect(item(page, "deploy-days")).to_be_visible()
