"""The context for a new session: limits of tokens and bytes, shares, and a reason for every omission."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from apps.engine.memory.tiers import abstract, overview
from apps.engine.memory.trust import Trust
from apps.engine.pack.injection import (
    MIN_RELEVANCE,
    NOTICE,
    Candidate,
    Injection,
    OmissionReason,
    Tier,
    inject,
)
from apps.engine.pack.injection_shares import SECTION_HEADINGS, SHARES, Section, own_share, section_grants
from apps.engine.tokens.estimate import estimate_text

WORDS = (
    "# Heading\n",
    "слово ",
    "日本語の文章。",
    "word ",
    "\n",
    "\r\n",
    "> ",
    "## Your Profile\n",
    "e\u0301",
    "🙂",
    "[mem://x]\n",
)
texts = st.lists(st.sampled_from(WORDS), max_size=60).map("".join) | st.text(
    st.characters(blacklist_categories=("Cs",)), max_size=300
)
candidates = st.builds(
    Candidate,
    st.uuids().map(str),
    st.sampled_from(Section),
    st.text(st.characters(blacklist_categories=("Cs",)), min_size=1, max_size=40),
    # An abstract is one line.
    texts.map(lambda text: " ".join(text.split())),
    texts.map(lambda text: text * 8),
    st.floats(0, 1),
    st.sampled_from(Trust),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.sampled_from(("", "", "CLAUDE.md", "tabs.md")),
)
usable = candidates.map(
    lambda one: replace(
        one,
        relevance=1.0,
        trust=Trust.DIRECT_USER,
        is_proposed=False,
        is_superseded=False,
        is_current_session=False,
        read_in="",
    )
)
lists = st.lists(candidates, max_size=12, unique_by=lambda one: one.id)
usable_lists = st.lists(usable, max_size=12, unique_by=lambda one: one.id)
budgets = st.integers(0, 6_000)
byte_limits = st.none() | st.integers(0, 12_000)


def memory(section: Section, content: str, name: str = "1") -> Candidate:
    return Candidate(name, section, f"mem://user/{name}", abstract(content), overview(content))


def shown(injection: Injection) -> list[str]:
    return [item.candidate.id for item in injection.items]


def reasons(injection: Injection) -> list[str]:
    return [omission.reason.value for omission in injection.omitted]


@given(lists, budgets, byte_limits)
def test_it_never_exceeds_its_budget_in_tokens_or_bytes(
    given: list[Candidate], budget: int, max_bytes: int | None
) -> None:
    injection = inject(given, token_budget=budget, max_bytes=max_bytes)
    assert injection.tokens == estimate_text(injection.text) <= budget
    assert injection.size == len(injection.text.encode()) <= (max_bytes if max_bytes is not None else 10**9)
    assert all(section.used <= section.granted for section in injection.sections)


@given(lists, budgets, byte_limits)
def test_the_same_memories_give_the_same_text(given: list[Candidate], budget: int, max_bytes: int | None) -> None:
    once, again = (inject(list(given), token_budget=budget, max_bytes=max_bytes) for _ in range(2))
    assert once == again and once.text == again.text


@given(lists, budgets, byte_limits)
def test_every_candidate_is_in_or_omitted_with_a_reason(
    given: list[Candidate], budget: int, max_bytes: int | None
) -> None:
    injection = inject(given, token_budget=budget, max_bytes=max_bytes)
    omitted = [omission.candidate.id for omission in injection.omitted]
    assert sorted(shown(injection) + omitted) == sorted(one.id for one in given)


@given(lists, budgets, byte_limits)
def test_only_what_is_relevant_trusted_and_true_now_appears(
    given: list[Candidate], budget: int, max_bytes: int | None
) -> None:
    for item in inject(given, token_budget=budget, max_bytes=max_bytes).items:
        one = item.candidate
        assert one.relevance > MIN_RELEVANCE and not (one.is_proposed or one.is_superseded or one.is_current_session)
        assert not one.read_in
        assert one.section is Section.ACTIVITY or one.trust in (Trust.DIRECT_USER, Trust.MODEL_INFERENCE)


@given(usable_lists, budgets, byte_limits)
def test_nothing_is_cut_inside_a_line(given: list[Candidate], budget: int, max_bytes: int | None) -> None:
    for item in inject(given, token_budget=budget, max_bytes=max_bytes).items:
        source = item.candidate.abstract if item.tier is Tier.ABSTRACT else item.candidate.overview
        lines, whole = item.text.strip().splitlines(), source.strip().splitlines()
        assert [line.rstrip() for line in lines] == [line.rstrip() for line in whole[: len(lines)]]
        assert item.tier is Tier.PART or len(lines) == len(whole)


@given(lists, budgets, byte_limits)
def test_no_text_impersonates_a_heading_or_an_origin(
    given: list[Candidate], budget: int, max_bytes: int | None
) -> None:
    injection = inject(given, token_budget=budget, max_bytes=max_bytes)
    free = [line for line in injection.text.splitlines() if line and not line.startswith("> ")]
    headings = [SECTION_HEADINGS[section.section] for section in injection.sections if section.items]
    assert [line for line in free if line.startswith("#")] == headings
    assert len([line for line in free if line.startswith("[")]) == len(injection.items)
    notes = [line for line in free if line.startswith("Omitted: ")]
    assert len(notes) == bool(headings and "already_read" in reasons(injection))
    assert len(free) == len(headings) + len(injection.items) + (1 if headings else 0) + len(notes)


@given(st.fixed_dictionaries({section: st.integers(0, 5_000) for section in Section}), st.integers(0, 5_000))
def test_no_section_gets_less_than_its_own_share_of_what_it_needs(needs: dict[Section, int], tokens: int) -> None:
    grants = section_grants(needs, tokens)
    assert all(min(needs[one], own_share(one, tokens)) <= grants[one] <= needs[one] for one in Section)
    assert sum(grants.values()) == min(tokens, sum(needs.values()))


@given(usable_lists, budgets)
def test_every_section_is_granted_at_least_its_own_share(given: list[Candidate], budget: int) -> None:
    for section in inject(given, token_budget=budget).sections:
        assert section.granted >= min(section.share, section.needed)


@given(usable_lists)
def test_with_enough_room_every_overview_is_quoted(given: list[Candidate]) -> None:
    injection = inject(given, token_budget=1_000_000)
    assert {item.candidate.id for item in injection.items} == {one.id for one in given if one.forms}
    assert all(item.text == item.candidate.forms[0][1] for item in injection.items)
    assert set(reasons(injection)) <= {"empty"}


def test_the_shares_are_the_whole() -> None:
    assert sum(SHARES.values()) == 100


def test_the_sections_have_their_order_and_their_notice() -> None:
    given = [memory(section, f"About {section.value}.", section.value) for section in reversed(Section)]
    lines = inject(given, token_budget=4_000).text.splitlines()
    assert lines[0] == NOTICE
    assert [line for line in lines if line.startswith("## ")] == [
        "## Working With You",
        "## Your Profile",
        "## Recent Activity",
        "## Active Entities",
    ]


def test_an_overview_that_is_too_long_is_cut_at_a_heading() -> None:
    content = "\n\n".join(
        f"# Part {number}\nIt was decided in month {number}. {'More of it. ' * 20}" for number in range(9)
    )
    [item] = inject([memory(Section.PROFILE, content)], token_budget=300).items
    assert item.tier is Tier.PART
    assert item.text.startswith("# Part 0") and item.text.endswith("More of it.")
    assert content.startswith(item.text) and content[len(item.text) :].startswith(" \n\n# Part")


def test_one_without_headings_appears_with_its_abstract() -> None:
    content = "Acme deploys on Fridays. " + "It is a long story about deployments. " * 100
    [item] = inject([memory(Section.PROFILE, content)], token_budget=300).items
    assert item.tier is Tier.ABSTRACT and item.text == abstract(content)


def test_a_long_memory_leaves_room_for_the_abstracts_of_the_next_two() -> None:
    long = "\n\n".join(f"# Part {number}\n{'Words of it. ' * 30}" for number in range(40))
    given = [memory(Section.ENTITIES, long, name) for name in "abcd"]
    injection = inject(given, token_budget=900)
    assert shown(injection)[:3] == ["a", "b", "c"]


def test_tokens_that_a_section_does_not_need_go_to_the_others() -> None:
    long = "\n\n".join(f"# Part {number}\n{'Words of it. ' * 30}" for number in range(15))
    alone, beside = memory(Section.ENTITIES, long, "a"), memory(Section.PROFILE, "Short.", "b")
    [item] = [item for item in inject([alone, beside], token_budget=2_000).items if item.candidate is alone]
    assert item.tier is Tier.OVERVIEW and item.tokens > own_share(Section.ENTITIES, 2_000)


def test_the_byte_limit_cuts_at_the_end_of_a_line_in_cyrillic() -> None:
    content = "\n".join(f"{number}. Мы решили перенести выпуск на следующую неделю." for number in range(100))
    injection = inject([memory(Section.COMMUNICATION, content)], token_budget=4_000, max_bytes=1_000)
    [item] = injection.items
    assert 850 < injection.size <= 1_000
    assert content.startswith(f"{item.text}\n") and item.tier is Tier.PART


def test_a_single_line_beyond_the_byte_limit_appears_with_its_abstract() -> None:
    content = "東京の会議室は三階にあります。" * 100
    first, second = memory(Section.COMMUNICATION, content), memory(Section.PROFILE, "Prefers tea.", "2")
    injection = inject([first, second], token_budget=4_000, max_bytes=2_000)
    assert [item.tier for item in injection.items] == [Tier.ABSTRACT, Tier.OVERVIEW]


def test_what_the_byte_limit_removes_is_named() -> None:
    given = [memory(section, "Words of it.\n" * 8, section.value) for section in Section]
    injection = inject(given, token_budget=4_000, max_bytes=300)
    assert injection.omitted and set(reasons(injection)) == {OmissionReason.BYTE_LIMIT}


def test_every_refusal_names_its_reason() -> None:
    one = memory(Section.PROFILE, "Prefers tea.")
    given = [
        replace(one, id="a", is_proposed=True),
        replace(one, id="b", is_superseded=True),
        replace(one, id="c", trust=Trust.TOOL),
        replace(one, id="d", relevance=0.3),
        replace(one, id="e", abstract="", overview=" "),
        replace(one, id="f", section=Section.ACTIVITY, is_current_session=True),
    ]
    injection = inject(given, token_budget=4_000)
    assert reasons(injection) == ["proposed", "superseded", "low_trust", "low_relevance", "empty", "current_session"]
    assert injection.text == "" and injection.tokens == injection.size == 0


def test_the_archive_of_a_conversation_appears_although_it_quotes_an_assistant() -> None:
    archive = replace(memory(Section.ACTIVITY, "# Bookings\nWe chose PostgreSQL."), trust=Trust.TOOL)
    assert shown(inject([archive], token_budget=4_000)) == ["1"]
