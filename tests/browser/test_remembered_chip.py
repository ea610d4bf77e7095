"""What was remembered from a message, below it: why and from which words, and undo; and a chat that learns nothing."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from config.stack.errors import StackError
from tests.browser.inboxes import REVIEWS, ROME, TREASURER, read, said, set_policy
from tests.browser.mouse import mouse_click
from tests.browser.pages import Opener, check_accessible, check_fits
from tests.browser.people import Person, Talk, sign_up
from tests.browser.screens import say
from tests.browser.thread import drawer, message, notice, open_drawer, open_talk
from tests.browser.whole import Whole

pytestmark = pytest.mark.same_tab

PLEASE = "Please remember that the bins go out on Tuesdays."


@pytest.fixture
def person(stack: Whole) -> Person:
    return sign_up(stack.url, "Newcomer")


@pytest.fixture
def talk(person: Person) -> Talk:
    return said(person, "Where I live", {"content": f"{ROME} {REVIEWS}"})


def chip(page: Page, words: str, index: int = 0) -> Locator:
    return message(page, index).get_by_role("button", name=words, exact=True)


def opened(page: Page, words: str) -> Locator:
    """The list behind a chip."""
    chip(page, words).click()
    return page.get_by_role("dialog", name="Remembered from this message")


def memories(person: Person) -> list[str]:
    hits = person.client.get("/api/search?mode=find&q=home+reviews+bins&corpus=memories&top_k=20")["hits"]
    return sorted(hit["snippet"] for hit in hits)


def test_a_message_shows_what_was_remembered_and_each_is_taken_back(
    page_of: Opener, person: Person, talk: Talk
) -> None:
    page = open_talk(page_of, person, talk)
    shown = opened(page, "2 remembered")
    rome = shown.get_by_role("listitem").filter(has=page.get_by_role("link", name=ROME))
    expect(rome.get_by_text(f"“{ROME}”")).to_be_visible()
    expect(rome.get_by_text("You stated it as a fact.")).to_be_visible()
    check_accessible(page)
    rome.get_by_role("button", name="Undo").click()
    expect(notice(page, "Not remembered any more")).to_be_visible()
    expect(chip(page, "1 remembered")).to_be_visible()
    assert not any("Rome" in text for text in memories(person))
    page.reload()
    shown = opened(page, "1 remembered")
    shown.get_by_role("link", name=REVIEWS).click()
    expect(page).to_have_url(re.compile("/memory/n/"))
    expect(page.get_by_text(REVIEWS).first).to_be_visible()


def test_what_was_taken_back_is_not_learned_again(page_of: Opener, person: Person, talk: Talk) -> None:
    page = open_talk(page_of, person, talk)
    opened(page, "2 remembered").get_by_role("button", name="Undo").first.click()
    expect(chip(page, "1 remembered")).to_be_visible()
    left = memories(person)
    person.tell(talk, [{"role": "user", "content": f"{ROME} {REVIEWS}"}])
    read(person, talk)
    assert memories(person) == left


def test_it_appears_while_the_chat_is_open(page_of: Opener, person: Person) -> None:
    page = page_of(person)
    say(page, PLEASE)
    expect(page).to_have_url(re.compile("/c/"))
    shown = opened(page, "1 remembered")
    expect(shown.get_by_text("You stated it as a fact.")).to_be_visible()
    page.keyboard.press("Escape")
    expect(shown).to_be_hidden()
    expect(chip(page, "1 remembered")).to_be_focused()


def test_what_somebody_else_said_waits_and_is_decided_in_the_inbox(page_of: Opener, person: Person) -> None:
    club = said(
        person,
        "The club",
        {"content": "Hi all, who does what?", "name": "Alice"},
        {"content": TREASURER, "name": "Bob"},
    )
    page = open_talk(page_of, person, club)
    chip(page, "1 waits for you", index=1).click()
    page.get_by_role("link", name="Decide in the inbox").click()
    item = page.get_by_role("region", name="The chosen item")
    expect(item.get_by_role("heading", level=2)).to_contain_text(TREASURER)


def test_nothing_is_remembered_from_a_temporary_chat(page_of: Opener, person: Person) -> None:
    page = page_of(person)
    mouse_click(page.get_by_text("Temporary chat", exact=True))
    expect(page.get_by_text("Nothing is learned from it, and other chats don't find it.")).to_be_visible()
    check_accessible(page)
    say(page, PLEASE)
    expect(page).to_have_url(re.compile("/c/"))
    expect(message(page, 1)).to_have_attribute("aria-busy", "false")
    talk = Talk(page.url.rsplit("/", 1)[1])
    with pytest.raises(StackError, match="A temporary chat learns nothing"):
        read(person, talk)
    page.reload()
    expect(message(page, 1)).to_be_visible()
    expect(chip(page, "1 remembered")).to_be_hidden()
    assert memories(person) == []


def test_the_list_fits_a_phone(page_of: Opener, person: Person, talk: Talk) -> None:
    page = open_talk(page_of, person, talk, phone=True)
    shown = opened(page, "2 remembered")
    expect(shown.get_by_role("listitem")).to_have_count(2)
    check_fits(page)
    check_accessible(page)


def test_the_drawer_reads_the_chat_on_request_and_lists_what_was_remembered(page_of: Opener, person: Person) -> None:
    set_policy(person, model_calls_enabled=False)
    talk = person.talk("Where I live", [f"{ROME} {REVIEWS}"])
    page = open_talk(page_of, person, talk)
    expect(chip(page, "2 remembered")).to_be_visible()
    open_drawer(page)
    drawer(page).get_by_role("button", name="Remember now").click()
    expect(notice(page, "Nothing new: 2 memories known already")).to_be_visible()
    expect(drawer(page).get_by_role("link", name=ROME)).to_be_visible()
    expect(drawer(page).get_by_text("All messages were read.")).to_be_visible()
    check_accessible(page)
