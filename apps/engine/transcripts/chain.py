"""The conversation in a transcript: which entries it consists of, and in which order.

An agent only appends to its file, so that abandoned branches stay in it. Every entry names its parent, and the
conversation is the path from the latest leaf to its root.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from apps.engine.transcripts.entries import BlockKind, CompactBoundary, Entry


class Chains:
    """The entries of one file by their ids, with the parents that hold after every compaction."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._by_uuid = {entry.uuid: entry for entry in entries if entry.is_in_chain}
        self._entries = [entry for entry in entries if self._by_uuid.get(entry.uuid) is entry]
        self._place = {entry.uuid: place for place, entry in enumerate(self._entries)}
        self._parents = {entry.uuid: entry.parent for entry in self._entries}
        for entry in self._entries:
            if entry.boundary is not None:
                self._relink(entry.boundary)

    def conversation(self) -> list[Entry]:
        """The entries from the root to the latest leaf that belongs to the user's conversation, as the agent resumes
        it: nothing from before the last compaction but its summary and what it preserved."""
        leaf = self._latest_leaf()
        return list(self._path(leaf, set())) if leaf else []

    def history(self) -> list[Entry]:
        """The conversation with all that was said before its compactions.

        It also continues before a gap: where an entry's parent is missing, its line was damaged.
        """
        leaf = self._latest_leaf()
        seen: set[str] = set()
        paths: list[list[Entry]] = []
        while leaf is not None:
            path = list(self._path(leaf, seen))
            paths.insert(0, path)
            leaf = self._before(path[0], seen) if path else None
        return self._with_parallel_calls([entry for path in paths for entry in path])

    def _latest_leaf(self) -> Entry | None:
        """The last leaf in the file of the main conversation; the last one of all if there is no such."""
        parents = set(self._parents.values())
        ends = [entry for entry in self._entries if entry.uuid not in parents]
        leaves = [leaf for end in ends if (leaf := self._spoken_before(end))]
        main = [leaf for leaf in leaves if leaf.is_main]
        return max(main or leaves, key=lambda leaf: self._place[leaf.uuid], default=None)

    def _spoken_before(self, end: Entry) -> Entry | None:
        return next((entry for entry in self._upwards(end, set()) if entry.is_spoken), None)

    def _path(self, leaf: Entry, seen: set[str]) -> Iterator[Entry]:
        return reversed(list(self._upwards(leaf, seen)))

    def _upwards(self, entry: Entry | None, seen: set[str]) -> Iterator[Entry]:
        """The entry and those before it, without those that were seen: a damaged file may contain a cycle."""
        while entry is not None and entry.uuid not in seen:
            seen.add(entry.uuid)
            yield entry
            entry = self._by_uuid.get(self._parents[entry.uuid])

    def _before(self, root: Entry, seen: set[str]) -> Entry | None:
        """The entry before a compaction or a gap; none at the beginning of the conversation."""
        if root.boundary is not None and (before := self._compacted(root, seen)):
            return before
        if root.boundary is None and self._parents[root.uuid] in {"", *self._by_uuid}:
            return None
        earlier = (self._entries[place] for place in range(self._place[root.uuid] - 1, -1, -1))
        return next((entry for entry in earlier if entry.is_main and entry.uuid not in seen), None)

    def _compacted(self, boundary: Entry, seen: set[str]) -> Entry | None:
        """The last entry that a compaction replaced: of those before it, some may be preserved and thus seen."""
        entry, passed = self._by_uuid.get(boundary.logical_parent), set[str]()
        while entry is not None and entry.uuid in seen and entry.uuid not in passed:
            passed.add(entry.uuid)
            entry = self._by_uuid.get(entry.parent)
        return entry if entry is not None and entry.uuid not in seen else None

    def _relink(self, boundary: CompactBoundary) -> None:
        """Let the preserved messages follow the anchor, and what followed the anchor the last of them."""
        anchor = boundary.anchor
        preserved = self._preserved(boundary)
        if anchor not in self._by_uuid or anchor in preserved or not preserved:
            return
        following = [uuid for uuid, parent in self._parents.items() if parent == anchor and uuid not in preserved]
        self._parents.update(zip(preserved, [anchor, *preserved], strict=False))
        self._parents.update(dict.fromkeys(following, preserved[-1]))

    def _preserved(self, boundary: CompactBoundary) -> list[str]:
        """The preserved messages that the file contains, in order."""
        if boundary.preserved:
            return [uuid for uuid in dict.fromkeys(boundary.preserved) if uuid in self._by_uuid]
        path: list[str] = []
        for entry in self._upwards(self._by_uuid.get(boundary.tail), set()):
            path.append(entry.uuid)
            if entry.uuid == boundary.head:
                return path[::-1]
        return []

    def _with_parallel_calls(self, path: Sequence[Entry]) -> list[Entry]:
        """Add the other calls of a message that made several at once, and their results, which are branches."""
        included = {entry.uuid for entry in path}
        calls = _others_by_message(self._entries, included)
        results = self._results_by_parent(included)
        complete: list[Entry] = []
        for entry in path:
            complete.append(entry)
            for call in calls.pop(entry.message_id, ()) if entry.message_id else ():
                complete += [call, *results.get(call.uuid, ())]
        return complete

    def _results_by_parent(self, included: set[str]) -> Mapping[str, list[Entry]]:
        results: dict[str, list[Entry]] = {}
        for entry in self._entries:
            has_result = any(block.kind is BlockKind.TOOL_RESULT for block in entry.blocks)
            if has_result and entry.is_main and entry.uuid not in included:
                results.setdefault(self._parents[entry.uuid], []).append(entry)
        return results


def sidechains_of(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """The entries of each subagent, in the order of the file, by its id or else by its first entry."""
    chains: dict[str, list[Entry]] = {}
    chain_of: dict[str, str] = {}
    for entry in entries:
        if entry.is_in_chain and entry.is_sidechain:
            name = entry.agent_id or chain_of.get(entry.parent) or entry.uuid
            chain_of[entry.uuid] = name
            chains.setdefault(name, []).append(entry)
    return chains


def _others_by_message(entries: Iterable[Entry], included: set[str]) -> dict[str, list[Entry]]:
    """Entries outside the conversation that continue one of its messages, by the message."""
    others: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.kind == "assistant" and entry.message_id and entry.is_main and entry.uuid not in included:
            others.setdefault(entry.message_id, []).append(entry)
    return others
