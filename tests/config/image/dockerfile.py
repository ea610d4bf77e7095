"""A parser of Dockerfiles: stages and their instructions."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Instruction:
    """One instruction: `COPY`, its flags as {"from": "builder"}, and the rest of it."""

    name: str
    flags: dict[str, str]
    value: str

    def words(self) -> list[str]:
        return shlex.split(self.value)

    def pairs(self) -> dict[str, str]:
        """ENV, ARG and LABEL: names and values."""
        return dict(word.partition("=")[::2] for word in self.words())

    def argv(self) -> list[str]:
        """CMD in its exec form; HEALTHCHECK's CMD too."""
        found: list[str] = json.loads(self.value[self.value.index("[") :])
        return found


@dataclass
class Stage:
    base: str
    name: str
    instructions: list[Instruction] = field(default_factory=list)

    def last(self, name: str) -> Instruction:
        return [found for found in self.instructions if found.name == name][-1]

    def environment(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for instruction in self.instructions:
            if instruction.name == "ENV":
                found |= instruction.pairs()
        return found


def read_dockerfile(path: Path) -> list[Stage]:
    stages: list[Stage] = []
    for instruction in map(_parsed, _lines(path.read_text())):
        if instruction.name == "FROM":
            base, _, name = instruction.words() if " AS " in instruction.value else (instruction.value, "", "")
            stages.append(Stage(base, name))
        else:
            stages[-1].instructions.append(instruction)
    return stages


def _lines(text: str) -> list[str]:
    """Instructions without comments, each on one line."""
    kept = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    return [line.strip() for line in re.sub(r"\\\n", " ", kept).splitlines() if line.strip()]


def _parsed(line: str) -> Instruction:
    name, _, rest = line.partition(" ")
    flags: dict[str, str] = {}
    while (found := re.match(r"--([a-z-]+)=(\S+)\s+", rest)) is not None:
        flags[found[1]] = found[2]
        rest = rest[found.end() :]
    return Instruction(name.upper(), flags, rest.strip())
