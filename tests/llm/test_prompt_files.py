"""Prompt templates: versioned, with a changelog, and without unfilled placeholders."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from apps.compaction.summarizers import prompt
from apps.compaction.summarizers import segment_prompt as segments
from apps.compaction.summarizers.prompt import SummaryRequest, compaction_prompt
from apps.compaction.summarizers.schema import RemovedLineAnswer, SegmentAnswer, SummaryAnswer
from apps.compaction.summarizers.segment_prompt import SegmentRequest, segment_prompt
from apps.engine.policy import Level, Policy
from apps.engine.summary.rolling_summary import FIELDS, RollingSummary
from apps.llm.structured.templates import prompt_file
from apps.memory.services.tiers import tier_prompt as tiers
from apps.memory.services.tiers.tier_prompt import TierInput, tiers_prompt
from apps.memory.services.tiers.tier_schema import TiersAnswer
from tests.llm.conftest import said

SUMMARY, SEGMENT, TIERS = (Path(module.__file__).with_suffix(".md") for module in (prompt, segments, tiers))


@pytest.mark.parametrize("path", [SUMMARY, SEGMENT, TIERS], ids=lambda path: path.stem)
def test_each_prompt_file_has_a_version_and_a_changelog(path: Path) -> None:
    file = prompt_file(path)
    assert next(iter(file.changes)) == file.version
    assert all(change.endswith(".") for change in file.changes.values())
    assert {"role", "form", "ask"} <= set(file.parts)


def test_a_template_with_an_outdated_changelog_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "stale.md").write_text("# Stale · version 2\n\n## changelog\n- 1: First.\n\n## role\nBe brief.\n")
    with pytest.raises(ValueError, match="must begin with its version"):
        prompt_file(tmp_path / "stale.md")


def test_wrapped_lines_are_joined_and_lists_stay_lists() -> None:
    role = prompt_file(SUMMARY).part("role")
    assert not re.search(r"\n {2,}", role)
    assert role.count("\n- ") >= 8


@pytest.mark.parametrize("level", Level)
def test_no_placeholder_is_left_unfilled(level: Level) -> None:
    fold = SummaryRequest(RollingSummary(), [said(0, "x")], level, Policy())
    stretch = SegmentRequest([said(0, "x")], (), 200, Policy())
    short = (tiers_prompt(TierInput("mem://user/profile/tea", tea), "b1") for tea in ("Tea.", "Tea. " * 5_000))
    for text in (compaction_prompt(fold, "b1"), segment_prompt(stretch, "b1"), *short):
        assert not re.search(r"\{\w+\}", text.system)


def test_the_template_names_every_field_of_the_schema() -> None:
    form = prompt_file(SUMMARY).part("form")
    assert all(field in form for field in (*FIELDS, *SummaryAnswer.model_fields, *RemovedLineAnswer.model_fields))
    assert all(field in prompt_file(SEGMENT).part("form") for field in SegmentAnswer.model_fields)
    assert all(field in prompt_file(TIERS).part("form") for field in TiersAnswer.model_fields)
