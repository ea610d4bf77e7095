"""Accessibility of every screen on a desktop, in light and dark."""

from __future__ import annotations

from tests.browser.looking import Look, each_screen


@each_screen
def test_a_screen_is_accessible(look: Look, name: str) -> None:
    look(name, phone=False)
