"""The web app's build: choice of Node, rebuilds on changes, and failed builds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from config.stack import frontend, nodejs, packages
from config.stack.errors import StackError

NODE = '#!/bin/sh\n[ "$1" = --version ] && echo {version}\n'
NPM = """#!/bin/sh
echo "$*" >> {calls}
case "$*" in
  *types*) mkdir -p src/api && cp openapi.json src/api/schema.d.ts ;;
  ci*) rm -rf node_modules && mkdir node_modules ;;
  *build*) mkdir dist && cp src/main.ts dist/index.html ;;
esac
exit {code}
"""


class Machine:
    """A folder for the PATH, and an app to build."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.page = folder, folder / "frontend"
        self.programs, self.calls = folder / "bin", folder / "calls"
        (self.page / "src").mkdir(parents=True)
        self.programs.mkdir()
        for name in ("package.json", "package-lock.json", "src/main.ts"):
            (self.page / name).write_text(name)

    def has(self, name: str, script: str, **values: object) -> None:
        (self.programs / name).write_text(script.format(**values))
        (self.programs / name).chmod(0o755)

    def has_node(self, version: str = "v24.1.0", code: int = 0) -> None:
        self.has("node", NODE, version=version)
        self.has("npm", NPM, calls=self.calls, code=code)

    def called(self) -> list[str]:
        """npm's commands since the last call, without flags."""
        lines = self.calls.read_text().splitlines() if self.calls.exists() else []
        self.calls.unlink(missing_ok=True)
        return [" ".join(word for word in line.split() if not word.startswith("-")) for line in lines]


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    made = Machine(tmp_path)
    monkeypatch.setenv("PATH", f"{made.programs}:/usr/bin:/bin")
    monkeypatch.setattr(frontend, "LOCK", tmp_path / "lock")
    for name, place in (("FOLDER", "."), ("MODULES", "node_modules"), ("DIST", "dist")):
        monkeypatch.setattr(frontend, name, made.page / place)
    monkeypatch.setattr(frontend, "INSTALLED", made.page / "node_modules/installed.mark")
    monkeypatch.setattr(frontend, "BUILT", made.page / "dist/sources.mark")
    return made


@pytest.fixture
def no_wheel(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Disable the wheel's Node; record what was to be installed."""
    asked: list[list[str]] = []

    def refuse(arguments: list[str]) -> int:
        asked.append(arguments)
        return 1

    monkeypatch.setattr(packages, "main", refuse)
    return asked


@pytest.mark.parametrize("version", ["v20.19.0", "v22.12.1", "v24.0.0", "v26.1.0-nightly"])
def test_a_node_on_the_path_that_is_new_enough_is_used(machine: Machine, version: str) -> None:
    machine.has_node(version)
    found = nodejs.find_node()
    assert (found.program, found.npm) == (str(machine.programs / "node"), (str(machine.programs / "npm"),))


@pytest.mark.parametrize("version", ["v18.20.0", "v20.18.9", "v21.7.0", "v22.11.0", "nonsense", ""])
def test_a_missing_or_old_node_is_installed(machine: Machine, no_wheel: list[list[str]], version: str) -> None:
    machine.has_node(version)
    with pytest.raises(StackError, match=r"needs Node 20\.19 or newer"):
        nodejs.find_node()
    assert no_wheel == [["node"]]


def test_npm_gets_our_whole_environment_and_its_own_node_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NODE_EXTRA_CA_CERTS", "/some/certificates")
    monkeypatch.setenv("PATH", "/usr/bin")
    told = nodejs.Node("/somewhere/bin/node", ("npm",)).environment()
    assert told["NODE_EXTRA_CA_CERTS"] == "/some/certificates"
    assert told["PATH"] == "/somewhere/bin:/usr/bin"


def test_nothing_is_installed_or_built_twice(machine: Machine) -> None:
    machine.has_node()
    frontend.build()
    assert machine.called() == ["ci", "run build"]
    frontend.build()
    assert machine.called() == []
    assert frontend.is_current()


def test_a_changed_source_is_built_again_and_a_changed_package_is_installed_first(machine: Machine) -> None:
    machine.has_node()
    frontend.build()
    machine.called()
    (machine.page / "src" / "main.ts").write_text("changed")
    assert not frontend.is_current()
    frontend.build()
    assert machine.called() == ["run build"]
    (machine.page / "package-lock.json").write_text("changed")
    frontend.build()
    assert machine.called() == ["ci", "run build"]


def test_generated_files_are_no_sources(machine: Machine) -> None:
    machine.has_node()
    frontend.build()
    (machine.page / "node_modules" / "x.js").write_text("")
    (machine.page / "dist" / "y.js").write_text("")
    assert frontend.is_current()


def test_a_failed_build_leaves_no_old_app(machine: Machine) -> None:
    machine.has_node()
    frontend.build()
    (machine.page / "src" / "main.ts").write_text("broken")
    machine.has_node(code=2)
    with pytest.raises(StackError, match="failed with exit code 2"):
        frontend.build()
    assert not (machine.page / "dist" / "sources.mark").exists()
    assert not frontend.is_current()


class TestTypes:
    @pytest.fixture(autouse=True)
    def described(self, machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
        """The server's description without a server; the types are a copy of it."""
        machine.has_node()

        def describe(argv: list[str]) -> None:
            target = next(word for word in argv if word.startswith("--file="))
            Path(target.removeprefix("--file=")).write_text(json.dumps({"openapi": "3.1.0"}))

        monkeypatch.setattr(frontend, "run", describe)
        frontend.types()

    def test_freshly_generated_types_are_current(self) -> None:
        frontend.check()

    def test_an_unchanged_app_is_checked_once(self, machine: Machine) -> None:
        def called() -> list[str]:
            machine.called()
            frontend.check()
            frontend.lint()
            return machine.called()

        sdk = "exec tsc ../client/typescript node_modules/@types"
        assert called() == ["run types", "exec prettier .", "exec tsc", sdk, "exec eslint ."]
        assert called() == ["run types", sdk]
        (machine.page / "src" / "main.ts").write_text("changed")
        assert called() == ["run types", "exec prettier .", "exec tsc", sdk, "exec eslint ."]

    def test_a_failed_check_is_repeated(self, machine: Machine) -> None:
        machine.has("npm", NPM.replace("*build*)", "*prettier*) exit 1 ;; *build*)"), calls=machine.calls, code=0)
        for _ in range(2):
            machine.called()
            with pytest.raises(StackError, match="prettier"):
                frontend.check()
            assert machine.called() == ["run types", "exec prettier ."]

    @pytest.mark.parametrize("name", ["openapi.json", "src/api/schema.d.ts"])
    def test_types_that_differ_from_the_server_fail_the_check(self, machine: Machine, name: str) -> None:
        (machine.page / name).write_text("older")
        with pytest.raises(StackError, match=rf"frontend/{name}: out of date with the server's API"):
            frontend.check()

    def test_the_check_changes_nothing(self, machine: Machine) -> None:
        (machine.page / "openapi.json").write_text("older")
        before = contents(machine.page)
        with pytest.raises(StackError):
            frontend.check()
        assert contents(machine.page) == before


def contents(folder: Path) -> dict[str, Any]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
