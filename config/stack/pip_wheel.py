"""Install pip from the configured package index where Python has none, as on Debian."""

from __future__ import annotations

import configparser
import hashlib
import os
import re
import ssl
import subprocess
import tempfile
import urllib.parse
import urllib.request
from html import unescape
from pathlib import Path

WHEEL = "pip-25.3-py3-none-any.whl"
SHA256 = "9655943313a94722b7774661c21049070f6bbb0a1516bf02f7c8d5d9201514cd"
DEFAULT_INDEX = "https://pypi.org/simple"
TIMEOUT = 60


def install_pip(python: str) -> None:
    """Download the pinned wheel, verify it, and let it install itself."""
    with tempfile.TemporaryDirectory() as folder:
        wheel = Path(folder) / WHEEL
        wheel.write_bytes(fetch_wheel())
        argv = [python, f"{wheel}/pip", "install", "--quiet", "--no-index", "--disable-pip-version-check", str(wheel)]
        subprocess.run(argv, check=True)


def fetch_wheel() -> bytes:
    """Return the wheel from the first index that has it."""
    errors = []
    for index in indexes():
        try:
            content = read(wheel_address(index.rstrip("/") + "/pip/"))
        except (OSError, ValueError) as error:
            errors.append(f"{index}: {error}")
            continue
        if hashlib.sha256(content).hexdigest() != SHA256:
            raise ValueError(f"{WHEEL} from {index} is not the file it should be")
        return content
    raise ValueError("; ".join(errors))


def wheel_address(page: str) -> str:
    """Return the wheel's URL from the index's HTML page for pip."""
    for link in re.findall(r"""href=["']([^"']+)["']""", read(page).decode(errors="replace")):
        address = urllib.parse.urljoin(page, unescape(link))
        if urllib.parse.urlsplit(address).path.endswith("/" + WHEEL):
            return address
    raise ValueError(f"{WHEEL} is not listed")


def read(address: str) -> bytes:
    """Read a URL with the certificates that pip would use."""
    if urllib.parse.urlsplit(address).scheme not in {"https", "http", "file"}:
        raise ValueError(f"{address} is not an address")
    context = ssl.create_default_context(cafile=setting("cert") or None)
    with urllib.request.urlopen(address, timeout=TIMEOUT, context=context) as answer:  # noqa: S310 - checked above
        content: bytes = answer.read()
    return content


def indexes() -> list[str]:
    """Return the indexes that pip is configured with, else the public one."""
    return [setting("index-url") or DEFAULT_INDEX, *setting("extra-index-url").split()]


def setting(name: str) -> str:
    """Return one of pip's settings, from the environment or its files; the most specific wins."""
    value = os.environ.get("PIP_" + name.upper().replace("-", "_"))
    if value:
        return value
    home = Path.home()
    places = [
        Path("/etc/xdg/pip/pip.conf"),
        Path("/etc/pip.conf"),
        home / ".pip/pip.conf",
        home / ".config/pip/pip.conf",
    ]
    places.append(Path(os.environ.get("PIP_CONFIG_FILE", os.devnull)))
    parser = configparser.ConfigParser(interpolation=None)
    parser.read(places)
    return parser.get("install", name, fallback="") or parser.get("global", name, fallback="")
