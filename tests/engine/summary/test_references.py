from __future__ import annotations

import pytest

from apps.engine.language.sentences import CodeBlock
from apps.engine.summary.references import code_reference, names_in, references_in, things_in
from apps.engine.summary.rolling_summary import ReferenceType


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("see https://a.example/x?y=1.", ReferenceType.URL, "https://a.example/x?y=1"),
        ("(http://b.example/c)", ReferenceType.URL, "http://b.example/c"),
        ("in src/auth/session.ts:88 it fails", ReferenceType.FILE, "src/auth/session.ts:88"),
        ("open `config/base.yaml` now", ReferenceType.FILE, "config/base.yaml"),
        ("the Dockerfile is old", ReferenceType.FILE, "Dockerfile"),
        ("it lives in /etc/nginx/conf.d today", ReferenceType.FILE, "/etc/nginx/conf.d"),
        ("fixes PROJ-123", ReferenceType.ID, "PROJ-123"),
        ("merge #482 please", ReferenceType.ID, "#482"),
        ("commit 4be91d7 broke it", ReferenceType.ID, "4be91d7"),
        ("since v2.3.1 only", ReferenceType.ID, "v2.3.1"),
        ("order number 88213 is late", ReferenceType.ID, "88213"),
        ("id 7f3a9c2e-1b4d-4c8e-9a77-0d2f6f1b2c3d", ReferenceType.ID, "7f3a9c2e-1b4d-4c8e-9a77-0d2f6f1b2c3d"),
        ("call `make check` first", ReferenceType.CODE, "make check"),
        ("the column user_id is null", ReferenceType.CODE, "user_id"),
        ("write to ann@example.com", ReferenceType.OTHER, "ann@example.com"),
    ],
)
def test_each_reference_type_is_recognized(text: str, kind: ReferenceType, value: str) -> None:
    assert (kind, value) in list(references_in(text))


@pytest.mark.parametrize(
    "text", ["That's great, and/or fine.", "I slept 8 hours.", "e.g. this", "decade", "It costs 3.50"]
)
def test_plain_words_are_not_references(text: str) -> None:
    assert list(references_in(text)) == []


def test_titles_dates_and_places_are_extracted() -> None:
    assert list(things_in("I read 'The Long Way' near Lake Garda on 3 May 2024.")) == [
        "The Long Way",
        "3 May 2024",
        "Lake Garda",
    ]
    assert list(names_in("We took Rex to Oslo on Monday")) == ["Rex", "Oslo"]


def test_code_is_labeled_by_its_first_statement() -> None:
    assert code_reference(CodeBlock("// setup\nconst x = 1\n\nfunction go(a) {\n}")) == "const x = 1"
    assert code_reference(CodeBlock("")) == ""
