"""Pairing: one key per confirmed code, minted when the client collects it, and nothing for those who guess."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.models import ApiKey, Membership, PairedClient, Pairing, Role, Workspace
from apps.accounts.services import pairings
from apps.accounts.services.pairings import pairing_prune
from apps.common.tenancy import every_workspace
from apps.common.token_buckets import Rate
from tests.accounts.crowd import at_once
from tests.people import JsonClient, client_of, key_client_of, person

pytestmark = pytest.mark.django_db

LAPTOP = {"client": "claude-code", "name": "laptop", "version": "1.2.0"}


def begin(**changes: str) -> Any:
    answer = JsonClient().post("/api/pairings", {**LAPTOP, **changes})
    assert answer.status_code == 201, answer.content
    return answer.json()


def collect(made: Any) -> tuple[int, Any]:
    answer = JsonClient().post("/api/pairings/token", {"device_code": made["device_code"]})
    return answer.status_code, answer.json()


def decide(actor: Actor, code: str, verb: str = "approve") -> tuple[int, str]:
    """Approve or deny, and return the status and the new state or the error's code."""
    answer = client_of(actor).post(f"/api/pairings/{code}/{verb}")
    body = answer.json()
    return answer.status_code, body.get("code") or body["status"]


def paired(actor: Actor, **changes: str) -> Any:
    made = begin(**changes)
    assert decide(actor, made["user_code"]) == (200, "approved")
    status, body = collect(made)
    assert status == 200, body
    return body


