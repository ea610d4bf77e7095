"""The words, numbers and dates of a statement, and whether other texts contain them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import pairwise

from apps.engine.language.sentences import sentence_spans
from apps.engine.language.similarity import stem, words
from apps.engine.memory.values.reading import values_of
from apps.engine.memory.values.value import Kind, Value

_MONTHS = (
    "jan january januar jänner enero janvier",
    "feb february februar febrero février fevrier",
    "mar march märz maerz marzo mars",
    "apr april abril avril",
    "may mai mayo",
    "jun june juni junio juin",
    "jul july juli julio juillet",
    "aug august agosto août aout",
    "sep sept september septiembre septembre",
    "oct october oktober octubre octobre",
    "nov november noviembre novembre",
    "dec december dezember diciembre décembre decembre",
)
_MONTH_OF = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
_MONTH = rf"(?:{'|'.join(sorted(_MONTH_OF, key=len, reverse=True))})\b\.?"
_DATE = re.compile(
    r"\b(?P<y1>\d{4})-(?P<m1>\d{2})(?:-(?P<d1>\d{2}))?\b"
    rf"|\b(?P<d2>\d{{1,2}})(?:st|nd|rd|th|er|\.)?(?: of| de)? (?P<m2>{_MONTH})(?:,?(?: de)? (?P<y2>\d{{4}})\b)?"
    rf"|\b(?P<m3>{_MONTH})(?: (?P<d3>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:))?(?:,?(?: de)? (?P<y3>\d{{4}})\b)?"
    r"|(?P<y4>\d{4})年(?:(?P<m4>\d{1,2})月)?(?:(?P<d4>\d{1,2})日)?"
    # A season or a school year: "2026/27".
    r"|\b(?P<y5>\d{4})/\d{2}\b(?!/)",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"(?<!\d)(\d++)(?:st|nd|rd|th)\b", re.IGNORECASE)
# Digits inside a word ("CO2") are letters of it, but not in scripts without spaces.
_NUMBER = re.compile(r"(?<![^\W_\u0e00-\u0eff\u3040-\u9fff\uac00-\ud7a3])\d+(?:[.,:]\d+)*(?:k\b)?", re.IGNORECASE)
_NUMBER_WORDS = (
    "one ein eins eine un una une uno",
    "two zwei dos deux second second",
    "three drei tres trois third",
    "four vier cuatro quatre",
    "five fünf cinco cinq",
    "six sechs seis",
    "seven sieben siete sept",
    "eight acht ocho huit",
    "nine neun nueve neuf",
    "ten zehn diez dix",
    "eleven elf once onze",
    "twelve zwölf doce douze",
)
_NUMBER_OF = {name: str(number) for number, names in enumerate(_NUMBER_WORDS, 1) for name in names.split()}
_NUMBER_OF |= {"fifteen": "15", "fünfzehn": "15", "quince": "15", "quinze": "15"}
_TENS = (
    "twenty zwanzig veinte vingt venti vinte twintig",
    "thirty dreißig treinta trente trenta trinta dertig",
    "forty vierzig cuarenta quarante quaranta quarenta veertig",
    "fifty fünfzig cincuenta cinquante cinquanta cinquenta vijftig",
    "sixty sechzig sesenta soixante sessanta sessenta zestig",
    "seventy siebzig setenta settanta zeventig",
    "eighty achtzig ochenta ottanta oitenta tachtig",
    "ninety neunzig noventa novanta negentig",
)
_TEN_OF = {name: 10 * number for number, names in enumerate(_TENS, 2) for name in names.split()}
_NUMBER_OF |= {name: str(number) for name, number in _TEN_OF.items()}
_HUNDRED = re.compile(r"(?:hundred|hundert|cento|cien|cent)s?")
# Words of every statement: whom it is about, and function words of five languages.
_FRAME = frozenset(
    words("""
    user users user's owner person usuario usuaria nutzer nutzerin nutzers benutzer utilisateur utilisatrice
    a an the of to in on at by as is are was were be been has have had do does did it its this that these those and or
    but not no for from with without into their his her they she he who which what when than then so if because since
    until own one
    utente usuário usuária utilizador utilizatorul utilizatoarei utilizatorului gebruiker gebruikster gebruikers
    användaren användarens brukeren brukerens brugeren brugerens käyttäjä käyttäjän käyttäjällä felhasználó
    felhasználónak felhasználót kullanıcı kullanıcının kullanıcıya użytkownik użytkownika użytkowniczka użytkowniczki
    uživatel uživatele uživatelka uživatelky пользователь пользователя пользовательница пользовательницы користувач
    користувача користувачка користувачки χρήστης χρήστη χρήστρια المستخدم المستخدمة למשתמש המשתמש המשתמשת کاربر
    usuari usuària mtumiaji gumagamit उपयोगकर्ता ব্যবহারকারী صارف பயனர்
    der die das den dem des ein eine einen einem einer eines und oder nicht kein keine mit ohne im am zum zur von vom
    zu bei auf aus für ist sind war hat haben wird werden wurde seit sich als wie nach dass
    el la los las un una unos unas y o de del al en con sin por para que se su sus es son fue está ha han lo le les
    le la les un une des du de au aux et ou ne pas avec sans dans sur pour par que qui se sa son ses est sont a ont
    """)
)
_GERMAN = frozenset(words("der die das und ist mit nicht ein eine einer im zum zur für auf seit wird werden sind"))
# Words of almost any statement, which say nothing of what is stated; they count where there are no others.
_GLUE = frozenset(
    map(
        stem,
        words("""
        should would could can may must will want wants wanted like likes prefer prefers use uses used need needs
        them some other others most very more called named aged now place takes taking about
        raised lowered extended changed moved
        möchte will soll kann muss mag bevorzugt nutzt verwendet quiere prefiere usa debe porque
        veut préfère utilise doit être parce
        """),
    )
)
# What everybody reads alike.
_SHORT_FORMS = {
    "js": "javascript",
    "ts": "typescript",
    "py": "python",
    "k8s": "kubernetes",
    "db": "database",
    "nr": "number",
    "uni": "university",
}
_SPACELESS_FRAME = re.compile("ユーザー|利用者|用户|用戶|使用者|사용자|ผู้ใช้")
_LATIN = re.compile(r"[a-z][a-z0-9]+")
_LONGEST_JOINED = 3
_ELISION = re.compile(r"^(?:[ldsnjmtc]|qu)'")
# Hangul has spaces, but its words have endings of one or two syllables.
_SPACELESS = re.compile(r"[\u3400-\u9fff]+|[\u30a1-\u30fa\u30fc]+|[\uac00-\ud7a3]+|[\u0e00-\u0eff]+")
_TOKEN = re.compile(r"[^\W\d_]\w*(?:['’-][^\W\d_]\w*)*")
_BEFORE_SENTENCE = '.!?:;«„“"('
_DAYS_AROUND = timedelta(days=8)
_SHORTEST_STEM, _SHORTEST_NAME, _LIKE = 4, 3, 0.7
_LONGEST_PIECE = 1_000


@dataclass(frozen=True, slots=True)
class Wording:
    """What a statement says: its words without those of every statement, of these the names; numbers and dates."""

    words: frozenset[str]
    names: frozenset[str]
    numbers: frozenset[str]
    dates: tuple[tuple[int, int, int], ...]

    @classmethod
    def of(cls, text: str) -> Wording:
        """Read a statement; a date is year, month and day, each 0 if it is not given.

        >>> read = Wording.of("The user moved to Porto on 4 May 2026 with 2 cats")
        >>> sorted(read.words), sorted(read.names), sorted(read.numbers), read.dates
        (['cat', 'mov', 'porto'], ['porto'], ['2'], ((2026, 5, 4),))
        """
        found = list(_dates(text))
        dates, rest = tuple(day for _, day in found), text
        for span, _ in found:
            rest = rest.replace(span, " ")
        numbers = frozenset(canonical_number(one.group()) for one in _NUMBER.finditer(_ORDINAL.sub(r"\1", rest)))
        return cls(frozenset(_stems(rest)), frozenset(_names(rest)), numbers, dates)

    @property
    def significant(self) -> frozenset[str]:
        """Its words without those that say nothing of what is stated, if there are others.

        >>> [sorted(Wording.of(text).significant) for text in ("The user wants short texts", "The user wants them")]
        [['short', 'text'], ['them', 'want']]
        """
        return self.words - _GLUE or self.words


@dataclass(slots=True)
class Vocabulary:
    """The words, numbers and months of texts."""

    stems: set[str] = field(default_factory=set)
    numbers: set[str] = field(default_factory=set)
    months: set[int] = field(default_factory=set)
    texts: tuple[str, ...] = ()
    _in_words: frozenset[str] | None = None

    @classmethod
    def of(cls, texts: Iterable[str]) -> Vocabulary:
        vocabulary = cls(texts=tuple(texts))
        for text in vocabulary.texts:
            vocabulary.stems.update(_stems(text))
            vocabulary.numbers.update(_number_forms(text))
            vocabulary.months.update(_MONTH_OF[word] for word in words(text) if word in _MONTH_OF)
            vocabulary.months.update(month for _, (_, month, _) in _dates(text) if month)
        return vocabulary

    def has_word(self, word: str) -> bool:
        """Whether a word is in it in this form or a similar one ("Postgres" for "PostgreSQL").

        >>> vocabulary = Vocabulary.of(["We moved to Postgres"])
        >>> [vocabulary.has_word(word) for word in ("postgresql", "mov", "oracl")]
        [True, True, False]
        """
        return word in self.stems or any(_alike(word, known) for known in self.stems)

    def has_number(self, number: str) -> bool:
        """Whether a number is in it, with or without its thousands, or as a time or a share in words.

        >>> vocabulary = Vocabulary.of(["A quarter of us come at half past six"])
        >>> [vocabulary.has_number(number) for number in ("25", "18:30", "18:00")]
        [True, True, False]
        """
        thousands = number.removesuffix("000")
        if number in self.numbers or (thousands and thousands != number and thousands in self.numbers):
            return True
        if self._in_words is None:
            self._in_words = frozenset(form for text in self.texts for form in _forms_of_words(text))
        return number in self._in_words

    def shares(self, words: Iterable[str], numbers: Iterable[str]) -> bool:
        """Whether one of the words, in this form or a similar one, or of the numbers is in it."""
        return any(map(self.has_word, words)) or not self.numbers.isdisjoint(numbers)

    def has_date(self, day: tuple[int, int, int], written_on: date | None) -> bool:
        """Whether a date is given, or follows from the day on which the texts were written."""
        year, month, number = day
        if written_on and _is_near(written_on, day):
            return True
        has_year = not year or str(year) in self.numbers or (written_on and abs(written_on.year - year) <= 1)
        has_month = not month or month in self.months or (written_on and (written_on.month - month) % 12 in (0, 1, 11))
        return bool(has_year and has_month) and (not number or str(number) in self.numbers)


def canonical_number(text: str) -> str:
    """A number in one form.

    >>> [canonical_number(text) for text in ("40,000", "40k", "007", "3,5", "02:13")]
    ['40000', '40000', '7', '3.5', '2:13']
    """
    digits = text.lower().removesuffix("k") + ("000" if text.lower().endswith("k") else "")
    digits = re.sub(r"[.,](?=\d{3}(?!\d))", "", digits).replace(",", ".")
    return digits.lstrip("0") or "0"


def _number_forms(text: str) -> Iterator[str]:
    for found in _NUMBER.finditer(_ORDINAL.sub(r"\1", text)):
        yield canonical_number(found.group())
    # Those inside words and other numbers too: "v3", "6.30".
    yield from (part.lstrip("0") or "0" for part in re.findall(r"\d+", text))
    yield from _in_words(text)


def _in_words(text: str) -> Iterator[str]:
    """The numbers that words say: "seventy-three", "twelve hundred"."""
    found = [part for word in words(text) for part in re.split(r"[-–]", word)]
    for word, after in pairwise([*found, ""]):
        if word in _NUMBER_OF:
            yield _NUMBER_OF[word]
            if word in _TEN_OF and after in _NUMBER_OF and int(_NUMBER_OF[after]) < 10:
                yield str(_TEN_OF[word] + int(_NUMBER_OF[after]))
            if _HUNDRED.fullmatch(after):
                yield f"{_NUMBER_OF[word]}00"


def _forms_of_words(text: str) -> Iterator[str]:
    """Numbers of times and shares in words: "half seven" is 7:30 or 19:30, "a quarter" 25 %."""
    for value in _values_of_long(text):
        if value.kind is Kind.SHARE and (share := re.fullmatch(r"0?\.\d+", value.text)):
            yield str(round(100 * float(share.group())))
        if value.kind is Kind.TIME and (time := re.fullmatch(r"(\d{1,2}):(\d{2})", value.text)):
            hour, minutes = int(time[1]) % 12, time[2]
            yield from (f"{one}:{minutes}" for one in (hour, hour + 12))


def _values_of_long(text: str) -> Iterator[Value]:
    """The values of a text of any length, sentence by sentence; a longer one is no sentence, and is read in pieces."""
    for line in text.splitlines():
        for start, end in sentence_spans(line):
            for place in range(start, end, _LONGEST_PIECE):
                yield from values_of(line[place : min(end, place + _LONGEST_PIECE)])


def _dates(text: str) -> Iterator[tuple[str, tuple[int, int, int]]]:
    """The dates of a text as they are written, each with its year, month and day."""
    for found in _DATE.finditer(text):
        groups = found.groupdict()
        parts = [next(filter(None, (groups.get(f"{kind}{form}") for form in "12345")), "") for kind in "ymd"]
        year, month, day = parts
        number = int(month) if month.isdigit() else _MONTH_OF.get(month.lower().rstrip("."), 0)
        # "may" and "mars" alone are other words.
        if year or day or len(month) > _SHORTEST_STEM:
            yield found.group(), (int(year or 0), number, int(day or 0))


def _is_near(written_on: date, day: tuple[int, int, int]) -> bool:
    try:
        return abs(date(*day) - written_on) <= _DAYS_AROUND
    except ValueError:
        return False


def _stems(text: str) -> Iterator[str]:
    for word in words(text):
        parts = re.split(r"[._\-–/]", _ELISION.sub("", word))
        for part in ["".join(parts)] if _are_one(parts) else parts:
            yield from _stems_of_word(_SHORT_FORMS.get(part, part))


def _are_one(parts: Sequence[str]) -> bool:
    """Whether a word with hyphens is also written without: "Wi-Fi"."""
    return len(parts) > 1 and all(part.isalpha() and len(part) <= _LONGEST_JOINED for part in parts)


def _stems_of_word(word: str) -> Iterator[str]:
    """The stem of a word; of one in a script without spaces, every two characters."""
    if runs := _SPACELESS.findall(_SPACELESS_FRAME.sub(" ", word)):
        for run in runs:
            yield from ("".join(pair) for pair in pairwise(run)) if len(run) > 1 else (run,)
        yield from map(stem, _LATIN.findall(word))
    elif not word.isascii() and any(ord(letter) > 0x3000 for letter in word):
        yield from map(stem, _LATIN.findall(word))
    elif word and word not in _FRAME and not word[0].isdigit() and word not in _NUMBER_OF:
        yield stem(word)


def _names(text: str) -> Iterator[str]:
    """Words with a capital that is not due to a sentence's beginning; none in German, where every noun has one."""
    if len(_GERMAN.intersection(words(text))) > 1:
        return
    for found in _TOKEN.finditer(text):
        name = found.group()
        is_first = _begins_sentence(text, found.start())
        if (name[0].isupper() and not is_first) or name[1:] != name[1:].lower():
            yield from map(stem, _LATIN.findall(name.lower())) if _SPACELESS.search(name) else _stems(name)


def _begins_sentence(text: str, place: int) -> bool:
    """Whether nothing but white space is between a place and the text's beginning or a sign before a sentence."""
    while place and text[place - 1].isspace():
        place -= 1
    return not place or text[place - 1] in _BEFORE_SENTENCE


def _alike(word: str, known: str) -> bool:
    # "party" and "parties", "tutoyer" and "tutoie".
    shorter, longer = sorted((word.replace("y", "i"), known.replace("y", "i")), key=len)
    if len(shorter) < _SHORTEST_NAME or not shorter[0].isalpha():
        return False
    if longer.startswith(shorter):
        return len(shorter) >= _SHORTEST_STEM or len(known) <= len(word)
    same = next((place for place, (a, b) in enumerate(zip(shorter, longer, strict=False)) if a != b), len(shorter))
    return same > _SHORTEST_STEM and same >= _LIKE * len(longer)
