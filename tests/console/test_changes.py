"""Changes in the console: counters and versions are updated, and nothing crosses workspaces."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.db.models import Model
from django.forms import BoundField, MultiWidget
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.models import ApiKey, Membership, User, Workspace, WorkspacePolicy
from apps.common.tenancy import every_workspace
from apps.conversations.models import Conversation, ConversationShare, Message
from apps.engine.tokens.counting import count_text
from apps.jobs.models import DueJob, JobState, RunCount
from apps.llm.models import ModelSettings, ProviderKey
from apps.memory.models import PinnedMemory, UserMemory
from tests.console.conftest import Rows
from tests.console.test_pages import url

Answer = Any


def fresh(row: Model) -> Any:
    with every_workspace():
        return type(row)._default_manager.get(pk=row.pk)


def save(console: Client, row: Model, **fields: object) -> Answer:
    """Submit the page's form like a browser, with some fields changed."""
    page = url(type(row), "change", row.pk)
    return console.post(page, {**_shown(console, page), **fields}, follow=True)


def _shown(console: Client, page: str) -> dict[str, object]:
    context = console.get(page).context
    forms = [context["adminform"].form]
    for formset in context["inline_admin_formsets"]:
        forms += [formset.formset.management_form, *formset.formset.forms]
    shown: dict[str, object] = {}
    for form in forms:
        for bound in form:
            shown.update(_filled(bound))
    return shown


def _filled(bound: BoundField) -> dict[str, object]:
    """Return the field's inputs by name: a date with a time has two."""
    value = bound.field.prepare_value(bound.value()) if bound.value() is not None else ""
    widget = bound.field.widget
    if not isinstance(widget, MultiWidget):
        return {bound.html_name: value}
    parts = widget.get_context(bound.html_name, value, {})["widget"]["subwidgets"]
    return {part["name"]: part["value"] or "" for part in parts}


def act(console: Client, action: str, *rows: Model) -> Answer:
    data = {"action": action, "_selected_action": [str(row.pk) for row in rows]}
    return console.post(url(type(rows[0]), "changelist"), data, follow=True)


def errors(response: Answer) -> dict[str, list[str]]:
    return dict(response.context["adminform"].form.errors)


def test_an_edited_pin_is_recounted_and_gets_a_new_version(console: Client, rows: Rows) -> None:
    pin = rows["PinnedMemory"][0]
    save(console, pin, content="Never spend more than 40,000 euros", category="requirement")
    row: PinnedMemory = fresh(pin)
    assert (row.category, row.version, row.token_count) == ("requirement", 2, count_text(row.content))


def test_the_history_of_a_pin_names_fields_and_no_content(console: Client, rows: Rows) -> None:
    save(console, rows["PinnedMemory"][0], content="A very private sentence")
    entry = LogEntry.objects.order_by("-id").first()
    assert entry is not None
    assert entry.object_repr == f"pinned memory {rows['PinnedMemory'][0].pk}"
    assert "Content" in entry.get_change_message() and "private" not in entry.change_message


def test_a_pin_is_added_in_the_workspace_that_was_chosen(console: Client, operator: User, rows: Rows) -> None:
    talk = rows["Conversation"][0]
    data = {"workspace": talk.workspace_id, "conversation": talk.pk, "category": "other", "content": "Ask Bob first"}  # type: ignore[attr-defined]  # a conversation
    console.post(url(PinnedMemory, "add"), data)
    with every_workspace():
        pin = PinnedMemory.objects.get(content="Ask Bob first")
    assert (pin.workspace_id, pin.pinned_by_id, pin.token_count) == (talk.workspace_id, operator.pk, 4)  # type: ignore[attr-defined]  # a conversation


def test_a_pin_cannot_hang_on_another_workspaces_conversation(console: Client, alice: Actor, rows: Rows) -> None:
    data = {"workspace": alice.workspace_id, "conversation": rows["Conversation"][1].pk, "category": "other"}
    response = console.post(url(PinnedMemory, "add"), {**data, "content": "Astray"})
    assert errors(response) == {"conversation": ["This belongs to another workspace."]}


def test_a_memory_is_only_of_a_member(console: Client, alice: Actor, charlie: Actor, rows: Rows) -> None:
    data = {"workspace": alice.workspace_id, "type": "fact", "key": "city", "content": "Porto", "is_active": "on"}
    response = console.post(url(UserMemory, "add"), {**data, "user": charlie.user_id})
    assert errors(response) == {"user": ["This person is not a member of the workspace."]}
    assert console.post(url(UserMemory, "add"), {**data, "user": alice.user_id}).status_code == 302


def test_a_memory_without_a_workspace_is_refused(console: Client, alice: Actor, rows: Rows) -> None:
    data = {"user": alice.user_id, "type": "fact", "key": "city", "content": "Porto"}
    assert "workspace" in errors(console.post(url(UserMemory, "add"), data))


def test_two_memories_of_one_key_are_an_error_of_the_form(console: Client, alice: Actor, rows: Rows) -> None:
    data = {"workspace": alice.workspace_id, "user": alice.user_id, "type": "fact", "key": "azure key", "content": "x"}
    assert console.post(url(UserMemory, "add"), data).status_code == 200


