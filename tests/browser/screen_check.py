"""Accessibility check of every screen, on desktop and phone, in light and dark."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.pages import Browsers, check_accessible
from tests.browser.screens import SCREENS
from tests.browser.visits import Visit
from tests.browser.whole import Whole
from tests.providers.anthropic_server import ProviderServer

# What a browser itself says of an address that it cannot reach, or that does not exist.
AWAY = "ERR_INTERNET_DISCONNECTED|ERR_FAILED|WebSocket"
SAID = {
    "offline": AWAY,
    "waiting": AWAY,
    "refused": "status of 413 .*/turns",
    "nothing-here": "status of 404 .*/api/conversations/",
}

Look = Callable[..., None]
each_screen = pytest.mark.parametrize("name", SCREENS)


@pytest.fixture
def look(browsers: Browsers, stack: Whole, provider: ProviderServer) -> Look:
    """Open a screen and check it with axe."""

    def at(name: str, *, phone: bool) -> None:
        if name in SAID:
            browsers.troubles.expect(SAID[name])
        check_accessible(SCREENS[name](Visit(browsers, stack, provider, phone=phone, dark=False)))

    return at
