"""Fixtures of browser tests. A test is a journey: what a person does, and what they see.

    def test_a_reply_can_be_stopped(page_of: Opener, alice: Person, provider: ProviderServer) -> None:
        provider.script_replies(Behaviour(text="A long reply …", piece_s=0.05))
        page = page_of(alice, path=alice.talk("Cats").page)
        page.get_by_role("textbox", name="Message").fill("Tell me about cats")
        …
        expect(page.get_by_text("Stopped")).to_be_visible()

`page_of(person)` opens a page with the person's session; each call is another browser. It takes `path`,
`phone=True`, `dark=True`, what the browser remembers, as `kept={"drawer-open": True}`, and Playwright's options of a
context. `stranger()` opens a page without a session.
`alice` owns a workspace, `bob` is a member of it, `charlie` is elsewhere, `demo` has the sample conversation; all stay
for the whole run, so a test makes conversations of its own: `alice.talk(…)`. `newcomer` has just signed up.
`alice.client` calls the API behind the page's back. `stack.restart("web")` kills a program as `kill -9` does.
`provider.script_replies(Behaviour(…))` sets the next reply, `provider.script(…)` the next call of any kind, which a
background job of an earlier test may take, `provider.usual = …` all further ones;
`tests/providers/behaviours.py` lists the behaviors. Each test begins without any.
`check_accessible(page)` runs axe in light and dark. `page.wait_for_function` cannot work under
our content policy: use `expect`, or `page.evaluate` with a promise.
`pytestmark = pytest.mark.same_tab` opens pages of people in tabs that earlier tests have left, where the app is
compiled already; it fits modules that change nothing about the browser itself, such as its network.
An error on any console, including a violation of the content policy, fails the test;
`troubles.expect("regular expression")` allows the expected ones. Screenshots of a failed test's pages
are written to .pytest_cache/browser/.

The page is built if there is none; run `make page` after a change. Browser tests run last, because
Django refuses synchronous queries where Playwright's loop runs: they use the API, never tables.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from config.stack import frontend
from tests.browser.chromium import find_chromium
from tests.browser.pages import Browsers, Opener, Troubles
from tests.browser.people import Person, make_member, sign_up
from tests.browser.screen_check import check_screen, tab
from tests.browser.whole import Whole, whole_stack
from tests.providers.anthropic_server import ProviderServer, running_server

__all__ = ["check_screen", "tab"]

HERE = Path(__file__).parent
FIRST = ["test_first_run.py", "test_drawer_screens.py", "test_screens.py", "test_memory_screens.py"]
FAILED = pytest.StashKey[bool]()


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "same_tab: a page of a person may be opened where an earlier test has left one")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run browser tests last; the first run before others, while the demo workspace is unchanged, then the longest."""
    items.sort(key=_place)


def _place(item: pytest.Item) -> int:
    if HERE not in item.path.parents:
        return 0
    return 1 + (FIRST.index(item.path.name) if item.path.name in FIRST else len(FIRST))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


@pytest.fixture(scope="session")
def _provider() -> Iterator[ProviderServer]:
    with running_server() as server:
        yield server


def have_page() -> None:
    """Build the page if there is none: an existing one was built on purpose. CONTINUITY_PAGE_ROOT names another."""
    if "CONTINUITY_PAGE_ROOT" in os.environ:
        return
    if not frontend.DIST.exists():
        frontend.build()
    elif not frontend.is_current():
        print("\nThe page is older than its sources; `make page` rebuilds it.", file=sys.stderr)


@pytest.fixture(scope="session")
def stack(_provider: ProviderServer) -> Iterator[Whole]:
    """The running stack, which replaces the `stack` fixture of tests without a browser."""
    have_page()
    with whole_stack(_provider.url) as running:
        yield running


@pytest.fixture
def provider(_provider: ProviderServer) -> Iterator[ProviderServer]:
    """The fake model provider."""
    yield _provider
    _provider.reset()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**find_chromium().options())  # type: ignore[arg-type]  # as it takes them
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def _idle(chromium: Browser) -> list[BrowserContext]:
    """The tabs that are ready for another test."""
    return []


@pytest.fixture
def browsers(
    request: pytest.FixtureRequest, chromium: Browser, stack: Whole, _idle: list[BrowserContext]
) -> Iterator[Browsers]:
    opened = Browsers(chromium, stack.url, _idle if request.node.get_closest_marker("same_tab") else None)
    yield opened
    unexpected = opened.troubles.unexpected()
    if request.node.stash.get(FAILED, True) or unexpected:
        cache = request.config.cache
        assert cache is not None
        made = opened.picture(Path(str(cache.mkdir("browser"))), request.node.name)
        print("\nPhotographed:", *made, file=sys.stderr)
    elif opened.idle is not None:
        opened.leave_clean()
    opened.close()
    assert not unexpected


@pytest.fixture
def page_of(browsers: Browsers) -> Opener:
    return browsers.page_of


@pytest.fixture
def stranger(browsers: Browsers) -> Opener:
    return browsers.stranger


@pytest.fixture
def troubles(browsers: Browsers) -> Troubles:
    return browsers.troubles


@pytest.fixture(scope="session")
def alice(stack: Whole) -> Person:
    return sign_up(stack.url, "Alice")


@pytest.fixture(scope="session")
def bob(stack: Whole, alice: Person) -> Person:
    return make_member(alice, sign_up(stack.url, "Bob"))


@pytest.fixture(scope="session")
def charlie(stack: Whole) -> Person:
    return sign_up(stack.url, "Charlie")


@pytest.fixture(scope="session")
def demo(stack: Whole) -> Person:
    return stack.demo


@pytest.fixture
def newcomer(stack: Whole) -> Person:
    return sign_up(stack.url, "Newcomer")
