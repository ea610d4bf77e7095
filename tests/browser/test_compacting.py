"""Manual compaction: it shows its progress, blocks no one, appears in every browser, and can be undone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import Opener, check_accessible
from tests.browser.people import Person, Talk
from tests.browser.screens import say
from tests.browser.thread import compact, drawer, message, notice, open_drawer, open_talk, pill, summary_is
from tests.processes import eventually
from tests.providers.anthropic_server import ProviderServer
from tests.providers.behaviours import Behaviour

MESSAGES = 64
Shown = tuple[list[str], list[str]]
"""The numbers on the pill, and those in the drawer."""


@pytest.fixture
def talk(alice: Person) -> Talk:
    """Long enough for a summary, and too short for an automatic compaction."""
    words = "the harbour plans a second pier for ferries, with room for bicycles and a hall against the wind, "
    return alice.talk("The harbour", [f"Point {number}: {words * 4}" for number in range(MESSAGES)])


@pytest.fixture
def here_and_there(page_of: Opener, alice: Person, talk: Talk) -> tuple[Page, Page]:
    """Two browsers of Alice with the drawer open."""
    pages = open_talk(page_of, alice, talk), open_talk(page_of, alice, talk)
    for page in pages:
        open_drawer(page)
        expect(pill(page)).to_contain_text(re.compile("Healthy|Tight"))
        expect(page.get_by_role("heading", name="No summary yet")).to_be_visible()
    return pages


def test_a_compaction_is_seen_in_both_browsers_and_undone(
    here_and_there: tuple[Page, Page], provider: ProviderServer
) -> None:
    here, there = here_and_there
    provider.script(Behaviour(first_byte_s=2))
    compact(here)
    for page in here_and_there:
        expect(pill(page)).to_contain_text("Compacting")
        expect(page.get_by_role("progressbar", name="Progress of the compaction")).to_be_visible()
        expect(page.get_by_role("listitem").filter(has_text="Writing the summary")).to_be_visible()
        expect(page.get_by_role("group", name="Compacting")).to_contain_text("writing the summary")
    for page in here_and_there:
        expect(pill(page)).to_contain_text("Compacted")
        summary_is(page, 1)
        expect(page.get_by_text("Keep in mind: Point 0:").first).to_be_visible()
        expect(page.get_by_role("progressbar", name="Progress of the compaction")).to_be_hidden()
        expect(page.get_by_role("group", name=re.compile(r"^Compacted messages \d+–\d+$"))).to_contain_text("into v1")
    there.get_by_role("button", name="Undo this compaction").click()
    expect(notice(there, "Compaction undone. There's no summary now.")).to_be_visible()
    for page in here_and_there:
        expect(pill(page)).to_contain_text(re.compile("Healthy|Tight"))
        expect(page.get_by_role("heading", name="No summary yet")).to_be_visible()
        expect(page.get_by_text("Keep in mind:")).to_have_count(0)
        expect(page.get_by_role("group", name=re.compile("Compacted"))).to_have_count(0)
        expect(message(page, MESSAGES - 1)).not_to_contain_text("compacted")


def test_pill_and_drawer_show_the_same_numbers_in_both_browsers(
    here_and_there: tuple[Page, Page], provider: ProviderServer
) -> None:
    here, there = here_and_there
    _have_the_same_numbers(here_and_there)
    compact(here)
    for page in here_and_there:
        expect(pill(page)).to_contain_text("Compacted")
        summary_is(page, 1)
    _have_the_same_numbers(here_and_there)
    there.get_by_role("button", name="Undo this compaction").click()
    for page in here_and_there:
        expect(page.get_by_role("heading", name="No summary yet")).to_be_visible()
        expect(pill(page)).to_contain_text(re.compile("Healthy|Tight"))
    _have_the_same_numbers(here_and_there)


def test_the_buttons_of_a_line_cover_no_words_and_show_for_one_line_at_a_time(
    here_and_there: tuple[Page, Page],
) -> None:
    page, _ = here_and_there
    compact(page)
    summary_is(page, 1)
    lines = drawer(page).get_by_role("region", name="Summary").get_by_role("listitem")
    first, second = lines.nth(0), lines.nth(1)
    first.get_by_role("button", name=re.compile("^Edit")).focus()
    buttons = [line.get_by_role("button", name=re.compile("^Edit")).locator("xpath=..") for line in (first, second)]

    def opacities() -> list[str]:
        # What still loads above the lines moves them away from the mouse.
        second.hover()
        return [one.evaluate("one => getComputedStyle(one).opacity") for one in buttons]

    assert eventually(lambda: opacities() == ["0", "1"])
    above, words = buttons[1].bounding_box(), second.locator(":scope > span").first.bounding_box()
    assert above is not None
    assert words is not None
    assert above["y"] + above["height"] <= words["y"] + 3


def test_who_writes_on_during_a_compaction_is_answered(
    here_and_there: tuple[Page, Page], provider: ProviderServer
) -> None:
    here, _ = here_and_there
    provider.usual = Behaviour(first_byte_s=3)
    compact(here)
    expect(here.get_by_role("listitem").filter(has_text="Writing the summary")).to_be_visible()
    say(here, "How long will the pier take?")
    for page in here_and_there:
        expect(message(page, MESSAGES + 1)).to_contain_text("answers with a few words")
        summary_is(page, 1)
        expect(message(page, MESSAGES)).not_to_contain_text("compacted")


def test_a_compaction_can_be_stopped(here_and_there: tuple[Page, Page], provider: ProviderServer) -> None:
    here, there = here_and_there
    provider.script(Behaviour(first_byte_s=30))
    compact(here)
    there.get_by_role("button", name="Stop", exact=True).click()
    for page in here_and_there:
        expect(pill(page)).to_contain_text(re.compile("Healthy|Tight"))
        expect(page.get_by_role("progressbar", name="Progress of the compaction")).to_be_hidden()
        expect(page.get_by_role("heading", name="No summary yet")).to_be_visible()


def test_two_versions_are_compared(page_of: Opener, alice: Person, talk: Talk) -> None:
    here = open_talk(page_of, alice, talk)
    open_drawer(here)
    compact(here)
    summary_is(here, 1)
    here.get_by_role("button", name="History", exact=True).click()
    expect(here.get_by_role("button", name="Undo the compaction that created version 1")).to_be_visible()
    check_accessible(here)
    here.get_by_role("button", name="Compare version 0 with version 1").first.click()
    expect(here.get_by_role("heading", name="Summary v0 → v1")).to_be_visible()
    expect(here.get_by_role("img", name="Added").first).to_be_visible()
    check_accessible(here)
    here.get_by_role("button", name="Back to the history").click()
    expect(here.get_by_role("heading", name="History", exact=True)).to_be_visible()


def _have_the_same_numbers(pages: tuple[Page, Page]) -> None:
    """Both pills and drawers read the same, and the pill's tokens are in the drawer."""
    assert eventually(lambda: _is_the_same(*map(_shown, pages))), [*map(_shown, pages)]


def _is_the_same(here: Shown, there: Shown) -> bool:
    on_pill, in_drawer = here
    return here == there and bool(on_pill) and set(on_pill) <= set(in_drawer)


def _shown(page: Page) -> Shown:
    first, second = (re.findall(r"\d[\d,.]*", part.inner_text()) for part in (pill(page), drawer(page)))
    return first, second
