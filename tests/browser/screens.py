"""All screens of the product, each with the steps to reach it, for screenshots and accessibility checks."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import cycle

from playwright.sync_api import Page, expect

from tests.browser.memory_screens import MEMORY_SCREENS
from tests.browser.people import Person, Talk, sign_up
from tests.browser.settings_screens import SETTINGS_SCREENS
from tests.browser.thread import compact, drawer, header
from tests.browser.visits import Visit
from tests.providers.behaviours import Behaviour

REPLY = """\
Two queries are enough. The first one **locks the slot**, the second one counts what is booked:

```sql
SELECT id FROM slots WHERE id = %s FOR UPDATE;
SELECT count(*) FROM bookings WHERE slot_id = %s AND cancelled_at IS NULL;
```

1. Both run in one transaction.
2. A guest who comes too late gets the waiting list, as you decided in March.
"""
ASKED = (
    "How do we keep guests from booking the last place twice on day {} of the season? The week view showed it as free."
)
DECIDED = (
    "We decided that on day {0} the slot is locked before it is counted: `SELECT id FROM slots WHERE id = {0} FOR"
    " UPDATE`. Whoever comes too late gets the waiting list."
)
SLOWLY = Behaviour(text=REPLY, piece_s=0.4)
BROKEN = Behaviour("status", status=529, error_type="overloaded_error")


def sign_in_page(visit: Visit) -> Page:
    return form(visit, "/sign-in", "Sign in")


def sign_up_page(visit: Visit) -> Page:
    return form(visit, "/sign-up", "Create account")


def form(visit: Visit, path: str, deed: str) -> Page:
    page = visit.stranger(path)
    expect(page.get_by_role("button", name=deed, exact=True)).to_be_visible()
    return page


def first_run(visit: Visit) -> Page:
    """The page of a new conversation, with a link to the sample while there are no others."""
    return welcome(visit, visit.stack.demo)


def empty(visit: Visit) -> Page:
    """The same for a new account, which has no sample."""
    return welcome(visit, sign_up(visit.stack.url, "Newcomer"))


def welcome(visit: Visit, person: Person) -> Page:
    page = visit.page_of(person)
    expect(page.get_by_role("heading", name=re.compile("^(Write as long as|Hello)"))).to_be_visible()
    return page


def tour(visit: Visit) -> Page:
    visit.stack.demo.session.patch("/api/me", {"tour_done": False})
    page = visit.page_of(visit.stack.demo, visit.sample.page)
    expect(page.get_by_role("button", name="Skip the tour")).to_be_visible()
    return page


def chat(visit: Visit) -> Page:
    return visit.in_sample()


def open_drawer(page: Page) -> None:
    header(page).get_by_role("button", name=re.compile("Open the Summary Drawer")).click()
    expect(drawer(page).get_by_role("button", name="Compact now")).to_be_visible()


def in_drawer(visit: Visit, talk: Talk | None = None) -> Page:
    page = visit.in_sample(talk)
    open_drawer(page)
    # The summary is there before the pack.
    expect(drawer(page).get_by_role("button", name=re.compile("^Recent \\(in full\\)")).last).to_be_visible()
    return page


def history(visit: Visit) -> Page:
    page = in_drawer(visit)
    drawer(page).get_by_role("button", name="History", exact=True).click()
    expect(page.get_by_role("heading", name="Summary versions")).to_be_visible()
    return page


def comparison(visit: Visit) -> Page:
    page = history(visit)
    drawer(page).get_by_role("button", name=re.compile("^Compare version")).first.click()
    expect(page.get_by_role("heading", name=re.compile("^Summary v"))).to_be_visible()
    expect(page.get_by_role("img", name="Added").first).to_be_visible()
    return page


def pack(visit: Visit) -> Page:
    return in_pack(in_drawer(visit))


def in_pack(page: Page) -> Page:
    # Content that is still loading would move the button away from under the click.
    page.wait_for_load_state("networkidle")
    drawer(page).get_by_role("button", name="What the model sees").click()
    expect(drawer(page).get_by_role("button", name="Copy as JSON")).to_be_visible()
    expect(drawer(page).get_by_role("table", name=re.compile("^≈ tokens"))).to_be_visible()
    return page


def long_talk(visit: Visit) -> Page:
    """In the drawer of a conversation that is much longer than its budget."""
    newcomer = sign_up(visit.stack.url, "Newcomer")
    talk = Talk(newcomer.client.post("/api/conversations", {"title": "The summer season", "token_budget": 1500})["id"])
    said = (text for day in range(1, 31) for text in (ASKED.format(day), DECIDED.format(day)))
    roles = cycle(("user", "assistant"))
    newcomer.tell(talk, [{"role": next(roles), "content": text} for text in said])
    page = visit.page_of(newcomer, talk.page)
    open_drawer(page)
    expect(drawer(page).get_by_role("button", name=re.compile(r"^Earlier \(shortened\) ≈ [1-9]"))).to_be_visible()
    return page


def shared_budget(visit: Visit) -> Page:
    """The negotiation of a budget that is too small for everything."""
    page = in_pack(long_talk(visit))
    expect(page.get_by_text("Before the messages that follow, in short")).to_be_visible()
    return page


def own_settings(visit: Visit) -> Page:
    page = pack(visit)
    drawer(page).get_by_role("button", name=re.compile("^Context settings")).click()
    button = drawer(page).get_by_role("button", name="Save budget")
    button.scroll_into_view_if_needed()
    expect(button).to_be_visible()
    return page


def part(visit: Visit) -> Page:
    """The content of one part of the context, and a preview of excluding one of its messages."""
    page = in_drawer(visit)
    # Content that loads later would move the target of the click.
    expect(drawer(page).get_by_role("button", name="Undo this compaction")).to_be_visible()
    drawer(page).get_by_role("button", name=re.compile("^Recent \\(in full\\)")).last.click()
    shown = page.get_by_role("dialog", name=re.compile("^Recent \\(in full\\)"))
    shown.get_by_role("button", name=re.compile("^Exclude message")).first.click()
    expect(shown.get_by_text("live tokens.")).to_be_visible()
    return page


def correction(visit: Visit) -> Page:
    return writing(in_drawer(visit), "Add a decision", "Save line")


def pin_form(visit: Visit) -> Page:
    return writing(in_drawer(visit), "Add pin", "Pin this text")


def memory_form(visit: Visit) -> Page:
    return writing(in_drawer(visit), "Add to user memory", "Save memory")


def writing(page: Page, deed: str, end: str) -> Page:
    drawer(page).get_by_role("button", name=deed, exact=True).click()
    button = drawer(page).get_by_role("button", name=end, exact=True)
    button.scroll_into_view_if_needed()
    expect(button).to_be_visible()
    return page


def empty_drawer(visit: Visit) -> Page:
    """The drawer of a conversation that was never compacted."""
    newcomer = sign_up(visit.stack.url, "Newcomer")
    talk = newcomer.talk("Opening hours", ["When do we open on Sundays?", "At ten, as you told the guests."])
    page = visit.page_of(newcomer, talk.page)
    open_drawer(page)
    expect(page.get_by_role("heading", name="No summary yet")).to_be_visible()
    return page


def archived(visit: Visit) -> Page:
    page = visit.in_sample(visit.copy_of_sample())
    page.get_by_role("button", name="Chat actions").click()
    page.get_by_role("menuitem", name="Archive").click()
    expect(page.get_by_text("This chat is archived.")).to_be_visible()
    return page


def archive(visit: Visit) -> Page:
    """The list of archived chats; on a phone the list covers the page."""
    page = archived(visit)
    if visit.phone:
        page.get_by_role("button", name="Open the list of chats").click()
    page.get_by_role("button", name="Archived", exact=True).click()
    expect(page.get_by_role("heading", name="Archived", exact=True)).to_be_visible()
    expect(page.get_by_role("list").get_by_role("link").first).to_be_visible()
    return page


def palette(visit: Visit) -> Page:
    page = visit.in_sample()
    page.keyboard.press("Control+k")
    page.get_by_role("dialog").locator("input").fill("book")
    expect(page.get_by_role("option").first).to_be_visible()
    return page


def keys(visit: Visit) -> Page:
    page = visit.in_sample()
    page.keyboard.press("Control+/")
    expect(page.get_by_role("dialog")).to_be_visible()
    return page


def streaming(visit: Visit) -> Page:
    visit.provider.script_replies(SLOWLY)
    page = visit.in_sample(visit.copy_of_sample())
    say(page, "How do we keep two guests from booking the last place?")
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    expect(page.get_by_text("The first one")).to_be_visible()
    return page


def say(page: Page, text: str) -> None:
    page.get_by_role("textbox", name="Message", exact=True).fill(text)
    page.get_by_role("button", name="Send", exact=True).click()


def failed(visit: Visit) -> Page:
    """A model that is permanently overloaded."""
    visit.provider.usual = BROKEN
    page = visit.in_sample(visit.copy_of_sample())
    say(page, "How do we keep two guests from booking the last place?")
    expect(page.get_by_text("overloaded").first).to_be_visible(timeout=60_000)
    return page


def offline(visit: Visit) -> Page:
    page = visit.in_sample(visit.copy_of_sample())
    page.context.set_offline(True)
    expect(page.get_by_text("No connection.").first).to_be_visible()
    return page


def compacting(visit: Visit) -> Page:
    # Long enough for the check; it is the last screen that needs the worker.
    visit.provider.script(Behaviour(first_byte_s=10))
    page = visit.in_sample(visit.copy_of_sample())
    open_drawer(page)
    compact(page)
    expect(page.get_by_text("Waited for a pause")).to_be_visible()
    return page


def compacted(visit: Visit) -> Page:
    page = visit.in_sample(visit.copy_of_sample())
    open_drawer(page)
    compact(page)
    expect(drawer(page).get_by_role("button", name="Undo this compaction")).to_be_visible(timeout=60_000)
    return page


def compaction_failed(visit: Visit) -> Page:
    """A compaction that fails because the model's answers cannot be parsed."""
    visit.provider.usual = Behaviour("garbage")
    page = in_drawer(visit, visit.copy_of_sample())
    compact(page)
    expect(page.get_by_text("Compaction failed; nothing changed").first).to_be_visible(timeout=60_000)
    return page