def test_a_switched_off_memory_is_a_new_version(console: Client, rows: Rows) -> None:
    memory = rows["UserMemory"][0]
    save(console, memory, content="Works in Porto now", is_active="")
    row: UserMemory = fresh(memory)
    assert (row.is_active, row.version, row.token_count) == (False, 2, count_text("Works in Porto now"))


def test_a_conversation_is_renamed_archived_and_taken_back(console: Client, rows: Rows) -> None:
    talk = rows["Conversation"][0]
    save(console, talk, title="The budget")
    act(console, "archive", talk)
    row: Conversation = fresh(talk)
    assert (row.title, row.version, row.archived_at is None) == ("The budget", 3, False)
    act(console, "unarchive", talk)
    assert fresh(talk).archived_at is None


@pytest.mark.parametrize(
    ("name", "error"), [("bob", "already"), ("alice", "already owns"), ("charlie", "not a member")]
)
def test_a_share_is_for_another_member_once(
    name: str, error: str, console: Client, rows: Rows, request: pytest.FixtureRequest
) -> None:
    person: Actor = request.getfixturevalue(name)
    added = {"shares-TOTAL_FORMS": "2", "shares-1-user": person.user_id, "shares-1-access": "read"}
    response = save(console, rows["Conversation"][0], **added)
    assert error in str(response.context["inline_admin_formsets"][0].formset.errors)


def test_a_share_is_the_conversations_workspaces(console: Client, rows: Rows, bob: Actor) -> None:
    held = rows["ConversationShare"][0]
    talk = rows["Conversation"][0]
    save(console, talk, **{"shares-0-DELETE": "on"})
    with every_workspace():
        assert not ConversationShare.objects.filter(pk=held.pk).exists()
    save(console, talk, **{"shares-TOTAL_FORMS": "1", "shares-0-user": bob.user_id, "shares-0-access": "write"})
    with every_workspace():
        assert ConversationShare.objects.get(user_id=bob.user_id).workspace_id == bob.workspace_id


def test_messages_cannot_be_edited(console: Client, rows: Rows) -> None:
    message = rows["Message"][0]
    assert console.post(url(Message, "change", message.pk), {"content": "something else"}).status_code == 403


@pytest.mark.parametrize("name", ["OperatorAccess", "LogEntry", "Operation", "Schedule", "CompactionRun", "DueJob"])
def test_records_are_read_only(name: str, console: Client, rows: Rows) -> None:
    row = rows[name][0]
    for page in ("change", "delete"):
        assert console.post(url(type(row), page, row.pk), {"post": "yes"}).status_code == 403
    act(console, "delete_selected", row)
    assert fresh(row).pk == row.pk


def test_a_key_is_revoked_and_stays_on_record(console: Client, rows: Rows) -> None:
    key = rows["ApiKey"][0]
    assert "1 key revoked." in act(console, "revoke", key).content.decode()
    revoked = fresh(key).revoked_at
    assert revoked is not None and revoked <= timezone.now()
    act(console, "revoke", key)
    assert fresh(key).revoked_at == revoked
    assert console.post(url(ApiKey, "delete", key.pk), {"post": "yes"}).status_code == 403


def test_a_job_that_failed_is_run_again_and_a_running_one_is_left_alone(console: Client, rows: Rows) -> None:
    dead, running = rows["DueJob"]
    lease = {"lease_token": running.pk, "lease_until": timezone.now() + timedelta(minutes=1)}
    DueJob.objects.filter(pk=running.pk).update(state=JobState.DUE, attempts=2, **lease)
    assert "Running 1 job. 1 job already running." in act(console, "run_now", dead, running).content.decode()
    retried: DueJob = fresh(dead)
    assert (retried.state, retried.attempts) == (JobState.DUE, 0)
    assert retried.due_at <= timezone.now()
    assert fresh(running).attempts == 2


def test_the_list_of_jobs_shows_backlog_rate_and_problem_of_each_kind(console: Client, rows: Rows) -> None:
    DueJob.objects.filter(pk=rows["DueJob"][1].pk).update(state=JobState.DUE, kind="memory_vectors", waiting=4_321)
    RunCount.objects.create(kind="memory_vectors", at=timezone.now(), done=1_000)
    page = console.get(url(DueJob, "changelist")).content.decode()
    assert "<td>4,321</td>" in page and "<td>200</td>" in page
    assert "1 failed after all attempts" in page


@pytest.mark.parametrize(
    ("overrides", "says"),
    [
        ('{"no_such": 1}', "is not a policy constant"),
        ('{"recent_message_count": "many"}', "must be a whole number"),
        ('{"light_compaction_threshold": 90000}', "ascending order"),
        ("[1]", "must be a JSON object"),
        ("{", "valid JSON"),
    ],
)
def test_a_policy_that_cannot_hold_is_an_error_of_the_form(
    overrides: str, says: str, console: Client, rows: Rows
) -> None:
    policy = rows["WorkspacePolicy"][0]
    assert says in str(errors(save(console, policy, overrides=overrides)))
    assert fresh(policy).version == 1


