"""Instructions to models as files: versioned, with a changelog, and with nothing left to fill in."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from apps.compaction.summarizers.prompt import Fold, compaction_prompt
from apps.compaction.summarizers.schema import GoneAnswer, SegmentAnswer, SummaryAnswer
from apps.compaction.summarizers.segment_prompt import Stretch, segment_prompt
from apps.engine.policy import Level, Policy
from apps.engine.summary.rolling_summary import FIELDS, RollingSummary
from apps.llm.structured import templates
from apps.llm.structured.templates import prompt_file
from apps.memory.services.tiers.tier_prompt import Told, tiers_prompt
from apps.memory.services.tiers.tier_schema import TiersAnswer
from tests.llm.conftest import said

NAMES = sorted(path.stem for path in Path(templates.__file__).parent.glob("*.md"))


@pytest.mark.parametrize("name", NAMES)
def test_each_file_tells_its_version_and_what_came_with_it(name: str) -> None:
    prompt = prompt_file(name)
    assert next(iter(prompt.changes)) == prompt.version
    assert all(told.endswith(".") for told in prompt.changes.values())
    assert {"role", "form", "ask"} <= set(prompt.parts)


def test_there_is_one_for_each_thing_that_a_model_is_asked() -> None:
    assert NAMES == ["compaction", "segments", "tiers"]


def test_a_file_whose_changelog_lags_behind_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "stale.md").write_text("# Stale · version 2\n\n## changelog\n- 1: First.\n\n## role\nBe brief.\n")
    monkeypatch.setattr(templates, "_FOLDER", tmp_path)
    with pytest.raises(ValueError, match="must begin with its version"):
        prompt_file("stale")


def test_broken_lines_are_joined_and_lists_stay_lists() -> None:
    role = prompt_file("compaction").part("role")
    assert not re.search(r"\n {2,}", role)
    assert role.count("\n- ") >= 8


@pytest.mark.parametrize("level", Level)
def test_nothing_is_left_to_fill_in(level: Level) -> None:
    fold = Fold(RollingSummary(), [said(0, "x")], level, Policy())
    stretch = Stretch([said(0, "x")], (), 200, Policy())
    tiers = (tiers_prompt(Told("mem://user/profile/tea", text), "b1") for text in ("Tea.", "Tea. " * 5_000))
    for prompt in (compaction_prompt(fold, "b1"), segment_prompt(stretch, "b1"), *tiers):
        assert not re.search(r"\{\w+\}", prompt.system)


def test_the_form_names_every_field_of_the_schema() -> None:
    form = prompt_file("compaction").part("form")
    assert all(field in form for field in (*FIELDS, *SummaryAnswer.model_fields, *GoneAnswer.model_fields))
    assert all(field in prompt_file("segments").part("form") for field in SegmentAnswer.model_fields)
    assert all(field in prompt_file("tiers").part("form") for field in TiersAnswer.model_fields)
