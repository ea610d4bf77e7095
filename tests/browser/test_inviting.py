"""Members: an owner creates a link, the invited person joins by it, and leaves again; both pages follow at once."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.pages import Opener, Troubles, check_accessible, check_fits, go_and_listen, sign_in
from tests.browser.people import Person


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
    role = owner.get_by_label("Role of Charlie")
    expect(role).to_have_value("member")
    expect(owner.get_by_text("No pending invitations.")).to_be_visible()
    role.select_option("curator")
    go_and_listen(guest, "/settings/members")
    expect(guest.get_by_role("listitem").filter(has_text=charlie.email)).to_contain_text("Curator")
    role.select_option("viewer")
    expect(guest.get_by_role("listitem").filter(has_text=charlie.email)).to_contain_text("Viewer")
    guest.get_by_role("button", name="Leave workspace").click()
    guest.get_by_role("group").get_by_role("button", name="Leave workspace").click()
    expect(guest.get_by_text("You left Newcomer's workspace")).to_be_visible()
    expect(guest).to_have_url(re.compile("/$"))
    expect(role).to_be_hidden()


def test_the_only_owner_is_told_what_to_do_before_leaving(
    page_of: Opener, newcomer: Person, troubles: Troubles
) -> None:
    troubles.expect("status of 409 .*/api/members/")
    page = page_of(newcomer, path="/settings/members")
    page.get_by_role("button", name="Leave workspace").click()
    page.get_by_role("group").get_by_role("button", name="Leave workspace").click()
    expect(page.get_by_role("alert")).to_contain_text("Make another member an owner")
    page.get_by_role("button", name="Leave workspace").click()
    check_accessible(page)


def test_the_members_fit_on_a_phone(page_of: Opener, newcomer: Person) -> None:
    page = page_of(newcomer, path="/settings/members", phone=True)
    expect(page.get_by_role("heading", name="Invite people")).to_be_visible()
    page.set_viewport_size({"width": 320, "height": 640})
    check_fits(page)
