"""Deterministic synthetic memories and questions on many topics; those on the same topic are similar."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from random import Random


def _words(*lines: str) -> list[str]:
    return [word for line in lines for word in line.split()]


NOUNS = _words(
    "invoice garden kitchen server database meeting bicycle holiday passport guitar painting recipe budget contract",
    "deadline library laptop keyboard printer airport hotel breakfast dinner coffee tea bread cheese soup salad museum",
    "concert festival theatre novel poem newspaper podcast camera lens tripod tent backpack mountain river lake beach",
    "island forest bridge station ticket luggage visa embassy doctor dentist pharmacy medicine allergy vaccine gym",
    "marathon training coach tennis football chess puzzle neighbour landlord tenant apartment balcony window curtain",
    "carpet lamp sofa mattress fridge oven dishwasher boiler plumber electrician carpenter painter roof basement",
    "engine tyre battery charger cable router firewall password certificate backup migration index query cache queue",
    "worker pipeline release branch review test bug incident dashboard report forecast salary bonus pension tax",
    "refund warranty delivery parcel courier warehouse supplier customer workshop lecture exam thesis grant",
)
VERBS = _words(
    "bought sold repaired cleaned painted moved replaced cancelled booked postponed finished started planned reviewed",
    "tested deployed restored exported measured compared ordered returned borrowed lent sharpened polished packed",
    "renewed signed translated recorded edited published archived upgraded installed configured rehearsed taught",
)
ADJECTIVES = _words(
    "old new broken expensive cheap heavy light blue green red yellow quiet noisy quick slow careful early late weekly",
    "monthly annual local foreign digital analogue fresh frozen spicy sweet bitter formal casual urgent optional",
    "private public seasonal temporary permanent reliable fragile narrow wide modern rustic bright dark warm cold",
)
PEOPLE = _words(
    "Nora Felix Ines Oskar Priya Mateo Yuki Lena Samir Greta Tomas Aisha Bruno Clara Dmitri Elif Hugo Ivana"
)
PLACES = _words("Lisbon Kyoto Oslo Quito Tartu Bergen Porto Ghent Lyon Turin Graz Cork Bath Split Riga Bari Faro Basel")
FORMS = (
    "{who} {did} the {a} {x} in {place} because the {b} {y} was too {c}.",
    "The {a} {x} must be {did} before the {y}, and {who} keeps the {z}.",
    "We {did} a {a} {x} with {who}; the {y} and the {z} stay {b}.",
    "In {place} {who} asked whether the {x} is {a} or {b}, and {did} the {y}.",
    "{who} prefers a {a} {x} to a {b} {y} when the {z} is {c}.",
)
QUESTIONS = (
    "Who {did} the {a} {x}?",
    "What happened to the {x} and the {y} in {place}?",
    "Which {x} does {who} like when the {z} is {c}?",
    "Why was the {y} {did}?",
    "Tell me about the {a} {x} and the {z}",
)
TOPICS = 400
FIRST_DAY = datetime(2025, 1, 1, tzinfo=UTC)


def memory_text(number: int) -> str:
    """Return the text of a memory."""
    return _filled(FORMS, number, f"memory {number}")


@cache
def question_text(number: int) -> str:
    """Return a question about the topic of a memory."""
    return _filled(QUESTIONS, number, f"question {number}")


def memory_date(number: int) -> datetime:
    return FIRST_DAY + timedelta(hours=number % 8_000)


def _filled(forms: tuple[str, ...], number: int, seed: str) -> str:
    """Fill a template with words of the number's topic and a few random ones."""
    matter = Random(f"matter {Random(number).randrange(TOPICS)}")  # noqa: S311  # no secrets
    nouns, adjectives = matter.sample(NOUNS, 6), matter.sample(ADJECTIVES, 5)
    verbs, people, places = matter.sample(VERBS, 3), matter.sample(PEOPLE, 3), matter.sample(PLACES, 3)
    chance = Random(seed)  # noqa: S311  # no secrets
    x, y, z = chance.sample([*nouns, chance.choice(NOUNS)], 3)
    a, b, c = chance.sample(adjectives, 3)
    words = {"x": x, "y": y, "z": z, "a": a, "b": b, "c": c, "did": chance.choice(verbs)}
    return chance.choice(forms).format(**words, who=chance.choice(people), place=chance.choice(places))
