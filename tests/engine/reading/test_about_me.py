"""Questions for all that is known about the person who asks."""

from __future__ import annotations

import pytest

from apps.engine.reading.about_me import asks_about_self


@pytest.mark.parametrize(
    "text",
    [
        "What do you know about me?",
        "Tell me what you know about me.",
        "Was weißt du über mich?",
        "¿Qué sabes de mi?",
        "Que sais-tu de moi ?",
        "私について何を知っていますか",
    ],
)
def test_it_is_asked_in_many_languages(text: str) -> None:
    assert asks_about_self(text)


@pytest.mark.parametrize(
    "text",
    [
        "What do you know about Mexico?",
        "What do you remember about Melissa?",
        "Did I get a mail from Megan?",
        "Combien de mois reste-t-il ?",
        "Was hast du von Miriam?",
        "Che fai di mercoledì?",
        "What do you know about me? " + "And write a long letter to my landlord about the rent of last year. " * 3,
    ],
)
def test_what_only_sounds_like_it_is_another_question(text: str) -> None:
    assert not asks_about_self(text)
