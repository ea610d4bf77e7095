"""The data directory: private, locked by one stack at a time, with clear errors."""

from __future__ import annotations

import socket
import stat
from pathlib import Path

import pytest

from config.stack.data_dir import Home, chosen_port, read_json, write_private
from config.stack.errors import StackError
from config.stack.services import Services, free_port


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "home")
    home.prepare()
    return home


def test_the_folder_can_be_chosen() -> None:
    assert Home.from_environment({"CONTINUITY_HOME": "/srv/continuity"}).path == Path("/srv/continuity")
    assert Home.from_environment({}).path.name == ".continuity"


def test_a_folder_that_cannot_be_created_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StackError, match=r"file/home cannot be written"):
        Home(tmp_path / "file" / "home").prepare()


def test_only_one_stack_runs_in_a_folder(home: Home) -> None:
    assert not home.is_locked()
    with home.locked():
        assert home.is_locked()
        with pytest.raises(StackError, match="already running"), home.locked():
            pass
    assert not home.is_locked()


def test_the_secret_key_is_generated_once_and_private(home: Home) -> None:
    assert home.secret_key() == home.secret_key()
    assert len(home.secret_key()) >= 50
    assert stat.S_IMODE((home.path / "secret-key").stat().st_mode) == 0o600


def test_sockets_move_to_a_short_path_when_the_folder_has_a_long_one(tmp_path: Path) -> None:
    home = Home(tmp_path / ("x" * 100))
    assert len(str(home.run)) <= 80
    assert home.run != Home(tmp_path / ("y" * 100)).run


def test_a_socket_folder_of_another_user_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = Home(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    home.run.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StackError, match="belongs to another user"):
        home.prepare()


def test_a_broken_status_file_counts_as_none(home: Home) -> None:
    home.status_file.write_text("{ half")
    assert home.read_status() == {}


def test_a_private_file_is_replaced_atomically(home: Home) -> None:
    file = home.path / "note.json"
    write_private(file, '{"a": 1}')
    write_private(file, '{"a": 2}')
    assert read_json(file) == {"a": 2}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize("text", ["0", "65536", "-1", "http"])
def test_an_invalid_port_is_rejected(text: str) -> None:
    with pytest.raises(StackError, match="CONTINUITY_PORT"):
        chosen_port({"CONTINUITY_PORT": text})


def test_a_port_in_use_is_named_with_an_alternative(home: Home) -> None:
    port = free_port()
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", port))
        other.listen()
        with pytest.raises(StackError, match=rf"Port {port} cannot be used.*\n.*CONTINUITY_PORT={port + 1}"):
            Services(home, port, None, None).check_port()
