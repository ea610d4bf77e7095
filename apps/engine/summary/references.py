"""Detection of references: URLs, files, identifiers, code, and titles and dates that people mention."""

from __future__ import annotations

import re
from collections.abc import Iterator

from apps.engine.language.sentences import CodeBlock
from apps.engine.language.similarity import normalized
from apps.engine.summary.rolling_summary import ReferenceType

Found = tuple[ReferenceType, str]
_VALUE_LENGTH = 120
_EXTENSIONS = (
    "py|pyi|js|jsx|ts|tsx|mjs|css|scss|html?|json|jsonl|ya?ml|toml|ini|cfg|conf|env|md|rst|txt|csv|tsv|sql|sh|bash|go|rs|java|kt|rb|php|c|h|cc|cpp"
    "|hpp|cs|swift|lock|log|xml|svg|png|jpe?g|gif|pdf|docx?|xlsx?|pptx?|zip|tar|gz|tf|proto|ipynb|vue|db|sqlite"
)
_URL = re.compile(r"\b(?:https?|ftp|s3|gs|ssh|postgres(?:ql)?|redis|mem|file)://[^\s<>\"'`|\\^{}\[\]]+", re.IGNORECASE)
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{2,63})+")
_FILE = re.compile(
    rf"(?<![\w/@.-])(?:~|\.{{1,2}}"
    rf"|/)?(?:[\w.@-]{{1,80}}/){{0,12}}[\w.@-]{{0,80}}[\w@-]\.(?:{_EXTENSIONS})(?::\d+)?(?![\w/]|\.\w)"
    r"|(?<![\w/.:])(?:~|\.{1,2})?/(?:[\w.@-]{1,80}/){1,12}[\w.@-]{0,80}"
    r"|(?<![\w/])(?:Dockerfile|Makefile|\.env|\.gitignore|docker-compose)(?![\w.])"
)
_ID = re.compile(
    r"\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b"
    r"|\b[A-Z][A-Z0-9]{1,9}-\d{1,7}(?:-[A-Z0-9]{1,12})*\b"
    r"|(?<![\w&/#])#\d{1,8}\b"
    r"|\bRFC \d{3,5}\b|\bCVE-\d{4}-\d{4,7}\b"
    r"|\bv\d{1,4}(?:\.\d{1,5}){1,3}(?:-[\w.]{1,20})?\b"
    r"|(?<![\w.])\d{1,4}\.\d{1,5}\.\d{1,5}(?:-[\w.]{1,20})?(?![\w.])"
    r"|(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?::\d{2,5})?(?![\w.])"
    r"|\b(?=[0-9a-f]{0,39}\d)(?=[0-9a-f]{0,39}[a-f])[0-9a-f]{7,40}\b"
    r"|\b(?:arn:aws:[\w:/.-]{4,100}|(?:usr|org|cus|sub|acct|req|ord|inv|pi|ch)_[A-Za-z0-9]{4,40})\b"
)
_NUMBERED = re.compile(
    r"\b(?:order|ticket|invoice|case|issue|pull request|PR|build|flight|booking|reference|tracking)(?: number"
    r"| no\.?| id)?:? "
    r"([A-Z]{0,4}-?\d{2,12}[A-Z]{0,3})\b",
    re.IGNORECASE,
)
_INLINE_CODE = re.compile(r"`([^`\n]{2,100})`")
_IDENTIFIER = re.compile(
    r"(?<!\S)--[a-z][\w-]{1,40}|\b[a-z]\w{0,40}_\w{1,60}(?:\(\))?|\b[a-z]{1,40}(?:\.[a-z_]{2,40}){1,4}\(\)"
    r"|\b[A-Z][A-Z0-9]{2,40}_[A-Z0-9_]{1,60}\b"
)
_COMPOUND = re.compile(r"\b[A-Z][a-z0-9]{1,40}(?:[A-Z][a-z0-9]{1,40}){1,5}\b")
_TITLE = re.compile(r"[\"“]([^\"”\n]{2,60})[\"”]|(?<!\w)'([A-Z][^'\n]{2,50})'(?!\w)")
_DATE = re.compile(
    r"\b(?:\d{4}-\d{2}-\d{2}|\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:January|February|March|April|May|June|July|August"
    r"|September|October|November|December)(?:,? \d{4})?"
    r"|(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{1,2}(?:st|nd"
    r"|rd|th)?(?:,? \d{4})?)\b"
)
_NAMED = re.compile(
    r"(?<=[a-z0-9,;:] )[A-Z][\w'’&-]{1,30}(?: (?:of the |of |the |and "
    r"|de )?[A-Z][\w'’&-]{1,30}){1,4}"
)
_NAME = re.compile(r"(?<=[a-z0-9,;:] )[A-Z][a-z]{2,30}\b(?!['’]|\s[A-Z])")
_NOT_NAMES = frozenset(
    word
    for line in """
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August
    September October November December Christmas Halloween Thanksgiving Easter God Mom Dad Thanks Yeah Wow
    Hey Yes
""".splitlines()
    for word in line.split()
)
_SIGNATURE = re.compile(
    r"^\s*(?:export |public |private |async |static )*(?:def|class|function|fn|func|interface|type|struct|enum"
    r"|const|let|var|CREATE|ALTER|SELECT"
    r"|INSERT|UPDATE|DELETE|import|from|FROM|resource|service)\b"
)
_NOISE_LINE = re.compile(r"^\s*(?:#|//|/\*|\*|--|<!--|[\[\]{}()]+,?;?\s*$|import |from |\$ ?$)")
_ENDING = ".,;:!?'\"*_)"


