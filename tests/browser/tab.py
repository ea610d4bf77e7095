"""A tab in which one screen is opened after the other: in a new browser, each would load and compile the whole app."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page

from tests.browser.pages import NO_APP, Browsers, clear


@dataclass
class Tab:
    """What a visit leaves behind is removed by `clear`; a tab that was not cleared is closed with its test."""

    page: Page | None = None

    def open(self, browsers: Browsers, path: str, cookies: list[Any], **options: Any) -> Page:
        if self.page is None or self.page.is_closed():
            self.page = browsers.stranger(path=NO_APP, **options)
        else:
            browsers.take(self.page.context)
        self.page.emulate_media(reduced_motion=options.get("reduced_motion"))
        self.page.context.add_cookies(cookies)
        self.page.goto(path)
        return self.page

    def clear(self, browsers: Browsers) -> None:
        """Leave the app, and remove what it and its person left behind."""
        assert self.page is not None
        clear(self.page)
        browsers.give_back(self.page.context)
