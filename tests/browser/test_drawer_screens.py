"""Accessibility of the drawer and of a compaction, in a separate file so that processes share the screens."""

from __future__ import annotations

import pytest

from tests.browser.screen_check import ScreenCheck
from tests.browser.screens import COMPACTION_SCREENS, DRAWER_SCREENS


@pytest.mark.parametrize("name", [*DRAWER_SCREENS, *COMPACTION_SCREENS])
def test_the_drawer_is_accessible_on_a_desktop_and_on_a_phone(check_screen: ScreenCheck, name: str) -> None:
    check_screen(name)
