"""Browser pages: signed in, on desktop or phone, with every console error reported."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, CDPSession, ConsoleMessage, Page, WebError, WebSocket, expect

from config.stack.frontend import MODULES
from tests.browser.people import Person

DESK = {"viewport": {"width": 1440, "height": 900}}
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
# Long, because two processors run a whole stack and several browsers.
PATIENCE_MS = 15_000
LOOK_MS = 50
expect.set_options(timeout=PATIENCE_MS)
NO_APP = "/icon.svg"
"""An address of the same origin without scripts."""
AXE = MODULES / "axe-core" / "axe.min.js"
AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
AXE_COLOURS = ["color-contrast", "link-in-text-block"]
AXE_RUN = """
([rules, selectors]) =>
  axe.run({ runOnly: rules, resultTypes: ["violations"], selectors }).then(({ violations }) => violations)
"""

SETTLED = """
document.fonts.ready.then(() => Promise.all(document.getAnimations()
  .filter((running) => running.effect?.getComputedTiming().endTime !== Infinity)
  .map((running) => running.finished.catch(() => null))))
"""

WIDER = "document.scrollingElement.scrollWidth - document.documentElement.clientWidth"
CUT_OFF = """
() => {
  const reachable = (element) => {
    for (let around = element; around && around.tagName !== "MAIN"; around = around.parentElement) {
      const { overflowX, textOverflow } = getComputedStyle(around);
      if (overflowX === "auto" || overflowX === "scroll" || textOverflow === "ellipsis") return true;
    }
    return false;
  };
  const cut = (element) => {
    const { right, height } = element.getBoundingClientRect();
    const sticksOut = height > 0 && right > innerWidth + 1;
    return sticksOut && element.checkVisibility() && !reachable(element);
  };
  return [...document.querySelectorAll("main *")].filter(cut).map((element) => element.outerHTML.slice(0, 120));
}
"""
"""What of the page's main part ends beyond the window, where nobody can scroll to it."""

Opener = Callable[..., Page]
ALWAYS_EXPECTED = ("status of 404 .*/turns/current$",)
"""A browser that hears of a reply asks for its words, and is told if the reply has ended by then."""


@dataclass
class Troubles:
    """Unexpected messages on the browsers' consoles."""

    expected: list[str] = field(default_factory=lambda: [*ALWAYS_EXPECTED])
    seen: list[str] = field(default_factory=list)

    def expect(self, pattern: str) -> None:
        """Allow messages whose `text address` matches this regular expression in the current test."""
        self.expected.append(pattern)

    def watch(self, context: BrowserContext) -> None:
        """Record console errors, including violations of the content policy, and uncaught errors."""
        context.on("console", self._note_message)
        context.on("weberror", self._note_error)

    def ignore(self, context: BrowserContext) -> None:
        context.remove_listener("console", self._note_message)
        context.remove_listener("weberror", self._note_error)

    def _note_message(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.seen.append(f"{message.text} {message.location.get('url', '')}")

    def _note_error(self, error: WebError) -> None:
        self.seen.append(f"{error.error} {error.page.url if error.page else ''}")

    def unexpected(self) -> list[str]:
        return [line for line in self.seen if not any(re.search(pattern, line) for pattern in self.expected)]


@dataclass
class Browsers:
    """Opens pages for people, each in a browser context of its own, with its own cookies and storage."""

    browser: Browser
    url: str
    idle: list[BrowserContext] | None = None
    """Those that earlier tests have left clean, if pages of people may be opened there."""
    troubles: Troubles = field(default_factory=Troubles)
    contexts: list[BrowserContext] = field(default_factory=list)
    reusable: list[BrowserContext] = field(default_factory=list)

    def stranger(self, *, phone: bool = False, dark: bool = False, path: str = "/", **options: Any) -> Page:
        """Open a page without a session."""
        scheme = "dark" if dark else "light"
        shape: dict[str, Any] = {**(PHONE if phone else DESK), "color_scheme": scheme, "base_url": self.url, **options}
        context = self.browser.new_context(**shape)
        context.set_default_timeout(PATIENCE_MS)
        self.take(context)
        page = context.new_page()
        page.goto(path)
        return page

    def take(self, context: BrowserContext) -> None:
        """Watch a context, and close it in the end."""
        self.troubles.watch(context)
        self.contexts.append(context)

    def give_back(self, context: BrowserContext) -> None:
        """Leave a context to others."""
        self.troubles.ignore(context)
        self.contexts.remove(context)

    def page_of(
        self, person: Person, *, path: str = "/", kept: Mapping[str, object] | None = None, **options: Any
    ) -> Page:
        """Open a page with the person's session.

        `kept` is what the browser has in its local storage, such as {"drawer-open": True}.
        """
        if self.idle is not None and not kept and not options:
            return self._open_again(path, person.cookies)
        storage = [{"name": f"continuity:{name}", "value": json.dumps(value)} for name, value in (kept or {}).items()]
        state = {"cookies": person.cookies, "origins": [{"origin": self.url, "localStorage": storage}]}
        return self.stranger(path=path, storage_state=state, **options)

    def _open_again(self, path: str, cookies: list[Any]) -> Page:
        """Open a page where the app has been loaded and compiled before, if such a tab is idle."""
        if self.idle:
            context = self.idle.pop()
            self.take(context)
            page = context.pages[0]
        else:
            page = self.stranger(path=NO_APP)
            context = page.context
        self.reusable.append(context)
        context.add_cookies(cookies)
        page.goto(path)
        return page

    def leave_clean(self) -> None:
        """Leave the app in the tabs that others may use, and remove what it and its person left behind."""
        for context in self.reusable:
            first, *others = context.pages
            for page in others:
                page.close()
            clear(first)
            self.give_back(context)
            assert self.idle is not None
            self.idle.append(context)
        self.reusable.clear()

    def close(self) -> None:
        for context in self.contexts:
            # One may have been closed by its test.
            with suppress(Exception):
                context.close()

    def picture(self, folder: Path, name: str) -> list[Path]:
        """Take a screenshot of every open page."""
        folder.mkdir(parents=True, exist_ok=True)
        made = []
        for number, page in enumerate(page for context in self.contexts for page in context.pages):
            made.append(folder / f"{name}-{number}.png")
            page.screenshot(path=made[-1])
        return made


def clear(page: Page) -> None:
    """Leave the app, and remove what it and its person left behind."""
    page.goto(NO_APP)
    page.evaluate("localStorage.clear(); sessionStorage.clear()")
    page.context.clear_cookies()
    page.set_viewport_size(DESK["viewport"])  # type: ignore[arg-type]  # a width and a height
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")


def sign_in(page: Page, person: Person) -> None:
    """Sign in by the form."""
    page.get_by_label("Email").fill(person.email)
    page.get_by_label("Password", exact=True).fill(person.password)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page).not_to_have_url(re.compile("/sign-in"))


