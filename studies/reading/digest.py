"""Digests of what weights and chances are made from: they tell whether either must be made again."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from studies.reading import material

HERE = Path(__file__).parent
APPS = HERE.parents[1] / "apps"
TRAINING = (
    *(HERE / f"{name}.py" for name in ("distillation", "examples", "folds", "losses", "material", "network")),
    *(HERE / f"{name}.py" for name in ("pairs", "parts", "recipe", "train", "trainings")),
    *(APPS / "llm" / "reading" / f"{name}.py" for name in ("e5", "heads", "tokenizer", "tokens", "weights")),
    *(APPS / "engine" / "reading" / f"{name}.py" for name in ("kinship", "labels", "spans")),
    APPS / "engine" / "language" / "similarity.py",
)
READING = (
    HERE / "reading.py",
    *(APPS / "llm" / "reading" / f"{name}.py" for name in ("network", "reader")),
    *(APPS / "engine" / "reading" / f"{name}.py" for name in ("chances", "conjunctions", "list_items", "pronouns")),
    *(APPS / "engine" / "extraction" / f"{name}.py" for name in ("lists", "own_words", "parts", "quotations")),
    APPS / "engine" / "language" / "sentences.py",
)


def training_digest(recipe: Mapping[str, Any]) -> str:
    """Of the material, the code and the recipe that weights are made from."""
    found = sha256(material.digest(recipe["without"]).encode())
    for file in TRAINING:
        found.update(code_of(file).encode())
    found.update(json.dumps(recipe).encode())
    return found.hexdigest()[:16]


def chances_digest(recipe: Mapping[str, Any]) -> str:
    """Of all that chances are made from: the weights of a recipe, the rows, and the code that reads them."""
    found = sha256((training_digest(recipe) + material.digest()).encode())
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
