"""The rules for secrets: their own examples, secrets of many kinds, and ordinary text, in Python and in JavaScript."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from continuity_client.secrets import rules
from continuity_client.secrets.matching import every_match, replaced, secrets_in
from tests.client.secrets.kinds import KINDS
from tests.client.secrets.later_kinds import LATER_KINDS
from tests.client.secrets.templates import Rendered, rendered

FOLDER = Path(__file__).parent
RULES = Path(rules.__file__).with_name("rules.json")
DATA: dict[str, Any] = json.loads(RULES.read_text("utf-8"))
ORDINARY = (FOLDER / "ordinary.txt").read_text("utf-8").splitlines()
RECALL, MOST_ORDINARY = 0.95, 0.005
SHORTEST = 3
"""Characters of a secret that are in a text by chance no more."""


def redacted(text: str) -> str:
    return replaced(text, secrets_in(text))


def is_hidden(sample: Rendered, without: str) -> bool:
    return bool(sample.secrets) and not any(one in without for one in sample.secrets if len(one) >= SHORTEST)


def share_of(kinds: Mapping[str, Sequence[str]]) -> tuple[float, list[str]]:
    """The share of the kinds of which every phrasing is redacted, and what is missed."""
    missed = {kind: template for kind, all_ in kinds.items() for template in all_ if not _is_always_hidden(template)}
    return 1 - len(missed) / len(kinds), list(missed.values())


def _is_always_hidden(template: str) -> bool:
    return all(is_hidden(sample, redacted(sample.text)) for sample in (rendered(template, seed) for seed in range(3)))


def test_there_are_more_than_a_hundred_kinds_and_three_hundred_ordinary_sentences() -> None:
    assert len(KINDS) >= 100 and len(LATER_KINDS) >= 40
    assert len(set(ORDINARY)) >= 300


@pytest.mark.parametrize("kinds", [KINDS, LATER_KINDS], ids=["kinds", "later_kinds"])
def test_at_least_95_of_100_kinds_of_secrets_are_found_however_they_are_written(
    kinds: Mapping[str, Sequence[str]],
) -> None:
    share, missed = share_of(kinds)
    assert share >= RECALL, missed


def test_ordinary_sentences_are_not_changed() -> None:
    changed = [text for text in ORDINARY if redacted(text) != text]
    assert len(changed) <= MOST_ORDINARY * len(ORDINARY), changed


@pytest.mark.parametrize("rule", DATA["rules"], ids=lambda rule: rule["id"])
def test_a_rule_finds_its_examples_and_not_its_counterexamples(rule: Mapping[str, Any]) -> None:
    assert rule["examples"]
    for sample in map(rendered, rule["examples"]):
        assert is_hidden(sample, redacted(sample.text)), sample
        assert rule["kind"] in {one.kind for one in every_match(sample.text)}, sample
    for text in rule["counterexamples"]:
        assert redacted(text) == text


def test_a_redacted_text_has_no_secret() -> None:
    texts = [redacted(rendered(template).text) for kind in KINDS.values() for template in kind]
    assert [text for text in texts if redacted(text) != text] == []


def test_the_whole_of_a_secret_with_invisible_characters_is_redacted() -> None:
    assert redacted("use ghp_abcde\u200bfghij12345klmno67890pqrst12345 now") == "use [redacted:github-token] now"
    assert redacted("ｐａｓｓｗｏｒｄ＝Ｈｕｎｔｅｒ２！ｘ now") == "ｐａｓｓｗｏｒｄ＝[redacted:password] now"
    assert redacted("contrasen\u0303a: Hunter2!x now") == "contrasen\u0303a: [redacted:password] now"


def test_ids_are_unique_and_names_of_parts_labels_and_checks_exist() -> None:
    ids = [rule["id"] for rule in DATA["rules"]]
    assert len(ids) == len(set(ids))
    assert {part for part in re.findall(r"%([A-Z_]{2,20})%", RULES.read_text("utf-8"))} <= DATA["parts"].keys()
    functions = {"opaque", "luhn", "iban"}
    assert {name for rule in DATA["rules"] for name in rule.get("check", ())} <= DATA["checks"].keys() | functions
    assert {name for rule in DATA["rules"] for name in rule.get("labels", ())} <= DATA["labels"].keys()


def test_patterns_use_nothing_that_differs_between_python_and_javascript() -> None:
    for pattern in _patterns():
        bare = re.sub(r"\[(?:\\.|[^\]\\])*\]", "[]", pattern.replace(r"[\s\S]", ""))
        assert not re.search(r"\\[wWdDbBAZsS]|\(\?P|\(\?[a-z]|\(\?>|[*+?}]\+", bare), pattern
        assert not re.search(r"\\[wWdDbB]", pattern), pattern


def _patterns() -> Iterator[str]:
    yield from (rule["pattern"] for rule in DATA["rules"])
    for label in DATA["labels"].values():
        yield from (label["pattern"], *([label["nearby"]] if "nearby" in label else []))
    for part in DATA["parts"].values():
        yield from [part] if isinstance(part, str) else part
    for check in DATA["checks"].values():
        yield from (*check.get("has", ()), *check.get("lacks", ()))


def test_javascript_finds_the_same_secrets() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed.")
    texts = [rendered(one).text for rule in DATA["rules"] for one in (*rule["examples"], *rule["counterexamples"])]
    texts += [rendered(one).text for kind in KINDS.values() for one in kind] + ORDINARY
    given = json.dumps({"rules": str(RULES), "texts": texts})
    done = subprocess.run([node, FOLDER / "matcher.mjs"], input=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    pairs = zip(texts, json.loads(done.stdout), strict=True)
    assert [(text, one) for text, one in pairs if one != redacted(text)] == []
