"""Invitations: only the invited account can see, accept or decline one, and nothing reveals who has an account."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.models import Invitation, Membership, Role, User, Workspace
from apps.accounts.services import invitations
from apps.accounts.services.members import member_remove, member_update
from apps.common.tenancy import workspace
from apps.common.token_buckets import Rate
from tests.accounts.crowd import at_once
from tests.people import JsonClient, client_of, key_client_of, person

pytestmark = pytest.mark.django_db

CHARLIE = "charlie@example.org"
STEPS = ("preview", "accept", "decline")


@pytest.fixture
def dora(db: None) -> Actor:
    return person("Dora", Workspace.objects.create(name="Dora's"), Role.OWNER)


def invite(actor: Actor, email: str = CHARLIE, role: str = "member") -> Any:
    answer = client_of(actor).post("/api/invitations", {"email": email, "role": role})
    assert answer.status_code == 201, answer.content
    return answer.json()


def session_of(actor: Actor) -> JsonClient:
    """A client whose session alone selects the workspace."""
    client = JsonClient()
    client.force_login(User.objects.get(pk=actor.user_id))
    return client


def take(step: str, actor: Actor, secret: str) -> tuple[int, str]:
    """Take a step with a link; returns the status and the error's code."""
    answer = client_of(actor).post(f"/api/invitations/{step}", {"secret": secret})
    return answer.status_code, answer.json().get("code", "") if answer.content else ""


def pending(actor: Actor) -> list[tuple[str, str]]:
    return [(row["email"], row["role"]) for row in client_of(actor).get("/api/invitations").json()["data"]]


def role_of(actor: Actor, workspace_id: object) -> str | None:
    rows = Membership.objects.filter(user_id=actor.user_id, workspace_id=workspace_id)
    return rows.values_list("role", flat=True).first()


class TestAccepting:
    def test_the_invited_person_sees_who_invites_them_and_joins(self, alice: Actor, charlie: Actor) -> None:
        browser, secret = client_of(charlie), invite(alice, role="curator")["secret"]
        seen = browser.post("/api/invitations/preview", {"secret": secret}).json()
        assert (seen["invited_by"], seen["workspace_name"], seen["role"]) == ("Alice", "Acme", "curator")
        joined = browser.post("/api/invitations/accept", {"secret": secret}).json()
        assert (joined["workspace"]["id"], joined["role"]) == (str(alice.workspace_id), "curator")

    def test_the_session_continues_in_the_new_workspace(self, alice: Actor, charlie: Actor) -> None:
        browser, secret = session_of(charlie), invite(alice)["secret"]
        browser.post("/api/invitations/accept", {"secret": secret})
        assert browser.get("/api/me").json()["workspace"]["name"] == "Acme"

    def test_a_person_without_a_workspace_can_accept(self, alice: Actor, charlie: Actor) -> None:
        Membership.objects.filter(user_id=charlie.user_id).delete()
        browser, secret = session_of(charlie), invite(alice)["secret"]
        assert browser.post("/api/invitations/accept", {"secret": secret}).json()["workspace"]["name"] == "Acme"

    def test_an_address_is_the_same_in_capitals(self, alice: Actor, charlie: Actor) -> None:
        made = invite(alice, "CHARLIE@Example.org")
        assert made["email"] == CHARLIE
        assert take("accept", charlie, made["secret"]) == (200, "")

    def test_an_invitation_works_once(self, alice: Actor, charlie: Actor) -> None:
        secret = invite(alice)["secret"]
        assert take("accept", charlie, secret) == (200, "")
        assert {take(step, charlie, secret) for step in STEPS} == {(410, "invitation_over")}

    def test_declining_ends_it_without_joining(self, alice: Actor, charlie: Actor) -> None:
        secret = invite(alice)["secret"]
        assert take("decline", charlie, secret) == (204, "")
        assert take("accept", charlie, secret) == (410, "invitation_over")
        assert (pending(alice), role_of(charlie, alice.workspace_id)) == ([], None)

    def test_a_person_who_joined_already_keeps_their_role(self, acme: Workspace, alice: Actor, charlie: Actor) -> None:
        secret = invite(alice, role="owner")["secret"]
        person("Charlie", acme, Role.VIEWER)
        assert take("accept", charlie, secret) == (200, "")
        assert role_of(charlie, acme.pk) == "viewer"

    @pytest.mark.django_db(transaction=True)
    def test_two_acceptances_at_once_are_one(self, alice: Actor, charlie: Actor) -> None:
        secret, results = invite(alice)["secret"], list[tuple[int, str]]()

        def accept() -> None:
            results.append(take("accept", charlie, secret))

        at_once(accept, accept)
        assert sorted(results) == [(200, ""), (410, "invitation_over")]


