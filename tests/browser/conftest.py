"""How to test in a browser. A test is a journey: what a person does, and what they see.

    def test_a_reply_can_be_stopped(page_of: Opener, alice: Person, provider: ProviderServer) -> None:
        provider.script(Behaviour(text="A long reply …", piece_s=0.05))
        page = page_of(alice, path=alice.talk("Cats").page)
        page.get_by_role("textbox", name="Message").fill("Tell me about cats")
        …
        expect(page.get_by_text("Stopped")).to_be_visible()

`page_of(person)` opens a page on which the person has signed in; each call is another browser. It takes `path`,
`phone=True`, `dark=True`, what the browser remembers, as `kept={"drawer-open": True}`, and Playwright's options of a
context. `stranger()` opens one on which nobody has signed in.
`alice` owns a workspace, `bob` is a member of it, `charlie` is elsewhere, `demo` has the sample conversation; all stay
for the whole run, so a test makes conversations of its own: `alice.talk(…)`. `newcomer` has just signed up.
`alice.client` calls the API behind the page's back. `stack.restart("web")` kills a program as `kill -9` does.
`provider.script(Behaviour(…))` tells what the model does next, `provider.usual = …` what it does from now on;
`tests/providers/behaviours.py` lists what it can. After each test it is forgotten.
`check_accessible(page)` asks axe about what is shown, in light and in dark. `page.wait_for_function` cannot work under
our content policy: use `expect`, or `page.evaluate` with a promise.
A line of error on any console fails the test, also one of the content policy; `troubles.expect("regular expression")`
lets pass what belongs to the journey. When a test fails, its pages are photographed into .pytest_cache/browser/.

The page is built if there is none; `make page` builds it anew after a change. Tests in a browser run last, because
Django refuses synchronous queries where Playwright's loop runs: they use the API, never tables.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from config.stack import frontend
from tests.browser.chromium import find_chromium
from tests.browser.looking import look
from tests.browser.pages import Browsers, Opener, Troubles
from tests.browser.people import Person, make_member, sign_up
from tests.browser.whole import Whole, whole_stack
from tests.providers.anthropic_server import ProviderServer, running_server

__all__ = ["look"]

HERE = Path(__file__).parent
FIRST = ["test_first_run.py", "test_screens.py", "test_screens_on_a_phone.py"]
FAILED = pytest.StashKey[bool]()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Ours last. Of ours the first run first, while the demo workspace is as it was made, then the longest files."""
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
    """One that is there is used, because it was built on purpose; CONTINUITY_PAGE_ROOT names another."""
    if "CONTINUITY_PAGE_ROOT" in os.environ:
        return
    if not frontend.DIST.exists():
        frontend.build()
    elif not frontend.is_current():
        print("\nThe page is older than its sources; `make page` builds it anew.", file=sys.stderr)


@pytest.fixture(scope="session")
def stack(_provider: ProviderServer) -> Iterator[Whole]:
    """The running stack. It stands for the tables' servers of other tests here."""
    have_page()
    with whole_stack(_provider.url) as running:
        yield running


@pytest.fixture
def provider(_provider: ProviderServer) -> Iterator[ProviderServer]:
    """The model."""
    yield _provider
    _provider.reset()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**find_chromium().options())  # type: ignore[arg-type]  # as it takes them
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def _known() -> dict[tuple[str, str], Any]:
    """The cookies of those who have signed in."""
    return {}


@pytest.fixture
def browsers(
    request: pytest.FixtureRequest, chromium: Browser, stack: Whole, _known: dict[tuple[str, str], Any]
) -> Iterator[Browsers]:
    opened = Browsers(chromium, stack.url, _known)
    yield opened
    unexpected = opened.troubles.unexpected()
    if request.node.stash.get(FAILED, True) or unexpected:
        cache = request.config.cache
        assert cache is not None
        made = opened.picture(Path(str(cache.mkdir("browser"))), request.node.name)
        print("\nPhotographed:", *made, file=sys.stderr)
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
