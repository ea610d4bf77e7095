"""The SDK's client: each key goes to its own server alone, and another installation gets none."""

from __future__ import annotations

import pytest

from continuity_client.client import Client
from continuity_client.http import ServerError
from tests.client.fake_server import KEY, OTHER_ID, FakeServer
from tests.client.machine import Machine
from tests.client.test_commands import COMMANDS, ME


def test_the_context_of_a_session_is_read_by_the_sdk(server: FakeServer) -> None:
    server.routes["GET /api/context/a%2Fb"] = lambda body, _: (200, {"text": "Known.", **body})

    assert Client(server.url, KEY).context("a/b", max_bytes=500) == {
        "text": "Known.",
        "token_budget": "4000",
        "max_bytes": "500",
        "format": "json",
    }


def test_a_client_for_a_user_names_them_with_every_request(server: FakeServer) -> None:
    server.routes["GET /api/me"] = lambda _, headers: (200, {"named": headers.get("continuity-user")})
    bot = Client(server.url, KEY)
    customer = bot.for_user("客户七")

    assert customer.me()["named"].encode("latin-1").decode() == "客户七"
    assert bot.me()["named"] is None


def test_an_application_keeps_conversations_by_its_own_ids(server: FakeServer) -> None:
    server.routes["POST /api/conversations"] = lambda body, _: (201, {"id": "c-1", **body})
    server.routes["POST /api/conversations/c-1/messages"] = lambda body, _: (201, body)
    server.routes["GET /api/conversations/c-1/context"] = lambda query, _: (200, {"rendered": query["format"]})
    client = Client(server.url, KEY).for_user("priya")

    assert client.conversation("support")["external_id"] == "support"
    assert client.add_messages("c-1", [{"role": "user", "content": "Hi"}])["messages"][0]["content"] == "Hi"
    assert client.pack("c-1", form="anthropic") == {"rendered": "anthropic"}


def test_the_paired_key_is_sent_to_no_other_address(
    paired: Machine, server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONTINUITY_HOME", str(paired.home))
    other = FakeServer()

    with pytest.raises(ServerError, match="no key for"):
        Client(other.url)
    monkeypatch.setenv("CONTINUITY_URL", other.url)
    with pytest.raises(ServerError, match="no key for"):
        Client()
    assert Client(server.url).connection.api_key == KEY
    monkeypatch.setenv("CONTINUITY_API_KEY", "ctk_of_the_other")
    assert Client().connection.api_key == "ctk_of_the_other"
    assert Client(server.url).connection.api_key == KEY
    assert other.requests == []
    other.stop()


@pytest.mark.parametrize("arguments", [*COMMANDS[:-1], ["export"]], ids=" ".join)
def test_no_command_sends_its_key_to_another_installation(
    paired: Machine, server: FakeServer, arguments: list[str]
) -> None:
    server.server_id = OTHER_ID

    done = paired.run(*arguments)

    assert done.returncode == 1 and b"Another server answers" in done.stderr
    assert [path for _, path, _, _ in server.requests] == ["/api/health"]


def test_the_server_is_checked_once_also_if_its_address_is_given(
    paired: Machine, server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONTINUITY_HOME", str(paired.home))
    server.routes["GET /api/me"] = lambda *_: (200, ME)
    client = Client(f"{server.url}/")

    client.me()
    client.me()

    assert server.paths("GET") == ["/api/health", "/api/me", "/api/me"]
