"""A tab in which one screen is opened after the other: in a new browser, each would load and compile the whole app."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page

from tests.browser.pages import DESK, Browsers

NO_APP = "/icon.svg"
"""An address of the same origin without scripts."""


@dataclass
class Tab:
    """What a visit leaves behind is removed by `clear`; a tab that was not cleared is closed with its test."""

    page: Page | None = None

    def open(self, browsers: Browsers, path: str, cookies: list[Any], **options: Any) -> Page:
        if self.page is None or self.page.is_closed():
            self.page = browsers.stranger(path=NO_APP, **options)
        else:
            browsers.take(self.page.context)
        self.page.context.add_cookies(cookies)
        self.page.goto(path)
        return self.page

    def clear(self, browsers: Browsers) -> None:
        """Leave the app, and remove what it and its person left behind."""
        assert self.page is not None
        self.page.goto(NO_APP)
        self.page.evaluate("localStorage.clear()")
        self.page.context.clear_cookies()
        self.page.set_viewport_size(DESK["viewport"])  # type: ignore[arg-type]  # a width and a height
        browsers.give_back(self.page.context)
