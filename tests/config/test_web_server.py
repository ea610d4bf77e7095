"""The limits of connections, on a real server: requests that do not arrive, answers that nobody reads, proxies."""

from __future__ import annotations

import json
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from config.http_protocol import HEAD_S
from tests.processes import Web, start_web
from tests.stack import TestServers


@pytest.fixture(scope="module")
def web(stack: TestServers) -> Iterator[Web]:
    running = start_web()
    yield running
    running.stop()


def connected(web: Web) -> socket.socket:
    parts = urlsplit(web.url)
    return socket.create_connection((str(parts.hostname), int(parts.port or 80)), timeout=HEAD_S + 30)


def test_a_request_whose_head_does_not_end_is_cut_off(web: Web) -> None:
    with connected(web) as silent, connected(web) as dripping, connected(web) as second:
        began = time.monotonic()
        dripping.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
        second.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        while not second.recv(4096).endswith(b"}"):
            pass
        second.sendall(b"GET /healthz HTTP/1.1\r\n")
        assert [client.recv(1) for client in (silent, dripping, second)] == [b"", b"", b""]
        assert time.monotonic() - began > HEAD_S - 1


@pytest.mark.django_db(transaction=True)
def test_an_address_that_a_client_makes_up_is_not_believed(web: Web) -> None:
    assert statuses_of_guesses(web) == {401, 429}


@pytest.mark.django_db(transaction=True)
def test_the_address_that_a_named_proxy_forwards_is_believed(stack: TestServers) -> None:
    behind_a_proxy = start_web(TRUSTED_PROXIES="127.0.0.1")
    try:
        assert statuses_of_guesses(behind_a_proxy) == {401}
    finally:
        behind_a_proxy.stop()


def statuses_of_guesses(web: Web) -> set[int]:
    """Sign in with wrong passwords, each for another account and with another forwarded address."""
    return {guess(web, number) for number in range(15)}


def guess(web: Web, number: int) -> int:
    body = json.dumps({"email": f"{number}@example.org", "password": "a wrong guess"}).encode()
    headers = {"Content-Type": "application/json", "X-Forwarded-For": f"10.9.0.{number}"}
    request = urllib.request.Request(f"{web.url}/api/sign-in", body, headers)  # noqa: S310 - our own address
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310 - our own address
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code
