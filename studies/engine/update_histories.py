"""Generated histories of facts that change, in five kinds of attributes and in varied words.

Each history has a fact that changes one to three times, and other facts that never do: some about other things of the
same kind, which an update must leave alone.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of attribute. In the words, `{thing}` is what has the attribute, `{new}` and `{old}` are values."""

    name: str
    things: Sequence[str]
    values: Sequence[str]
    first: Sequence[str]
    updates: Sequence[str]
    others: Sequence[str]
    question: str


@dataclass(frozen=True, slots=True)
class History:
    """`values` in order, with the words that state each; `others` are the words of facts that never change."""

    kind: str
    question: str
    values: Sequence[str]
    statements: Sequence[str]
    others: Sequence[str]
    in_one_conversation: bool


_TOWNS = (
    "Bonn",
    "Ghent",
    "Lille",
    "Porto",
    "Turin",
    "Graz",
    "Leeds",
    "Malmö",
    "Basel",
    "Utrecht",
    "Cork",
    "Tampere",
    "Novi Sad",
    "Den Haag",
    "Aarhus",
    "Riga",
)
_FIRMS = (
    "Brightleaf",
    "Northwind",
    "Halden Tools",
    "Cobalt",
    "Meridian",
    "Quarry Labs",
    "Ferrous",
    "Lumen Works",
    "Osterman & Sons",
    "Zenit",
    "Polaris Foods",
    "Tern",
)
_DATABASES = (
    "MySQL",
    "PostgreSQL",
    "SQLite",
    "MongoDB",
    "MariaDB",
    "Redis",
    "Cassandra",
    "DynamoDB",
    "CockroachDB",
    "DuckDB",
    "Postgres 16",
)
_DATES = (
    "3 March",
    "17 April",
    "9 May",
    "21 June",
    "12 July",
    "30 August",
    "14 September",
    "2 October",
    "May 5th",
    "the 19th of November",
)
_PEOPLE = (
    "Anders",
    "Beatriz",
    "Chidi",
    "Dagmar",
    "Emeka",
    "Farah",
    "Goran",
    "Hanne",
    "Ivo",
    "Jasmin",
    "Odile Marchand",
    "Dr. Lund",
    "Pavel",
)

