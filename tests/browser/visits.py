"""Context of a visit to a screen: browser options, people and conversations."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import cycle
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.pages import Browsers
from tests.browser.people import Person, Talk
from tests.browser.tab import Tab
from tests.browser.whole import Whole
from tests.providers.anthropic_server import ProviderServer

TITLES = cycle(
    (
        "Two guests and one last place",
        "Refunds after a cancelled course",
        "The week view at the desk",
        "A waiting list that is fair",
        "Moving to the new payment provider",
    )
)


@dataclass
class Visit:
    """Browser options of a visit, and the people and conversations it can use."""

    browsers: Browsers
    stack: Whole
    provider: ProviderServer
    phone: bool
    dark: bool
    tab: Tab | None = None
    """Where the screen is opened, if not in a new browser."""

    @property
    def seen(self) -> dict[str, Any]:
        return {"phone": self.phone, "dark": self.dark, "reduced_motion": "reduce"}

    def stranger(self, path: str) -> Page:
        return self._open(path, [])

    def page_of(self, person: Person, path: str = "/") -> Page:
        return self._open(path, person.cookies)

    def _open(self, path: str, cookies: list[Any]) -> Page:
        if self.tab:
            return self.tab.open(self.browsers, path, cookies, **self.seen)
        return self.browsers.stranger(path=path, storage_state={"cookies": cookies}, **self.seen)

    @property
    def sample(self) -> Talk:
        return self.stack.sample

    def copy_of_sample(self) -> Talk:
        """A fork of the sample, for screens that change it."""
        client = self.stack.demo.client
        last = client.get(self.sample.api)["message_count"] - 1
        asked = {"through_index": last, "title": next(TITLES)}
        return Talk(client.post(f"{self.sample.api}/fork", asked)["id"])

    def in_sample(self, talk: Talk | None = None) -> Page:
        """The sample conversation, or a copy of it, after the tour."""
        demo, path = self.stack.demo, (talk or self.sample).page
        demo.session.patch("/api/me", {"tour_done": True})
        page = self.page_of(demo, path)
        expect(page.locator("[data-message-index]").last).to_be_visible()
        return page
