"""The screens of the settings, and what a workspace looks like by them."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.agent_sessions import CodingAgent, new_pairing, paired
from tests.browser.people import make_member, sign_up
from tests.browser.visits import Visit


def settings_models(visit: Visit) -> Page:
    page = visit.page_of(visit.stack.demo, "/settings/models")
    expect(page.get_by_role("heading", name="Providers")).to_be_visible()
    return page


def settings_key(visit: Visit) -> Page:
    """The form for a provider's key, with one that the provider does not accept."""
    page = settings_models(visit)
    page.get_by_role("button", name="Add key for Anthropic").click()
    page.get_by_label("Key for Anthropic", exact=True).fill("wrong")
    page.get_by_role("button", name="Test", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("nothing was saved")
    return page


def settings_members(visit: Visit) -> Page:
    """A workspace with a second member, a pending invitation and the link of a new one."""
    owner = sign_up(visit.stack.url, "Newcomer")
    make_member(owner, sign_up(visit.stack.url, "Companion"), "curator")
    owner.client.post("/api/invitations", {"email": "guest@example.org", "role": "viewer"})
    page = visit.page_of(owner, "/settings/members")
    expect(page.get_by_text("guest@example.org")).to_be_visible()
    page.get_by_label("Email").fill("another@example.org")
    page.get_by_role("button", name="Create invitation link").click()
    expect(page.get_by_label("Invitation link for another@example.org")).to_be_focused()
    return page


def join_workspace(visit: Visit) -> Page:
    """The page of an invitation's link, for the person who was invited."""
    owner, guest = (sign_up(visit.stack.url, name) for name in ("Newcomer", "Guest"))
    made = owner.client.post("/api/invitations", {"email": guest.email, "role": "member"})
    page = visit.page_of(guest, f"/join/{made['secret']}")
    expect(page.get_by_role("button", name="Accept")).to_be_visible()
    return page


def settings_agents(visit: Visit) -> Page:
    """A paired client, and the result of its test."""
    person = sign_up(visit.stack.url, "Newcomer")
    paired(person, "laptop")
    paired(person, "build-server")
    person.client.post(
        "/api/user-memory", {"type": "preference", "key": "answers", "content": "Prefers short answers."}
    )
    page = visit.page_of(person, "/settings/agents")
    page.get_by_role("button", name="Test laptop").click()
    expect(page.get_by_role("status")).to_contain_text("A session that starts now gets")
    return page


def pair_client(visit: Visit) -> Page:
    """The page that confirms a code."""
    made = new_pairing(visit.stack.url)
    page = visit.page_of(sign_up(visit.stack.url, "Newcomer"), made["verification_url"])
    expect(page.get_by_role("button", name="Approve")).to_be_visible()
    return page


def session_list(visit: Visit) -> Page:
    """A running session of an agent, and an ended one."""
    person = sign_up(visit.stack.url, "Newcomer")
    ended, running = (CodingAgent(paired(person, name)) for name in ("laptop", "build-server"))
    for agent in (ended, running):
        session_of(agent)
    ended.end()
    page = visit.page_of(person, "/sessions")
    expect(page.get_by_role("listitem").filter(has_text="Claude Code")).to_have_count(2)
    return page


def session_page(visit: Visit) -> Page:
    """A session with an opened run of a tool."""
    person = sign_up(visit.stack.url, "Newcomer")
    agent = CodingAgent(paired(person))
    session_of(agent)
    page = visit.page_of(person, f"/sessions/{agent.id}")
    page.get_by_text(re.compile("^Bash")).click()
    expect(page.get_by_role("group", name=re.compile("^Result of Bash"))).to_be_visible()
    return page


def session_of(agent: CodingAgent) -> None:
    agent.begin()
    agent.turn(
        "Remember that I always want make test before a commit. The cart rounds prices wrongly.",
        *("app/cart.py", "app/tax.py"),
        reply="The cart uses `Decimal` now:\n\n1. prices are exact\n2. taxes are rounded half up",
    )
    agent.fail("make test", "1 failed: test_rounding\nExpected 19.90, got 19.89")
    agent.turn("We decided to round the taxes half up.", "app/tax.py", reply="All tests pass.")


def settings_memory(visit: Visit) -> Page:
    page = visit.page_of(sign_up(visit.stack.url, "Newcomer"), "/settings/memory")
    expect(page.get_by_role("radio", name="Trusted words")).to_be_checked()
    return page


def settings_limits(visit: Visit) -> Page:
    """Of a workspace with limits, in the middle of its day."""
    page = limited(visit)
    expect(page.get_by_role("meter", name="Tokens", exact=True)).to_be_visible()
    return page


def settings_usage(visit: Visit) -> Page:
    page = limited(visit)
    page.get_by_role("link", name="Usage").click()
    expect(page.get_by_role("table", name="By model")).to_be_visible()
    expect(page.get_by_role("img", name=re.compile("by day$"))).to_be_visible()
    page.get_by_role("button", name="Show table").click()
    expect(page.get_by_role("region", name="Daily usage")).to_be_visible()
    return page


def limited(visit: Visit) -> Page:
    """The limits of a person who had a few replies today."""
    newcomer = sign_up(visit.stack.url, "Newcomer")
    talk = newcomer.talk("The last place", ["How do we keep two guests from booking it?"])
    for asked in ("And at the weekend?", "And on the phone?"):
        newcomer.client.stream(f"{talk.api}/turns", {"content": asked})
    page = visit.page_of(newcomer, "/settings/limits")
    # What is still loading when the limits are saved shows none.
    expect(page.get_by_text("no limit").first).to_be_visible()
    page.get_by_role("textbox", name="Tokens per day").fill("5000")
    page.get_by_role("textbox", name="USD per day").fill("5")
    page.get_by_role("button", name="Save limits").click()
    expect(page.get_by_text("Limits saved")).to_be_visible()
    return page


def recall_only(visit: Visit) -> Page:
    """A chat of a workspace that sends nothing to a model."""
    newcomer = sign_up(visit.stack.url, "Newcomer")
    talk = newcomer.talk("Opening hours", ["When do we open on Sundays?", "At ten, as you told the guests."])
    page = visit.page_of(newcomer, "/settings/limits")
    page.get_by_role("switch", name="Don't call any model").click()
    page.get_by_role("button", name="Turn off").click()
    expect(page.get_by_text("Models are off").first).to_be_visible()
    page.goto(talk.page)
    expect(page.get_by_role("status").get_by_text("Models are off.")).to_be_visible()
    return page


SETTINGS_SCREENS: dict[str, Callable[[Visit], Page]] = {
    "settings-models": settings_models,
    "settings-key": settings_key,
    "settings-memory": settings_memory,
    "settings-limits": settings_limits,
    "settings-members": settings_members,
    "join-workspace": join_workspace,
    "settings-agents": settings_agents,
    "pair-client": pair_client,
    "session-list": session_list,
    "session-page": session_page,
    "settings-usage": settings_usage,
    "recall-only": recall_only,
}