KINDS = (
    Kind(
        "residence",
        ("I",),
        _TOWNS,
        (
            "I live in {new}.",
            "I'm based in {new}.",
            "My flat is in {new}, near the station.",
            "Home is {new} for me.",
            "We live in {new}, in the old town.",
            "I've been living in {new} for years.",
        ),
        (
            "I've moved to {new}.",
            "We left {old} for {new} last week, so that's home now.",
            "I no longer live in {old}, it's {new} now.",
            "I live in {new} these days.",
            "Update: I moved from {old} to {new}.",
            "I'm based in {new} now.",
            "I don't live in {old} any more, I'm in {new}.",
            "I used to live in {old}, now I live in {new}.",
            "We moved from {old} to {new} last month.",
            "My flat is in {new} now, not in {old}.",
            "{new} is home now.",
            "I've relocated to {new} for good.",
        ),
        (
            "My sister Nora lives in Dublin.",
            "My parents live in Gdynia.",
            "I was born in Split.",
            "My friend Piet moved to Delft last year.",
            "Our head office is in Zagreb.",
            "My husband comes from Oulu.",
        ),
        "Where do I live?",
    ),
    Kind(
        "employer",
        ("I",),
        _FIRMS,
        (
            "I work at {new}.",
            "I work for {new} as a planner.",
            "My employer is {new}.",
            "I started at {new} three years ago.",
            "I'm employed by {new}.",
        ),
        (
            "I left {old} for {new}.",
            "I work at {new} now.",
            "I switched from {old} to {new} this month.",
            "I don't work at {old} any more, I'm at {new}.",
            "As of this week I work for {new}.",
            "My new employer is {new}.",
            "I no longer work for {old}, I joined {new}.",
            "I started a new job at {new}.",
            "I left {old} and joined {new}.",
            "I'm with {new} now instead of {old}.",
            "I've changed jobs, from {old} to {new}.",
        ),
        (
            "My partner Ruben works at the city library.",
            "My brother works for Osprey.",
            "I studied in Delft.",
            "My wife Ada left Orbis for Kestrel.",
            "Our biggest client is Havel & Co.",
        ),
        "Where do I work?",
    ),
    Kind(
        "database",
        (
            "Atlas",
            "the booking site",
            "the warehouse app",
            "the mobile backend",
            "our intranet",
            "Ledgerly",
            "the members' area",
            "the ticket shop",
        ),
        _DATABASES,
        (
            "{Thing} runs on {new}.",
            "{Thing} uses {new}.",
            "We store the data of {thing} in {new}.",
            "The database behind {thing} is {new}.",
            "{Thing} stores its data in {new}.",
        ),
        (
            "We moved {thing} from {old} to {new}.",
            "{Thing} runs on {new} now.",
            "We switched {thing} to {new}.",
            "{Thing} no longer uses {old}, we migrated it to {new}.",
            "We replaced {old} with {new} for {thing}.",
            "{Thing} uses {new} instead of {old}.",
            "{Thing} doesn't run on {old} any more but on {new}.",
            "We swapped {old} for {new} behind {thing}.",
            "{Thing} was migrated from {old} to {new}.",
            "{new} replaced {old} in {thing}.",
            "Last week we ported {thing} to {new}.",
        ),
        (
            "The reporting tool runs on Oracle.",
            "The search index uses Elasticsearch.",
            "Our CI runs on Jenkins.",
            "We cache the sessions in Memcached.",
            "The billing service stores its data in Db2.",
            "The docs are hosted on Netlify.",
        ),
        "Which database does {thing} use?",
    ),
    Kind(
        "deadline",
        (
            "the grant application",
            "the thesis",
            "the annual report",
            "the exhibition catalogue",
            "our tender",
            "the second draft",
            "the visa papers",
        ),
        _DATES,
        (
            "The deadline for {thing} is {new}.",
            "{Thing} is due on {new}.",
            "We submit {thing} on {new}.",
            "{Thing} must be handed in by {new}.",
            "We have until {new} for {thing}.",
        ),
        (
            "The deadline for {thing} moved to {new}.",
            "{Thing} is due on {new} now.",
            "They pushed {thing} back from {old} to {new}.",
            "{Thing} is no longer due on {old}, it's {new} now.",
            "The deadline for {thing} is {new} instead of {old}.",
            "We submit {thing} on {new} instead.",
            "{Thing} isn't due on {old} any more but on {new}.",
            "The new deadline for {thing} is {new}.",
            "They extended the deadline for {thing} to {new}.",
            "We got an extension, {thing} is due on {new} now.",
            "{Thing} is due on {new}, not {old}.",
        ),
        (
            "The tax return is due on 5 November.",
            "The printer's slot is on 11 December.",
            "Our summer party is on 27 June.",
            "The first draft was due on 20 January.",
            "The deadline for the poster is 25 November.",
            "Mila flies home on 8 December.",
        ),
        "When is {thing} due?",
    ),
    Kind(
        "role",
        (
            "chef",
            "accountant",
            "contractor",
            "photographer",
            "supervisor",
            "bookkeeper",
            "piano teacher",
            "florist",
            "landlord",
            "team lead",
        ),
        _PEOPLE,
        (
            "Our {thing} is {new}.",
            "{new} is our {thing}.",
            "My {thing} is called {new}.",
            "We hired {new} as our {thing}.",
        ),
        (
            "Our {thing} is {new} now.",
            "{new} took over from {old} as our {thing}.",
            "We have a new {thing}: {new}.",
            "{old} is no longer our {thing}, {new} is.",
            "{new} replaced {old} as our {thing}.",
            "{new} is our {thing} now.",
            "Our {thing} is no longer {old}, it's {new}.",
            "{old} left, so {new} is our {thing} now.",
            "{new} became our {thing} this spring.",
            "We changed our {thing} from {old} to {new}.",
            "Our {thing} isn't {old} any more but {new}.",
        ),
        (
            "Our dentist is Wilma.",
            "My gardener is called Zoltan.",
            "Our vet is Xenia.",
            "Yvonne is our drummer.",
            "My friend Uwe is a photographer.",
            "Our violin teacher is Quentin.",
        ),
        "Who is our {thing}?",
    ),
)


def histories(count: int, seed: int = 20) -> Iterator[History]:
    """Generate histories, the kinds in turn; the same seed gives the same ones.

    >>> first = next(histories(1))
    >>> first.kind, len(first.values) == len(first.statements), first.question
    ('residence', True, 'Where do I live?')
    """
    chance = random.Random(seed)  # noqa: S311  # a reproducible sample, no secret
    for number in range(count):
        yield _history(KINDS[number % len(KINDS)], chance)


def _history(kind: Kind, chance: random.Random) -> History:
    thing = chance.choice(kind.things)
    values = chance.sample(kind.values, chance.randint(2, 4))
    statements = [_words(chance.choice(kind.first), thing, values[0])]
    updates = chance.sample(kind.updates, len(values) - 1)
    statements += [
        _words(template, thing, new, old) for template, old, new in zip(updates, values, values[1:], strict=False)
    ]
    return History(
        kind.name,
        _words(kind.question, thing, ""),
        values,
        statements,
        chance.sample(kind.others, 3),
        chance.random() < 0.5,
    )


def _words(template: str, thing: str, new: str, old: str = "") -> str:
    return template.format(thing=thing, Thing=thing[0].upper() + thing[1:], new=new, old=old)
