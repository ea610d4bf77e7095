"""The admin console: every kind of page works under a content policy by which the browser evaluates no text."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import ConsoleMessage, Locator, Page, expect

from tests.browser.pages import NO_APP, Opener, Troubles, turn_into_phone
from tests.browser.people import Person
from tests.browser.test_watching import heard
from tests.browser.whole import Whole

VIOLATIONS = """
addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sourceFile, lineNumber }) =>
  console.error("Violation of the content policy:", effectiveDirective, blockedURI, sourceFile, lineNumber));
"""
"""The browser itself does not report an `eval` whose error is caught."""
EVALUATION = """
addEventListener("click", () => {
  try { window.evaluated = Function("return 'yes'")(); } catch { window.evaluated = "refused"; }
});
"""
LISTS = "nodes => [...new Set(nodes.map(({ pathname }) => pathname))]"
ON_A_PAGE = 50


@pytest.fixture
def operator(stack: Whole) -> Person:
    return stack.operator


@pytest.fixture
def console(page_of: Opener, operator: Person, troubles: Troubles) -> Iterator[Page]:
    """The operator's first page; no page may violate the policy, or have an expression that Alpine cannot read."""
    page = page_of(operator, path=NO_APP)
    watch(page, troubles)
    visit(page, "/admin/")
    yield page
    # What was reported last is told of while the page is asked for something.
    page.wait_for_timeout(100)


def watch(page: Page, troubles: Troubles) -> None:
    def note(message: ConsoleMessage) -> None:
        if message.type == "warning":
            troubles.seen.append(f"{message.text} {page.url}")

    page.context.add_init_script(VIOLATIONS)
    page.on("console", note)


def visit(page: Page, path: str) -> None:
    page.goto(path)
    started(page)


def started(page: Page) -> None:
    """Wait until Alpine has read the page."""
    expect(page.locator("html")).not_to_have_attribute("x-cloak", "")


def lists(page: Page) -> list[str]:
    paths: list[str] = page.locator("#nav-sidebar-apps li a").evaluate_all(LISTS)
    return paths


def sidebar_switch(page: Page) -> Locator:
    return page.get_by_text("dock_to_right").locator("visible=true")


def click_margin(page: Page) -> None:
    page.locator("#main").click(position={"x": 2, "y": 2})


def open_account_menu(page: Page, person: Person) -> None:
    page.locator("#nav-sidebar-inner").get_by_text(person.email).first.click()
    expect(page.get_by_text("Log out")).to_be_visible()


def test_a_text_that_a_page_tries_to_evaluate_is_detected(console: Page, troubles: Troubles) -> None:
    console.evaluate(EVALUATION)
    click_margin(console)
    assert console.evaluate("window.evaluated") == "refused"
    assert heard(console, troubles, "Violation of the content policy: script-src eval")
    troubles.expect("content policy|Content Security Policy")


@pytest.mark.slow("it opens every list")
def test_every_list_opens_and_the_pages_of_its_first_row(console: Page) -> None:
    paths = lists(console)
    assert len(paths) > 50
    for path in paths:
        visit(console, path)
        rows = console.locator("#result_list tbody th a")
        if path == "/admin/" or not rows.count():
            continue
        row = rows.first.get_attribute("href")
        visit(console, str(row))
        expect(console.locator("form, .module").first).to_be_attached()
        visit(console, str(row).split("?")[0].replace("/change/", "/history/"))


@pytest.mark.slow("it opens every form")
def test_every_form_to_add_opens(console: Page) -> None:
    opened = 0
    for path in lists(console):
        console.goto(path)
        add = console.locator(f'a[href^="{path}add/"]').first
        if path != "/admin/" and add.count():
            visit(console, f"{path}add/")
            expect(console.locator('[name="_save"]')).to_be_visible()
            opened += 1
    assert opened > 5


def test_the_sidebar_stays_as_it_was_left(console: Page) -> None:
    sidebar = console.locator("#nav-sidebar-inner")
    for shown in (False, True):
        sidebar_switch(console).click()
        expect(sidebar).to_be_visible(visible=shown)
        console.reload()
        started(console)
        expect(sidebar).to_be_visible(visible=shown)


def test_the_theme_is_switched_in_the_menu_and_by_key(console: Page, operator: Person) -> None:
    page = console.locator("html")
    for theme, other in (("Dark", "light"), ("Light", "dark")):
        open_account_menu(console, operator)
        console.get_by_text(theme, exact=True).click()
        expect(page).to_have_class(theme.lower())
        console.reload()
        started(console)
        expect(page).to_have_class(theme.lower())
        console.keyboard.press("Control+e")
        expect(page).to_have_class(other)
    open_account_menu(console, operator)
    console.get_by_text("System", exact=True).click()
    console.emulate_media(color_scheme="light")
    expect(page).to_have_class("")
    click_margin(console)
    expect(console.get_by_text("Log out")).to_be_hidden()


def test_the_command_palette_finds_a_list(console: Page) -> None:
    field = console.get_by_placeholder("Type to search").locator("visible=true")
    console.keyboard.press("Control+k")
    expect(field).to_be_focused()
    field.press_sequentially("conversation")
    found = console.locator("#command-results-list > li")
    expect(found.first).to_be_visible()
    expect(console.locator("#command-results-note")).to_contain_text("result")
    field.press("ArrowDown")
    field.press("ArrowDown")
    field.press("ArrowUp")
    expect(found.first).to_have_class(re.compile("active"))
    found.last.hover()
    expect(found.last).to_have_class(re.compile("active"))
    field.press("Escape")
    expect(field).to_have_value("")
    field.press("Escape")
    expect(field).to_be_hidden()
    console.keyboard.press("Control+k")
    field.press_sequentially("conversation shares")
    expect(found).to_have_count(1)
    field.press("ArrowDown")
    field.press("Enter")
    expect(console).to_have_url(re.compile("/admin/conversations/conversationshare/"))


