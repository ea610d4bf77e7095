"""The study of languages: its memories and what it counts."""

from __future__ import annotations

import json

from studies.engine.retention import FindRetention
from studies.languages.ranks import FITTED, FOLDER, HELD_OUT, numbers, report


def test_each_language_has_thirty_memories_each_with_a_question_of_its_own_in_both_languages() -> None:
    files = sorted(FOLDER.glob("*.json"))
    assert [path.stem for path in files] == ["french", "german", "japanese", "spanish"]
    for path in files:
        memories = json.loads(path.read_text())
        texts = [text for one in memories for text in (one["content"], one["question"], one["english"])]
        assert (len(memories), len(set(texts))) == (30, 90)


def test_places_are_counted_for_each_language_and_the_held_out_half_apart() -> None:
    found = FindRetention([(FITTED, 1), (HELD_OUT, 3), (HELD_OUT, 0)])
    assert numbers({("german", "own"): found}) == {"german_own_find_at_1": 1, "german_own_find_at_3": 2}
    assert report({("german", "own"): found}).splitlines()[-1].split("  ")[-1].strip() == "1 of 2"
