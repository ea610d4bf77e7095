"""The labeled material is whole, and nobody is read by a network that knows them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from apps.engine.reading.labels import CATEGORIES, CHANGES, COMMANDS
from studies.reading.folds import FOLDS, fold_of
from studies.reading.material import (
    all_writers,
    attribute_of,
    attributes,
    conversation_rows,
    digest,
    rows,
    training_rows,
    writers,
)
from studies.reading.pairs import written_pairs

NEWER = {f"w{number}" for number in range(61, 95)}
REASONS = {
    *("question", "hypothesis", "irony", "quotation", "fiction", "other_people", "passing", "abandoned", "task"),
    *("small_talk", "secret", "offer", "negated", "translation"),
}


def test_every_row_has_labels_that_the_reader_knows() -> None:
    for writer in writers():
        for row in rows(writer):
            assert {fact.category for fact in row.facts} <= set(CATEGORIES), row.id
            assert {fact.change for fact in row.facts} <= set(CHANGES), row.id
            assert {trap.why for trap in row.traps} <= REASONS, row.id
            assert row.command in COMMANDS, row.id


def test_ids_are_unique() -> None:
    ids = [row.id for writer in writers() for row in rows(writer)]
    assert len(ids) == len(set(ids)) > 8_000


def test_every_writer_is_left_out_once() -> None:
    wrote_pairs = [writer for writer in all_writers() if written_pairs(writer)]
    assert sorted(writer for left_out in FOLDS for writer in left_out) == sorted({*writers(), *wrote_pairs})
    assert fold_of("w41") == 0


def test_what_is_left_out_is_in_no_training() -> None:
    left_out = set(FOLDS[0])
    assert not {row.writer for row in training_rows(left_out)} & left_out
    assert len(training_rows()) > len(training_rows(left_out)) > 6_000


def test_of_a_conversation_the_facts_alone_are_labeled() -> None:
    found = conversation_rows()
    assert len(found) > 600 and all(row.is_of_conversation and not row.traps for row in found)
    fact = next(fact for row in found for fact in row.facts)
    assert (fact.about, fact.category, fact.attribute) == ("", "", "")


def test_the_folds_are_alike_in_size() -> None:
    """The newer writers are in two of them, so that the first fold's figures can be compared with earlier ones."""
    sizes = [sum(len(rows(writer)) for writer in left_out if writer not in NEWER) for left_out in FOLDS]
    assert max(sizes) < 1.3 * min(sizes)


def test_other_words_for_an_attribute_are_the_attribute() -> None:
    assert (attribute_of("nickname"), attribute_of("lives_in"), attribute_of("unheard_of")) == (
        "form_of_address",
        "lives_in",
        "unheard_of",
    )
    assert {said["holds"] for said in attributes().values()} == {"one", "many"}


def test_a_folder_of_other_writers_is_read_packed_or_not(tmp_path: Path) -> None:
    row = {"id": "x-1", "lang": "en", "register": "plain", "before": "", "text": "Hi", "facts": [], "not": []}
    line = json.dumps(row | {"command": {"kind": "forget", "what": "it"}})
    for name in ("x1", "x2", "x3"):
        (tmp_path / name).mkdir()
    (tmp_path / "x1" / "sentences.jsonl").write_text(f"{line}\n\n")
    with gzip.open(tmp_path / "x2" / "sentences.jsonl.gz", "wt") as packed:
        packed.write(line)
    before = digest(folder=tmp_path)
    assert writers(tmp_path) == ["x1", "x2"]
    assert [(one.id, one.command, one.commanded) for name in ("x1", "x2") for one in rows(name, tmp_path)] == [
        ("x-1", "forget", "it")
    ] * 2
    (tmp_path / "x1" / "sentences.jsonl").write_text(line.replace("Hi", "Ho"))
    assert digest(folder=tmp_path) != before
