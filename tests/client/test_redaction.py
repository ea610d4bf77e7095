"""Secrets and private parts: none of them is in the spool, whatever carries them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.extraction.own_words import without_private as of_the_server
from continuity_client.hook.redaction import redacted, redacted_event, without_private
from continuity_client.hook.shortening import short_forms
from tests.client.events import spool_only, tool
from tests.client.fake_server import FakeServer
from tests.client.machine import Machine
from tests.common.secrets.samples import CARRIERS, samples, telling_piece
from tests.common.secrets.test_redaction import SENTENCES
from tests.linear_time.timing import LARGER, is_linear

_RECALL = 0.95
KEY_LINES = "\n".join(["MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDK"] * 20)
PRIVATE_KEY = f"-----BEGIN PRIVATE KEY-----\n{KEY_LINES}\n-----END PRIVATE KEY-----"


@pytest.mark.parametrize("carrier", ["text", "json", "tool_output"])
def test_nearly_every_secret_of_every_kind_is_removed(carrier: str) -> None:
    seen, hidden = Counter[str](), Counter[str]()
    for sample in samples():
        seen[sample.kind] += 1
        hidden[sample.kind] += all(telling_piece(sample) not in redacted(text) for text in CARRIERS[carrier](sample))

    assert hidden.total() / seen.total() >= _RECALL, {kind: hidden[kind] / seen[kind] for kind in seen}
    assert not [kind for kind in seen if hidden[kind] == 0]


def test_ordinary_sentences_stay_as_they_are() -> None:
    assert [sentence for sentence in SENTENCES if redacted(sentence) != sentence] == []


def test_a_private_part_is_removed_from_every_text_of_an_event() -> None:
    event = {"prompt": "Call <private>Sam, 555</private> now", "tool_input": [{"deep": "a <PRIVATE>b"}]}

    assert redacted_event(event) == {"prompt": "Call [private] now", "tool_input": [{"deep": "a [private]"}]}


@pytest.mark.parametrize(
    "name", ["password", "DB_PASSWORD", "api-key", "client_secret", "Authorization", "accessToken"]
)
def test_the_value_of_a_key_that_names_a_secret_is_removed(name: str) -> None:
    assert redacted_event({"headers": {name: "correct horse"}})["headers"][name] == "[redacted:password]"


def test_ids_and_addresses_stay_as_they_are() -> None:
    event = {"tool_use_id": "toolu_01A2b3C4d5E6f7G8h9", "cwd": "/home/alice/aB3dE5gH7jK9mN1pQ3sT", "model": "m-1"}

    assert redacted_event(event) == event


def test_a_secret_in_an_id_is_removed() -> None:
    assert redacted_event({"message_id": "AKIAIOSFODNN7EXAMPLE"}) == {"message_id": "[redacted:aws-key]"}


@pytest.mark.parametrize("before", [0, 149_500, 150_000, 175_000, 199_000, 400_000])
def test_no_part_of_a_key_survives_the_cut_of_a_long_text(before: int) -> None:
    text = "words " * (before // 6) + f"\n{PRIVATE_KEY}\n" + "words " * 40_000

    assert "MIIEvQIBADAN" not in redacted(text)


@pytest.mark.parametrize(
    "text",
    [
        "A" * 200_000 + "-----END PRIVATE KEY-----",
        ("A" * 76 + "\n") * 2_600 + "private key -----END PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----" * 7_000,
        "<private" * 25_000 + ">",
        "password is " * 17_000,
        "token for a b c d " * 11_000,
        "://a:" * 40_000 + "@",
        "1234567890:A" * 16_000,
    ],
    ids=[*"abcdefgh"],
)
def test_a_text_that_is_made_to_take_long_takes_linear_time(text: str) -> None:
    assert is_linear(redacted, text[: len(text) // LARGER], text)


def test_a_private_part_does_not_survive_the_cut_of_a_long_text() -> None:
    text = "<private>" + "secret words " * 30_000

    assert "secret" not in redacted(text)


def test_the_spool_has_no_secret(paired: Machine, server: FakeServer) -> None:
    command = "curl -H 'Authorization: Bearer abcdefghij0123456789XYZ' <private>inner</private>"
    spool_only(paired, {**tool(1), "tool_input": {"command": command, "env": {"TOKEN": "open sesame"}}})

    stored = paired.spooled[0].read_text()
    assert "0123456789XYZ" not in stored and "inner" not in stored and "sesame" not in stored
    paired.run("flush")
    assert "[redacted:" in json.dumps(server.events)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=20,
)


@given(_JSON)
def test_any_event_can_be_redacted_and_stored(value: object) -> None:
    assert json.dumps(redacted_event(value))


def test_a_private_part_over_several_blocks_is_removed_from_each() -> None:
    blocks = [{"type": "text", "text": text} for text in ("a <private>b", "c", "d</private> e")]
    assert redacted_event({"content": [blocks[0], {"type": "image"}, *blocks[1:]]}) == {
        "content": [
            {"type": "text", "text": "a [private]"},
            {"type": "image"},
            {"type": "text", "text": ""},
            {"type": "text", "text": " e"},
        ]
    }


@pytest.mark.parametrize("wrap", [str, lambda text: {"type": "text", "text": text}])
def test_a_tag_in_a_text_that_is_cut_belongs_to_those_in_other_texts(wrap: Callable[[str], Any]) -> None:
    items = [wrap(f"{'a ' * 150_000}<private>{'b ' * 150_000}"), wrap("quicksilver"), wrap("c</private> d")]
    for short in map(redacted_event, short_forms({"lines": items})):
        assert "quicksilver" not in str(short) and "b b" not in str(short)


@given(st.text(alphabet="<>/private x\n"))
def test_private_parts_are_those_that_the_server_knows(text: str) -> None:
    assert without_private(text) == of_the_server(text, "[private]")


def patch_of(*lines: str) -> dict[str, object]:
    """The result of an edit, as Claude Code reports it."""
    hunk = {"oldStart": 1, "oldLines": 0, "newStart": 1, "newLines": len(lines), "lines": list(lines)}
    return {"tool_response": {"filePath": "/work/app/.env", "structuredPatch": [hunk]}}


def lines_in(event: dict[str, object]) -> list[str]:
    redacted_lines: list[str] = redacted_event(event)["tool_response"]["structuredPatch"][0]["lines"]
    return redacted_lines


@pytest.mark.parametrize("sign", ["+", "-", " "])
def test_no_part_of_a_key_survives_in_the_lines_of_a_patch(sign: str) -> None:
    key = [f"{sign}{line}" for line in PRIVATE_KEY.splitlines()]

    for lines in (key, key[5:], key[:5]):
        cleaned = lines_in(patch_of(" before", *lines, " after -----"))
        assert "MIIEvQIBADAN" not in json.dumps(cleaned)
        assert len(cleaned) == len(lines) + 2
        assert cleaned[0] == " before" and cleaned[-1].endswith("-----")


def test_a_private_part_is_removed_from_the_lines_of_a_patch() -> None:
    cleaned = lines_in(patch_of("+a", "+<private>", "+the name\nof Sam", "+</private>", "+b", "+<private>c", "+d"))

    assert cleaned == ["+a", "+[private]", "", "", "+b", "+[private]", ""]


def test_the_items_of_a_list_that_are_no_texts_stay_in_their_places() -> None:
    assert redacted_event([1, "<private>a", {"b": "c"}, "d</private>e", None]) == [
        1,
        "[private]",
        {"b": "c"},
        "e",
        None,
    ]


@given(st.lists(st.text(alphabet="<>/private x\n\x00+-") | st.none() | st.just("-----END PRIVATE KEY-----")))
def test_a_list_keeps_the_number_of_its_items(items: list[str | None]) -> None:
    assert [item is None for item in redacted_event(items)] == [item is None for item in items]


def test_two_keys_of_which_one_lacks_its_beginning_are_both_removed() -> None:
    assert "MIIEvQIBADAN" not in redacted(f"{KEY_LINES}\n-----END PRIVATE KEY-----\nand\n{PRIVATE_KEY}")
