"""Abstract and overview: their limits, and no text that is not in the content."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from apps.engine.language.similarity import words
from apps.engine.language.truncation import FENCE
from apps.engine.memory.tiers import ABSTRACT_TOKENS, OVERVIEW_TOKENS, abstract, cut_at_heading, overview
from apps.engine.tokens.counting import count_text
from apps.engine.tokens.estimate import estimate_text

# Numbered, so that every line is unique and can be searched for.
prose = st.integers(0, 999).map(
    lambda n: f"Fact {n} is that service{n} answers on port {n}. It was said twice. And so on.\n\n"
)
headings = st.builds(lambda level, n: "#" * level + f" Heading {n}\n\n", st.integers(1, 4), st.integers(0, 999))
lists = st.integers(1, 30).map(lambda count: "".join(f"- item {n} of {count}\n" for n in range(count)) + "\n")
code = st.integers(1, 400).map(
    lambda count: FENCE + "py\n" + "".join(f"# x{n}\n" for n in range(count)) + FENCE + "\n\n"
)
documents = st.lists(prose | headings | lists | code, max_size=12).flatmap(
    lambda pieces: st.integers(1, 12).map(lambda times: "".join(pieces * times))
)
malformed = st.lists(
    st.sampled_from(
        ["word ", "\n", "`", FENCE, FENCE + "\n", "~~~\n", "# ", "- ", "| ", "语言。", "x" * 900, "🦉 ", "a: b\n"]
    )
    | st.text(max_size=20),
    max_size=80,
).map("".join)
any_content = documents | malformed | malformed.map(lambda text: text * 30)

LONG = "".join(
    f"## Part {part}\n\nPart {part} begins here. It goes on with little to say, as parts do.\n\n"
    + "".join(f"- step {step} of part {part}\n" for step in range(40))
    + "\n"
    for part in range(12)
)


@given(any_content)
def test_an_abstract_is_one_line_within_its_limit(content: str) -> None:
    line = abstract(content)
    assert count_text(line) <= ABSTRACT_TOKENS
    assert line == " ".join(line.split())


@given(any_content)
def test_an_overview_stays_within_its_limit(content: str) -> None:
    assert count_text(overview(content)) <= OVERVIEW_TOKENS


@given(any_content)
@example(f"{FENCE}word")
def test_content_with_letters_has_a_nonempty_overview(content: str) -> None:
    if any(character.isalnum() for character in content.replace("x" * 900, "")):
        assert abstract(content)
        assert overview(content)


@given(documents)
def test_no_word_is_invented(content: str) -> None:
    for tier in (abstract(content), overview(content)):
        assert set(words(tier)) <= set(words(content))


@given(documents)
def test_an_overview_has_only_lines_of_its_content_in_order(content: str) -> None:
    position = 0
    for line in overview(content).splitlines():
        if line.strip() and line != "[…]":
            first = line.split(". ")[0]
            assert first in content
    shown = [line for line in overview(content).splitlines() if line.startswith("#") and "Heading" in line]
    for heading in shown:
        position = content.index(heading, position) + len(heading)


@given(documents | documents.map(lambda content: content * 5))
def test_code_is_included_whole_or_not_at_all(content: str) -> None:
    shown = overview(content)
    assert shown.count(FENCE) % 2 == 0
    for block in shown.split(FENCE)[1::2]:
        assert FENCE + block + FENCE in content


@given(any_content)
def test_a_shortened_overview_closes_every_fence(content: str) -> None:
    shown = overview(content)
    assert shown == content.strip() or shown.count(FENCE) % 2 == 0


@given(any_content, st.integers(-2, 2_500))
def test_a_cut_at_a_heading_is_a_prefix_that_fits(content: str, tokens: int) -> None:
    cut = cut_at_heading(content, tokens)
    assert content.startswith(cut)
    assert estimate_text(cut) <= max(0, tokens)
    assert (cut == content) == (estimate_text(content) <= tokens or not content)


@given(documents, st.integers(0, 1_000))
def test_a_cut_at_a_heading_ends_at_a_section_boundary(content: str, tokens: int) -> None:
    cut = cut_at_heading(content, tokens)
    if cut and cut != content:
        assert content[len(cut) :].lstrip().startswith("#")
        assert cut.count(FENCE) % 2 == 0


def test_a_cut_keeps_as_many_sections_as_fit() -> None:
    sections = [f"# Section {number}\n" + "word " * 20 for number in range(5)]
    text = "\n".join(sections)
    assert cut_at_heading(text, count_text("\n".join(sections[:3]))) == "\n".join(sections[:3]).rstrip()
    assert cut_at_heading(text, count_text(sections[0]) - 5) == ""


@pytest.mark.parametrize("content", ["", " \n\t ", "\n\n\n"])
def test_empty_content_has_empty_tiers(content: str) -> None:
    assert (abstract(content), overview(content)) == ("", "")


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("Prefers tea.", "Prefers tea."),
        ("Prefers tea. Lives in Lisbon.", "Prefers tea. Lives in Lisbon."),
        ("# Coding style\n\n- Tabs, not spaces\n- **No** comments", "Coding style: Tabs, not spaces No comments"),
        ("# What now?\n\nWe wait.", "What now? We wait."),
        ("# Alone\n", "Alone"),
        (f"{FENCE}sh\nmake up\n{FENCE}", "make up"),
        (f"{FENCE}sh\nmake up\n{FENCE}\nThis starts it.", "This starts it."),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "| a | b | |---|---| | 1 | 2 |"),
        ("| a | b |\n|---|---|\n\nA table stands above.", "A table stands above."),
        ("我们决定使用Redis。因为它很快。", "我们决定使用Redis。 因为它很快。"),
        ("Le café ferme à midi. Il rouvre à 14 h.", "Le café ferme à midi. Il rouvre à 14 h."),
    ],
)
def test_an_abstract_of_short_content_is_complete(content: str, line: str) -> None:
    assert abstract(content) == line


def test_an_abstract_of_long_content_starts_with_an_informative_sentence() -> None:
    line = abstract("Hi there! How are you? The Acme API allows 40 requests a second. " + "It is so. " * 60)
    assert line.startswith("The Acme API allows 40 requests a second.")


def test_a_sentence_too_long_is_cut_at_a_word_boundary() -> None:
    line = abstract("unbroken " * 200)
    assert line.endswith("unbroken […]")
    assert ABSTRACT_TOKENS - 5 <= count_text(line) <= ABSTRACT_TOKENS


def test_an_overview_of_short_content_is_complete() -> None:
    assert overview(f"\n{LONG[:4_000]}\n") == LONG[:4_000].strip()


def test_every_section_keeps_its_heading_and_first_sentence() -> None:
    shown = overview(LONG)
    assert all(f"## Part {part}\n\nPart {part} begins here." in shown for part in range(12))


def test_a_fence_inside_a_line_only_drops_that_line() -> None:
    shown = overview(f"See {FENCE} there, in file.py.\n\n" + LONG)
    assert FENCE not in shown
    assert "## Part 11" in shown
    assert count_text(abstract(f"See {FENCE} " + "word " * 200)) > ABSTRACT_TOKENS - 5


def test_no_text_moves_under_another_heading() -> None:
    sections = [f"# {number} {'title ' * 60}\n\nSaid in {number}.\n\n" for number in range(40)]
    shown = overview("".join(sections)).split("\n\n")
    assert "# 0 title" in shown[0]
    for heading, body in zip(shown[::2], shown[1::2], strict=True):
        assert body == f"Said in {heading.split()[1]}."


def test_shortened_lists_are_marked() -> None:
    shown = overview(LONG)
    assert "- step 0 of part 11\n- step 1 of part 11\n- step 2 of part 11\n" in shown
    assert "[…]" in shown
    assert shown.count("- step") < LONG.count("- step")


def test_an_overview_of_long_content_fills_its_limit() -> None:
    assert count_text(overview(LONG)) > 0.75 * OVERVIEW_TOKENS
    paragraph = " ".join(f"Sentence {number} is one of many in here." for number in range(400))
    assert count_text(overview(paragraph)) > 0.95 * OVERVIEW_TOKENS


def test_specific_sentences_are_preferred() -> None:
    chatter = "".join(f"Ann: so it goes on and on, and so it goes {'on ' * (n % 7)}\n\n" for n in range(300))
    shown = overview(chatter + "Bob: the key is in docs/keys.md, since 12 May 2026.\n\n" + chatter)
    assert "Bob: the key is in docs/keys.md" in shown


def test_speakers_of_a_transcript_start_their_own_paragraphs() -> None:
    lines = "".join(f"Ann: so it goes on and on {'and on ' * (n % 7)}\n" for n in range(300))
    shown = overview(lines + "Bob: the key is in docs/keys.md, since 12 May 2026\n" + lines)
    assert "Bob: the key is in docs/keys.md, since 12 May 2026" in shown.split("\n\n")


def test_code_larger_than_the_limit_becomes_one_line() -> None:
    source = "".join(f"value_{number} = {number}\n" for number in range(1_000))
    assert overview(f"{FENCE}\n{source}{FENCE}\n").startswith("value_0 = 0 value_1 = 1")


def test_an_unclosed_fence_hides_nothing() -> None:
    text = f"Before.\n\n{FENCE}\n" + "The cache is Redis, on port 6379.\n\n" * 300
    assert "The cache is Redis" in overview(text)
    assert FENCE not in overview(text)


@example([">", "1. "])
@given(st.lists(st.sampled_from([*"ab.-#|>", "Acme ", "deploys. ", "**b** ", "`c` ", "1. ", "Hi! ", "~~~", "---"])))
def test_a_short_line_is_included_unchanged(pieces: list[str]) -> None:
    line = "".join(pieces)
    assert abstract(line) == abstract(f"\n\n{line}")
