"""The one statement of retrieval: a bank's words and vectors in one pass, then every sign of the few that may be it.

Full text is not leakproof, so under row-level security no index serves it: the bank's own index bounds the pass, and
so it does for the vectors. A large bank is read by its cells instead (`find_filed`). What is not asked for is not in
the statement. Vectors have the length one, so that their inner product is the cosine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache

from apps.common.models import ALSO_HERE
from apps.engine.dates import NamedDate
from apps.engine.retrieval import (
    CANDIDATES,
    DATE_DAYS,
    LENGTH_SHARE,
    SATURATION,
    SHORT_QUESTION_LENGTH,
    WEIGHTS,
    WINDOW,
)
from apps.memory.records.found import FindWish
from apps.memory.selectors import find_filed
from apps.memory.selectors.find_basis import HOLDS, NOT_FILED

# Of a long question its longest words: each is looked for in every text that has one of them.
MOST_WORDS = 64
SNIPPET, BEFORE = 300, 80

# As a factor of a `float8`; beside other numbers, one with a point is a decimal to PostgreSQL, which is slow.
_WEIGHT = {name: str(value) for name, value in asdict(WEIGHTS).items()}
_DAYS = f"{DATE_DAYS}::float8"
_ASKED = f"""
asked AS (
    SELECT word, quote_literal(word)::tsquery AS is_in
    FROM unnest(tsvector_to_array(to_tsvector('english', %(text)s))) AS word
    ORDER BY length(word) DESC, word LIMIT {MOST_WORDS}
),
any_of AS (
    SELECT string_agg(quote_literal(word), ' | ')::tsquery AS them,
        set_config('plan_cache_mode', %(plans)s, true) IS NOT NULL AND {HOLDS} {{not_filed}} AS holds FROM asked
),
about AS (
    SELECT CASE WHEN count(*) = 1 THEN min(name) ELSE '' END AS actor FROM (
        SELECT unnest(%(people)s::text[]) AS name
        UNION SELECT actor FROM mem_passages WHERE workspace_id = %(workspace)s
            AND bank = ANY(%(memories)s) AND actor = ANY(%(phrases)s::varchar[])
    ) AS named
),
"""  # noqa: S608  # the only inserted text is the constants above
_OF_TALKS = "p.message_id, p.place, p.is_question,"
_PASSAGE = f"""p.id, p.node_id, {{of_talks}} p.series, p.session, p.occurred_at, p.word_count,
        (p.is_question AND p.char_count < {SHORT_QUESTION_LENGTH})::int::float8 AS is_short,
        (p.actor = (SELECT actor FROM about))::int::float8 AS actor,
        CASE WHEN p.words @@ any_of.them THEN p.words END AS hit"""  # noqa: S608  # the only inserted text is a constant
_SCAN = """
scan AS (
    SELECT {passage} FROM any_of CROSS JOIN mem_passages AS p {joined}
    WHERE (SELECT holds FROM any_of) AND p.workspace_id = %(workspace)s AND p.bank = ANY(%(banks)s) {wanted}
),
"""
_BANK = """
bank AS MATERIALIZED (
    SELECT count(*)::float8 AS size, greatest(avg(word_count), 1)::float8 AS mean FROM scan
),
"""
# BM25 that counts a word once, however often a text has it: of its two constants, what is the same for every text. The
# offset has each text looked at once with all the words, and not all texts once for each word.
_GAIN = f"{1 + SATURATION}::float8"
_OF_ANY, _OF_LONG = f"{1 + SATURATION * (1 - LENGTH_SHARE)}::float8", f"{SATURATION * LENGTH_SHARE}::float8"
_LEXICAL = f"""
met AS (
    SELECT scan.id, scan.word_count, asked.word
    FROM scan CROSS JOIN LATERAL (SELECT word FROM asked WHERE scan.hit @@ is_in OFFSET 0) AS asked
    WHERE scan.hit IS NOT NULL {{more}}
),
common AS (
    SELECT id, word_count, (count(*) OVER (PARTITION BY word))::float8 AS texts FROM met
),
lexical AS (
    SELECT id, sum(ln(1 + (size - texts + 0.5::float8) / (texts + 0.5::float8))
        * {_GAIN} / ({_OF_ANY} + {_OF_LONG} * word_count / mean)) AS weight
    FROM common CROSS JOIN bank GROUP BY id ORDER BY weight DESC, id LIMIT {CANDIDATES}
),
"""  # noqa: S608  # the only inserted text is the constants above
_NEAR = f"""
near AS (
    SELECT e.passage_id AS id, -(e.vector <#> %(vector)s::halfvec) AS similarity
    FROM {{vectors}} AS e {{matching}} WHERE (SELECT holds FROM any_of) {{of_banks}}
    ORDER BY e.vector <#> %(vector)s::halfvec, e.passage_id LIMIT {CANDIDATES}
),
"""  # noqa: S608  # the only inserted text is the constant above
_OF_BANKS = "AND e.workspace_id = %(workspace)s AND e.bank = ANY(%(banks)s) AND e.space_id = %(space)s"
# The newest are among them, so that as many come as are asked for, and what has no vector yet too.
_CANDIDATES = """
candidate AS (
    SELECT id FROM lexical {near}
    UNION (SELECT id FROM scan ORDER BY occurred_at DESC, id DESC LIMIT %(top_k)s)
),
"""
_YEAR = """
month AS MATERIALIZED (
    SELECT first, (first + interval '1 month - 1 day')::date AS last FROM (
        SELECT make_date(extract(year FROM occurred_at AT TIME ZONE 'UTC')::int, %(month)s::int, 1) AS first FROM scan
        WHERE extract(month FROM occurred_at AT TIME ZONE 'UTC') = %(month)s::int
        GROUP BY 1 ORDER BY count(*) DESC, 1 DESC LIMIT 1
    ) AS likeliest
),
dates AS MATERIALIZED (
    SELECT least(first + coalesce(%(day)s::int, 1) - 1, last) AS first,
        least(first + coalesce(%(day)s::int, 31) - 1, last) AS last FROM month
),
"""
_RANGE = """
dates AS MATERIALIZED (SELECT %(first)s::date AS first, %(last)s::date AS last),
"""
# Exponents are bounded: PostgreSQL refuses a result that is too small to be told from nothing.
_DATED = f"""coalesce((
        SELECT CASE WHEN day < first THEN exp(-least(700, 2 * (first - day) / {_DAYS}))
            WHEN day > last THEN exp(-least(700, (day - last) / {_DAYS})) ELSE 1 END FROM dates), 0)::float8"""  # noqa: S608  # ours
_SEEN = f"""
seen AS (
    SELECT scan.*, {{day}} coalesce(lexical.weight / (SELECT max(weight) FROM lexical), 0) AS lexical,
        {{similarity}}::float8 AS measured
    FROM candidate JOIN {{reached}} ON scan.id = candidate.id
    LEFT JOIN lexical ON lexical.id = scan.id {{vectors}}
),
based AS (
    SELECT seen.*, coalesce(measured, 0) AS similarity, {_WEIGHT["base_lexical"]} * lexical
        + {_WEIGHT["base_similarity"]} * coalesce(measured, 0) + {_WEIGHT["base_actor"]} * actor AS base FROM seen
),
"""  # noqa: S608  # the only inserted text is the constants above
_DAY = "(scan.occurred_at AT TIME ZONE 'UTC')::date AS day,"
_VECTORS = "LEFT JOIN near ON near.id = scan.id"
_SIMILARITY = """coalesce(near.similarity, (
        SELECT -(e.vector <#> %(vector)s::halfvec) FROM mem_embeddings AS e
        WHERE e.workspace_id = %(workspace)s AND e.passage_id = scan.id AND e.space_id = %(space)s))"""
# A memory has no neighbours: its window is itself.
_SIGNS_OF_MEMORIES = """
signs AS (
    SELECT based.*, {dated} base AS beside, max(base) OVER (PARTITION BY series, session) AS together
    FROM based
),
"""
_SIGNS = f"""
signs AS (
    SELECT based.*, {{dated}}
        CASE WHEN place IS NULL THEN 0 ELSE coalesce(max(lexical) OVER after, 0) END AS following,
        CASE WHEN place IS NULL THEN 0
            ELSE coalesce(max(lexical * is_question::int) OVER before, 0) END AS preceding_question,
        CASE WHEN place IS NULL THEN base ELSE max(base) OVER around END AS beside,
        max(base) OVER (PARTITION BY series, session) AS together
    FROM based
    WINDOW after AS (PARTITION BY series, session ORDER BY place RANGE BETWEEN 1 FOLLOWING AND 1 FOLLOWING),
        before AS (PARTITION BY series, session ORDER BY place RANGE BETWEEN 1 PRECEDING AND 1 PRECEDING),
        around AS (PARTITION BY series, session ORDER BY place RANGE BETWEEN {WINDOW} PRECEDING AND {WINDOW} FOLLOWING)
),
"""  # noqa: S608  # the only inserted text is the constant above
_SPACE = re.compile(r" ?([(),=<>+*/|]) ?")
# In the order of `ScoreParts`: which number of a candidate each sign is.
_SIGN = {
    "lexical": "lexical",
    "similarity": "similarity",
    "actor": "actor",
    "date": "dated",
    "short_question": "is_short",
    "following": "following",
    "preceding_question": "preceding_question",
    "window": "beside",
    "session": "together",
}
_NOTHING = "0"
_OF_NEIGHBOURS = ("following", "preceding_question")
# As `apps.engine.decay` has it.
_RELEVANCE = """CASE WHEN n.id IS NULL OR n.uri = %(exempt)s THEN 1
        ELSE least(1, greatest(%(floor)s::float8, n.base_relevance * power(0.5::float8, least(1000, greatest(0,
            %(now)s::float8 - date_part('epoch', coalesce(n.last_access, n.occurred_at)))
            / 86400 / %(half_life)s::float8)))) END::float8"""
# Of few rows each is looked up by its key; the limit keeps the planner from reading the whole table instead.
# What has no vector cannot be near enough: the words decide. The offset has a score calculated once, not for each use.
_SCORED = f"""
scored AS (
    SELECT signs.*, {_RELEVANCE} AS relevance, {{fused}} AS fused
    FROM signs LEFT JOIN LATERAL (
        SELECT id, uri, base_relevance, last_access, occurred_at FROM mem_nodes
        WHERE id = signs.node_id AND {ALSO_HERE} LIMIT 1
    ) AS n ON true {{enough}} OFFSET 0
),
best AS (
    SELECT *, CASE WHEN fused > 0 THEN fused * relevance ELSE fused END AS score FROM scored
    ORDER BY score DESC, occurred_at DESC, id DESC LIMIT %(top_k)s
)
"""  # noqa: S608  # the only inserted text is the constants above
_ENOUGH = "WHERE coalesce(measured >= %(threshold)s::float8, lexical > 0)"
_OF_MEMORY = f"left(coalesce(nullif(n.l0_abstract, ''), n.l2_content), {SNIPPET})"
_OF_MESSAGE = f"""m.conversation_id, m."index", m.role, m.name,
    CASE WHEN m.id IS NULL THEN {_OF_MEMORY}
        ELSE substring(m.content FROM greatest(1, found.place - {BEFORE})::int FOR {SNIPPET}) END,
    coalesce(found.place > {BEFORE} + 1, false)"""
_MESSAGES = """
LEFT JOIN conversations_message AS m ON m.id = best.message_id AND m.workspace_id = %(workspace)s
LEFT JOIN LATERAL (
    SELECT coalesce(min(nullif(position(word IN lower(m.content)), 0)), 1) AS place FROM asked
) AS found ON m.id IS NOT NULL"""
_TOLD = """
SELECT best.node_id, {message}, best.score, best.similarity, best.relevance, best.occurred_at,
    (SELECT actor FROM about), {parts},
    n.uri, n.l0_abstract, n.category, n.trust, n.tags, n.owner_id, n.version, {shown}
FROM best LEFT JOIN mem_nodes AS n ON n.id = best.node_id AND n.workspace_id = %(workspace)s {messages}
ORDER BY score DESC, best.occurred_at DESC, best.id DESC
"""


def statement(
    wish: FindWish, named: NamedDate | None, *, by_meaning: bool, in_talks: bool, is_filed: bool = False
) -> str:
    """The text of the statement for a wish; its values have the names that stand in it.

    What is bounded, or dated by all there is, is looked for everywhere, whether or not it `is_filed`.
    """
    filters, dates = _filters(wish), _dates(named)
    by_cells = is_filed and by_meaning and not any(filters) and dates != _YEAR
    return _put_together(
        Shape(filters, dates, by_meaning, in_talks, is_filed, by_cells, bool(wish.threshold), wish.explain)
    )


@dataclass(frozen=True, slots=True)
class Shape:
    """What of a search makes its statement another one."""

    filters: tuple[str, str]
    dates: str
    by_meaning: bool
    in_talks: bool
    is_filed: bool
    by_cells: bool
    has_threshold: bool
    explain: bool


@lru_cache(maxsize=256)
def _put_together(shape: Shape) -> str:
    """The driver reads a text of more than 4,096 characters anew for each search: a plain one's has just fewer."""
    parts = _parts(is_dated=bool(shape.dates), in_talks=shape.in_talks)
    pieces = [
        _ASKED.format(not_filed="" if shape.is_filed else NOT_FILED),
        *_read(shape),
        _CANDIDATES.format(near="UNION SELECT id FROM near" if shape.by_meaning else ""),
        shape.dates,
        _seen(shape),
        (_SIGNS if shape.in_talks else _SIGNS_OF_MEMORIES).format(dated=f"{_DATED} AS dated," if shape.dates else ""),
        _SCORED.format(
            fused=" + ".join(part for part in parts if part != _NOTHING), enough=_ENOUGH if shape.has_threshold else ""
        ),
        _told(shape, parts),
    ]
    return _short(f"WITH {''.join(pieces)}")


def _read(shape: Shape) -> Iterator[str]:
    """What is looked at: the passages with their words, and the vectors."""
    joined, wanted = shape.filters
    passage = _PASSAGE.format(of_talks=_OF_TALKS if shape.in_talks else "")
    yield _SCAN.format(passage=passage, joined=joined, wanted=find_filed.UNFILED if shape.by_cells else wanted)
    if shape.by_cells:
        yield find_filed.BANK
        yield _LEXICAL.format(more=find_filed.MET)
        yield find_filed.PROBED
        yield _NEAR.format(vectors=find_filed.VECTORS, matching="", of_banks="")
        yield find_filed.REACHED.format(passage=passage)
        return
    yield _BANK
    yield _LEXICAL.format(more="")
    if shape.by_meaning:
        matching = "JOIN scan ON scan.id = e.passage_id" if wanted else ""
        yield _NEAR.format(vectors="mem_embeddings", matching=matching, of_banks=_OF_BANKS)


def _seen(shape: Shape) -> str:
    return _SEEN.format(
        day=_DAY if shape.dates else "",
        similarity=_SIMILARITY if shape.by_meaning else "NULL",
        reached="reached AS scan" if shape.by_cells else "scan",
        vectors=_VECTORS if shape.by_meaning else "",
    )


def _told(shape: Shape, parts: Sequence[str]) -> str:
    return _TOLD.format(
        message="best.message_id" if shape.in_talks else "NULL",
        parts=f"ARRAY[{', '.join(parts)}]::float8[]" if shape.explain else "NULL",
        shown=_OF_MESSAGE if shape.in_talks else f"{_OF_MEMORY}, false",
        messages=_MESSAGES if shape.in_talks else "",
    )


def _short(text: str) -> str:
    """The same statement without the spaces that part no words, but for those inside of quotes."""
    pieces = re.split("('[^']*')", " ".join(text.split()))
    return "".join(piece if quoted % 2 else _SPACE.sub(r"\1", piece) for quoted, piece in enumerate(pieces))


def _parts(*, is_dated: bool, in_talks: bool) -> list[str]:
    """What each sign adds to the score."""
    absent = {*(() if is_dated else ("date",)), *(() if in_talks else _OF_NEIGHBOURS)}
    return [_NOTHING if name in absent else f"{_WEIGHT[name]} * {sign}" for name, sign in _SIGN.items()]


def _dates(named: NamedDate | None) -> str:
    if named is None:
        return ""
    return _YEAR if named.month else _RANGE


def _filters(wish: FindWish) -> tuple[str, str]:
    """What is joined to the pass and what bounds it, only as far as it is asked."""
    of_node = {
        "n.category = %(category)s": wish.category,
        "(n.uri = %(within)s OR (n.uri >= %(within_first)s AND n.uri < %(within_end)s))": wish.within,
        "n.trust = ANY(%(trusts)s::varchar[])": wish.trust_at_least,
        "n.tags @> %(tags)s::varchar[]": wish.tags,
    }
    of_passage = {"p.occurred_at >= %(since)s": wish.since, "p.occurred_at <= %(until)s": wish.until}
    conditions = [condition for condition, asked in (of_node | of_passage).items() if asked]
    joined = "JOIN mem_nodes AS n ON n.id = p.node_id AND n.workspace_id = %(workspace)s" if wish.of_memories else ""
    return joined, "".join(f" AND {condition}" for condition in conditions)
