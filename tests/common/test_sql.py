"""Statements in files: named parameters become placeholders, constants become part of the text."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from django.db import DataError, connection, transaction

from apps.common.sql import sql_file


@dataclass(frozen=True, slots=True)
class Total:
    total: int
    note: str


def written(folder: Path, text: str) -> Path:
    path = folder / "statement.sql"
    path.write_text(text)
    return path


def test_a_repeated_parameter_gets_one_placeholder(tmp_path: Path) -> None:
    statement = sql_file(written(tmp_path, "SELECT :last::int, :first::int, :last::text"))
    assert statement.text == "SELECT $1::int, $2::int, $1::text"
    assert statement.parameters == ("last", "first")


def test_quotes_comments_and_casts_have_no_parameters(tmp_path: Path) -> None:
    text = "SELECT ':a', now()::date -- :b\n"
    assert sql_file(written(tmp_path, text)).text == text


def test_constants_are_written_into_the_text_and_fractions_as_float8(tmp_path: Path) -> None:
    statement = sql_file(written(tmp_path, "SELECT :share * x FROM t LIMIT :most"), share=0.5, most=3)
    assert statement.text == "SELECT 0.5::float8 * x FROM t LIMIT 3"
    assert statement.parameters == ()


@pytest.mark.django_db
def test_rows_are_typed_by_the_names_of_their_columns(tmp_path: Path) -> None:
    statement = sql_file(written(tmp_path, "SELECT :note::text AS note, :a::int + :b::int AS total"))
    assert statement.rows(Total, {"b": 2, "a": 1, "note": "50 % of :a"}) == [Total(3, "50 % of :a")]


@pytest.mark.django_db
def test_statements_longer_than_the_driver_remembers_are_prepared(tmp_path: Path) -> None:
    statement = sql_file(written(tmp_path, f"SELECT :a::int AS total, '{'x' * 10_000}' AS note"))
    for number in range(6):
        assert statement.rows(Total, {"a": number})[0].total == number
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_prepared_statements WHERE length(statement) > 10000")
        assert cursor.fetchone() == (1,)


@pytest.mark.django_db
def test_errors_are_those_of_django(tmp_path: Path) -> None:
    statement = sql_file(written(tmp_path, "SELECT 1 / :a::int AS total, '' AS note"))
    with pytest.raises(DataError), transaction.atomic():
        statement.rows(Total, {"a": 0})
