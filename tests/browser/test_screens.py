"""Every screen on a desk, in light and dark: whoever uses it by ear or by keyboard is not shut out."""

from __future__ import annotations

from tests.browser.looking import Look, each_screen


@each_screen
def test_a_screen_shuts_nobody_out(look: Look, name: str) -> None:
    look(name, phone=False)
