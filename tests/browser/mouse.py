"""A real mouse: it clicks what a person sees, where they see it, and fails where something covers it.

Playwright's own clicks scroll to their target first, so that they reach what no person finds.
"""

from __future__ import annotations

import time
from typing import NamedTuple

from playwright.sync_api import Locator, expect

#: A person waits so many seconds until a page that still loads has come to rest.
_AT_REST_WITHIN_S = 5

# Place and cover are read in one step: what loads in between would move the element away from its place.
_MIDDLE_AT_REST = """
async (element) => {
  const ended = Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => null)));
  await Promise.race([ended, new Promise((done) => setTimeout(done, 1000))]);
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const box = element.getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const at = document.elementFromPoint(x, y);
  if (at === null) return [x, y, "nothing: it is outside the window"];
  const isOwn = element.contains(at) || at === element.closest("label")?.control;
  return [x, y, isOwn ? "" : at.outerHTML.slice(0, 200)];
}
"""


class Middle(NamedTuple):
    """The middle of an element in CSS pixels of the window, and what covers it there; empty where nothing does."""

    x: float
    y: float
    covered_by: str


def mouse_click(target: Locator) -> None:
    """Move the mouse to the middle of what is visible and press; raises `AssertionError` if it is covered."""
    target.page.mouse.click(*uncovered(target))


def uncovered(target: Locator) -> tuple[float, float]:
    """Return the middle of what is visible; raises `AssertionError` if it stays covered."""
    expect(target).to_be_visible()
    until = time.monotonic() + _AT_REST_WITHIN_S
    before, middle = None, _middle(target)
    while (middle.covered_by or middle != before) and time.monotonic() < until:
        before, middle = middle, _middle(target)
    assert not middle.covered_by, f"{target} is covered by {middle.covered_by}"
    return middle.x, middle.y


def _middle(target: Locator) -> Middle:
    return Middle(*target.evaluate(_MIDDLE_AT_REST))
