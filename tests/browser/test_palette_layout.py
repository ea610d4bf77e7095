"""The shape and place of the command palette, which jsdom cannot compute."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.browser.pages import Opener, settle
from tests.browser.people import Person
from tests.browser.thread import drawer, open_talk

SAID = ["When do we open on Sundays?", "At ten, as you told the guests."]
WIDTHS = {False: 640, True: 390}
# The middle of the lower edge, and a point within the rounded corner.
HITS = """
(dialog) => {
  const { left, width, bottom } = dialog.getBoundingClientRect();
  const isHit = (x, y) => dialog.contains(document.elementFromPoint(x, y));
  return { edge: isHit(left + width / 2, bottom - 2), corner: isHit(left + 1, bottom - 1) };
}
"""


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_the_palette_is_centered_whole_and_of_constant_width(page_of: Opener, alice: Person, phone: bool) -> None:
    page = open_talk(page_of, alice, alice.talk("Opening hours", SAID), phone=phone)
    palette = open_palette(page)
    check_layout(page, palette, WIDTHS[phone])
    palette.get_by_role("combobox").fill("opening")
    expect(palette.get_by_role("option", name="Opening hours").first).to_be_visible()
    check_layout(page, palette, WIDTHS[phone])
    palette.get_by_role("combobox").fill("qqqq")
    expect(palette.get_by_text("Nothing for “qqqq”")).to_be_visible()
    check_layout(page, palette, WIDTHS[phone])


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_pins_and_memories_are_found_and_open_where_they_are(page_of: Opener, alice: Person, phone: bool) -> None:
    talk = alice.talk("Sundays", SAID)
    word = f"lighthouse{int(phone)}"
    alice.client.post(f"{talk.api}/pins", {"category": "decision", "content": f"The {word} opens at ten."})
    made = {"category": "events", "name": word, "content": f"We painted the {word}."}
    memory = alice.client.post("/api/memories", made)
    page = open_talk(page_of, alice, talk, phone=phone)
    palette = open_palette(page)
    palette.get_by_role("combobox").fill(f"opens {word}")
    palette.get_by_role("option", name=f"The {word} opens at ten.").click()
    expect(drawer(page)).to_be_visible()
    page.reload()
    expect(page.locator("[data-message-index]").last).to_be_visible()
    palette = open_palette(page)
    palette.get_by_role("combobox").fill(f"painted {word}")
    palette.get_by_role("option", name=f"We painted the {word}.").click()
    expect(page).to_have_url(re.compile(f"/memory/n/{memory['id']}"))


def open_palette(page: Page) -> Locator:
    page.keyboard.press("Control+k")
    palette = page.get_by_role("dialog", name="Search and commands")
    expect(palette.get_by_role("option", name="New chat").first).to_be_visible()
    return palette


def check_layout(page: Page, palette: Locator, width: int) -> None:
    settle(page)
    box, screen = box_of(palette), page.viewport_size
    assert screen
    right = screen["width"] - box["x"] - box["width"]
    assert abs(box["x"] - right) <= 2, f"margins of {box['x']} and {right} px"
    assert box["width"] == pytest.approx(width, abs=1)
    assert box["y"] >= 0 and box["y"] + box["height"] <= screen["height"]
    # A wrapper that clips the dialog would hide its lower edge; square corners would be hit.
    assert palette.evaluate(HITS) == {"edge": True, "corner": False}


def box_of(shown: Locator) -> FloatRect:
    box = shown.bounding_box()
    assert box is not None
    return box
