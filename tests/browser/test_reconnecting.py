"""Loss of the server: the page reports it, keeps unsent messages, reconnects, and sends nothing twice."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import Opener, Troubles, check_accessible
from tests.browser.people import Person, Talk
from tests.browser.screens import say
from tests.browser.thread import message, open_talk, pill
from tests.browser.whole import Whole
from tests.providers.anthropic_server import ProviderServer
from tests.providers.behaviours import Behaviour

SAID = ["Where does the Danube rise?", "In the Black Forest."]
LONG = "It flows past Ulm, " + "and past another town, " * 300 + "and into the sea."
# More than is written between two times at which a reply is stored.
MUCH = re.compile("(and past another town, ){64}")
RETURN_MS = 40_000


@pytest.fixture(autouse=True)
def _expected(troubles: Troubles) -> None:
    """The browser's own console errors about an unreachable server."""
    troubles.expect("ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE|WebSocket")
    troubles.expect("status of 50[234]")


@pytest.fixture
def talk(alice: Person) -> Talk:
    return alice.talk("The Danube", SAID)


def asked(provider: ProviderServer, words: str) -> int:
    """The number of requests for a reply to this message."""
    return sum(words in str(one.body["messages"][-1]) for one in provider.requests)


def test_a_reply_interrupted_by_a_crash_keeps_its_text_and_can_be_retried(
    page_of: Opener, alice: Person, talk: Talk, stack: Whole, provider: ProviderServer, troubles: Troubles
) -> None:
    provider.script_replies(Behaviour(text=LONG, piece_s=0.04), Behaviour(text="It flows to the east."))
    page = open_talk(page_of, alice, talk)
    say(page, "And where does it go?")
    expect(message(page, 3)).to_contain_text(MUCH)
    stack.kill("web")
    expect(message(page, 3)).to_contain_text("The connection was lost during this reply.")
    expect(pill(page)).to_contain_text("Offline")
    expect(pill(page)).not_to_contain_text("Offline", timeout=RETURN_MS)
    expect(message(page, 3)).to_contain_text("The server restarted during this reply.", timeout=RETURN_MS)
    expect(message(page, 3)).to_contain_text("It flows past Ulm, and past another town")
    expect(message(page, 3)).not_to_contain_text("into the sea")
    check_accessible(page)
    message(page, 3).get_by_role("button", name="Regenerate").click()
    expect(page.get_by_role("article").last).to_contain_text("It flows to the east.")
    expect(page.get_by_text("And where does it go?")).to_have_count(1)


def away(page: Page) -> None:
    page.context.set_offline(True)
    expect(page.get_by_text("No connection.")).to_be_visible()


def test_a_message_written_offline_is_sent_once(
    page_of: Opener, alice: Person, talk: Talk, stack: Whole, provider: ProviderServer, troubles: Troubles
) -> None:
    troubles.expect("ERR_INTERNET_DISCONNECTED|ERR_FAILED")
    provider.usual = Behaviour(text="Ten countries.")
    page = open_talk(page_of, alice, talk)
    away(page)
    say(page, "How many countries does it pass?")
    waiting = page.get_by_role("article", name="Queued message")
    expect(waiting).to_contain_text("waiting for connection")
    check_accessible(page)
    stack.restart("web")
    page.context.set_offline(False)
    expect(message(page, 2)).to_contain_text("How many countries does it pass?", timeout=RETURN_MS)
    expect(message(page, 3)).to_contain_text("Ten countries.")
    expect(waiting).to_have_count(0)
    expect(page.get_by_text("No connection.")).to_be_hidden()
    expect(page.get_by_text("Back online. 1 message sent")).to_be_visible()
    page.reload()
    expect(message(page, 3)).to_contain_text("Ten countries.")
    expect(page.get_by_role("article")).to_have_count(4)
    assert asked(provider, "How many countries") == 1


def test_an_unsent_message_survives_a_reload_and_can_be_discarded(
    page_of: Opener, alice: Person, talk: Talk, troubles: Troubles
) -> None:
    troubles.expect("ERR_INTERNET_DISCONNECTED|ERR_FAILED")
    page = open_talk(page_of, alice, talk)
    away(page)
    say(page, "This is not needed.")
    waiting = page.get_by_role("article", name="Queued message")
    waiting.get_by_role("button", name="Discard").click()
    expect(waiting).to_have_count(0)
    page.get_by_role("region", name="Notifications").get_by_role("button", name="Undo").click()
    expect(waiting).to_contain_text("This is not needed.")
    waiting.get_by_role("button", name="Discard").click()
    page.context.set_offline(False)
    expect(page.get_by_text("No connection.")).to_be_hidden()
    expect(page.get_by_role("article")).to_have_count(2)
