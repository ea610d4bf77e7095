"""Report of an import: every parsed message was stored, existed already, or is listed as skipped."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from apps.conversations.imports.parsed_items import Skipped
from apps.engine.text.normal_form import TextChange

MOST_LISTED = 1_000
MOST_UNKNOWN = 50


@dataclass
class ImportedConversation:
    id: str
    title: str
    stored: int = 0


@dataclass
class ImportReport:
    """Counts of an import. `read` is `stored` + `already_there` + all of `skipped_by_code`; lists are cut at 1,000.

    `unknown_fields` counts, by name, the fields of stored messages that were not read; at most 50 names.
    `changed_texts` counts the stored messages in which texts were changed, by what was changed (`TextChange`).
    """

    read: int = 0
    stored: int = 0
    already_there: int = 0
    skipped_by_code: dict[str, int] = field(default_factory=dict)
    skipped: list[Skipped] = field(default_factory=list)
    conversation_count: int = 0
    conversations: list[ImportedConversation] = field(default_factory=list)
    unknown_fields: dict[str, int] = field(default_factory=dict)
    changed_texts: dict[str, int] = field(default_factory=dict)

    @property
    def skipped_count(self) -> int:
        return sum(self.skipped_by_code.values())

    def note_skipped(self, skipped: Skipped) -> None:
        self.skipped_by_code[skipped.code] = self.skipped_by_code.get(skipped.code, 0) + 1
        if len(self.skipped) < MOST_LISTED:
            self.skipped.append(skipped)

    def note_unknown(self, names: Iterable[str]) -> None:
        for name in names:
            if name in self.unknown_fields or len(self.unknown_fields) < MOST_UNKNOWN:
                self.unknown_fields[name] = self.unknown_fields.get(name, 0) + 1

    def note_changes(self, changes: Iterable[TextChange]) -> None:
        for change in changes:
            self.changed_texts[change] = self.changed_texts.get(change, 0) + 1

    def note_conversation(self, conversation: ImportedConversation) -> None:
        self.conversation_count += 1
        if len(self.conversations) < MOST_LISTED:
            self.conversations.append(conversation)

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "skipped_count": self.skipped_count}

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> ImportReport:
        known = {name: stored[name] for name in ("read", "stored", "already_there", "conversation_count")}
        return cls(
            **known,
            skipped_by_code=dict(stored["skipped_by_code"]),
            skipped=[Skipped(**one) for one in stored["skipped"]],
            conversations=[ImportedConversation(**one) for one in stored["conversations"]],
            unknown_fields=dict(stored.get("unknown_fields", {})),
            changed_texts=dict(stored.get("changed_texts", {})),
        )
