"""Accessibility check of a screen on a desktop and on a phone, in light and dark; on a phone, nothing is cut off."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser

from tests.browser.pages import Browsers, check_accessible, check_fits, turn_into_phone
from tests.browser.screens import SCREENS
from tests.browser.tab import Tab
from tests.browser.visits import Visit
from tests.browser.whole import Whole
from tests.providers.anthropic_server import ProviderServer

# What the browser itself logs about an address that it cannot reach, or that does not exist.
LAZY_PART = "Failed to fetch dynamically imported module|Unable to preload CSS"
OFFLINE = f"net::ERR_|WebSocket|{LAZY_PART}"
CONSOLE_ERRORS = {
    "offline": OFFLINE,
    "waiting": OFFLINE,
    "refused": "status of 413 .*/turns",
    "nothing-here": "status of 404 .*/api/conversations/",
}
# A window that becomes as narrow as a phone closes them, so they are opened a second time.
CLOSED_BY_RESIZING = {"part", "archive"}

ScreenCheck = Callable[[str], None]


@pytest.fixture(scope="session")
def tab(chromium: Browser) -> Tab:
    """The tab of most screens."""
    return Tab()


@pytest.fixture
def check_screen(browsers: Browsers, stack: Whole, provider: ProviderServer, tab: Tab) -> ScreenCheck:
    """Open a screen on a desktop and check it with axe, then on a phone, where most screens only have to be resized."""

    def check(name: str) -> None:
        if name in CONSOLE_ERRORS:
            browsers.troubles.expect(CONSOLE_ERRORS[name])
        own = None if name in CONSOLE_ERRORS else tab
        page = SCREENS[name](Visit(browsers, stack, provider, phone=False, dark=False, tab=own))
        check_accessible(page)
        if name in CLOSED_BY_RESIZING:
            page = SCREENS[name](Visit(browsers, stack, provider, phone=True, dark=False))
            check_accessible(page)
            check_fits(page)
        else:
            devtools = turn_into_phone(page)
            check_accessible(page)
            check_fits(page)
            devtools.detach()
        if own:
            own.clear(browsers)

    return check
