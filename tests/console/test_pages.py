"""Every page of the console opens, only for operators, with rows of all workspaces, and is recorded."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Group, Permission
from django.db import connection
from django.db.models import Model
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.models import OperatorAccess, User
from apps.common.tenancy import every_workspace
from apps.jobs.models import DueJob, JobState
from apps.llm.models import ProviderKey
from tests.console.conftest import Rows, olga
from tests.console.rows import DIGEST, SECRET
from tests.shared_data import rolled_back

_INLINE = re.compile(
    r"""<script(?![^>]*\bsrc=)(?![^>]*application/json)[^>]*>|<[a-z][^>]*\son[a-z]+=["']""", re.IGNORECASE
)
_EXPRESSION = re.compile(r"""\s(?:x-|@|:)[\w:.-]+="([^"]+)\"""")
_STRING = re.compile(r"""'[^']*'|"[^"]*\"""")
_NOT_PARSED = re.compile(
    r"=>|`|;\s*\S|\.\.\.|\?\.|\?\?|[-+*/]=|\b(if|for|function|typeof|new|await|localStorage|sessionStorage|document)\b"
)
OURS = [model for model in apps.get_models() if model.__module__.startswith("apps.")]
REGISTERED = list(admin.site._registry)


def url(model: type[Model], page: str, *args: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


@pytest.mark.parametrize("model", OURS, ids=lambda model: model._meta.label)
def test_every_table_has_its_pages(model: type[Model]) -> None:
    assert model in admin.site._registry


def test_there_are_no_unexpected_pages() -> None:
    assert {model._meta.label for model in REGISTERED if model not in OURS} == {"auth.Group", "admin.LogEntry"}


@pytest.fixture(scope="module")
def opened(shared_rows: Rows) -> dict[str, Any]:
    """Every list and the page of every row, opened once by the operator: a response for each address."""
    lists = [url(model, "changelist") for model in REGISTERED]
    pages = [url(model, "change", row.pk) for model in REGISTERED for row in shared_rows[model.__name__]]
    # The record of so much access would fill the list of it.
    with rolled_back():
        client = Client()
        client.force_login(olga())
        return {page: client.get(page) for page in (*lists, *pages)}


@pytest.mark.slow("it opens every list")
def test_lists_show_the_rows_of_all_workspaces(console: Client, rows: Rows) -> None:
    for model in REGISTERED:
        response = console.get(url(model, "changelist"))
        assert response.status_code == 200, model
        page = response.content.decode()
        for row in rows[model.__name__]:
            assert url(model, "change", row.pk) in page, model


def test_the_first_column_links_to_the_row_itself(rows: Rows) -> None:
    for model in REGISTERED:
        admin_of = admin.site._registry[model]
        first = admin_of.list_display[0]
        column = getattr(admin_of, str(first), None)
        for row in rows[model.__name__]:
            with every_workspace():
                text = column(row) if callable(column) else getattr(row, str(first))
            assert str(text) and "<a" not in str(text), model


@pytest.mark.slow("it opens every page")
def test_the_rows_of_any_workspace_open(console: Client, opened: dict[str, Any], rows: Rows) -> None:
    for model in REGISTERED:
        for row in rows[model.__name__]:
            assert opened[url(model, "change", row.pk)].status_code == 200, model
        assert console.get(url(model, "history", rows[model.__name__][0].pk)).status_code == 200, model


def test_a_form_to_add_opens_where_an_operator_may_add(console: Client, operator: User, rows: Rows) -> None:
    request = RequestFactory().get("/")
    request.user = operator
    for model in REGISTERED:
        allowed = admin.site._registry[model].has_add_permission(request)
        assert console.get(url(model, "add")).status_code == (200 if allowed else 403), model


def test_no_page_has_a_script_or_a_handler_in_the_document(opened: dict[str, Any]) -> None:
    """The content policy of the console would not run it."""
    for page, response in opened.items():
        assert _INLINE.findall(response.content.decode()) == [], page
        policy = dict(part.strip().split(" ", 1) for part in response["Content-Security-Policy"].split(";"))
        assert policy["script-src"] == "'self'"


def test_no_page_has_an_expression_that_would_have_to_be_evaluated(opened: dict[str, Any]) -> None:
    """Alpine's build for this content policy parses single expressions, and knows none of the browser's names."""
    for page, response in opened.items():
        expressions = {unescape(found) for found in _EXPRESSION.findall(response.content.decode())}
        assert len(expressions) > 30, page
        assert {text for text in expressions if _NOT_PARSED.search(_STRING.sub("''", text))} == set(), page


@pytest.mark.slow("it searches every table")
def test_a_search_finds_a_row_by_its_id_and_survives_any_word(console: Client, rows: Rows) -> None:
    for model in REGISTERED:
        first = rows[model.__name__][0]
        for word in ("no such thing", "%_'\"\\", "ﷺ" * 50):
            assert console.get(url(model, "changelist"), {"q": word}).status_code == 200, (model, word)
        by_id = console.get(url(model, "changelist"), {"q": first.pk})
        assert by_id.status_code == 200, model
        if model not in (Group, admin.models.LogEntry):
            assert url(model, "change", first.pk) in by_id.content.decode(), model


@pytest.mark.slow("it opens every list twice")
def test_a_list_runs_as_many_queries_for_many_rows_as_for_few(console: Client, rows: Rows) -> None:
    for model in REGISTERED:
        list_page, ids = url(model, "changelist"), "pk__in" if model is Group else "id__in"
        console.get(list_page)  # content types are read once a process
        one, several = rows[model.__name__][0], rows[model.__name__]
        with CaptureQueriesContext(connection) as few:
            console.get(list_page, {ids: one.pk})
        with CaptureQueriesContext(connection) as many:
            console.get(list_page, {ids: ",".join(str(row.pk) for row in several)})
        assert len(many) <= len(few), model


def test_who_is_not_signed_in_is_sent_to_the_sign_in_page(client: Client, rows: Rows) -> None:
    for model in REGISTERED:
        response = client.get(url(model, "changelist"))
        assert (response.status_code, response["Location"].split("?")[0]) == (302, reverse("admin:login"))
    assert client.get(reverse("admin:login")).status_code == 200


def test_members_and_owners_of_a_workspace_have_no_way_in(alice: Actor, client: Client, rows: Rows) -> None:
    client.force_login(User.objects.get(pk=alice.user_id))
    before = OperatorAccess.objects.count()
    for model in REGISTERED:
        pages = [url(model, "changelist"), url(model, "add"), url(model, "change", rows[model.__name__][0].pk)]
        assert [client.get(page).status_code for page in pages] == [302, 302, 302]
    assert client.get(reverse("admin:index")).status_code == 302
    assert OperatorAccess.objects.count() == before


def test_every_page_leaves_who_and_why(console: Client, operator: User, rows: Rows) -> None:
    for page in (reverse("admin:index"), url(User, "changelist"), url(User, "change", operator.pk)):
        console.get(page, {"q": "a secret word"})
        newest = OperatorAccess.objects.order_by("-created_at").first()
        assert newest is not None
        assert (newest.user_id, newest.reason) == (operator.pk, f"console: GET {page}")


def test_the_script_texts_and_signing_out_are_nobodys_rows(console: Client, rows: Rows) -> None:
    before = OperatorAccess.objects.count()
    assert console.get(reverse("admin:jsi18n")).status_code == 200
    assert console.post(reverse("admin:logout")).status_code in (200, 302)
    assert OperatorAccess.objects.count() == before


@pytest.mark.slow("it opens every page")
def test_the_digest_of_a_key_is_on_no_page(opened: dict[str, Any], rows: Rows) -> None:
    assert {url(type(row), "change", row.pk) for held in rows.values() for row in held} <= set(opened)
    assert not [page for page, response in opened.items() if DIGEST in response.content.decode()]


def test_no_page_opens_a_key_for_a_provider(console: Client, rows: Rows) -> None:
    held = rows["ProviderKey"][0]
    pages = [url(ProviderKey, "changelist"), url(ProviderKey, "change", held.pk), url(ProviderKey, "delete", held.pk)]
    shown = [console.get(page).content.decode() for page in pages]
    assert "…f00d" in shown[0] and "…f00d" in shown[1]
    assert not [text for text in shown if SECRET in text or bytes(held.encrypted_key).decode() in text]  # type: ignore[attr-defined]  # a key


@pytest.mark.slow("it follows every link")
def test_the_links_of_every_page_lead_somewhere(console: Client, opened: dict[str, Any], rows: Rows) -> None:
    pages = [console.get(reverse("admin:index"))]
    pages += [opened[url(type(held[0]), "change", held[0].pk)] for held in rows.values()]
    links = {
        link.replace("&amp;", "&")
        for page in pages
        for link in re.findall(r'class="console-(?:link|card)[^"]*" href="([^"]+)"', page.content.decode())
    }
    assert len(links) > 30
    answers = {link: opened.get(link) or console.get(link) for link in links}
    # A filter that the list does not know is answered with a redirect to the list without it.
    assert {link: answer.status_code for link, answer in answers.items() if answer.status_code != 200} == {}


def test_the_first_page_counts_what_needs_a_look(console: Client, rows: Rows) -> None:
    # The jobs that the rows requested are due a second later.
    DueJob.objects.filter(state=JobState.DUE).update(due_at=timezone.now() + timedelta(days=1))
    text = re.sub(r"<[^>]+>|\s+", " ", console.get(reverse("admin:index")).content.decode())
    squeezed = re.sub(r" +", " ", text)
    for words in (
        "Failed jobs 2",
        "Failed compactions 2",
        "Workspaces 2",
        "Messages today 4",
        "Oldest due job none",
    ):
        assert words in squeezed


@pytest.mark.slow("it opens every page")
def test_an_operator_with_the_right_to_read_changes_nothing(client: Client, rows: Rows) -> None:
    reader = User.objects.create_user("rita@example.org", "correct horse battery", is_staff=True)
    reader.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    client.force_login(reader)
    for model in REGISTERED:
        page = url(model, "change", rows[model.__name__][0].pk)
        assert client.get(page).status_code == 200
        assert client.post(page, {"email": "x@example.org", "name": "x"}).status_code == 403


def test_an_operator_without_permissions_gets_a_message(client: Client, rows: Rows) -> None:
    client.force_login(User.objects.create_user("otto@example.org", "correct horse battery", is_staff=True))
    assert "no permissions yet" in client.get(reverse("admin:index")).content.decode()
    refused = client.get(url(User, "changelist"))
    assert refused.status_code == 403
    assert refused["Content-Type"].startswith("text/html")


def test_the_suggestions_of_a_field_name_rows_as_people_do(console: Client, rows: Rows) -> None:
    asked = {"app_label": "memory", "model_name": "pinnedmemory", "field_name": "conversation", "term": "azure"}
    found = console.get(reverse("admin:autocomplete"), asked).json()["results"]
    assert [result["text"] for result in found] == ["azure talk"]
