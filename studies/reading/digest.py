"""Digests of what weights and chances are made from: they tell whether either must be made again."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from studies.reading import material

HERE = Path(__file__).parent
APPS = HERE.parents[1] / "apps"
TRAINING = (
    *(HERE / f"{name}.py" for name in ("examples", "folds", "material", "network", "pairs", "parts", "train")),
    *(APPS / "llm" / "reading" / f"{name}.py" for name in ("e5", "heads", "tokenizer", "tokens")),
    *(APPS / "engine" / "reading" / f"{name}.py" for name in ("kinship", "labels")),
)
READING = (
    *(APPS / "llm" / "reading" / f"{name}.py" for name in ("network", "reader", "weights")),
    *(APPS / "engine" / "reading" / f"{name}.py" for name in ("chances", "conjunctions", "pronouns", "spans")),
    *(APPS / "engine" / "extraction" / f"{name}.py" for name in ("own_words", "parts", "quotations")),
    APPS / "engine" / "language" / "sentences.py",
)


def training_digest(recipe: Mapping[str, Any]) -> str:
    """Of the material, the code and the recipe that weights are made from."""
    found = sha256(material.digest(recipe["without"]).encode())
    for file in TRAINING:
        found.update(code_of(file).encode())
    found.update(json.dumps(recipe).encode())
    return found.hexdigest()[:16]


def chances_digest(recipes: Sequence[Mapping[str, Any]]) -> str:
    """Of all that chances are made from: the weights of each recipe, and the code that reads with them."""
    found = sha256("".join(training_digest(recipe) for recipe in recipes).encode())
    for file in READING:
        found.update(code_of(file).encode())
    return found.hexdigest()[:16]


def code_of(file: Path) -> str:
    """What a module does: its code without comments, docstrings and layout."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            node.body = [one for one in node.body if not _is_text(one)] or [ast.Pass()]
    return ast.dump(tree)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
