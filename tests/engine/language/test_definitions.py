from __future__ import annotations

import pytest

from apps.engine.language.definitions import definition_in
from apps.engine.language.sentences import Sentence, sentences_of


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("A 'workspace' is a shared space with its own billing.", "workspace"),
        ('"Churn" means customers who leave within a month.', "Churn"),
        ("By settlement we mean the nightly transfer.", "settlement"),
        ("RTO stands for recovery time objective.", "RTO"),
        ("A refresh token is a long-lived secret.", "refresh token"),
    ],
)
def test_explained_terms_are_extracted(text: str, term: str) -> None:
    definition = definition_in(Sentence(text))
    assert definition is not None
    assert definition[0] == term


@pytest.mark.parametrize(
    "text",
    [
        "It is a problem.",
        "This is the best idea.",
        "Your support means a lot.",
        "Caching is a good idea.",
        "What is a pack?",
    ],
)
def test_judgments_and_pronouns_are_not_definitions(text: str) -> None:
    assert definition_in(Sentence(text)) is None


def test_every_glossary_entry_is_a_definition() -> None:
    sentences = sentences_of("## Glossary\n- Pack: what the model sees\n- Fold – one run of compaction")[0]
    assert [definition_in(sentence) for sentence in sentences] == [
        ("Pack", "what the model sees"),
        ("Fold", "one run of compaction"),
    ]


def test_between_people_only_relations_are_definitions() -> None:
    assert definition_in(Sentence("My sister Nora lives there."), among_people=True) == ("Nora", "My sister")
    assert definition_in(Sentence("Music is my whole life."), among_people=True) is None
