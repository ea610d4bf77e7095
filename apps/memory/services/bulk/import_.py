"""Parsing of memory files and their import into the tree."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from django.db import transaction

from apps.accounts.actors import Actor
from apps.common.errors import Invalid, TooLarge
from apps.engine.memory.addresses import Address, AddressError
from apps.engine.memory.slots import LONGEST_ATTRIBUTE, LONGEST_SUBJECT, LONGEST_VALUE, Slot
from apps.engine.memory.trust import Source, Trust, lowest, trust_of
from apps.memory.models import MemNode, SourceKind
from apps.memory.models.tree import LONGEST_TAG
from apps.memory.records.tree import ItemResult, SourceRecord
from apps.memory.services.bulk.create import MOST_ITEMS, nodes_create_bulk
from apps.memory.services.bulk.export import FORMAT
from apps.memory.services.tree.node_drafts import NodeDraft
from apps.memory.services.tree.paths import sentence

MOST_IMPORTED = 5_000
LONGEST_REFERENCE = 200
_HEADING = re.compile(r"^# (mem://.*)$", re.MULTILINE)
_ESCAPED = re.compile(r"^\\(\\*# mem://)", re.MULTILINE)
_COMMENT = re.compile(r"\A\s*<!-- (\{.*\}) -->\n*")


@dataclass(frozen=True, slots=True)
class ImportItem:
    """A draft with the trust stated in the file, which an import can only lower; or a `problem` if it is invalid."""

    uri: str
    draft: NodeDraft | None = None
    trust: Trust = Trust.MODEL_INFERENCE
    problem: str = ""


def tree_import(
    actor: Actor, *, items: Sequence[ImportItem], at: Address | None = None, reason: str = "", confirmed: bool = False
) -> list[ItemResult]:
    """Import items at their own addresses or, with `at`, below it, replacing their common prefix.

    Return one result per item, in order. Deleted memories are not recreated; more trusted ones are not overwritten.
    Without a person's word that the memories are their own (`confirmed`), all of them arrive as proposals, whatever the
    file says; with it, proposals from an earlier import are accepted.
    """
    if len(items) > MOST_IMPORTED:
        raise TooLarge(f"At most {MOST_IMPORTED:,} memories at once.", code="too_many_items")
    items = items if confirmed else list(map(_unconfirmed, items))
    placed = _placed(items, at) if at else list(items)
    results: list[ItemResult] = []
    for start in range(0, len(placed), MOST_ITEMS):
        results += _import_some(actor, placed[start : start + MOST_ITEMS], start, reason)
    return results


def tree_import_preview(
    actor: Actor, *, items: Sequence[ImportItem], at: Address | None = None, confirmed: bool = False
) -> list[ItemResult]:
    """Return the results an import would have. The import runs and is rolled back, so they are exact; only nodes that
    exist without it have an id."""
    with transaction.atomic():
        results = tree_import(actor, items=items, at=at, confirmed=confirmed)
        transaction.set_rollback(True)
    # A later batch can find a node that an earlier batch created, so the item state alone is not enough.
    existing_ids = [result.node_id for result in results if result.node_id and result.state != "created"]
    existing = set(MemNode.objects.filter(pk__in=existing_ids).values_list("pk", flat=True))
    return [result if result.node_id in existing else replace(result, node_id=None) for result in results]


def items_of_json(text: str) -> list[ImportItem]:
    """Parse the output of `subtree_json`, or a JSON list of its nodes. Raise `Invalid` for anything else."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Invalid("The file is not JSON.", code="bad_import") from error
    return items_of_data(data)


def items_of_data(data: Any) -> list[ImportItem]:
    """Parse JSON data that is already decoded. Raise `Invalid` if it contains no list of nodes."""
    form = data.get("format") if isinstance(data, dict) else None
    nodes = data.get("nodes") if isinstance(data, dict) and form in (None, FORMAT) else data
    if not isinstance(nodes, list):
        raise Invalid("The file contains no list of memories.", code="bad_import")
    return list(map(_item, nodes))


def items_of_markdown(text: str) -> list[ImportItem]:
    """Parse one memory per heading that is an address, without the text before the first."""
    _, *parts = _HEADING.split(text)
    return [_item(_markdown_node(uri, body)) for uri, body in zip(parts[::2], parts[1::2], strict=True)]


def _import_some(actor: Actor, items: Sequence[ImportItem], start: int, reason: str) -> list[ItemResult]:
    readable = [(place, item.draft) for place, item in enumerate(items) if item.draft]
    trusts = {position: items[place].trust for position, (place, _) in enumerate(readable)}
    drafts = [draft for _, draft in readable]
    imported = nodes_create_bulk(actor, drafts=drafts, imported=True, trusts=trusts, reason=reason) if drafts else []
    results = [
        ItemResult(start + place, "refused", None, one.uri, "bad_item", one.problem) for place, one in enumerate(items)
    ]
    for (place, _), result in zip(readable, imported, strict=True):
        results[place] = replace(result, position=start + place)
    return results


