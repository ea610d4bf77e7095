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
def test_explained_terms_are_found(text: str, term: str) -> None:
    found = definition_in(Sentence(text))
    assert found is not None
    assert found[0] == term


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
def test_judgements_and_pronouns_define_nothing(text: str) -> None:
    assert definition_in(Sentence(text)) is None


def test_a_glossary_lists_terms() -> None:
    sentences = sentences_of("## Glossary\n- Pack: what the model sees\n- Fold – one run of compaction")[0]
    assert [definition_in(sentence) for sentence in sentences] == [
        ("Pack", "what the model sees"),
        ("Fold", "one run of compaction"),
    ]


def test_among_people_only_relations_are_told() -> None:
    assert definition_in(Sentence("My sister Nora lives there."), among_people=True) == ("Nora", "My sister")
    assert definition_in(Sentence("Music is my whole life."), among_people=True) is None
