"""Every screen on a phone, in light and dark; apart from those on a desk, so that two processes share them."""

from __future__ import annotations

from tests.browser.looking import Look, each_screen


@each_screen
def test_a_screen_on_a_phone_shuts_nobody_out(look: Look, name: str) -> None:
    look(name, phone=True)
