"""Tests of the browser checks themselves: console errors and accessibility violations are detected."""

from __future__ import annotations

import pytest

from tests.browser.pages import Opener, Troubles, check_accessible


def test_an_error_on_the_console_is_detected(stranger: Opener, troubles: Troubles) -> None:
    page = stranger()
    page.evaluate("console.error('it broke')")
    page.evaluate("setTimeout(() => { throw new Error('nobody caught it') })")
    page.wait_for_timeout(100)
    said = " ".join(troubles.unexpected())
    assert "it broke" in said and "nobody caught it" in said
    troubles.expect("it broke")
    troubles.expect("nobody caught it")


def test_a_violation_of_the_content_security_policy_is_detected(stranger: Opener, troubles: Troubles) -> None:
    page = stranger()
    page.evaluate("document.head.appendChild(document.createElement('script')).textContent = 'window.crept = 1'")
    page.evaluate(
        "document.body.insertAdjacentHTML('beforeend', '<img src=\"https://pictures.invalid/a.png\" alt=\"\">')"
    )
    page.wait_for_timeout(100)
    assert page.evaluate("window.crept") is None
    said = " ".join(troubles.unexpected())
    assert "script-src" in said and "img-src" in said
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
