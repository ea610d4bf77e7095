"""Every screen, on desk and phone, in light and dark: whoever uses it by ear or by keyboard is not shut out."""

from __future__ import annotations

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


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
@pytest.mark.parametrize("name", SCREENS)
def test_a_screen_shuts_nobody_out(
    browsers: Browsers, stack: Whole, provider: ProviderServer, name: str, phone: bool
) -> None:
    if name in SAID:
        browsers.troubles.expect(SAID[name])
    check_accessible(SCREENS[name](Visit(browsers, stack, provider, phone=phone, dark=False)))