class TestStrangers:
    @pytest.mark.parametrize("step", STEPS)
    def test_a_link_in_other_hands_opens_nothing(self, step: str, alice: Actor, charlie: Actor, dora: Actor) -> None:
        secret = invite(alice)["secret"]
        browser = client_of(dora)
        foreign = browser.post(f"/api/invitations/{step}", {"secret": secret})
        unknown = browser.post(f"/api/invitations/{step}", {"secret": "x" * 43})
        assert foreign.status_code == unknown.status_code == 404
        assert foreign.json()["detail"] == unknown.json()["detail"]
        assert "example.org" not in foreign.content.decode() and "Acme" not in foreign.content.decode()
        assert take("accept", charlie, secret) == (200, "")

    def test_an_ended_invitation_looks_unknown_to_others(self, alice: Actor, charlie: Actor, dora: Actor) -> None:
        secret = invite(alice)["secret"]
        take("accept", charlie, secret)
        assert take("preview", dora, secret) == (404, "invitation_not_found")

    def test_a_key_cannot_accept(self, alice: Actor, charlie: Actor) -> None:
        secret = invite(alice)["secret"]
        answer = key_client_of(charlie).post("/api/invitations/accept", {"secret": secret})
        assert (answer.status_code, answer.json()["code"]) == (403, "session_required")

    @pytest.mark.parametrize("role", [Role.CURATOR, Role.AUDITOR, Role.MEMBER, Role.VIEWER])
    def test_only_administrators_invite(self, role: Role, acme: Workspace, alice: Actor) -> None:
        made, eve = invite(alice), client_of(person("Eve", acme, role))
        answers = [
            eve.get("/api/invitations"),
            eve.post("/api/invitations", {"email": "eve2@example.org"}),
            eve.delete(f"/api/invitations/{made['id']}"),
        ]
        assert {answer.status_code for answer in answers} == {403}
        assert pending(alice) == [(CHARLIE, "member")]

    def test_an_admin_invites_and_revokes_no_owner(self, acme: Workspace, alice: Actor) -> None:
        made, admin = invite(alice, role="owner"), client_of(person("Adam", acme, Role.ADMIN))
        refused = admin.post("/api/invitations", {"email": "dora@example.org", "role": "owner"})
        assert refused.status_code == admin.delete(f"/api/invitations/{made['id']}").status_code == 403
        assert admin.post("/api/invitations", {"email": "dora@example.org", "role": "admin"}).status_code == 201

    def test_an_admin_cannot_replace_the_invitation_of_an_owner(self, acme: Workspace, alice: Actor) -> None:
        invite(alice, role="owner")
        admin = client_of(person("Adam", acme, Role.ADMIN))
        assert admin.post("/api/invitations", {"email": CHARLIE, "role": "viewer"}).status_code == 403
        assert pending(alice) == [(CHARLIE, "owner")]

    def test_trying_secrets_is_limited(self, charlie: Actor, settings: Any) -> None:
        settings.RATE_LIMITS = {**settings.RATE_LIMITS, "invitation": (2, 60)}
        answers = [take("preview", charlie, f"guess-{number}") for number in range(3)]
        assert answers[-1] == (429, "rate_limited")


class TestSecrecy:
    def test_the_answer_is_the_same_with_and_without_an_account(self, alice: Actor, charlie: Actor) -> None:
        known, unknown = invite(alice), invite(alice, "nobody@example.org")
        same = ("role", "invited_by")
        assert set(known) == set(unknown)
        assert [known[name] for name in same] == [unknown[name] for name in same]
        assert len(known["secret"]) == len(unknown["secret"])

    def test_an_inactive_account_looks_like_none(self, alice: Actor, charlie: Actor) -> None:
        User.objects.filter(pk=charlie.user_id).update(is_active=False)
        assert set(invite(alice)) == set(invite(alice, "nobody@example.org"))

    def test_the_secret_is_shown_once_and_not_stored(self, alice: Actor) -> None:
        secret = invite(alice)["secret"]
        assert secret not in client_of(alice).get("/api/invitations").content.decode()
        assert secret not in str(Invitation.objects.values_list()[0])

    def test_a_person_who_signs_up_later_can_accept(self, alice: Actor) -> None:
        secret = invite(alice, "dora@example.org")["secret"]
        newcomer = person("Dora", Workspace.objects.create(name="Dora's"), Role.OWNER)
        assert take("accept", newcomer, secret) == (200, "")


