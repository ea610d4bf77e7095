"""Names use the field's terms: words that the glossary rejects are in no module, class or function.

Docstrings and comments are read by people, not scanned. `python -m tests.test_names` lists the offenders.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("apps", "client/src", "config", "bench", "studies")

FORBIDDEN = re.compile(
    "anew|asked|because|beside|cells?|deed|desk|(un)?fold(s|ed|ing)?|gone|graves?|held|hold(s|ing)?|keep(s|er|ing)?|kept"
    "|marks?|meanwhile|mend(ed|ing)|ow(ed|es|ing)|resting|said|say(s|ing)?|seal(s|ed|ing)?|seats?|shapes?"
    "|stand(s|ing)|stretch(es)?|talk(s|ing)?|tell(s|ing)?|told|whoever|wish(es)?"
)
FORBIDDEN_PHRASES = ("looked_up", "left_out")
FORBIDDEN_IN_CLASSES = re.compile("found|ask")
"""In classes and modules alone: as a verb in a function they are plain."""

ALLOWED: dict[str, str] = {
    "NotFound": "the usual name of HTTP's 404",
    "LayoutNotFound": "a 404 of its own",
    "UNFOLD": "the setting of django-unfold",
    **dict.fromkeys(("folds", "FOLDS", "fold_of"), "a part of a cross-validation"),
}
"""Names that are right as they are, each with its reason."""

QUESTION_WORDS = frozenset({"What", "Who", "Whose", "How", "Whether", "Where", "That", "Which", "When"})

_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+")


@dataclass(frozen=True, slots=True)
class Definition:
    path: str
    line: int
    kind: str
    name: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.kind} {self.name}"


def parts(name: str) -> list[str]:
    """The words of an identifier.

    >>> parts("HTTPKeptRow"), parts("_looked_up")
    (['http', 'kept', 'row'], ['looked', 'up'])
    """
    return [part.lower() for part in _PART.findall(name)]


def offending(definition: Definition) -> list[str]:
    """The words of the name that the glossary gives up.

    >>> offending(Definition("a.py", 1, "function", "message_kept"))
    ['kept']
    >>> offending(Definition("a.py", 1, "class", "NotFound")), offending(Definition("a.py", 1, "class", "Found"))
    ([], ['found'])
    """
    if definition.name in ALLOWED:
        return []
    words = parts(definition.name)
    patterns = (FORBIDDEN, FORBIDDEN_IN_CLASSES) if definition.kind in ("class", "module") else (FORBIDDEN,)
    phrases = [phrase for phrase in FORBIDDEN_PHRASES if f"_{phrase}_" in f"_{'_'.join(words)}_"]
    return [word for word in words if any(pattern.fullmatch(word) for pattern in patterns)] + phrases


def modules(root: Path = ROOT, folders: Iterable[str] = FOLDERS) -> Iterator[Path]:
    for folder in folders:
        yield from (path for path in sorted((root / folder).rglob("*.py")) if "migrations" not in path.parts)


def definitions(path: Path, root: Path = ROOT) -> Iterator[Definition]:
    """The module (and its package), and every public class, function, method, field and constant in it."""
    place = str(path.relative_to(root))
    module = path.parent.name if path.stem == "__init__" else path.stem
    yield Definition(place, 1, "module", module)
    for line, kind, name in _defined(ast.parse(path.read_text("utf-8")).body, inside=""):
        if not name.startswith("_"):
            yield Definition(place, line, kind, name)


def _defined(body: list[ast.stmt], inside: str) -> Iterator[tuple[int, str, str]]:
    for node in body:
        match node:
            case ast.ClassDef():
                yield node.lineno, "class", node.name
                if not node.name.startswith("_"):
                    yield from _defined(node.body, inside="class")
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield node.lineno, "method" if inside else "function", node.name
            case ast.Assign(targets=targets):
                names = [target.id for target in targets if isinstance(target, ast.Name)]
                yield from ((node.lineno, "field" if inside else "constant", name) for name in names)
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield node.lineno, "field" if inside else "constant", name


def offenders() -> list[tuple[Definition, list[str]]]:
    every = (definition for path in modules() for definition in definitions(path))
    return [(definition, words) for definition in every if (words := offending(definition))]


def test_no_name_has_a_word_that_the_glossary_gives_up() -> None:
    assert not [f"{definition}: {', '.join(words)}" for definition, words in offenders()]


def test_no_module_docstring_begins_with_a_question_word() -> None:
    """A module's docstring is a noun phrase or an imperative, not a subordinate clause."""
    docstrings = {path: ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "" for path in modules()}
    assert not [str(path) for path, text in docstrings.items() if text.split(" ")[0] in QUESTION_WORDS]


def test_every_exception_is_still_needed() -> None:
    names = {definition.name for path in modules() for definition in definitions(path)}
    assert not ALLOWED.keys() - names


if __name__ == "__main__":
    for definition, words in offenders():
        print(f"{definition}: {', '.join(words)}")