def test_a_valid_policy_becomes_a_new_version(console: Client, rows: Rows) -> None:
    policy = rows["WorkspacePolicy"][0]
    save(console, policy, overrides='{"recent_message_count": 25}')
    row: WorkspacePolicy = fresh(policy)
    assert (row.overrides, row.version) == ({"recent_message_count": 25}, 2)
    save(console, policy, overrides="{}")
    assert fresh(policy).overrides == {}


def test_a_workspace_gets_members_and_a_policy_on_its_page(console: Client, bob: Actor, charlie: Actor) -> None:
    console.post(url(Workspace, "add"), {"name": "New", **_empty("memberships"), **_empty("workspacepolicy")})
    new = Workspace.objects.get(name="New")
    member = {"memberships-TOTAL_FORMS": "1", "memberships-0-user": charlie.user_id, "memberships-0-role": "curator"}
    policy = {"workspacepolicy-TOTAL_FORMS": "1", "workspacepolicy-0-overrides": '{"auto_compact": false}'}
    save(console, new, **member, **policy)
    assert Membership.objects.get(workspace=new).role == "curator"
    with every_workspace():
        assert WorkspacePolicy.objects.get(workspace=new).overrides == {"auto_compact": False}


def _empty(prefix: str) -> dict[str, str]:
    return {f"{prefix}-TOTAL_FORMS": "0", f"{prefix}-INITIAL_FORMS": "0"}


def test_a_person_is_added_and_signs_in_with_a_changed_password(console: Client, client: Client) -> None:
    data = {"email": "Nora@Example.org", "name": "Nora", "usable_password": "true", **_empty("memberships")}
    secret = {"password1": "a long enough secret", "password2": "a long enough secret"}
    console.post(url(User, "add"), {**data, **secret})
    nora = User.objects.get(email="nora@example.org")
    assert nora.check_password("a long enough secret") and not nora.is_staff
    page = reverse("admin:auth_user_password_change", args=[nora.pk])
    assert console.get(page).status_code == 200
    console.post(page, {"usable_password": "true", "password1": "quite another one", "password2": "quite another one"})
    User.objects.filter(pk=nora.pk).update(is_staff=True)
    answer = client.post(reverse("admin:login"), {"username": "NORA@example.org", "password": "quite another one"})
    assert answer.status_code == 302


def test_the_sign_in_page_refuses_a_wrong_password_and_a_member(client: Client, alice: Actor) -> None:
    for data in (("olga@example.org", "wrong"), ("alice@example.org", "correct horse battery")):
        answer = client.post(reverse("admin:login"), {"username": data[0], "password": data[1]})
        assert answer.status_code == 200 and answer.context["form"].errors


def test_an_operator_does_not_make_themselves_stronger(client: Client, operator: User, rows: Rows) -> None:
    staff = User.objects.create_user("stan@example.org", "correct horse battery", is_staff=True)
    from_all = _permissions("view_user", "change_user", "add_membership", "change_membership", "view_membership")
    staff.user_permissions.set(from_all)
    client.force_login(staff)
    save(client, staff, is_superuser="on", name="Stan")
    held: User = fresh(staff)
    assert (held.name, held.is_superuser) == ("Stan", False)
    assert client.get(reverse("admin:auth_user_password_change", args=[operator.pk])).status_code == 403


def _permissions(*codes: str) -> Any:
    permission = User._meta.get_field("user_permissions").related_model
    return permission.objects.filter(codename__in=codes)  # type: ignore[union-attr]  # a model of Django's


def test_a_failed_change_leaves_the_access_on_record_and_nothing_else(
    console: Client, operator: User, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(text: str) -> int:
        raise RuntimeError("the tokens cannot be counted")

    monkeypatch.setattr("apps.memory.admin.pins.count_text", broken)
    pin = rows["PinnedMemory"][0]
    with pytest.raises(RuntimeError):
        save(console, pin, content="Half written")
    assert fresh(pin).content == "azure pin"
    page = url(PinnedMemory, "change", pin.pk)
    with every_workspace():
        found = type(rows["OperatorAccess"][0])._default_manager.filter(reason=f"console: POST {page}")
        assert found.count() == 1


def test_only_an_operator_allows_the_server_s_own_programs(console: Client, rows: Rows) -> None:
    held = rows["ModelSettings"][0]
    save(console, held, local_allowed="on", backend="ollama")
    row: ModelSettings = fresh(held)
    assert (row.local_allowed, row.version, row.backend) == (True, 2, "anthropic")


def test_a_key_for_a_provider_is_taken_away_and_nothing_else(console: Client, rows: Rows) -> None:
    held = rows["ProviderKey"][0]
    assert console.post(url(ProviderKey, "change", held.pk), {"last_four": "0000"}).status_code == 403
    console.post(url(ProviderKey, "delete", held.pk), {"post": "yes"})
    with every_workspace():
        assert [row.pk for row in ProviderKey.objects.all()] == [rows["ProviderKey"][1].pk]
