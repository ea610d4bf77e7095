"""Chatting: replies are streamed, and no message or draft is ever lost."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import Opener, Troubles, check_accessible
from tests.browser.people import Person
from tests.browser.screens import say
from tests.browser.thread import composer, message, open_talk, press
from tests.providers.anthropic_server import ProviderServer
from tests.providers.behaviours import Behaviour

LONG = "Cats sleep most of the day, " + "and then they sleep a little more, " * 80 + "until supper."
SAID = ["What do cats do all day?", "They sleep.", "And at night?", "They run about."]


def test_a_reply_appears_as_it_is_written(page_of: Opener, alice: Person, provider: ProviderServer) -> None:
    provider.script_replies(Behaviour(text=LONG, piece_s=0.01, first_byte_s=0.5))
    page = page_of(alice)
    say(page, "What do cats do all day?")
    expect(page).to_have_url(re.compile("/c/"))
    expect(message(page, 0)).to_contain_text("What do cats do all day?")
    expect(message(page, 1)).to_contain_text("Cats sleep most of the day")
    expect(message(page, 1)).not_to_contain_text("until supper.", timeout=1)
    expect(message(page, 1)).to_have_attribute("aria-busy", "true")
    expect(message(page, 1)).to_contain_text("until supper.")
    expect(message(page, 1)).to_have_attribute("aria-busy", "false")
    expect(page.get_by_role("button", name="Stop")).to_be_hidden()
    expect(composer(page)).to_be_focused()


def by_button(page: Page) -> None:
    page.get_by_role("button", name="Stop").click()


def by_key(page: Page) -> None:
    page.keyboard.press("Escape")


@pytest.mark.parametrize("stop", [by_button, by_key])
def test_a_stopped_reply_keeps_what_was_written_and_can_be_written_again(
    page_of: Opener, alice: Person, provider: ProviderServer, stop: Callable[[Page], None]
) -> None:
    provider.script_replies(Behaviour(text=LONG, piece_s=0.1), Behaviour(text="They sleep."))
    page = open_talk(page_of, alice, alice.talk("Cats", SAID))
    say(page, "And on Sundays?")
    expect(message(page, 5)).to_contain_text("Cats sleep most of the day, and then")
    stop(page)
    expect(message(page, 5)).to_contain_text("Stopped. The text so far is saved.")
    expect(message(page, 5)).to_contain_text("Cats sleep most of the day, and then")
    expect(message(page, 5)).not_to_contain_text("until supper.")
    check_accessible(page)
    page.reload()
    expect(message(page, 5)).to_contain_text("Cats sleep most of the day, and then")
    message(page, 5).get_by_role("button", name="Regenerate").click()
    expect(page.get_by_role("article").last).to_contain_text("They sleep.")
    expect(page.get_by_text("And on Sundays?")).to_have_count(1)


def test_a_changed_message_goes_on_in_a_fork(page_of: Opener, alice: Person, provider: ProviderServer) -> None:
    provider.script_replies(Behaviour(text="In the rain they sleep longer."))
    talk = alice.talk("Cats", SAID)
    page = open_talk(page_of, alice, talk)
    press(page, 2, "Edit")
    field = page.get_by_role("textbox", name="Edit your message")
    expect(field).to_have_value("And at night?")
    check_accessible(page)
    field.fill("And in the rain?")
    page.get_by_role("button", name="Send in a copy").click()
    expect(page).not_to_have_url(re.compile(talk.page))
    expect(message(page, 1)).to_contain_text("They sleep.")
    expect(message(page, 2)).to_contain_text("And in the rain?")
    expect(message(page, 3)).to_contain_text("In the rain they sleep longer.")
    expect(page.get_by_text("And at night?")).to_be_hidden()
    page.get_by_role("button", name="Go back").click()
    expect(page).to_have_url(re.compile(talk.page))
    expect(message(page, 2)).to_contain_text("And at night?")
    expect(message(page, 3)).to_contain_text("They run about.")


def test_another_reply_comes_in_a_fork(page_of: Opener, alice: Person, provider: ProviderServer) -> None:
    provider.script_replies(Behaviour(text="They hunt for mice."))
    talk = alice.talk("Cats", SAID)
    page = open_talk(page_of, alice, talk)
    press(page, 3, "Regenerate")
    expect(page).not_to_have_url(re.compile(talk.page))
    expect(message(page, 2)).to_contain_text("And at night?")
    expect(message(page, 3)).to_contain_text("They hunt for mice.")
    expect(page.get_by_role("article")).to_have_count(4)
    page.go_back()
    expect(message(page, 3)).to_contain_text("They run about.")


def test_a_draft_outlives_the_page(page_of: Opener, alice: Person) -> None:
    page = open_talk(page_of, alice, alice.talk("Cats", SAID))
    composer(page).fill("A thought that is not finished")
    page.reload()
    expect(composer(page)).to_have_value("A thought that is not finished")


def test_an_error_of_the_model_has_a_way_out(
    page_of: Opener, alice: Person, provider: ProviderServer, troubles: Troubles
) -> None:
    provider.script_replies(
        Behaviour("status", status=401, error_type="authentication_error"), Behaviour(text="They sleep.")
    )
    page = open_talk(page_of, alice, alice.talk("Cats", SAID))
    say(page, "And on Sundays?")
    expect(message(page, 5)).to_contain_text("rejected the API key")
    expect(message(page, 5)).to_contain_text("Your message is saved as #5.")
    check_accessible(page)
    message(page, 5).get_by_role("button", name="Try again").click()
    expect(page.get_by_role("article").last).to_contain_text("They sleep.")
    expect(page.get_by_text("And on Sundays?")).to_have_count(1)
