"""Sessions of a coding agent in the browser: the list while one runs, the page of one, and what was remembered."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.agent_sessions import CodingAgent, paired
from tests.browser.inboxes import set_policy
from tests.browser.pages import Opener, check_accessible, check_fits
from tests.browser.people import Person

pytestmark = pytest.mark.same_tab

EARLY = 60


@pytest.fixture
def agent(newcomer: Person) -> CodingAgent:
    return CodingAgent(paired(newcomer))


def timeline(page: Page) -> list[str]:
    """The first words of each prompt, reply and tool, in order."""
    return [text.strip().split("\n")[-1] for text in page.locator("ol > li").all_inner_texts()]


def test_a_running_session_is_followed_to_its_end(page_of: Opener, newcomer: Person, agent: CodingAgent) -> None:
    page = page_of(newcomer, path="/sessions")
    expect(page.get_by_text("No agent has called")).to_be_visible()
    check_accessible(page)
    agent.begin()
    agent.turn("Remember that I always want make test before a commit.", "cart.py", "tax.py", reply="Both are edited.")
    agent.fail("make test", "1 test failed: test_rounding")
    page.reload()
    row = page.get_by_role("listitem").filter(has_text="shop · Claude Code · 1 prompt, 3 tool calls")
    expect(row).to_contain_text("Running")
    check_accessible(page)
    row.get_by_role("link").click()
    expect(page.get_by_role("heading", name=re.compile("^Remember that I always"))).to_be_visible()
    expect(page.get_by_text("/home/alice/shop", exact=True)).to_be_visible()
    expect(page.get_by_text("Both are edited.")).to_be_visible()
    page.get_by_text(re.compile("^Bash")).click()
    expect(page.get_by_role("group", name=re.compile("^Result of Bash"))).to_contain_text("1 test failed")
    check_accessible(page)

    # The page follows the session by itself.
    agent.turn("Now round half up.", reply="Rounded half up.")
    expect(page.get_by_text("Rounded half up.")).to_be_visible()
    expect(page.get_by_text("2 prompts, 3 tool calls")).to_be_visible()
    agent.end()
    expect(page.get_by_text("Ended", exact=True).first).to_be_visible()
    expect(page.get_by_text("left at the prompt")).to_be_visible()


def test_what_was_remembered_and_summarized_leads_to_the_memory_and_its_message(
    page_of: Opener, newcomer: Person, agent: CodingAgent
) -> None:
    set_policy(newcomer, model_calls_enabled=False)
    agent.begin()
    agent.turn("Remember that I always want make test before a commit.", reply="I will.")
    agent.turn(
        "We decided to use Decimal for prices because floats are not exact.", "cart.py", reply="Prices are exact."
    )
    agent.turn("The limit of a cart is 250 items.", reply="The limit is 250 items now.")
    agent.end()
    page = page_of(newcomer, path=f"/sessions/{agent.id}")
    memory = page.get_by_role("link", name=re.compile("make test before a commit")).last
    expect(memory).to_be_visible()
    for _ in range(EARLY):
        if page.get_by_text("Show the whole summary").is_visible():
            break
        page.wait_for_timeout(1_000)
        page.reload()
        page.get_by_role("heading", name="Remembered from it").wait_for()
    page.get_by_text("Show the whole summary").click()
    check_accessible(page)
    page.get_by_role("button", name=re.compile("^Source: message 1, user")).first.click()
    expect(page).to_have_url(re.compile(rf"/c/{agent.id}\?m=0$"))
    expect(page.locator('[data-message-index="0"]')).to_be_visible()
    page.go_back()
    memory.click()
    expect(page).to_have_url(re.compile("/memory/n/"))
    page.go_back()
    page.get_by_role("button", name="Context and receipts").click()
    expect(page.get_by_role("button", name="Compact now")).to_be_visible()


def test_a_long_session_begins_with_its_newest_part(page_of: Opener, newcomer: Person, agent: CodingAgent) -> None:
    agent.begin()
    for number in range(30):
        agent.turn(f"Step {number:02d}.", f"part{number:02d}.py", reply=f"Finished {number:02d}.")
    page = page_of(newcomer, path=f"/sessions/{agent.id}")
    newest = page.get_by_text("Finished 29.")
    expect(newest).to_be_attached()
    expect(newest).not_to_be_in_viewport()
    page.get_by_role("button", name="Jump to the latest").click()
    expect(newest).to_be_in_viewport()
    check_accessible(page)
    expect(page.get_by_text("Finished 00.")).to_be_hidden()
    agent.turn("Step 30.", "part30.py", reply="Finished 30.")
    expect(page.get_by_text("Finished 30.")).to_be_visible()
    earlier = page.get_by_role("button", name="Show what came before")
    earlier.click()
    earlier.click()
    expect(page.get_by_text("Finished 00.")).to_be_visible()
    expect(earlier).to_be_hidden()
    shown = "\n".join(page.locator("ol > li").all_inner_texts())
    marks = re.findall(r"Step (\d\d)\.|part(\d\d)\.py|Finished (\d\d)\.", shown)
    assert [int("".join(mark)) for mark in marks] == [number for number in range(31) for _ in range(3)]


def test_chats_are_a_filter_of_the_same_list(page_of: Opener, newcomer: Person, agent: CodingAgent) -> None:
    newcomer.talk("Opening hours", ["When do we open on Sundays?", "At ten."])
    agent.begin()
    agent.turn("Fix the cart.")
    page = page_of(newcomer, path="/memory")
    page.get_by_role("navigation", name="Memory sections").get_by_role("link", name="Sessions").click()
    expect(page.get_by_role("main").get_by_role("link", name="Fix the cart.")).to_be_visible()
    expect(page.get_by_role("main").get_by_role("link", name="Opening hours")).to_be_hidden()
    page.get_by_role("radio", name="Chats").click(force=True)
    page.get_by_role("main").get_by_role("link", name="Opening hours").click()
    expect(page.get_by_text("When do we open on Sundays?")).to_be_visible()


def test_the_last_event_of_a_client_is_seen_in_the_settings(
    page_of: Opener, newcomer: Person, agent: CodingAgent
) -> None:
    page = page_of(newcomer, path="/settings/agents")
    row = page.get_by_role("listitem").filter(has_text="laptop")
    expect(row).to_contain_text("No event yet")
    agent.begin()
    expect(row).to_contain_text("Last event: SessionStart")
    agent.turn("Fix the cart.", "cart.py")
    expect(row).to_contain_text("Last event: Stop")
    expect(row).to_contain_text("4 events")


def test_nobody_else_reads_the_session(page_of: Opener, charlie: Person, newcomer: Person, agent: CodingAgent) -> None:
    agent.begin()
    agent.turn("Fix the cart.")
    page = page_of(charlie, path="/sessions")
    expect(page.get_by_role("heading", name="Sessions")).to_be_visible()
    expect(page.get_by_role("main").get_by_text("Fix the cart.")).to_be_hidden()


def test_the_pages_fit_on_a_phone(page_of: Opener, newcomer: Person, agent: CodingAgent) -> None:
    agent.begin()
    agent.turn("Fix the cart.", "a/very/long/path/of/a/file/that/does/not/fit/on/a/phone/cart_rounding.py")
    page = page_of(newcomer, path="/sessions", phone=True, dark=True)
    page.set_viewport_size({"width": 320, "height": 640})
    link = page.get_by_role("main").get_by_role("link", name="Fix the cart.")
    expect(link).to_be_visible()
    check_fits(page)
    link.click()
    expect(page.get_by_role("heading", name="What happened")).to_be_visible()
    page.locator("summary", has_text="Edit").click()
    check_fits(page)
