from __future__ import annotations

from apps.engine.language.sentences import plain, sentences_of


def _texts(text: str) -> list[str]:
    return [sentence.text for sentence in sentences_of(text)[0]]


def test_abbreviations_and_decimals_do_not_end_a_sentence() -> None:
    assert _texts("Use a queue, e.g. Redis 7.2. It is fast! Is it?") == [
        "Use a queue, e.g. Redis 7.2.",
        "It is fast!",
        "Is it?",
    ]


def test_a_wrapped_line_continues_a_sentence_and_a_capital_starts_one() -> None:
    assert _texts("We keep the\nold table\nThen we go") == ["We keep the old table", "Then we go"]


def test_code_blocks_are_returned_separately_with_the_preceding_sentence() -> None:
    sentences, blocks = sentences_of("Run this now.\n```sh\nmake test. Must!\n```\nDone.")
    assert [sentence.text for sentence in sentences] == ["Run this now.", "Done."]
    assert [(block.text, block.lead) for block in blocks] == [("make test. Must!", "Run this now.")]


def test_an_unclosed_fence_extends_to_the_end() -> None:
    sentences, blocks = sentences_of("Look.\n~~~\nWe must go.\n```\nstill code")
    assert [sentence.text for sentence in sentences] == ["Look."]
    assert blocks[0].text == "We must go.\n```\nstill code"


def test_a_label_applies_to_its_first_sentence_only() -> None:
    sentences = [
        (sentence.text, sentence.heading) for sentence in sentences_of("**Decision:** use Redis. It is fast.")[0]
    ]
    assert sentences == [("use Redis.", "decision"), ("It is fast.", "")]


def test_a_lead_in_is_the_heading_of_its_list() -> None:
    sentences = sentences_of("All good. Requirements:\n- be fast\n- be small\n\nBye.")[0]
    assert [(s.text, s.heading, s.step) for s in sentences] == [
        ("All good.", "", 0),
        ("be fast", "requirements", 1),
        ("be small", "requirements", 2),
        ("Bye.", "", 0),
    ]


def test_checked_items_are_done() -> None:
    assert [sentence.done for sentence in sentences_of("- [x] one\n- [ ] two\n- ~~three~~")[0]] == [True, False, True]


def test_tables_and_rules_are_not_sentences() -> None:
    assert _texts("| a | b |\n|---|---|\n---\ntext") == ["text"]


def test_powers_and_dunders_keep_their_characters() -> None:
    assert plain("**bold** 2**3 __init__") == "bold 2**3 __init__"