def waiting(visit: Visit) -> Page:
    """A message written without a connection."""
    page = offline(visit)
    say(page, "How do we keep two guests from booking the last place?")
    expect(page.get_by_role("article", name="Queued message")).to_be_visible()
    return page


def refused(visit: Visit) -> Page:
    """A message that the server refuses because it is too long."""
    page = visit.in_sample(visit.copy_of_sample())
    problem = {"status": 413, "json": {"code": "too_large", "detail": "The message is longer than the server takes."}}
    page.route("**/turns", lambda route: route.fulfill(**problem))
    say(page, "How do we keep two guests from booking the last place?")
    expect(page.get_by_role("alert").get_by_text("longer than the server takes")).to_be_visible()
    return page


def nothing_here(visit: Visit) -> Page:
    page = visit.page_of(visit.stack.demo, "/c/01890a5d-ac96-774b-bcce-b302099a8057")
    expect(page.get_by_text("Page not found")).to_be_visible()
    return page


DRAWER_SCREENS: dict[str, Callable[[Visit], Page]] = {
    "drawer": in_drawer,
    "history": history,
    "comparison": comparison,
    "pack": pack,
    "long-talk": long_talk,
    "shared-budget": shared_budget,
    "own-settings": own_settings,
    "part": part,
    "correction": correction,
    "pin-form": pin_form,
    "memory-form": memory_form,
    "empty-drawer": empty_drawer,
}
COMPACTION_SCREENS: dict[str, Callable[[Visit], Page]] = {
    "compacted": compacted,
    "compaction-failed": compaction_failed,
    "compacting": compacting,
}
# In the order of the screenshots: screens that change the list of conversations come last.
SCREENS: dict[str, Callable[[Visit], Page]] = {
    "sign-in": sign_in_page,
    "sign-up": sign_up_page,
    "first-run": first_run,
    "empty": empty,
    "tour": tour,
    "chat": chat,
    **DRAWER_SCREENS,
    "palette": palette,
    "keys": keys,
    **SETTINGS_SCREENS,
    **MEMORY_SCREENS,
    "nothing-here": nothing_here,
    "streaming": streaming,
    **COMPACTION_SCREENS,
    "offline": offline,
    "failed": failed,
    "waiting": waiting,
    "refused": refused,
    "archived": archived,
    "archive": archive,
}
