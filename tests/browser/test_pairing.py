"""Pairing: a client shows a code, a person confirms it in the browser, and revokes the client's key later."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from config.stack.client import Client
from config.stack.errors import StackError
from tests.browser.pages import Opener, Troubles, check_accessible, check_fits, sign_in, turn_into_phone
from tests.browser.people import Person
from tests.browser.whole import Whole

LAPTOP = {"client": "claude-code", "name": "laptop", "version": "1.2.0"}


class Machine:
    """A client on another machine, with plain HTTP and without a session."""

    def __init__(self, url: str, **changes: str) -> None:
        self.http = Client(url)
        self.url = url
        self.codes: Any = self.http.post("/api/pairings", {**LAPTOP, **changes})

    def collect(self) -> Any:
        return self.http.post("/api/pairings/token", {"device_code": self.codes["device_code"]})

    def refusal(self) -> str:
        with pytest.raises(StackError) as refused:
            self.collect()
        return str(refused.value)


@pytest.fixture
def machine(stack: Whole) -> Machine:
    return Machine(stack.url)


def confirm(page: Page, verb: str) -> None:
    page.get_by_role("button", name=verb, exact=True).click()


def test_a_client_is_paired_by_its_code_tested_and_revoked(
    stranger: Opener, newcomer: Person, machine: Machine
) -> None:
    assert machine.collect() == {"status": "pending"}
    page = stranger(path=machine.codes["verification_url"])
    sign_in(page, newcomer)
    expect(page.get_by_role("heading", name="Pair laptop?")).to_be_visible()
    expect(page.get_by_text(machine.codes["user_code"])).to_be_visible()
    expect(page.get_by_text("Newcomer's workspace")).to_be_visible()
    check_accessible(page)
    confirm(page, "Approve")
    expect(page.get_by_role("heading", name="Approved")).to_be_visible()
    paired = machine.collect()
    expect(page.get_by_role("heading", name="laptop is paired")).to_be_visible()
    check_accessible(page)
    client = Client(machine.url, paired["api_key"])
    assert client.get("/api/me")["user"]["email"] == newcomer.email

    page.get_by_role("button", name="Paired clients").click()
    row = page.get_by_role("listitem").filter(has_text="Claude Code 1.2.0")
    expect(row).to_contain_text("No event yet")
    row.get_by_role("button", name="Test laptop").click()
    expect(row.get_by_role("status")).to_contain_text("Nothing is known about you yet")
    client.post("/api/memories", {"uri": "mem://user/profile/communication", "content": "Prefers short answers."})
    row.get_by_role("button", name="Test laptop").click()
    expect(row.get_by_role("status")).to_contain_text(re.compile(r"gets 1 memory: \d+ tokens"))
    check_accessible(page)

    row.get_by_role("button", name="Revoke laptop").click()
    question = page.get_by_role("group", name="Revoke the key of laptop?")
    expect(question.get_by_role("button", name="Revoke")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("The key of laptop was revoked")).to_be_visible()
    expect(page.get_by_text("No agent has called")).to_be_visible()
    with pytest.raises(StackError, match="401"):
        client.get("/api/me")
    page.get_by_role("button", name="Revoked 1").click()
    expect(page.get_by_role("listitem").filter(has_text="revoked")).to_contain_text("laptop")


def test_a_client_that_is_denied_gets_no_key(page_of: Opener, newcomer: Person, machine: Machine) -> None:
    page = page_of(newcomer, path=machine.codes["verification_url"])
    confirm(page, "Deny")
    expect(page.get_by_text("laptop gets no key.")).to_be_visible()
    assert "410" in machine.refusal()
    page.goto("/settings/agents")
    expect(page.get_by_text("No agent has called")).to_be_visible()


def test_codes_that_are_wrong_or_used_are_explained(
    page_of: Opener, newcomer: Person, machine: Machine, troubles: Troubles
) -> None:
    troubles.expect("status of 404 .*/api/pairings/")
    page = page_of(newcomer, path="/pair")
    field = page.get_by_label("Code")
    field.fill("wxyz bcdf")
    field.press("Enter")
    expect(page.get_by_role("heading", name="Code not found")).to_be_visible()
    check_accessible(page)
    page.get_by_role("button", name="Enter another code").click()
    field.fill(machine.codes["user_code"].lower().replace("-", " "))
    field.press("Enter")
    confirm(page, "Approve")
    expect(page.get_by_role("heading", name="Approved")).to_be_visible()
    machine.collect()
    page.goto(machine.codes["verification_url"])
    expect(page.get_by_text("The code can't be used again.")).to_be_visible()
    expect(page.get_by_role("button", name="Approve")).to_be_hidden()


def test_what_one_person_approved_is_unknown_to_another(
    page_of: Opener, newcomer: Person, charlie: Person, machine: Machine, troubles: Troubles
) -> None:
    troubles.expect("status of 404 .*/api/pairings/")
    page = page_of(newcomer, path=machine.codes["verification_url"])
    confirm(page, "Approve")
    expect(page.get_by_role("heading", name="Approved")).to_be_visible()
    other = page_of(charlie, path=machine.codes["verification_url"])
    expect(other.get_by_role("heading", name="Code not found")).to_be_visible()


def test_the_pages_fit_on_a_phone(page_of: Opener, newcomer: Person, stack: Whole) -> None:
    machine = Machine(stack.url, name="a-very-long-host-name-of-a-machine.in-a-very-long.domain.example.org")
    page = page_of(newcomer, path=machine.codes["verification_url"], phone=True, dark=True)
    page.set_viewport_size({"width": 320, "height": 640})
    expect(page.get_by_role("button", name="Approve")).to_be_visible()
    check_fits(page)
    confirm(page, "Approve")
    expect(page.get_by_role("heading", name="Approved")).to_be_visible()
    machine.collect()
    page.goto("/settings/agents")
    turn_into_phone(page)
    page.set_viewport_size({"width": 320, "height": 640})
    expect(page.get_by_role("button", name=re.compile("^Test a-very"))).to_be_visible()
    check_fits(page)
