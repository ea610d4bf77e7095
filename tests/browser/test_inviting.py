"""Invitations: an owner creates a link, and the invited person signs in with it and joins."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.pages import Opener, check_accessible, sign_in
from tests.browser.people import Person
from tests.browser.test_on_a_phone import fits


def test_an_invited_person_joins_by_the_link(
    page_of: Opener, stranger: Opener, newcomer: Person, charlie: Person
) -> None:
    owner = page_of(newcomer, path="/settings/members")
    owner.get_by_label("Email").fill(charlie.email)
    owner.get_by_label("Email").press("Enter")
    link = owner.get_by_label(f"Invitation link for {charlie.email}").input_value()
    guest = stranger(path=link)
    sign_in(guest, charlie)
    expect(guest.get_by_text("Newcomer invited you to Newcomer's workspace as a member.")).to_be_visible()
    check_accessible(guest)
    guest.get_by_role("button", name="Accept").click()
    expect(guest.get_by_text("You joined Newcomer's workspace")).to_be_visible()
    owner.reload()
    expect(owner.get_by_label("Role of Charlie")).to_have_value("member")


def test_the_members_fit_on_a_phone(page_of: Opener, newcomer: Person) -> None:
    page = page_of(newcomer, path="/settings/members", phone=True)
    expect(page.get_by_role("heading", name="Invite people")).to_be_visible()
    page.set_viewport_size({"width": 320, "height": 640})
    fits(page)
