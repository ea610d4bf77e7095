"""A real mouse: it clicks what a person sees, where they see it, and fails where something covers it.

Playwright's own clicks scroll to their target first, so that they reach what no person finds.
"""

from __future__ import annotations

from playwright.sync_api import Locator, expect

_COVERED_BY = """
(element, [x, y]) => {
  const at = document.elementFromPoint(x, y);
  if (at === null) return "nothing: it is outside the window";
  const isOwn = element.contains(at) || at === element.closest("label")?.control;
  return isOwn ? "" : at.outerHTML.slice(0, 200);
}
"""


def mouse_click(target: Locator) -> None:
    """Move the mouse to the middle of what is visible and press; raises `AssertionError` if it is covered."""
    target.page.mouse.click(*uncovered(target))


def uncovered(target: Locator) -> tuple[float, float]:
    """Return the middle of what is visible; raises `AssertionError` if it is covered."""
    expect(target).to_be_visible()
    target.evaluate("() => Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => null)))")
    box = target.bounding_box()
    assert box is not None
    place = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    covered_by = target.evaluate(_COVERED_BY, list(place))
    assert not covered_by, f"{target} is covered by {covered_by}"
    return place
