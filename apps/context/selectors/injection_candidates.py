"""Conversion of memories to candidates of the context for a new session."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from apps.accounts.time_zones import local_day
from apps.context.already_read import NOTHING_READ, AlreadyRead
from apps.context.injection_records import InjectionSource
from apps.engine.memory.addresses import Address
from apps.engine.memory.decay import relevance_at
from apps.engine.memory.directory_tiers import Entry, directory_abstract, directory_overview
from apps.engine.memory.tiers import abstract, overview
from apps.engine.memory.trust import Arrival, Trust, is_low, lowest, origin_of, trust_label
from apps.engine.pack.injection import MIN_RELEVANCE, Candidate
from apps.engine.pack.injection_shares import Section
from apps.engine.policy import Policy
from apps.engine.summary.rendering import MemoryItem
from apps.memory.models import MemNode
from apps.memory.records.tree import strength_of
from apps.memory.services.tree.node_snapshot import PERSON

# A folder of many memories must not displace the others.
MOST_LISTED = 20


@dataclass(frozen=True, slots=True)
class Listing:
    """A folder that appears with a list of its memories: those with an empty name are listed by their text alone."""

    section: Section
    address: Address
    directory: MemNode | None
    rows: Sequence[MemNode]
    named: bool = True


@dataclass(frozen=True, slots=True)
class CandidateReader:
    """Converts rows as of one time."""

    policy: Policy
    now: datetime
    read: AlreadyRead = NOTHING_READ

    def of_memory(
        self, section: Section, row: MemNode, *, dated: bool = False, current: bool = False
    ) -> InjectionSource:
        has_ended = row.valid_to is not None and row.valid_to <= self.now
        candidate = Candidate(
            id=str(row.id),
            section=section,
            origin=_origin(row, dated=dated),
            abstract=row.l0_abstract,
            overview=row.l1_overview,
            relevance=self.relevance(row),
            trust=Trust(row.trust),
            is_proposed=row.arrival == Arrival.PROPOSED,
            is_superseded=has_ended or row.superseded_by_id is not None,
            is_current_session=current,
            read_in=self._read_in(row),
        )
        return InjectionSource(candidate, row.uri, (row.id,))

    def of_listing(self, listing: Listing) -> Iterator[InjectionSource]:
        """A folder with its relevant and trusted memories as they are now, and each of the others.

        The stored overview of a folder may be older than a change of its memories.
        """
        usable = [row for row in listing.rows if self._is_usable(row)]
        shown, usable_ids = self._most_relevant(usable), {row.id for row in usable}
        if shown:
            yield self._folder(listing, shown, len(listing.rows) - len(shown))
        yield from (self.of_memory(listing.section, row) for row in listing.rows if row.id not in usable_ids)

    def of_user_memory(self, items: Iterable[MemoryItem]) -> Iterator[InjectionSource]:
        """What a person wrote about themselves; its relevance does not decay."""
        for item in items:
            candidate = Candidate(
                id=item.id,
                section=Section.PROFILE,
                origin=f"user memory, {item.type}: {item.key}",
                abstract=abstract(item.content),
                overview=overview(item.content),
                read_in=self.read.file_with(item.content),
            )
            yield InjectionSource(candidate)

    def _is_usable(self, row: MemNode) -> bool:
        is_trusted = self.relevance(row) > MIN_RELEVANCE and not is_low(Trust(row.trust))
        return is_trusted and not self._read_in(row)

    def _read_in(self, row: MemNode) -> str:
        return self.read.file_with(row.l1_overview or row.l0_abstract, row.id)

    def _most_relevant(self, rows: Sequence[MemNode]) -> list[MemNode]:
        """The memories to list, in their order."""
        best = sorted(rows, key=lambda row: (-self.relevance(row), -row.access_count))[:MOST_LISTED]
        return sorted(best, key=rows.index)

    def _folder(self, listing: Listing, rows: Sequence[MemNode], more: int) -> InjectionSource:
        row, uri = listing.directory, listing.address.text
        texts = _texts(listing, rows, more)
        candidate = Candidate(
            id=str(row.id) if row else uri,
            section=listing.section,
            origin=uri,
            abstract=texts[0],
            overview=texts[1],
            relevance=max(map(self.relevance, rows)),
            trust=lowest(Trust(one.trust) for one in rows),
        )
        return InjectionSource(candidate, uri, tuple(one.id for one in rows))

    def relevance(self, row: MemNode) -> float:
        return relevance_at(strength_of(row), self.now.timestamp(), self.policy)


def _labeled(row: MemNode) -> str:
    label = trust_label(Trust(row.trust))
    return f"{row.l0_abstract} ({label})" if label else row.l0_abstract


def _origin(row: MemNode, *, dated: bool) -> str:
    """The address, with the date of the words if they are none of a person's own, or if it is asked for."""
    trust = Trust(row.trust)
    date = local_day(row.stated_at)
    return origin_of(row.uri, trust, date if dated or trust is not Trust.DIRECT_USER else "")


def _texts(listing: Listing, rows: Sequence[MemNode], more: int) -> tuple[str, str]:
    """Abstract and overview of a folder: a person's own, or compiled."""
    written = listing.directory
    if written and written.tiers_by == PERSON:
        return written.l0_abstract, written.l1_overview
    entries = [Entry(_name(listing, row), _labeled(row)) for row in rows]
    return directory_abstract(entries), directory_overview(entries, more)


def _name(listing: Listing, row: MemNode) -> str:
    return row.uri.removeprefix(f"{listing.address.text}/") if listing.named else ""
