"""One analysis of texts and queries: what is written alike, in parts, or without spaces has terms in common."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.language.search_words.analysis import STOP, search_words

TEXTS = st.text(max_size=200)


def terms(text: str) -> set[str]:
    """The terms without their language, each with what it is without accents."""
    return {part for token in search_words(text).split() for part in token.split(":")[1:]}


def share(query: str, text: str) -> bool:
    """Whether the text has every term of the query but one: the whole of a longer compound's part."""
    return bool(terms(query)) and len(terms(query) - terms(text)) <= len(terms(query)) // 3


@pytest.mark.parametrize(
    ("query", "text"),
    [
        # Identifiers, paths, addresses and options.
        ("load_config.toml", "See etc/app/load_config.toml for the defaults."),
        ("load config", "See etc/app/load_config.toml for the defaults."),
        ("app/load_config.toml", "See etc/app/load_config.toml for the defaults."),
        ("loadconfig", "Call load_config() first."),
        ("user name", "The field userName is required."),
        ("username", "The field userName is required."),
        ("HTTPServer", "class HTTPServer of http.server"),
        ("http server", "class HTTPServer"),
        ("status.example.com", "https://status.example.com/incidents?id=INC-77 has the timeline."),
        ("INC-77", "https://status.example.com/incidents?id=INC-77 has the timeline."),
        ("inc 77", "https://status.example.com/incidents?id=INC-77 has the timeline."),
        ("dry run", "Use --dry-run with it."),
        ("Model.objects", "rows = Model.objects.filter()"),
        ("std::vector", "It is a std::vector<int>."),
        ("R&D", "She leads R&D."),
        ("E404", "It fails with E404."),
        ("404", "It fails with E404."),
        ("2a02:8108", "The address is 2a02:8108::1."),
        # Versions and numbers.
        ("3.14.1", "Upgrade to v3.14.1-beta.2 soon."),
        ("3.14", "Upgrade to v3.14.1-beta.2 soon."),
        ("beta", "Upgrade to v3.14.1-beta.2 soon."),
        ("8841", "Customer 0043-8841-12."),
        ("0043884112", "Customer 0043-8841-12."),
        ("0043 8841 12", "Customer 0043-8841-12."),
        ("1234567", "It cost 1,234,567 in all."),
        ("10.0.0.7", "ssh to 10.0.0.7:2222"),
        ("2222", "ssh to 10.0.0.7:2222"),
        ("١٢٣", "Room 123"),
        # Names with signs.
        ("c++", "Written in C++."),
        ("F#", "An F# script"),
        (".NET", "Runs on .NET 8"),
        ("nodejs", "Runs on Node.js"),
        ("notepad++", "Opened in Notepad++"),
        # Letters that are written differently.
        ("muller", "Frau Müller"),
        ("mueller", "Frau Müller"),
        ("fussball", "Fußball im Regen"),
        ("FUSSBALL", "Fußball im Regen"),
        ("Lodz", "a hotel in Łódź"),
        ("Malmo", "a flat in Malmö"),
        ("istanbul", "İSTANBUL ve IĞDIR"),
        ("ığdır", "İSTANBUL ve IĞDIR"),
        ("Việt Nam", "viet nam"),
        ("encyclopaedia", "Encyclopædia"),
        ("αθηνα", "Αθήνα"),
        ("елка", "Ёлка"),
        ("ｆｕｌｌ", "full width"),
        ("soft", "so\u00adft"),
        # Scripts without spaces, and words with particles.
        ("咖啡", "他每天下午喝咖啡。"),
        ("カメラ", "新しいｶﾒﾗを買った。"),
        ("ข้าว", "เรากินข้าวเย็นตอนหกโมง"),
        ("ເຂົ້າ", "ຂ້ອຍກິນເຂົ້າ"),
        ("ភាសា", "ខ្ញុំរៀនភាសាខ្មែរ"),
        ("မြန်မာ", "ကျွန်တော်မြန်မာစကားပြောတယ်"),
        ("학교", "학교에서 만나요"),
        ("책", "책을 읽어요"),
        ("ירושלים", "נסענו לירושלים"),
        ("ספר", "הספר החדש"),
        ("שלום", "שָׁלוֹם"),
        ("كتاب", "قرأت الكتاب"),
        ("مدرسة", "ذهبت للمدرسة"),
        ("محمد", "مُحَمَّد"),
        ("احمد", "أحمد هنا"),
        ("हिन्दी", "मैं हिन्दी बोलता हूँ"),
        ("🍕", "Friday is 🍕 day"),
    ],
)
def test_the_terms_of_a_query_are_those_of_the_text_that_has_it(query: str, text: str) -> None:
    assert share(query, text), (terms(query) - terms(text), terms(text))


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("ADR-018", "ADR-081"),
        ("C++", "Vitamin C is in it."),
        ("2.14.1", "12.14.10"),
        ("ข้าว", "ฝนตกทั้งวัน"),
        ("咖啡", "我住在北京。"),
        ("?!… :* --", "Anything at all, 1 2 3."),
    ],
)
def test_what_is_another_thing_has_other_terms(query: str, text: str) -> None:
    assert not share(query, text)


def test_parts_of_one_character_say_nothing() -> None:
    assert terms("127.0.0.1") == {"127", "127001", "127.0.0.1", "127.0"}
    assert terms("x/y=1") == {"xy1"}


def test_a_letter_of_a_language_that_it_belongs_to_is_no_accent() -> None:
    assert terms("йод") == {"йод"} and terms("が") == set() and terms("ガス") == {"ガス"}


def test_words_have_their_endings_in_the_language_of_the_text_or_of_their_script() -> None:
    assert "de:häuser:hauser" in search_words("Die Häuser in der Stadt").split()
    assert "fr:été:ete" in search_words("C'est l'été dans la ville").split()
    assert {"ru:книги", "en:python"} <= set(search_words("Книги о Python").split())


def test_a_word_that_only_asks_is_a_stop_word() -> None:
    assert f":{STOP}wann" in search_words("Wann ist das?").split()


@given(TEXTS)
def test_forms_of_the_same_text_have_the_same_terms(text: str) -> None:
    composed, decomposed = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    assert search_words(composed) == search_words(decomposed)


@given(TEXTS)
def test_terms_are_distinct_and_have_neither_spaces_nor_quotes(text: str) -> None:
    tokens = search_words(text).split(" ") if search_words(text) else []
    assert len(tokens) == len(set(tokens))
    for token in tokens:
        language, *words = token.split(":")
        assert len(language) in {0, 2} and 1 <= len(words) <= 2 and all(words)
        assert not set(token) & set("'\"\\\0\n\t")


@given(TEXTS, TEXTS)
def test_a_text_within_another_keeps_the_terms_of_its_plain_words(first: str, second: str) -> None:
    plain = {term for term in terms(first) if term.isascii() and term.isalpha() and len(term) > 1}
    assert plain <= terms(f"{first} {second}") | terms(first)
