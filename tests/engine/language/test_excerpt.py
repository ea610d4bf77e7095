"""Excerpts: short enough, honest about it, and with what tells most."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from apps.engine.language.excerpt import excerpt
from apps.engine.tokens.counting import count_text
from tests.engine.conversations import texts

FILLING = "so it goes on and on\n" * 400


@given(texts, st.integers(0, 800))
def test_an_excerpt_never_takes_more_than_its_limit(content: str, limit: int) -> None:
    assert count_text(excerpt(content, "m1", limit)) <= limit


@given(texts)
def test_what_fits_is_left_alone(content: str) -> None:
    assert excerpt(content, "m1", count_text(content)) == content


@given(texts, st.integers(40, 800))
def test_what_is_cut_says_so_and_names_its_message(content: str, limit: int) -> None:
    shown = excerpt(content, "m17", limit)
    if shown != content:
        assert f"[… {len(content)} characters in all, the rest left out of message m17 …]" in shown


@given(texts, st.integers(0, 800))
def test_the_same_content_gives_the_same_excerpt(content: str, limit: int) -> None:
    assert excerpt(content, "m1", limit) == excerpt(content, "m1", limit)


def test_head_and_tail_stay() -> None:
    shown = excerpt(f"It begins here.\n{FILLING}It ends here.", "m1", 200)
    assert shown.startswith("It begins here.")
    assert shown.endswith("It ends here.")


def test_code_names_numbers_and_errors_stay_from_the_middle_in_their_order() -> None:
    telling = [
        "see src/engine/pack.py there",
        "call pack.build(budget) then",
        "ticket ABC-1234 was closed",
        "set max_goals lower",
        "the newMessage came",
        "it took 42 turns",
        "then an Exception came up",
        "read https://example.org first",
    ]
    shown = excerpt(FILLING + "\n".join(telling) + "\n" + FILLING, "m1", 400)
    middle = [line for line in shown.splitlines() if line in telling]
    assert middle == telling


def test_the_head_ends_at_a_line_where_that_costs_little() -> None:
    head = excerpt(FILLING, "m1", 200).split("\n[…")[0]
    assert all(line in ("", "so it goes on and on") for line in head.split("\n"))


def test_one_endless_line_is_cut_in_a_moment() -> None:
    for piece in ("a", "a.", "a/", "_", "A-", "1,", "é"):
        assert count_text(excerpt(piece * 1_000_000, "m1", 2_000)) <= 2_000
        assert count_text(excerpt((piece * 2_000 + "\n") * 500, "m1", 2_000)) <= 2_000
