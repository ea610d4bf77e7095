"""Abstract and overview of directories: within their limits, with every omitted entry counted."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from apps.engine.memory.directory_tiers import Entry, directory_abstract, directory_overview
from apps.engine.memory.tiers import ABSTRACT_TOKENS, OVERVIEW_TOKENS
from apps.engine.tokens.counting import count_text

entries = st.lists(st.builds(Entry, st.text("ab-", min_size=1, max_size=64), st.text(max_size=900)), max_size=200)


@given(entries, st.integers(0, 10_000))
def test_each_tier_fits_its_limit_and_counts_omitted_entries(listed: list[Entry], unlisted: int) -> None:
    overview = directory_overview(listed, unlisted)
    assert count_text(directory_abstract(listed)) <= ABSTRACT_TOKENS
    assert count_text(overview) <= OVERVIEW_TOKENS
    lines = overview.splitlines() if overview else []
    omitted = re.fullmatch(r"- and ([\d,]+) more", lines[-1]) if lines else None
    counted = len(lines) - 1 + int(omitted[1].replace(",", "")) if omitted else len(lines)
    assert counted == len(listed) + unlisted


def test_an_empty_directory_has_empty_tiers() -> None:
    assert (directory_abstract([]), directory_overview([])) == ("", "")
