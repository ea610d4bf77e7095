"""Identity of child processes: PostgreSQL refuses to run as root, so root starts it under another user.

Root first tries a user namespace in which it appears as `nobody`: files keep their owner and mode, and folders of root
remain accessible. Where namespaces are forbidden, the child becomes `nobody` itself.
"""

import ctypes
import os
import pwd
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from config.stack.errors import StackError

CLONE_NEWUSER = 0x10000000
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None, use_errno=True)

Kind = Literal["self", "namespace", "nobody"]


@dataclass(frozen=True)
class Identity:
    """User of a child process, and the way to become it."""

    kind: Kind = "self"
    uid: int = -1
    gid: int = -1

    def assume(self) -> None:
        """Become this user; runs in the child between fork and exec."""
        if self.kind == "namespace":
            enter_namespace(self.uid, self.gid)
        elif self.kind == "nobody":
            os.setgroups([])
            os.setgid(self.gid)
            os.setuid(self.uid)


OURSELVES = Identity()


def enter_namespace(uid: int, gid: int) -> None:
    """Create a user namespace in which the current user appears as `uid`."""
    outer_uid, outer_gid = os.geteuid(), os.getegid()
    if LIBC.unshare(CLONE_NEWUSER) != 0:
        raise OSError(ctypes.get_errno(), "user namespaces are not allowed here")
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{uid} {outer_uid} 1")
    Path("/proc/self/gid_map").write_text(f"{gid} {outer_gid} 1")


def die_with(parent: int, death_signal: int) -> None:
    """Send the current process `death_signal` when its parent ends, however it ends.

    A change of uid clears this setting, so it comes last. The parent may have ended before.
    """
    LIBC.prctl(PR_SET_PDEATHSIG, death_signal, 0, 0, 0)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)


def unprivileged(program: Path, data_parent: Path) -> Identity:
    """Return an identity that may run `program` and own files below `data_parent`: the current user, unless root."""
    if os.geteuid() != 0:
        return OURSELVES
    nobody = nobody_entry()
    for kind in preferred_kinds(data_parent, nobody.pw_uid):
        identity = Identity(kind, nobody.pw_uid, nobody.pw_gid)
        if can_run(identity, program, data_parent):
            return identity
    raise StackError(
        "PostgreSQL does not run as root. Here root cannot create a user namespace, and the user `nobody` cannot access"
        f" {program} or {data_parent}.\n"
        "Start as an ordinary user, or put the project and CONTINUITY_HOME in a folder that other users can access."
    )


def nobody_entry() -> pwd.struct_passwd:
    """Return the system's least privileged user."""
    try:
        return pwd.getpwnam("nobody")
    except KeyError:
        raise StackError("This system has no user `nobody`. Start as an ordinary user, not as root.") from None


def preferred_kinds(data_parent: Path, nobody_uid: int) -> list[Kind]:
    """Return the kinds to try as root; only the kind that created an existing data folder can read it."""
    data = data_parent / "postgres"
    if not data.exists():
        return ["namespace", "nobody"]
    return ["nobody"] if data.stat().st_uid == nobody_uid else ["namespace"]


def can_run(identity: Identity, program: Path, folder: Path) -> bool:
    """Return whether a process of that identity can access both the program and the folder."""
    script = '[ -x "$0" ] && [ -x "$1" ]'
    argv = ["/bin/sh", "-c", script, str(program), str(folder)]
    try:
        tried = subprocess.run(argv, preexec_fn=identity.assume, cwd="/", check=False, capture_output=True)
    except (OSError, subprocess.SubprocessError):
        return False
    return tried.returncode == 0


def user_name() -> str:
    """Return the name of the current user, which PostgreSQL needs for peer authentication."""
    uid = os.geteuid()
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        raise StackError(
            f"User id {uid} has no name on this system (no entry in /etc/passwd), and PostgreSQL needs one.\n"
            "Add an entry for it, start as a named user, or set DATABASE_URL to a server of your own."
        ) from None
