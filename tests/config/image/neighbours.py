"""Substitutes for services with third-party images: the embedded programs, with the settings of the Compose file."""

from __future__ import annotations

import fcntl
import os
import socket
import struct
import subprocess
from pathlib import Path

from config.stack import redis
from config.stack.child_user import Identity, unprivileged
from config.stack.postgres import binaries
from config.stack.process import poll
from tests.config.image.compose import Service

PLAIN = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}
SIOCSIFFLAGS = 0x8914
IFF_UP = 1


def raise_loopback() -> None:
    """A new network space has a loopback that is down."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP))


def start_database(service: Service, work: Path) -> subprocess.Popen[bytes]:
    """PostgreSQL as its image's entry point sets it up: owner, password, database, and who may come in."""
    told = service["environment"]
    data, sockets = work / "database", work / "sockets"
    password = work / "compose/secrets/postgres_password"
    identity = unprivileged(binaries() / "postgres", work)
    for folder in (data, sockets):
        folder.mkdir(mode=0o700)
        if identity.kind == "nobody":
            os.chown(folder, identity.uid, identity.gid)
    arguments = [f"--username={told['POSTGRES_USER']}", "--pwfile=/dev/stdin", *told["POSTGRES_INITDB_ARGS"].split()]
    _as(identity, [str(binaries() / "initdb"), "-D", str(data), *arguments], password.read_bytes())
    with (data / "pg_hba.conf").open("a") as rules:
        rules.write("host all all all scram-sha-256\n")
    server = [str(binaries() / "postgres"), "-D", str(data), "-k", str(sockets), "-c", "listen_addresses=*"]
    with (work / "db.log").open("ab") as log:
        process = subprocess.Popen(server, env=PLAIN, cwd="/", preexec_fn=identity.assume, stdout=log, stderr=log)  # noqa: PLW1509 - PostgreSQL refuses root
    assert poll(lambda: _is_well(service), 30), (work / "db.log").read_text()
    psql = [str(binaries() / "psql"), "-X", "-q", "-h", "127.0.0.1", "-U", told["POSTGRES_USER"], "-d", "postgres"]
    environment = {**PLAIN, "PGPASSWORD": password.read_text().strip()}
    subprocess.run([*psql, "-c", f"CREATE DATABASE {told['POSTGRES_DB']}"], env=environment, check=True)
    return process


def start_broker(service: Service, work: Path) -> subprocess.Popen[bytes]:
    """Compose's command with the embedded server for Valkey's."""
    argv = [word.replace("/run/secrets", str(work / "compose/secrets")) for word in service["command"][1:]]
    with (work / "broker.log").open("ab") as log:
        return subprocess.Popen([redis.executable(), *argv], env=PLAIN, cwd=work, stdout=log, stderr=log)


def _is_well(service: Service) -> bool:
    """Compose's own check, with the embedded program."""
    test = service["healthcheck"]["test"]
    return subprocess.run([str(binaries() / test[1]), *test[2:]], env=PLAIN, check=False).returncode == 0


def _as(identity: Identity, argv: list[str], given: bytes) -> None:
    done = subprocess.run(
        argv, env=PLAIN, cwd="/", input=given, preexec_fn=identity.assume, capture_output=True, check=False
    )
    assert done.returncode == 0, (done.stdout + done.stderr).decode()
