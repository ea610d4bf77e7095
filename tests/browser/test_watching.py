"""Tests of the browser checks themselves: console errors and accessibility violations are detected."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.pages import PATIENCE_MS, Opener, Troubles, check_accessible


def heard(page: Page, troubles: Troubles, *words: str) -> bool:
    """Whether the console says these words soon; Playwright tells of it only while it is asked for something."""
    for _ in range(PATIENCE_MS // 20):
        said = " ".join(troubles.unexpected())
        if all(word in said for word in words):
            return True
        page.wait_for_timeout(20)
    return False


def test_an_error_on_the_console_is_detected(stranger: Opener, troubles: Troubles) -> None:
    page = stranger()
    page.evaluate("console.error('it broke')")
    page.evaluate("setTimeout(() => { throw new Error('nobody caught it') })")
    assert heard(page, troubles, "it broke", "nobody caught it")
    troubles.expect("it broke")
    troubles.expect("nobody caught it")


def test_a_violation_of_the_content_security_policy_is_detected(stranger: Opener, troubles: Troubles) -> None:
    page = stranger()
    page.evaluate("document.head.appendChild(document.createElement('script')).textContent = 'window.crept = 1'")
    page.evaluate(
        "document.body.insertAdjacentHTML('beforeend', '<img src=\"https://pictures.invalid/a.png\" alt=\"\">')"
    )
    assert heard(page, troubles, "script-src", "img-src")
    assert page.evaluate("window.crept") is None
    troubles.expect("Content Security Policy")


def test_an_accessibility_violation_is_detected(stranger: Opener) -> None:
    page = stranger()
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<button></button>')")
    with pytest.raises(AssertionError, match="in light: button-name"):
        check_accessible(page)


def test_insufficient_contrast_in_dark_mode_is_detected(stranger: Opener) -> None:
    page = stranger()
    heading = page.get_by_role("heading", level=1)
    heading.wait_for()
    heading.evaluate("(element) => { element.style.color = '#333' }")
    with pytest.raises(AssertionError, match="in dark: color-contrast"):
        check_accessible(page)
