"""Time until a conversation of 10,000 messages is readable in a real browser, and the number of its DOM nodes.

Each opening uses a new browser with an empty cache and a signed-in session. Measured are the time from navigation until
the newest message is on the screen, next to that of a conversation with two messages, and the maximum number of message
nodes while scrolling up, jumping to the beginning and scrolling back.
"""

from __future__ import annotations

import statistics
import sys
import time
from typing import Any

from playwright.sync_api import Page, sync_playwright

from config.stack import frontend
from config.stack.errors import StackError
from config.stack.throwaway_stack import temporary_stack
from tests.browser.chromium import find_chromium
from tests.browser.pages import Browsers
from tests.browser.people import Person, Talk, sign_up
from tests.browser.whole import Whole

MESSAGES, FEW = 10_000, 2
OPENINGS = 5
SETTLE_S = 120
WHEELS = 60
WHEEL_PX = 1_200
PAUSE_MS = 50

NEWEST = '[data-message-index="{index}"]'
QUESTION = "Step {number}: what did we decide about last night's import, and who looks at the failing test {number}?"
ANSWER = """\
We decided to keep the queue, because the work may take up to {number} seconds:

1. The migration for table `t{number}` comes **first**.
2. Then it is measured again; the old addresses have to keep working.

```python
def retry(number: int = {number}) -> bool:
    return number % 3 == 0
```
"""
# Check in each frame whether the newest message is on the screen; then wait for one more painted frame.
WATCH = """
window.shownAt = new Promise((resolve) => {{
  const look = () => {{
    const box = document.querySelector('{newest}')?.getBoundingClientRect();
    if (box && box.height > 0 && box.top < innerHeight && box.bottom > 0)
      requestAnimationFrame(() => resolve(performance.now()));
    else requestAnimationFrame(look);
  }};
  requestAnimationFrame(look);
}});
"""
COUNT = """
window.mostNodes = 0;
window.firstSeen = Infinity;
const count = () => {
  const nodes = document.querySelectorAll('[data-message-index]');
  window.mostNodes = Math.max(window.mostNodes, nodes.length);
  window.firstSeen = Math.min(window.firstSeen, ...[...nodes].map((node) => Number(node.dataset.messageIndex)));
  requestAnimationFrame(count);
};
count();
"""
TO_THE_TOP = """
() => {
  let scroller = document.querySelector('[data-message-index]').parentElement;
  while (scroller.scrollHeight <= scroller.clientHeight) scroller = scroller.parentElement;
  scroller.scrollTop = 0;
}
"""


def measure() -> dict[str, Any]:
    frontend.build()
    # Without a model the engine writes the summaries.
    with temporary_stack({"CONTINUITY_MODEL_PROVIDER": "offline"}) as stack:
        print("Starting a stack for this measurement.", file=sys.stderr)
        stack.start()
        whole = Whole(stack)
        alice = sign_up(whole.url, "Alice")
        talk = alice.talk("Ten thousand messages")
        alice.tell(talk, [_message(number) for number in range(MESSAGES)])
        short = alice.talk("Two messages")
        alice.tell(short, [_message(number) for number in range(FEW)])
        _await_quiet(alice, talk)
        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(**find_chromium().options())  # type: ignore[arg-type]  # as it takes them
            return _measured(Browsers(chromium, whole.url, {}), alice, talk, short)


def _message(number: int) -> dict[str, str]:
    text = (QUESTION, ANSWER)[number % 2].format(number=number)
    return {"role": ("user", "assistant")[number % 2], "content": text}


def _await_quiet(alice: Person, talk: Talk) -> None:
    """Wait until no compaction runs and none is due."""
    deadline = time.monotonic() + SETTLE_S
    while time.monotonic() < deadline:
        runs = alice.client.get(f"{talk.api}/compactions?limit=1")["data"]
        not_due = alice.client.get(f"{talk.api}/context?token_budget=4000")["metadata"]["not_due_reason"]
        if not_due and not (runs and runs[0]["state"] in {"queued", "running"}):
            return
        time.sleep(0.5)
    print(f"A compaction still runs after {SETTLE_S} s.", file=sys.stderr)


def _measured(browsers: Browsers, alice: Person, talk: Talk, short: Talk) -> dict[str, Any]:
    browsers.page_of(alice).context.close()
    pairs = [
        (_opened_ms(browsers, alice, talk, MESSAGES), _opened_ms(browsers, alice, short, FEW)) for _ in range(OPENINGS)
    ]
    took, floor = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    nodes, first = _scrolled(browsers, alice, talk)
    if first != 0:
        raise StackError(f"Scrolling reached only message {first}.")
    return {
        "bench": "page_open",
        "median_ms": round(statistics.median(took)),
        "floor_ms": round(statistics.median(floor)),
        "message_nodes": nodes,
        "messages": MESSAGES,
        "slowest_ms": round(max(took)),
        "openings": OPENINGS,
    }


def _opened_ms(browsers: Browsers, alice: Person, talk: Talk, messages: int) -> float:
    page, shown = _opened(browsers, alice, talk, messages)
    page.context.close()
    return shown


def _opened(browsers: Browsers, alice: Person, talk: Talk, messages: int) -> tuple[Page, float]:
    """Open the conversation in a new browser; return the page and the ms until it was readable."""
    page, newest = browsers.page_of(alice, path="about:blank"), NEWEST.format(index=messages - 1)
    page.add_init_script(WATCH.format(newest=newest))
    page.goto(talk.page)
    page.wait_for_selector(newest)
    return page, float(page.evaluate("window.shownAt"))


def _scrolled(browsers: Browsers, alice: Person, talk: Talk) -> tuple[int, int]:
    """Return the maximum number of message nodes, and the smallest message index shown."""
    page, _ = _opened(browsers, alice, talk, MESSAGES)
    page.evaluate(COUNT)
    page.locator(NEWEST.format(index=MESSAGES - 1)).hover()
    _wheel(page, -WHEEL_PX)
    page.evaluate(TO_THE_TOP)
    page.wait_for_selector('[data-message-index="0"]')
    _wheel(page, WHEEL_PX)
    found = int(page.evaluate("window.mostNodes")), int(page.evaluate("window.firstSeen"))
    page.context.close()
    return found


def _wheel(page: Page, pixels: int) -> None:
    for _ in range(WHEELS):
        page.mouse.wheel(0, pixels)
        page.wait_for_timeout(PAUSE_MS)