class TestTheClient:
    def test_the_codes_say_where_to_confirm_and_how_often_to_poll(self) -> None:
        made = begin()
        assert re.fullmatch(r"[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}", made["user_code"])
        assert made["verification_url"] == f"/pair?code={made['user_code']}"
        assert (made["expires_in"], made["interval"]) == (600, 2)
        assert len(made["device_code"]) >= 43

    def test_it_gets_its_key_once_after_the_approval(self, alice: Actor) -> None:
        made = begin()
        assert collect(made) == (202, {"status": "pending"})
        decide(alice, made["user_code"])
        status, body = collect(made)
        assert (status, body["status"], body["workspace"]["name"], body["user"]["email"]) == (
            *(200, "approved"),
            *("Acme", "alice@example.org"),
        )
        me = JsonClient(headers={"Authorization": f"Bearer {body['api_key']}"}).get("/api/me").json()
        assert (me["user"]["email"], me["scopes"]) == ("alice@example.org", ["read", "write"])
        again, problem = collect(made)
        assert (again, problem["code"]) == (410, "pairing_used")

    def test_no_secret_is_stored(self, alice: Actor) -> None:
        made = begin()
        decide(alice, made["user_code"])
        assert not ApiKey.objects.exists()
        _, body = collect(made)
        stored = f"{Pairing.objects.values()} {ApiKey.objects.values()}"
        assert made["device_code"] not in stored
        assert body["api_key"] not in stored

    def test_a_refusal_ends_it(self, alice: Actor) -> None:
        made = begin()
        assert decide(alice, made["user_code"], "deny") == (200, "denied")
        status, problem = collect(made)
        assert (status, problem["code"]) == (410, "pairing_denied")
        assert not ApiKey.objects.exists()

    def test_an_expired_code_and_an_unknown_one_are_answered_alike(self, alice: Actor) -> None:
        made = begin()
        decide(alice, made["user_code"])
        Pairing.objects.update(expires_at=timezone.now())
        expired, unknown = collect(made), collect({"device_code": "x" * 43})
        assert expired[0] == unknown[0] == 410
        assert expired[1]["code"] == unknown[1]["code"] == "pairing_expired"

    def test_who_left_the_workspace_since_pairs_nothing(self, alice: Actor, bob: Actor) -> None:
        made = begin()
        decide(bob, made["user_code"])
        Membership.objects.filter(user_id=bob.user_id).delete()
        status, problem = collect(made)
        assert (status, problem["code"]) == (410, "pairing_denied")

    @pytest.mark.django_db(transaction=True)
    def test_two_polls_at_once_get_one_key(self, alice: Actor) -> None:
        made, results = begin(), list[int]()
        decide(alice, made["user_code"])

        def poll() -> None:
            results.append(collect(made)[0])

        at_once(poll, poll, poll)
        assert sorted(results) == [200, 410, 410]
        with every_workspace():
            assert (ApiKey.objects.count(), PairedClient.objects.count()) == (1, 1)

    def test_polling_much_too_fast_is_slowed_down(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(pairings, "_POLLS", Rate("pairing_poll", 2, 10))
        made = begin()
        assert [collect(made)[0] for _ in range(3)] == [202, 202, 429]
        assert collect(begin())[0] == 202

    def test_new_pairings_are_limited_by_address(self, settings: Any) -> None:
        settings.RATE_LIMITS = {**settings.RATE_LIMITS, "pairing": (2, 60)}
        assert [JsonClient().post("/api/pairings", LAPTOP).status_code for _ in range(3)] == [201, 201, 429]

    @pytest.mark.parametrize(
        "changes",
        [{"client": "Claude Code"}, {"client": ""}, {"name": "lap\ntop"}, {"name": ""}],
    )
    def test_what_could_disguise_it_is_refused(self, changes: dict[str, str]) -> None:
        answer = JsonClient().post("/api/pairings", {**LAPTOP, **changes})
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid")

    def test_a_page_of_another_site_cannot_begin_one(self) -> None:
        answer = JsonClient().post("/api/pairings", LAPTOP, headers={"Origin": "https://evil.example"})
        assert (answer.status_code, answer.json()["code"]) == (403, "cross_site")


class TestThePerson:
    @pytest.mark.parametrize("written", [str.lower, lambda code: code.replace("-", ""), lambda code: f"{code} "])
    def test_the_code_is_found_however_it_is_typed(self, written: Any, alice: Actor) -> None:
        made = begin()
        seen = client_of(alice).get(f"/api/pairings/{written(made['user_code'])}").json()
        assert (seen["user_code"], seen["client"], seen["name"], seen["version"], seen["status"]) == (
            *(made["user_code"], "claude-code", "laptop", "1.2.0", "pending"),
        )
        assert seen["workspace_name"] == "Acme"

    def test_the_key_is_for_the_workspace_that_the_page_showed(self, alice: Actor) -> None:
        other = person("Alice", Workspace.objects.create(name="Second"), Role.OWNER)
        made = begin()
        assert client_of(other).get(f"/api/pairings/{made['user_code']}").json()["workspace_name"] == "Second"
        decide(other, made["user_code"])
        assert collect(made)[1]["workspace"]["name"] == "Second"

    def test_deciding_twice_is_deciding_once_and_a_denial_is_final(self, alice: Actor) -> None:
        code = begin()["user_code"]
        assert [decide(alice, code), decide(alice, code)] == [(200, "approved")] * 2
        assert [decide(alice, code, "deny"), decide(alice, code, "deny")] == [(200, "denied")] * 2
        assert decide(alice, code) == (410, "pairing_denied")

    def test_a_collected_key_can_no_longer_be_denied(self, alice: Actor) -> None:
        made = begin()
        decide(alice, made["user_code"])
        collect(made)
        assert decide(alice, made["user_code"], "deny") == (410, "pairing_used")
        assert client_of(alice).get(f"/api/pairings/{made['user_code']}").json()["status"] == "used"

    def test_what_one_person_decided_is_unknown_to_others(self, alice: Actor, bob: Actor) -> None:
        code = begin()["user_code"]
        decide(alice, code)
        assert decide(bob, code, "deny") == decide(bob, "BBBB-BBBB", "deny") == (404, "not_found")

    def test_an_expired_code_says_so(self, alice: Actor) -> None:
        code = begin()["user_code"]
        Pairing.objects.update(expires_at=timezone.now())
        answer = client_of(alice).get(f"/api/pairings/{code}")
        assert (answer.status_code, answer.json()["code"]) == (410, "pairing_expired")
        assert decide(alice, code) == (410, "pairing_expired")

    def test_who_may_only_read_pairs_nothing(self, acme: Workspace) -> None:
        assert decide(person("Vera", acme, Role.VIEWER), begin()["user_code"]) == (403, "forbidden")

    def test_a_paired_client_cannot_pair_another(self, alice: Actor) -> None:
        client = JsonClient(headers={"Authorization": f"Bearer {paired(alice)['api_key']}"})
        answer = client.post(f"/api/pairings/{begin()['user_code']}/approve")
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")

    def test_guessing_codes_is_limited_and_right_codes_are_free(
        self, alice: Actor, bob: Actor, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(pairings, "_GUESSES", Rate("pairing_code", 2, 600))
        code = begin()["user_code"]
        assert [decide(alice, code)[0] for _ in range(4)] == [200] * 4
        assert [decide(alice, "BBBB-BBBB")[0] for _ in range(3)] == [404, 404, 429]
        assert decide(bob, "BBBB-BBBB")[0] == 404


class TestUpkeep:
    def test_pairings_are_deleted_an_hour_after_they_expired(self) -> None:
        made, old = begin(), begin()
        Pairing.objects.filter(user_code=old["user_code"].replace("-", "")).update(
            expires_at=timezone.now() - timedelta(minutes=61)
        )
        assert pairing_prune() == 1
        assert [row.user_code for row in Pairing.objects.all()] == [made["user_code"].replace("-", "")]

    def test_the_server_is_the_same_in_every_answer(self, alice: Actor) -> None:
        made = begin()
        decide(alice, made["user_code"])
        assert collect(made)[1]["server_id"] == made["server_id"] == begin()["server_id"]
        assert JsonClient().get("/api/health").json()["server_id"] == made["server_id"]


@pytest.mark.parametrize("scopes", [("admin",), ("admin", "read"), ("admin", "write")])
def test_a_key_approves_no_scope_that_it_lacks(scopes: tuple[str, ...], alice: Actor) -> None:
    made = begin()
    assert key_client_of(alice, *scopes).post(f"/api/pairings/{made['user_code']}/approve").status_code == 403
    assert collect(made)[0] == 202


def test_a_key_with_the_admin_scope_may_approve_as_it_may_create_keys(alice: Actor) -> None:
    code = begin()["user_code"]
    assert key_client_of(alice).post(f"/api/pairings/{code}/approve").status_code == 200
    assert key_client_of(alice, "read", "write").post(f"/api/pairings/{code}/deny").status_code == 403