class TestManaging:
    def test_the_list_shows_pending_invitations_of_this_workspace(
        self, alice: Actor, charlie: Actor, dora: Actor
    ) -> None:
        take("accept", charlie, invite(alice)["secret"])
        invite(dora, "bob@example.org")
        first, second = invite(alice, "bob@example.org"), invite(alice, "dora@example.org", "viewer")
        listed = client_of(alice).get("/api/invitations").json()["data"]
        assert listed == [{key: row[key] for key in row if key != "secret"} for row in (second, first)]

    def test_a_revoked_invitation_is_over(self, alice: Actor, charlie: Actor) -> None:
        made = invite(alice)
        assert client_of(alice).delete(f"/api/invitations/{made['id']}").status_code == 204
        assert client_of(alice).delete(f"/api/invitations/{made['id']}").status_code == 404
        assert (take("accept", charlie, made["secret"]), pending(alice)) == ((410, "invitation_over"), [])

    def test_an_invitation_expires_after_seven_days(self, alice: Actor, charlie: Actor) -> None:
        made = invite(alice)
        stored = Invitation.objects.get(pk=made["id"])
        assert stored.expires_at - stored.created_at == pytest.approx(timedelta(days=7), abs=timedelta(minutes=1))
        Invitation.objects.update(expires_at=timezone.now())
        assert (take("accept", charlie, made["secret"]), pending(alice)) == ((410, "invitation_over"), [])

    def test_a_repeated_invitation_replaces_the_first(self, alice: Actor, charlie: Actor) -> None:
        first, second = invite(alice), invite(alice, role="viewer")
        assert pending(alice) == [(CHARLIE, "viewer")]
        assert take("accept", charlie, first["secret"]) == (410, "invitation_over")
        assert take("accept", charlie, second["secret"]) == (200, "")

    def test_an_expired_invitation_can_be_repeated(self, alice: Actor) -> None:
        invite(alice)
        Invitation.objects.update(expires_at=timezone.now())
        invite(alice)
        assert pending(alice) == [(CHARLIE, "member")]

    def test_a_member_cannot_be_invited(self, alice: Actor, bob: Actor) -> None:
        answer = client_of(alice).post("/api/invitations", {"email": "BOB@example.org"})
        assert (answer.status_code, answer.json()["code"]) == (409, "already_member")

    def test_old_invitations_are_forgotten(self, alice: Actor) -> None:
        invite(alice, "old@example.org")
        Invitation.objects.update(expires_at=timezone.now() - timedelta(days=31))
        invite(alice)
        assert [row.email for row in Invitation.objects.all()] == [CHARLIE]

    def test_pending_invitations_have_a_limit(self, alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(invitations, "LARGEST_PENDING", 1)
        invite(alice)
        answer = client_of(alice).post("/api/invitations", {"email": "dora@example.org"})
        assert (answer.status_code, answer.json()["code"]) == (409, "too_many_invitations")
        invite(alice)

    def test_invitations_per_hour_have_a_limit(self, alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(invitations, "_PER_HOUR", Rate("invitations", 1, 3_600))
        invite(alice)
        answer = client_of(alice).post("/api/invitations", {"email": "dora@example.org"})
        assert (answer.status_code, answer.json()["code"]) == (429, "rate_limited")


class TestSenders:
    @pytest.mark.parametrize(("role", "left"), [("admin", ["admin"]), ("member", []), ("owner", ["admin", "owner"])])
    def test_a_changed_role_ends_what_it_could_not_send(
        self, role: str, left: list[str], acme: Workspace, alice: Actor
    ) -> None:
        olga = person("Olga", acme, Role.OWNER)
        invite(olga, role="owner")
        invite(olga, "dora@example.org", "admin")
        with workspace(acme.pk):
            member_update(alice, user_id=olga.user_id, role=role)
        assert sorted(kept for _, kept in pending(alice)) == left

    def test_the_invitations_of_a_removed_member_end(self, acme: Workspace, alice: Actor, charlie: Actor) -> None:
        adam = person("Adam", acme, Role.ADMIN)
        secret = invite(adam)["secret"]
        with workspace(acme.pk):
            member_remove(alice, user_id=adam.user_id)
        assert take("accept", charlie, secret) == (410, "invitation_over")
