"""Accessibility of the chat and of the pages without a session."""

from __future__ import annotations

import pytest

from tests.browser.memory_screens import MEMORY_SCREENS
from tests.browser.screen_check import ScreenCheck
from tests.browser.screens import COMPACTION_SCREENS, DRAWER_SCREENS, SCREENS
from tests.browser.settings_screens import SETTINGS_SCREENS

ELSEWHERE = DRAWER_SCREENS | COMPACTION_SCREENS | SETTINGS_SCREENS | MEMORY_SCREENS


@pytest.mark.parametrize("name", [name for name in SCREENS if name not in ELSEWHERE])
def test_a_screen_is_accessible_on_a_desktop_and_on_a_phone(check_screen: ScreenCheck, name: str) -> None:
    check_screen(name)
