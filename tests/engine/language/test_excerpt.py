"""Excerpts of long messages: their limit, their notice and the lines that they preserve."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from apps.engine.language.excerpt import excerpt
from apps.engine.tokens.estimate import estimate_text
from tests.engine.conversations import texts

FILLING = "so it goes on and on\n" * 400


@given(texts, st.integers(0, 800))
def test_an_excerpt_never_exceeds_its_limit(content: str, limit: int) -> None:
    assert estimate_text(excerpt(content, "m1", limit)) <= limit


@given(texts)
def test_content_that_fits_is_unchanged(content: str) -> None:
    assert excerpt(content, "m1", estimate_text(content)) == content


@given(texts, st.integers(40, 800))
def test_an_excerpt_states_the_omission_and_names_its_message(content: str, limit: int) -> None:
    shown = excerpt(content, "m17", limit)
    if shown != content:
        assert f"[… {len(content)} characters in all, the rest left out of message m17 …]" in shown


@given(texts, st.integers(0, 800))
def test_an_excerpt_is_deterministic(content: str, limit: int) -> None:
    assert excerpt(content, "m1", limit) == excerpt(content, "m1", limit)


def test_head_and_tail_are_preserved() -> None:
    shown = excerpt(f"It begins here.\n{FILLING}It ends here.", "m1", 200)
    assert shown.startswith("It begins here.")
    assert shown.endswith("It ends here.")


def test_code_names_numbers_and_errors_in_the_middle_are_preserved_in_order() -> None:
    informative = [
        "see src/engine/pack.py there",
        "call pack.build(budget) then",
        "ticket ABC-1234 was closed",
        "set max_goals lower",
        "the newMessage came",
        "it took 42 turns",
        "then an Exception came up",
        "read https://example.org first",
    ]
    shown = excerpt(FILLING + "\n".join(informative) + "\n" + FILLING, "m1", 400)
    middle = [line for line in shown.splitlines() if line in informative]
    assert middle == informative


def test_the_head_ends_at_a_line_break_if_one_is_near() -> None:
    head = excerpt(FILLING, "m1", 200).split("\n[…")[0]
    assert all(line in ("", "so it goes on and on") for line in head.split("\n"))


def test_very_long_lines_are_cut_to_the_limit() -> None:
    for piece in ("a", "a.", "a/", "_", "A-", "1,", "é"):
        assert estimate_text(excerpt(piece * 1_000_000, "m1", 2_000)) <= 2_000
        assert estimate_text(excerpt((piece * 2_000 + "\n") * 500, "m1", 2_000)) <= 2_000
