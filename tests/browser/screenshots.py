"""`make screenshots [FOLDER=…]`: every screen on desktop and phone, dark and light, from the demo workspace."""

from __future__ import annotations

import argparse
import itertools
import sys
from pathlib import Path

from playwright.sync_api import Error, sync_playwright

from config.stack import frontend
from config.stack.errors import StackError
from config.stack.process import ROOT
from tests.browser.chromium import find_chromium
from tests.browser.pages import Browsers, settle
from tests.browser.screens import SCREENS
from tests.browser.visits import Visit
from tests.browser.whole import whole_stack
from tests.providers.anthropic_server import ProviderServer, running_server


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "screenshots")
    parser.add_argument("--only", choices=SCREENS, action="append")
    told = parser.parse_args()
    try:
        missed = photograph(told.folder, told.only or list(SCREENS))
    except StackError as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    for name, why in missed.items():
        print(f"{name}: not reached: {why}", file=sys.stderr)
    return 1 if missed else 0


def photograph(folder: Path, names: list[str]) -> dict[str, str]:
    """Print the name of every screenshot, and return the screens that could not be reached, with the reason."""
    frontend.build()
    folder.mkdir(parents=True, exist_ok=True)
    missed: dict[str, str] = {}
    with running_server() as provider, whole_stack(provider.url) as stack, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(**find_chromium().options())  # type: ignore[arg-type]  # as it takes them
        browsers = Browsers(chromium, stack.url)
        for name, phone, dark in itertools.product(names, (False, True), (False, True)):
            file = folder / f"{name}-{'phone' if phone else 'desk'}-{'dark' if dark else 'light'}.png"
            try:
                picture(Visit(browsers, stack, provider, phone, dark), name, file)
            except (AssertionError, Error) as error:
                missed[file.name] = " ".join(str(error).split())[:400]
                browsers.picture(folder / "missed", file.stem)
            after(browsers, provider)
    return missed


def picture(visit: Visit, name: str, file: Path) -> None:
    page = SCREENS[name](visit)
    settle(page)
    page.screenshot(path=file)
    print(file, flush=True)


def after(browsers: Browsers, provider: ProviderServer) -> None:
    browsers.close()
    browsers.contexts.clear()
    provider.reset()


if __name__ == "__main__":
    sys.exit(main())
