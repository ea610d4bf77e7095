"""Paired clients: seen and revoked by their person and by administrators, and counted by their events."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from apps.accounts.actors import Actor
from apps.accounts.models import PairedClient
from apps.accounts.selectors.keys import api_key_actor
from apps.accounts.services.paired_clients import client_event_record
from apps.common.tenancy import every_workspace, workspace
from apps.memory.models import MemAccess
from tests.accounts.crowd import at_once
from tests.accounts.test_pairing import paired
from tests.people import JsonClient, client_of

pytestmark = pytest.mark.django_db


def listed(actor: Actor) -> list[Any]:
    rows: list[Any] = client_of(actor).get("/api/agents").json()["data"]
    return rows


def actor_of(body: Any) -> Actor:
    actor = api_key_actor(body["key_id"])
    assert actor is not None
    return actor


def record(actor: Actor, name: str, version: str = "", **more: int) -> None:
    with workspace(actor.workspace_id):
        client_event_record(actor, name, version, **more)


class TestTheList:
    def test_a_new_client_has_sent_nothing_yet(self, alice: Actor) -> None:
        body = paired(alice)
        [row] = listed(alice)
        assert (row["key_id"], row["client"], row["name"], row["version"]) == (
            *(body["key_id"], "claude-code", "laptop", "1.2.0"),
        )
        assert (row["last_event_at"], row["last_event"], row["event_count"], row["revoked_at"]) == (None, "", 0, None)

    def test_a_member_sees_their_own_and_an_administrator_all(self, alice: Actor, bob: Actor, charlie: Actor) -> None:
        paired(alice, name="hers")
        paired(bob, name="his")
        paired(charlie, name="elsewhere")
        assert [row["name"] for row in listed(bob)] == ["his"]
        assert [(row["name"], row["user_name"]) for row in listed(alice)] == [("his", "Bob"), ("hers", "Alice")]


class TestEvents:
    def test_events_are_counted_with_the_last_ones_name_and_the_clients_version(self, alice: Actor) -> None:
        actor = actor_of(paired(alice))
        record(actor, "SessionStart", "1.3.0")
        record(actor, "PostToolUse", count=7)
        [row] = listed(alice)
        assert (row["last_event"], row["event_count"], row["version"]) == ("PostToolUse", 8, "1.3.0")
        assert row["last_event_at"] is not None

    def test_people_and_other_keys_are_not_counted(self, alice: Actor, bob: Actor) -> None:
        paired(alice)
        record(alice, "SessionStart")
        record(actor_of(paired(bob)), "Stop")
        assert {row["user_name"]: row["event_count"] for row in listed(alice)} == {"Alice": 0, "Bob": 1}

    def test_one_statement_records_an_event(self, alice: Actor, django_assert_num_queries: Any) -> None:
        actor = actor_of(paired(alice))
        with workspace(alice.workspace_id):
            with django_assert_num_queries(1):
                client_event_record(actor, "Stop", "1.2.0")
            with django_assert_num_queries(0):
                client_event_record(alice, "Stop", "1.2.0")

    def test_names_of_any_length_are_recorded(self, alice: Actor) -> None:
        record(actor_of(paired(alice)), "e" * 500, "v" * 500)
        assert len(listed(alice)[0]["last_event"]) == 60

    def test_names_that_cannot_be_stored_lose_only_those_characters(self, alice: Actor) -> None:
        record(actor_of(paired(alice)), "Stop\0\ud800\n", "1\0.2")
        assert (listed(alice)[0]["last_event"], listed(alice)[0]["version"]) == ("Stop", "1.2")

    @pytest.mark.django_db(transaction=True)
    def test_events_at_once_are_all_counted(self, alice: Actor) -> None:
        actor = actor_of(paired(alice))
        at_once(*[lambda: record(actor, "PostToolUse")] * 6)
        with every_workspace():
            assert PairedClient.objects.get().event_count == 6


class TestRevoking:
    def test_a_revoked_client_is_refused_at_once(self, alice: Actor) -> None:
        body = paired(alice)
        client = JsonClient(headers={"Authorization": f"Bearer {body['api_key']}"})
        assert client.get("/api/agents").status_code == 200
        [row] = listed(alice)
        revoked = client_of(alice).delete(f"/api/agents/{row['id']}")
        assert (revoked.status_code, revoked.json()["revoked_at"] is not None) == (200, True)
        assert client.get("/api/agents").status_code == 401
        again = client_of(alice).delete(f"/api/agents/{row['id']}").json()
        assert again["revoked_at"] == revoked.json()["revoked_at"] == listed(alice)[0]["revoked_at"]

    def test_a_member_cannot_revoke_what_an_administrator_can(self, alice: Actor, bob: Actor) -> None:
        paired(alice, name="hers")
        paired(bob, name="his")
        ids = {row["name"]: row["id"] for row in listed(alice)}
        assert client_of(bob).delete(f"/api/agents/{ids['hers']}").status_code == 404
        assert client_of(alice).delete(f"/api/agents/{ids['his']}").status_code == 200
        assert {row["name"]: row["revoked_at"] is None for row in listed(alice)} == {"hers": True, "his": False}


class TestTesting:
    def test_the_test_measures_what_the_next_session_would_get(self, alice: Actor) -> None:
        paired(alice)
        agent = listed(alice)[0]["id"]
        browser = client_of(alice)
        empty = browser.post(f"/api/agents/{agent}/test").json()
        assert (empty["engine"], empty["bytes"], empty["memories"]) == ("enabled", 0, 0)
        fact = {"uri": "mem://user/profile/communication", "content": "Alice prefers short answers."}
        assert browser.post("/api/memories", fact).status_code == 201
        result = browser.post(f"/api/agents/{agent}/test").json()
        text = browser.get("/api/context/new?format=text&token_budget=4000").content
        assert (result["bytes"], result["memories"]) == (len(text), 1)
        assert result["tokens"] > 0

    def test_user_memory_counts_too(self, alice: Actor) -> None:
        paired(alice)
        browser = client_of(alice)
        for key in ("answers", "tests"):
            browser.post("/api/user-memory", {"type": "preference", "key": key, "content": f"Prefers short {key}."})
        assert browser.post(f"/api/agents/{listed(alice)[0]['id']}/test").json()["memories"] == 2

    def test_the_test_records_no_access(self, alice: Actor) -> None:
        paired(alice)
        browser = client_of(alice)
        browser.post("/api/memories", {"uri": "mem://user/profile/communication", "content": "Prefers short answers."})
        browser.post(f"/api/agents/{listed(alice)[0]['id']}/test")
        with every_workspace():
            assert not MemAccess.objects.exists()
        browser.get("/api/context/new")
        with every_workspace():
            assert MemAccess.objects.exists()

    def test_only_the_person_who_paired_it_tests_it(self, alice: Actor, bob: Actor) -> None:
        paired(bob)
        [row] = listed(alice)
        assert client_of(alice).post(f"/api/agents/{row['id']}/test").status_code == 404
        assert client_of(bob).post(f"/api/agents/{row['id']}/test").status_code == 200
        assert client_of(bob).post(f"/api/agents/{uuid4()}/test").status_code == 404

    def test_the_test_of_a_revoked_client_says_so(self, alice: Actor) -> None:
        paired(alice)
        [row] = listed(alice)
        client_of(alice).delete(f"/api/agents/{row['id']}")
        answer = client_of(alice).post(f"/api/agents/{row['id']}/test")
        assert (answer.status_code, answer.json()["code"]) == (410, "agent_revoked")