def _placed(items: Sequence[ImportItem], at: Address) -> list[ImportItem]:
    shared = _shared_root([item.draft.address for item in items if item.draft])
    return [_moved(item, shared, at) for item in items]


def _shared_root(addresses: Sequence[Address]) -> int:
    """Return the number of leading segments that all addresses share; for a single address, all but its last."""
    names = [address.segments[:-1] if len(addresses) == 1 else address.segments for address in addresses]
    count = 0
    for column in zip(*names, strict=False):
        if len(set(column)) > 1:
            break
        count += 1
    return count


def _moved(item: ImportItem, shared: int, at: Address) -> ImportItem:
    if item.draft is None:
        return item
    try:
        address = at
        for name in item.draft.address.segments[shared:]:
            address = address.child(name)
    except AddressError as error:
        return ImportItem(item.uri, problem=sentence(error))
    return replace(item, uri=address.text, draft=replace(item.draft, address=address))


def _unconfirmed(item: ImportItem) -> ImportItem:
    """A memory that waits, so that a person decides on the words that they see: its short tiers follow from these.

    A folder has no words of its own.
    """
    if item.draft is None:
        return item
    draft = replace(item.draft, abstract="", overview="")
    if draft.is_directory:
        return replace(item, draft=replace(draft, tags=()))
    return replace(item, draft=draft, trust=lowest([item.trust, trust_of(Source.OTHER_STORE)]))


def _item(node: Any) -> ImportItem:
    uri = node.get("uri") if isinstance(node, dict) else None
    if not isinstance(uri, str):
        return ImportItem("", problem="A memory needs an address.")
    try:
        return ImportItem(uri, _draft(uri, node), Trust(node.get("trust", Trust.MODEL_INFERENCE)))
    except AddressError as error:
        return ImportItem(uri[:500], problem=sentence(error))
    except (ValueError, TypeError, AttributeError, LookupError):
        return ImportItem(uri[:500], problem="One of its fields cannot be read.")


def _draft(uri: str, node: Mapping[str, Any]) -> NodeDraft:
    return NodeDraft(
        address=Address.parse(uri),
        content=_text(node.get("content", "")),
        abstract=_text(node.get("abstract", "")),
        overview=_text(node.get("overview", "")),
        tags=[_text(tag, LONGEST_TAG) for tag in node.get("tags", ())],
        occurred_at=_date(node.get("occurred_at")),
        slot=_slot(node.get("slot")),
        valid_from=_date(node.get("valid_from")),
        valid_to=_date(node.get("valid_to")),
        sources=list(_sources(node.get("sources", ()))),
        shared=node.get("shared", False) is True,
        is_directory=node.get("directory", False) is True,
        archived_at=_date(node.get("archived_at")),
        is_proposed=node.get("proposed", False) is True,
    )


def _slot(data: Any) -> Slot | None:
    if data is None:
        return None
    subject, attribute = _text(data["subject"], LONGEST_SUBJECT), _text(data["attribute"], LONGEST_ATTRIBUTE)
    value = _text(data["value"], LONGEST_VALUE)
    return Slot(subject, attribute, value, data.get("many", False) is True) if subject and attribute else None


def _sources(data: Any) -> Iterator[SourceRecord]:
    for source in data:
        kind = SourceKind(source["kind"])
        yield SourceRecord(kind.value, _text(source["reference"], LONGEST_REFERENCE))


def _text(value: Any, longest: int | None = None) -> str:
    if not isinstance(value, str) or "\x00" in value or (longest is not None and len(value) > longest):
        raise ValueError("no text")
    value.encode()
    return value


def _date(value: Any) -> datetime | None:
    if value is None:
        return None
    date = datetime.fromisoformat(value)
    return date if date.tzinfo else date.replace(tzinfo=UTC)


def _markdown_node(uri: str, body: str) -> dict[str, Any]:
    comment = _COMMENT.match(body)
    content = _ESCAPED.sub(r"\1", body[comment.end() if comment else 0 :]).strip("\n")
    return {**_known(comment), "uri": uri.strip(), "content": content}


def _known(comment: re.Match[str] | None) -> dict[str, Any]:
    """Parse the fields in a comment; for an unreadable one return fields that no memory accepts."""
    try:
        known: dict[str, Any] = json.loads(comment[1]) if comment else {}
    except (ValueError, RecursionError):
        return {"tags": None}
    return known