def test_a_list_is_searched_and_filtered(console: Page) -> None:
    visit(console, "/admin/accounts/user/")
    console.keyboard.press("/")
    expect(console.locator("#searchbar")).to_be_focused()
    click_margin(console)
    filters, button = console.locator("#changelist-filter"), console.get_by_text("Filters", exact=False).first
    button.click()
    expect(filters).to_be_visible()
    console.keyboard.press("Escape")
    expect(filters).to_be_hidden()
    button.click()
    console.locator("#changelist-filter-close").click()
    expect(filters).to_be_hidden()
    button.click()
    filters.get_by_text("Yes").first.click()
    expect(console).to_have_url(re.compile("is_staff__exact=1"))


def test_all_rows_of_several_pages_are_selected(console: Page, alice: Person) -> None:
    for number in range(ON_A_PAGE + 1):
        alice.talk(f"Every page {number}")
    visit(console, "/admin/conversations/conversation/?q=Every page")
    bar, across = console.locator("#changelist-actions-wrapper"), console.locator('input[name="select_across"]')
    expect(bar).to_be_hidden()
    console.locator("#action-toggle").check()
    expect(bar).to_be_visible()
    run = bar.get_by_role("button", name="Run")
    expect(run).to_be_hidden()
    bar.locator('select[name="action"]').select_option(label="Archive")
    expect(run).to_be_visible()
    every = bar.get_by_text(f"Select all {ON_A_PAGE + 1} conversations")
    every.click()
    expect(across).to_have_value("1")
    bar.get_by_text("Clear selection").click()
    expect(across).to_have_value("0")
    expect(bar).to_be_hidden()
    console.locator("#action-toggle").check()
    every.click()
    run.click()
    expect(console.get_by_text(f"{ON_A_PAGE + 1} conversations archived.")).to_be_visible()


def test_a_person_is_changed_in_two_tabs(console: Page, newcomer: Person) -> None:
    visit(console, f"/admin/accounts/user/{newcomer.id}/change/")
    memberships = console.locator('[data-inline-type="tabular"]')
    expect(memberships).to_be_hidden()
    console.locator("#tabs-items").get_by_text("Workspaces").click()
    expect(memberships).to_be_visible()
    expect(console.locator("#id_name")).to_be_hidden()
    form = console.locator("#user_form")
    expect(form).to_have_attribute("action", re.compile(f"/{newcomer.id}/change/#[a-z]+"))
    console.reload()
    started(console)
    expect(memberships).to_be_visible()
    rows = memberships.locator(".form-group:not(.empty-form)")
    before = rows.count()
    memberships.locator(".add-row").click()
    expect(rows).to_have_count(before + 1)
    memberships.locator(".delete-template").locator("visible=true").click()
    expect(rows).to_have_count(before)
    console.locator("#tabs-items").get_by_text("General").click()
    expect(form).to_have_attribute("action", f"/admin/accounts/user/{newcomer.id}/change/")
    console.locator("#id_name").fill("Renamed")
    console.get_by_role("button", name="Save", exact=True).click()
    expect(console.get_by_text("was changed successfully")).to_be_visible()
    started(console)


def test_a_related_row_is_chosen_in_a_window_of_its_own(console: Page, alice: Person) -> None:
    alice.talk("Chosen in a window", ["This very message."])
    visit(console, "/admin/memory/pinnedmemory/add/")
    menu = console.locator("#related-widget-wrapper-conversation")
    console.locator(".field-conversation, .form-row").get_by_text("more_vert").last.click()
    expect(menu).to_be_visible()
    click_margin(console)
    expect(menu).to_be_hidden()
    with console.expect_popup() as opened:
        console.locator("#lookup_id_message").click()
    popup = opened.value
    started(popup)
    with popup.expect_event("close"):
        popup.locator("#result_list tbody th a").first.click()
    expect(console.locator("#id_message")).to_have_value(re.compile("^[0-9a-f-]{36}$"))


def test_a_deletion_is_confirmed_on_a_page_of_its_own(console: Page) -> None:
    visit(console, "/admin/memory/pinnedmemory/")
    console.locator("#result_list tbody th a").first.click()
    started(console)
    console.locator("#submit-row").get_by_role("link", name="Delete").click()
    expect(console.get_by_text("Are you sure")).to_be_visible()
    started(console)


def test_a_password_is_set_on_a_page_of_its_own(console: Page, newcomer: Person) -> None:
    visit(console, f"/admin/accounts/user/{newcomer.id}/password/")
    expect(console.locator("#id_password1")).to_be_visible()


def test_the_sidebar_opens_on_a_phone(console: Page, operator: Person) -> None:
    turn_into_phone(console)
    sidebar = console.locator("#nav-sidebar-inner")
    expect(sidebar).to_be_hidden()
    sidebar_switch(console).click()
    expect(sidebar).to_be_visible()
    open_account_menu(console, operator)
    sidebar.get_by_text("close", exact=True).click()
    expect(sidebar).to_be_hidden()


def test_an_operator_signs_in(stranger: Opener, operator: Person, troubles: Troubles) -> None:
    page = stranger(path=NO_APP)
    watch(page, troubles)
    visit(page, "/admin/")
    page.get_by_text("computer").locator("visible=true").click()
    page.get_by_text("Dark", exact=True).click()
    expect(page.locator("html")).to_have_class("dark")
    page.locator("#id_username").fill(operator.email)
    page.locator("#id_password").fill(operator.password)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()
    started(page)