def go_and_listen(page: Page, path: str) -> None:
    """Open a path, and wait until the page's socket has been welcomed: from then on no event is missed."""
    welcomed: list[WebSocket] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda _: welcomed.append(socket)))
    page.goto(path, wait_until="commit")
    for _ in range(PATIENCE_MS // LOOK_MS):
        if welcomed:
            return
        page.wait_for_timeout(LOOK_MS)
    raise AssertionError("The page's socket was not welcomed.")


def turn_into_phone(page: Page) -> CDPSession:
    """Give an open page the size and the touch screen of a phone; the latter while the session lasts."""
    page.set_viewport_size(PHONE["viewport"])  # type: ignore[arg-type]  # a width and a height
    devtools = page.context.new_cdp_session(page)
    devtools.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    settle(page)
    return devtools


def check_fits(page: Page) -> None:
    """Fail if the page scrolls sideways, or if it does not and something is cut off at the right."""
    assert page.evaluate(WIDER) <= 0
    assert not (cut := page.evaluate(CUT_OFF)), "\n".join(cut)


def check_accessible(page: Page) -> None:
    """Fail if axe reports a violation on the current page, in light or in dark, which differ only in their colours."""
    light = axe_faults(page, "light", {"type": "tag", "values": AXE_TAGS})
    dark = axe_faults(page, "dark", {"type": "rule", "values": AXE_COLOURS})
    found = [*(f"in light: {fault}" for fault in light), *(f"in dark: {fault}" for fault in dark)]
    assert not found, "\n".join(found)


def axe_faults(page: Page, scheme: str, rules: dict[str, Any]) -> list[str]:
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]  # a literal
    settle(page)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    if not page.evaluate(AXE_RUN, [rules, False]):
        return []
    # What is said of each fault is computed for every element: a quarter of the time.
    return [
        f"{fault['id']}: {fault['help']} at {node['target']}: {node.get('failureSummary', '')}"
        for fault in page.evaluate(AXE_RUN, [rules, True])
        for node in fault["nodes"]
    ]


def settle(page: Page) -> None:
    """Wait until fonts are loaded and finite animations have ended."""
    page.evaluate(SETTLED)
