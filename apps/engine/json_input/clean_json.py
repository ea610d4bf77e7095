"""The texts of a JSON value, cleaned one by one, with what was changed and where."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from apps.engine.text.normal_form import TextChange, clean_text


@dataclass(frozen=True, slots=True)
class CleanJson:
    """A value whose texts may be stored; `changes` by the JSON pointer (RFC 6901) of the text."""

    value: Any
    changes: Mapping[str, tuple[TextChange, ...]]

    @property
    def kinds(self) -> frozenset[TextChange]:
        return frozenset(kind for kinds in self.changes.values() for kind in kinds)


def clean_json(value: Any, *, show_hidden: bool = False, verbatim: Collection[str] = ()) -> CleanJson:
    """Clean every text and name of a value that is not nested too deeply; equal names keep the last item.

    The texts with a name in `verbatim` are left as they are.

    >>> clean_json({"a": ["x\\x00", 1]})
    CleanJson(value={'a': ['x\ufffd', 1]}, changes={'/a/0': (<TextChange.REPLACED: 'replaced'>,)})
    """
    cleaning = _Cleaning(show_hidden, verbatim)
    return CleanJson(cleaning.value(value, ""), cleaning.changes)


@dataclass(slots=True)
class _Cleaning:
    show_hidden: bool
    verbatim: Collection[str]
    changes: dict[str, tuple[TextChange, ...]] = field(default_factory=dict)

    def value(self, value: Any, pointer: str) -> Any:
        if isinstance(value, str):
            return self._text(value, pointer)
        if isinstance(value, list):
            return [self.value(item, f"{pointer}/{index}") for index, item in enumerate(value)]
        if isinstance(value, dict):
            return {name: item for name, item in (self._named(*named, pointer) for named in value.items())}
        return value

    def _text(self, text: str, pointer: str) -> str:
        clean = clean_text(text, show_hidden=self.show_hidden)
        if clean.changes:
            self.changes[pointer] = clean.changes
        return clean.text

    def _named(self, name: str, item: Any, pointer: str) -> tuple[str, Any]:
        clean = clean_text(name)
        place = f"{pointer}/{pointer_segment(clean.text)}"
        if clean.changes:
            self.changes[place] = clean.changes
        return clean.text, item if clean.text in self.verbatim else self.value(item, place)


def pointer_segment(name: str) -> str:
    """A name as a segment of a JSON pointer.

    >>> pointer_segment("a/b~c")
    'a~1b~0c'
    """
    return name.replace("~", "~0").replace("/", "~1")
