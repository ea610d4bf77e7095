"""Runs what docker-compose.yml describes, in a network of its own, and uses it as a person would.

Started by `tests.config.image` inside new network, mount and process spaces: whatever happens, nothing outlives it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

from config.stack import smoke_test
from config.stack.client import Client
from tests.config.image.building import print_progress, unwanted_files
from tests.config.image.compose import read_compose
from tests.config.image.containers import Container, Image
from tests.config.image.dockerfile import read_dockerfile
from tests.config.image.neighbours import raise_loopback, start_broker, start_database

ADDRESS = "http://127.0.0.1:37777"
RUNNING = ("worker", "dispatcher", "web")
Told = dict[str, Any]


def main(project: Path, work: Path) -> None:
    """Prints the results of the checks as one line of JSON."""
    services = read_compose(project / "docker-compose.yml")["services"]
    image = Image(work / "root-runtime", read_dockerfile(project / "Dockerfile")[-1])
    raise_loopback()
    prepare(project, work, image)
    servers = [start_database(services["db"], work), start_broker(services["broker"], work)]
    told: Told = {"unwanted_files": unwanted_files(image.root)}
    for _ in ("a fresh database", "one that is up to date"):
        migrate(Container("migrate", services["migrate"], image, work))
    running = {name: Container(name, services[name], image, work) for name in RUNNING}
    for container in running.values():
        container.start()
    told["healthy_after_s"] = {name: container.await_well(60) for name, container in running.items()}
    print_progress(f"healthy: {told['healthy_after_s']}")
    told["closed"] = is_closed(running["web"])
    told |= use(running["web"])
    told["stopped"] = {name: container.stop() for name, container in running.items()}
    for server in servers:
        server.terminate()
    report(told)


def prepare(project: Path, work: Path, image: Image) -> None:
    """Secrets by the script that makes them, the volume with the image's owner, and the names of the neighbours."""
    shutil.copytree(project / "compose", work / "compose", ignore=shutil.ignore_patterns("secrets"))
    subprocess.run([str(work / "compose/make-secrets")], check=True)
    volume = work / "volumes/home"
    volume.mkdir(parents=True)
    found = (image.root / image.stage.environment()["CONTINUITY_HOME"].lstrip("/")).stat()
    volume.chmod(stat.S_IMODE(found.st_mode))
    os.chown(volume, found.st_uid, found.st_gid)
    (image.root / "etc/hosts").write_text("127.0.0.1 localhost db broker\n")


def migrate(container: Container) -> None:
    container.start()
    if code := container.finish(120):
        raise SystemExit(f"migrate ended with {code}:\n{container.tail()}")
    print_progress("migrated")


def is_closed(web: Container) -> Told:
    """Who the programs are, and what they cannot do."""
    status = web.inside("cat", "/proc/1/status").stdout.decode().splitlines()
    lines = dict(line.split(":\t", 1) for line in status if ":\t" in line)
    writable = [path for path in ("/app", "/app/static", "/opt/venv", "/etc", "/run/secrets") if can_write(web, path)]
    return {
        "uid": lines["Uid"].split()[0],
        "has_capabilities": {lines["CapEff"], lines["CapBnd"]} != {"0000000000000000"},
        "may_gain_privileges": lines["NoNewPrivs"] != "1",
        "writable": writable,
        "secrets": sorted(web.inside("ls", "/run/secrets").stdout.decode().split()),
        "home_is_writable": can_write(web, "/var/lib/continuity"),
    }


def can_write(container: Container, folder: str) -> bool:
    return container.inside("sh", "-c", f"touch {folder}/probe && rm {folder}/probe").returncode == 0


def use(web: Container) -> Told:
    """A demo workspace from inside the container; then from outside a conversation, a compaction, a pack, an import."""
    made = web.inside("python", "manage.py", "seed_demo", "--new-credentials")
    if made.returncode:
        raise SystemExit(f"seed_demo failed:\n{made.stderr.decode()[-3000:]}")
    known = json.loads(made.stdout.decode().splitlines()[-1])
    Client(ADDRESS).post("/api/sign-in", {"email": known["email"], "password": known["password"]})
    client = Client(ADDRESS, known["api_key"])
    conversation = client.post("/api/conversations", {"title": "In a container"})
    path = f"/api/conversations/{conversation['id']}"
    for number in range(smoke_test.BATCHES):
        client.post(f"{path}/messages", {"messages": smoke_test.messages(number)})
    smoke_test.request_compaction(client, path)
    smoke_test.check_pack(client.get(f"{path}/context?token_budget={smoke_test.BUDGET}"))
    run = client.get(f"{path}/compactions?limit=1")["data"][0]
    return {
        "compaction": run["state"],
        "import": import_file(client),
        "static": Client(ADDRESS).status("/static/" + static_file(web)),
        "page": [Client(ADDRESS).status(path) for path in ("/", "/sign-in", *page_files(web))],
        "signed_in": known["email"],
    }


def import_file(client: Client) -> str:
    """What web puts into the shared volume, the worker reads."""
    lines = "".join(json.dumps({"role": "user", "content": f"Line {number}"}) + "\n" for number in range(20))
    headers = {"Content-Type": "application/x-ndjson", "Authorization": f"Bearer {client.api_key}"}
    request = urllib.request.Request(f"{ADDRESS}/api/imports?name=lines", lines.encode(), headers, method="POST")  # noqa: S310 - our own address
    with urllib.request.urlopen(request, timeout=30) as response:  # noqa: S310 - our own address
        operation = json.loads(response.read())
    return str(client.await_operation(operation)["state"])


def static_file(web: Container) -> str:
    manifest = json.loads(web.inside("cat", "/app/static/staticfiles.json").stdout)
    return str(manifest["paths"]["console/console.css"])


def page_files(web: Container) -> list[str]:
    """The files that the page's document refers to."""
    document = web.inside("cat", "/app/frontend/dist/index.html").stdout.decode()
    return re.findall(r"""["'](/assets/[^"']+)["']""", document)


def report(told: Told) -> None:
    closed, stopped = told["closed"], told["stopped"]
    faults = [
        *(f"{name} is in the image" for name in told["unwanted_files"]),
        *(f"{path} can be written" for path in closed["writable"]),
        *(["it has capabilities"] if closed["has_capabilities"] else []),
        *(["it may gain privileges"] if closed["may_gain_privileges"] else []),
        *([] if closed["uid"] == "10001" else ["it runs as another user"]),
        *([] if closed["home_is_writable"] else ["the home cannot be written"]),
        *(["the web server sees the owner's login"] if "database_url" in closed["secrets"] else []),
        *(f"{name} ended with {end['code']}" for name, end in stopped.items() if end["code"] not in {0, -15, 143}),
        *(f"{what}: {told[what]}" for what in ("compaction", "import") if told[what] != "succeeded"),
        *([] if told["static"] == 200 else ["the static files are not served"]),
        *([] if set(told["page"]) == {200} and len(told["page"]) > 3 else [f"the page: {told['page']}"]),
    ]
    print(json.dumps({"check": "image", **told, "faults": faults}), flush=True)
    if faults:
        raise SystemExit("\n".join(faults))


if __name__ == "__main__":
    os.umask(0o022)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
