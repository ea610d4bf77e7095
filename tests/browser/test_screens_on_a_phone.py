"""Accessibility of every screen on a phone, in a separate file so that two processes share the work."""

from __future__ import annotations

from tests.browser.looking import Look, each_screen


@each_screen
def test_a_screen_on_a_phone_is_accessible(look: Look, name: str) -> None:
    look(name, phone=True)
