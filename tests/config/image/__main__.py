"""`make image-check`: build the image's root folder without a container engine, then run and use its services."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.config.image.building import Build, print_progress

PROJECT = Path(__file__).resolve().parents[3]
NEEDED = ("debootstrap", "unshare", "nsenter", "setpriv", "chroot")
SPACES = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]


def reason_to_skip() -> str:
    """The reason why this machine cannot run the check; empty if it can."""
    if os.geteuid() != 0:
        return "it needs root, to make a clean root folder and spaces of its own"
    if missing := [name for name in NEEDED if not shutil.which(name)]:
        return f"it needs {', '.join(missing)}"
    if sys.version_info[:2] != (3, 11):
        return "it needs the Python of the image, 3.11"
    return ""


def main() -> int:
    if reason := reason_to_skip():
        print_progress(f"image-check SKIPPED: {reason}.")
        return 0
    with tempfile.TemporaryDirectory(prefix="continuity-image-") as folder:
        work = Path(folder)
        work.chmod(0o755)
        began = time.monotonic()
        Build(PROJECT, work).run()
        print_progress(f"built in {time.monotonic() - began:.0f} s")
        serving = [sys.executable, "-m", "tests.config.image.serving", str(PROJECT), str(work)]
        return subprocess.run([*SPACES, *serving], cwd=PROJECT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
