"""The inbox: decide by keyboard and by touch, undo, and the count in the list."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.inboxes import OSLO, ROME, SECRETARY, SHORT_REVIEWS, TREASURER, decider
from tests.browser.pages import Opener, check_accessible, check_fits
from tests.browser.people import Person, sign_up
from tests.browser.thread import notice, undo
from tests.browser.whole import Whole

pytestmark = pytest.mark.same_tab


@pytest.fixture
def person(stack: Whole) -> Person:
    return decider(stack.url)


def opened(page_of: Opener, person: Person) -> Page:
    page = page_of(person, path="/memory/inbox")
    expect(item(page)).to_have_text(OSLO)
    return page


def item(page: Page) -> Locator:
    """The chosen item."""
    return page.get_by_role("region", name="The chosen item").get_by_role("heading", level=2)


def waiting(page: Page) -> Locator:
    return page.get_by_role("complementary", name="What waits").get_by_role("listitem")


def count(page: Page, many: int) -> None:
    """The list's link shows how many items wait."""
    chats = page.get_by_role("navigation", name="Chats and account")
    name = "Inbox" if many == 0 else f"Inbox {many} waiting"
    expect(chats.get_by_role("link", name=name, exact=True)).to_be_visible()


def content_of(person: Person, uri: str) -> dict[str, object]:
    return dict(person.client.get(f"/api/memories?uri={uri}"))


def test_everything_is_decided_by_keyboard(page_of: Opener, person: Person) -> None:
    page = page_of(person, path="/")
    count(page, 4)
    page.get_by_role("link", name=re.compile("^Inbox")).click()
    expect(item(page)).to_have_text(OSLO)
    page.keyboard.press("j")
    expect(item(page)).to_have_text(SHORT_REVIEWS)
    page.keyboard.press("k")
    expect(item(page)).to_have_text(OSLO)
    pair = page.get_by_role("region", name="The chosen item")
    expect(pair.locator("del")).to_have_text("Rome")
    expect(pair.locator("ins")).to_have_text("Oslo")
    page.keyboard.press("s")
    expect(notice(page, "Replaced. The old memory is history")).to_be_visible()
    count(page, 3)
    expect(item(page)).to_have_text(SHORT_REVIEWS)
    page.keyboard.press("a")
    expect(notice(page, "Approved")).to_be_visible()
    expect(item(page)).to_contain_text(SECRETARY)
    page.keyboard.press("r")
    expect(notice(page, "Declined")).to_be_visible()
    count(page, 1)
    expect(item(page)).to_contain_text(TREASURER)
    page.keyboard.press("z")
    expect(notice(page, "Undone. It waits again")).to_be_visible()
    count(page, 2)
    expect(waiting(page)).to_have_count(2)
    assert person.client.get("/api/inbox/count") == {"waiting": 2}
    values = [one["memory"]["content"] for one in person.client.get("/api/inbox")["data"]]
    assert values == [f"Carol: {SECRETARY}", f"Bob: {TREASURER}"]


def test_an_item_is_edited_and_letters_that_are_typed_decide_nothing(page_of: Opener, person: Person) -> None:
    page = opened(page_of, person)
    page.keyboard.press("e")
    box = page.get_by_role("textbox", name="Text")
    expect(box).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("I live in Bergen, near the sea.")
    expect(waiting(page)).to_have_count(4)
    page.get_by_role("button", name="Save and replace old").click()
    expect(notice(page, "Approved with your changes")).to_be_visible()
    count(page, 3)
    found = person.client.get("/api/search?mode=find&q=where+do+I+live&top_k=3")["hits"]
    assert any("Bergen" in hit["snippet"] for hit in found)
    assert not any(ROME in hit["snippet"] for hit in found)


def test_selected_items_are_declined_in_one_change(page_of: Opener, person: Person) -> None:
    page = opened(page_of, person)
    page.keyboard.press("x")
    page.keyboard.press("j")
    expect(item(page)).to_have_text(SHORT_REVIEWS)
    page.keyboard.press("x")
    selected = page.get_by_role("group", name="2 selected")
    expect(selected).to_be_visible()
    selected.get_by_role("button", name="Decline").click()
    expect(notice(page, "2 declined")).to_be_visible()
    count(page, 2)
    undo(page)
    count(page, 4)


def test_everything_from_a_chat_is_declined_or_taken_out_of_use(page_of: Opener, person: Person) -> None:
    page = opened(page_of, person)
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(item(page)).to_contain_text(SECRETARY)
    page.get_by_role("button", name="Everything from this source…").click()
    page.get_by_role("combobox", name="Source").select_option(label="The chat “The club”")
    page.get_by_role("button", name="Decline all that wait").click()
    expect(notice(page, "2 declined")).to_be_visible()
    count(page, 2)
    page.keyboard.press("k")
    page.get_by_role("button", name="Everything from this source…").click()
    page.get_by_role("button", name="Take out of use…").click()
    expect(page.get_by_text("No memory in use comes from this source.")).to_be_visible()


def test_a_decision_elsewhere_is_seen_at_once(page_of: Opener, person: Person) -> None:
    page = opened(page_of, person)
    count(page, 4)
    first = person.client.get("/api/inbox?limit=1")["data"][0]
    person.client.post(f"/api/inbox/{first['id']}/decline")
    count(page, 3)
    expect(item(page)).to_have_text(SHORT_REVIEWS)


def test_decisions_are_listed_and_undone(page_of: Opener, person: Person) -> None:
    page = opened(page_of, person)
    page.keyboard.press("r")
    expect(notice(page, "Declined")).to_be_visible()
    page.get_by_role("link", name="Decided", exact=True).click()
    past = page.get_by_role("region", name="What was decided")
    expect(past.get_by_role("listitem")).to_contain_text("declined")
    past.get_by_role("button", name=f"Undo: {OSLO}").click()
    expect(past.get_by_text("undone")).to_be_visible()
    check_accessible(page)
    count(page, 4)


def test_an_empty_inbox_says_what_comes_here(page_of: Opener, stack: Whole) -> None:
    page = page_of(sign_up(stack.url, "Newcomer"), path="/memory/inbox")
    expect(page.get_by_role("heading", name="Inbox is empty")).to_be_visible()
    check_accessible(page)
    count(page, 0)


def test_the_source_of_an_item_is_opened(page_of: Opener, person: Person) -> None:
    page = opened(page_of, person)
    page.keyboard.press("o")
    expect(page).to_have_url(re.compile(r"/c/[0-9a-f-]+\?m=1$"))
    expect(page.get_by_text(OSLO).first).to_be_visible()


def test_list_and_item_follow_each_other_on_a_phone(page_of: Opener, person: Person) -> None:
    page = page_of(person, path="/memory/inbox", phone=True)
    waiting(page).get_by_role("link", name=re.compile("Oslo")).click()
    expect(item(page)).to_have_text(OSLO)
    expect(waiting(page).first).to_be_hidden()
    check_fits(page)
    check_accessible(page)
    page.get_by_role("button", name="Keep both").click()
    expect(item(page)).to_have_text(SHORT_REVIEWS)
    page.get_by_role("link", name="Back to the inbox").click()
    expect(waiting(page)).to_have_count(3)
    check_fits(page)
    check_accessible(page)