def references_in(text: str) -> Iterator[Found]:
    """Every address, file, identifier and piece of inline code of a text, in the order of their kinds.

    >>> [value for _, value in references_in("See https://a.io/x, fix PROJ-12 in app/main.py.")]
    ['https://a.io/x', 'app/main.py', 'PROJ-12']
    """
    rest = text
    for kind, pattern in ((ReferenceType.URL, _URL), (ReferenceType.OTHER, _EMAIL), (ReferenceType.FILE, _FILE)):
        values, rest = _taken(pattern, rest)
        yield from ((kind, value) for value in values if len(value) > 2)
    yield from _ids(rest)
    yield from _spans(text)
    outside = _INLINE_CODE.sub(" ", rest)
    yield from ((ReferenceType.CODE, match.group()) for match in _IDENTIFIER.finditer(outside))
    yield from ((ReferenceType.OTHER, match.group()) for match in _COMPOUND.finditer(outside))


def things_in(text: str) -> Iterator[str]:
    """Titles in quotation marks, dates and names of more than one word, as people mention them in a chat.

    >>> list(things_in('We saw "The Piano" in New York on 3 May.'))
    ['The Piano', '3 May', 'New York']
    """
    for pattern in (_TITLE, _DATE, _NAMED):
        for match in pattern.finditer(text):
            value = normalized(match.group(match.lastindex or 0)).strip(_ENDING).removesuffix("'s").removesuffix("’s")
            if pattern is not _TITLE or _is_title(value):
                yield value
        text = pattern.sub(" … ", text)


def names_in(text: str) -> Iterator[str]:
    """Single capitalized words inside a text that name a person, a pet or a place.

    >>> list(names_in("We saw Rex run through Harry Potter World, then Oslo"))
    ['Rex', 'Oslo']
    """
    for match in _NAME.finditer(text):
        before = text[max(0, match.start() - 40) : match.start()].split()
        if match.group() not in _NOT_NAMES and not (before and before[-1][0].isupper()):
            yield match.group()


def code_reference(block: CodeBlock) -> str:
    """The one line that names a block of code: its first signature or statement.

    >>> code_reference(CodeBlock("# setup\\nimport os\\ndef run(x):\\n    pass"))
    'def run(x)'
    """
    lines = [line for line in block.text.splitlines()[:200] if line.strip()]
    telling = [line for line in lines if not _NOISE_LINE.match(line)]
    signed = [line for line in telling if _SIGNATURE.match(line)]
    best = next(iter(signed or telling or lines), "")
    return normalized(best[: _VALUE_LENGTH * 4])[:_VALUE_LENGTH].rstrip(" ({[:,;=")


def _taken(pattern: re.Pattern[str], text: str) -> tuple[list[str], str]:
    values = [match.group()[:_VALUE_LENGTH].rstrip(_ENDING) for match in pattern.finditer(text)]
    return values, pattern.sub(" ", text) if values else text


def _ids(text: str) -> Iterator[Found]:
    for match in _ID.finditer(text):
        yield ReferenceType.ID, match.group()
    for match in _NUMBERED.finditer(text):
        yield ReferenceType.ID, match.group(1)


def _spans(text: str) -> Iterator[Found]:
    """Inline code, but for the addresses, files and identifiers that were found as what they are."""
    for match in _INLINE_CODE.finditer(text):
        value = normalized(match.group(1))
        if len(value) > 2 and not any(pattern.fullmatch(value) for pattern in (_URL, _FILE, _ID)):
            yield ReferenceType.CODE, value


def _is_title(value: str) -> bool:
    """Quoted words that look like a name: most of them are capitalised."""
    parts = [part for part in value.split() if part[:1].isalpha()]
    return bool(parts) and sum(part[0].isupper() for part in parts) * 2 > len(parts)
