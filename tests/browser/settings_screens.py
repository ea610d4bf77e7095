"""The screens of the settings, and what a workspace looks like by them."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.people import sign_up
from tests.browser.visits import Visit


def settings_models(visit: Visit) -> Page:
    page = visit.page_of(visit.stack.demo, "/settings/models")
    expect(page.get_by_role("heading", name="What was found")).to_be_visible()
    return page


def settings_key(visit: Visit) -> Page:
    """The form for a provider's key, with one that the provider does not accept."""
    page = settings_models(visit)
    page.get_by_role("button", name="Add key for Anthropic").click()
    page.get_by_label("Key for Anthropic", exact=True).fill("wrong")
    page.get_by_role("button", name="Test", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("nothing was saved")
    return page


def settings_limits(visit: Visit) -> Page:
    """Of a workspace with limits, in the middle of its day."""
    page = limited(visit)
    expect(page.get_by_role("meter", name="Tokens", exact=True)).to_be_visible()
    return page


def settings_usage(visit: Visit) -> Page:
    page = limited(visit)
    page.get_by_role("link", name="Usage").click()
    expect(page.get_by_role("table", name="By model")).to_be_visible()
    expect(page.get_by_role("img", name=re.compile("by day$"))).to_be_visible()
    page.get_by_role("button", name="As a table").click()
    expect(page.get_by_role("region", name="By day")).to_be_visible()
    return page


def limited(visit: Visit) -> Page:
    """The limits of a person who had a few replies today."""
    newcomer = sign_up(visit.stack.url, "Newcomer")
    talk = newcomer.talk("The last place", ["How do we keep two guests from booking it?"])
    for asked in ("And at the weekend?", "And on the phone?"):
        newcomer.client.stream(f"{talk.api}/turns", {"content": asked})
    page = visit.page_of(newcomer, "/settings/limits")
    page.get_by_role("textbox", name="Tokens a day").fill("5000")
    page.get_by_role("textbox", name="Dollars a day").fill("5")
    page.get_by_role("button", name="Save limits").click()
    expect(page.get_by_text("The limits hold from now on")).to_be_visible()
    return page


def recall_only(visit: Visit) -> Page:
    """A chat of a workspace that sends nothing to a model."""
    newcomer = sign_up(visit.stack.url, "Newcomer")
    talk = newcomer.talk("Opening hours", ["When do we open on Sundays?", "At ten, as you told the guests."])
    page = visit.page_of(newcomer, "/settings/limits")
    page.get_by_role("switch", name="Send nothing to a model").click()
    page.get_by_role("button", name="Recall only").click()
    expect(page.get_by_text("From now on nothing is sent to a model")).to_be_visible()
    page.goto(talk.page)
    expect(page.get_by_role("status").get_by_text("Recall only.")).to_be_visible()
    return page


SETTINGS_SCREENS: dict[str, Callable[[Visit], Page]] = {
    "settings-models": settings_models,
    "settings-key": settings_key,
    "settings-limits": settings_limits,
    "settings-usage": settings_usage,
    "recall-only": recall_only,
}
