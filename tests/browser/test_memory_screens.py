"""Accessibility of the pages about memory and settings, in a separate file so that processes share the screens."""

from __future__ import annotations

import pytest

from tests.browser.memory_screens import MEMORY_SCREENS
from tests.browser.screen_check import ScreenCheck
from tests.browser.settings_screens import SETTINGS_SCREENS


@pytest.mark.parametrize("name", [*SETTINGS_SCREENS, *MEMORY_SCREENS])
def test_a_page_is_accessible_on_a_desktop_and_on_a_phone(check_screen: ScreenCheck, name: str) -> None:
    check_screen(name)
