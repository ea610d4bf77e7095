"""A workspace's own provider keys: tested before they are stored, encrypted, and never shown again.

A key is tested with no transaction open, so these services open their own units of work; call them outside of one.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from django.utils import timezone
from pydantic import SecretStr

from apps.accounts.actors import Actor, require
from apps.accounts.permissions import Permission
from apps.common.errors import Invalid, NotFound, Unprocessable
from apps.common.tenancy import workspace
from apps.llm.encryption import Unreadable, encrypt, reencrypt
from apps.llm.errors import ModelError
from apps.llm.models import ProviderKey
from apps.llm.routing.base_urls import clean_address, is_under
from apps.llm.routing.key_check import MODEL_LIMIT, models_for
from apps.llm.routing.local_discovery import LOCAL_MODELS
from apps.llm.routing.model_selection import BackendStatus, State
from apps.llm.routing.providers import provider_spec
from apps.llm.selectors.model_settings import backend_found
from apps.llm.selectors.provider_availability import allowed_addresses, installation_address, last_four_of

ACCEPTED = "accepted"


_REFUSED_KEY = frozenset({"unauthorized", "rejected"})


@dataclass(frozen=True, slots=True)
class ProviderKeyDraft:
    """A key to test; `base_url` is for `compatible` only, and empty for the installation's address."""

    backend: str
    key: SecretStr
    base_url: str = ""


@dataclass(frozen=True, slots=True)
class KeyTest:
    """The result of a test; `code` is `accepted`, the code of a `ModelError`, or the state that prevented a call."""

    ok: bool
    code: str
    detail: str
    models: tuple[str, ...] = ()
    latency_ms: int = 0


class KeyNotAccepted(Unprocessable):
    """The provider rejected the key; nothing is stored."""

    code, title = "key_not_accepted", "The key was not accepted"


class KeyNotTested(Unprocessable):
    """The provider could not be asked about the key; nothing is stored."""

    code, title = "key_not_tested", "The key could not be tested"


def provider_key_test(actor: Actor, *, draft: ProviderKeyDraft) -> KeyTest:
    """Test a key without storing it."""
    require(actor, Permission.MANAGE_MODELS)
    return _test(draft.backend, draft.key, _address(draft))


def backend_test(actor: Actor, *, backend: str) -> KeyTest:
    """Test a backend with its current key."""
    require(actor, Permission.MANAGE_MODELS)
    status = _status(actor, backend)
    spec = provider_spec(backend)
    if spec.is_local_server and status.base_url:
        LOCAL_MODELS.look(status.base_url)
        status = _status(actor, backend)
    if status.state is not State.READY or not spec.takes_key:
        return KeyTest(status.state is State.READY, _code(status), status.detail, status.models[:MODEL_LIMIT])
    return _test(backend, status.secret, status.base_url)


def provider_key_save(actor: Actor, *, draft: ProviderKeyDraft) -> BackendStatus:
    """Test a key and store it in place of the previous one; raises `KeyNotAccepted` or `KeyNotTested`."""
    require(actor, Permission.MANAGE_MODELS)
    address = _address(draft)
    test = _test(draft.backend, draft.key, address)
    if not test.ok:
        refusal = KeyNotAccepted if test.code in _REFUSED_KEY else KeyNotTested
        raise refusal(test.detail, extra={"reason": test.code})
    with workspace(actor.workspace_id):
        _store(actor, draft, address)
        return backend_found(draft.backend)


def provider_key_delete(actor: Actor, *, backend: str) -> None:
    """Delete the workspace's key; inside or outside a unit of work."""
    require(actor, Permission.MANAGE_MODELS)
    with workspace(actor.workspace_id):
        deleted, _ = ProviderKey.objects.filter(workspace_id=actor.workspace_id, backend=backend).delete()
    if not deleted:
        raise NotFound("This workspace has no key for this provider.")


def provider_keys_reencrypt() -> tuple[int, int]:
    """Encrypt the keys of all workspaces with the newest secret, in an operator's unit.

    Return how many were encrypted and how many could not be decrypted.
    """
    done = unreadable = 0
    for row in ProviderKey.objects.select_related("workspace").select_for_update(of=("self",)):
        try:
            row.encrypted_key = reencrypt(bytes(row.encrypted_key), workspace_id=row.workspace.id, backend=row.backend)
        except Unreadable:
            unreadable += 1
            continue
        row.save(update_fields=["encrypted_key"])
        done += 1
    return done, unreadable


def _status(actor: Actor, backend: str) -> BackendStatus:
    with workspace(actor.workspace_id):
        return backend_found(backend)


def _store(actor: Actor, draft: ProviderKeyDraft, address: str) -> None:
    key = draft.key.get_secret_value()
    ProviderKey.objects.update_or_create(
        workspace_id=actor.workspace_id,
        backend=draft.backend,
        defaults={
            "encrypted_key": encrypt(key, workspace_id=actor.workspace_id, backend=draft.backend),
            "last_four": last_four_of(key),
            "base_url": address if provider_spec(draft.backend).takes_address else "",
            "tested_at": timezone.now(),
        },
    )


def _test(backend: str, key: SecretStr, address: str) -> KeyTest:
    begin = time.monotonic()
    try:
        models = models_for(backend, key, address)
    except ModelError as error:
        return KeyTest(False, error.code, error.detail, latency_ms=_since_ms(begin))
    return KeyTest(True, ACCEPTED, f"Accepted; {len(models)} models available.", models, _since_ms(begin))


def _since_ms(begin: float) -> int:
    return round((time.monotonic() - begin) * 1000)


def _code(status: BackendStatus) -> str:
    return ACCEPTED if status.state is State.READY else status.state.value


def _address(draft: ProviderKeyDraft) -> str:
    """Validate and return the address to which the key is sent; workspaces may use only allowed addresses."""
    spec = provider_spec(draft.backend)
    if not spec.takes_key:
        raise _refused(f"{spec.name_in_sentence} does not use a key.", "/key")
    if not draft.key.get_secret_value():
        raise _refused("Send the key.", "/key")
    if not draft.base_url:
        if address := installation_address(draft.backend):
            return address
        raise _refused("Send the address that the key is for.")
    if not spec.takes_address:
        raise _refused(f"{spec.name_in_sentence} has a fixed address; use `compatible` for another one.")
    try:
        address = clean_address(draft.base_url)
    except ValueError as error:
        raise _refused(str(error)) from None
    if not is_under(address, allowed_addresses()):
        raise _refused("The operators of this server do not allow this address.")
    return address


def _refused(detail: str, pointer: str = "/base_url") -> Invalid:
    return Invalid(detail, extra={"errors": [{"pointer": pointer, "code": "invalid", "detail": detail}]})
