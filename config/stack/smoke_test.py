"""The up-check: starts a stack as a newcomer would, uses it as a client would, stops it, and does so a second time."""

import json
import signal
import sys
import time
from typing import Any

from websockets.sync.client import ClientConnection, connect

from config.stack.client import Client, Json
from config.stack.data_dir import read_json
from config.stack.errors import StackError
from config.stack.process import STOP
from config.stack.processes import ProcessId, descendants, identify, is_alive, memory_mb, naming
from config.stack.throwaway_stack import TemporaryStack, temporary_stack

LIMITS = {"second_start_s": 15, "stack_pss_mb": 500, "leftover_processes": 0}
HEARING_SECONDS = 15
BATCHES = 6
BATCH = 20
BUDGET = 6000
TOPICS = ("invoices", "the search page", "the import", "notifications", "the mobile layout")


def up_check() -> dict[str, Any]:
    """The whole check; raises when anything does not work."""
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, STOP.request)
    # Nobody's key is spent on a check.
    with temporary_stack({"CONTINUITY_MODEL_PROVIDER": "offline"}) as stack:
        first = stack.start()
        note(f"first start: {first} s")
        path = use(stack)
        talk(stack, path)
        written = stack.client.get(path)["message_count"]
        memory, left = measure_and_stop(stack)
        second = stack.start()
        note(f"second start: {second} s")
        check_kept(stack.client.get(path)["message_count"], written)
        left += measure_and_stop(stack)[1]
    found = {"first_start_s": first, "second_start_s": second, "stack_pss_mb": memory, "leftover_processes": left}
    over = {name: most for name, most in LIMITS.items() if found[name] > most}
    if over:
        raise StackError(f"{found} goes over the limits {over}.")
    return found


def note(text: str) -> None:
    """Progress, for the person who waits."""
    print(text, file=sys.stderr, flush=True)


def use(stack: TemporaryStack) -> str:
    """Sign in, write a conversation, have it folded, fetch a pack; where the conversation is."""
    known = read_json(stack.home.credentials_file)
    signed_in = Client(stack.client.base)
    signed_in.post("/api/sign-in", {"email": known["email"], "password": known["password"]})
    note("signed in")
    client = stack.client
    conversation = client.post("/api/conversations", {"title": "Up-check"})
    path = f"/api/conversations/{conversation['id']}"
    for number in range(BATCHES):
        client.post(f"{path}/messages", {"messages": messages(number)})
    note(f"wrote {BATCHES * BATCH} messages")
    fold(client, path)
    check_pack(client.get(f"{path}/context?token_budget={BUDGET}"))
    return path


def talk(stack: TemporaryStack, path: str) -> None:
    """Have a reply streamed, and hear of it live."""
    ticket = stack.client.post("/api/ws-ticket")["ticket"]
    with connect(stack.client.base.replace("http", "ws", 1) + "/ws", proxy=None) as socket:
        socket.send(json.dumps({"type": "authenticate", "ticket": ticket}))
        socket.send(json.dumps({"type": "subscribe", "conversation_id": path.rpartition("/")[2]}))
        hear(socket, "snapshot")
        events = stack.client.stream(f"{path}/turns", {"content": "What did we decide about the import?"})
        check_reply(events)
        heard = [hear(socket, "TurnStarted"), hear(socket, "TurnFinished")]
    note(f"a reply was streamed in {len(events)} events, and heard of live at version {heard[-1]['version']}")


def hear(socket: ClientConnection, name: str) -> Json:
    """The next frame of this name; what else is told meanwhile is let pass."""
    deadline = time.monotonic() + HEARING_SECONDS
    while (left := deadline - time.monotonic()) > 0:
        try:
            frame: Json = json.loads(socket.recv(timeout=left))
        except TimeoutError:
            break
        if name in (frame["type"], frame.get("name")):
            return frame
    raise StackError(f"No {name} was heard within {HEARING_SECONDS} s.")


def check_reply(events: list[tuple[str, Json]]) -> None:
    """It began, said something, and is complete."""
    names = [name for name, _ in events]
    status = events[-1][1].get("reply", {}).get("status") if events else None
    if names[:1] != ["started"] or "delta" not in names or (names[-1], status) != ("finished", "complete"):
        raise StackError(f"The reply did not come as it should: {events}")


def check_kept(messages: int, written: int) -> None:
    """What was written before the stop is there after the start."""
    if messages != written:
        raise StackError(f"{written} messages were written, {messages} are there after a restart.")


def messages(number: int) -> list[Json]:
    """One batch of a plausible talk, long enough in all to call for a compaction."""
    topic = TOPICS[number % len(TOPICS)]
    talk = []
    for turn in range(BATCH // 2):
        talk.append({"role": "user", "content": ASKED.format(topic=topic, turn=turn, number=number)})
        talk.append({"role": "assistant", "content": ANSWERED.format(topic=topic, turn=turn, number=number)})
    return talk


ASKED = (
    "Step {number}.{turn}: our goal is to finish {topic} before the release. We must keep the response time of {topic}"
    " below {turn}00 milliseconds, and the old addresses have to keep working. What should we do about the failing"
    " test number {number}{turn}, and who looks at the log of last night? " + "Here is some more background. " * 4
)
ANSWERED = (
    "For {topic} we decided to use a queue because the work may take up to {turn} minutes. The next step is to write"
    " the migration for table {number}{turn}, then to measure it again. The open question is whether the archive"
    " should be kept for {number} years. " + "The details stand in the design document. " * 4
)


def fold(client: Client, path: str) -> None:
    """Ask for a compaction and wait until it has succeeded."""
    answer = client.post(f"{path}/compactions")
    operation = client.await_operation(answer["operation"])
    note(f"compaction {operation['state']}, {operation['result']['folded_count']} messages folded")
    if not operation["result"]["folded_count"]:
        raise StackError("The compaction folded nothing.")


def check_pack(pack: Json) -> None:
    """The pack keeps to its budget and holds something."""
    total = pack["metadata"]["tokens"]["total"]
    note(f"pack of {total} tokens for a budget of {BUDGET}")
    if not 0 < total <= BUDGET:
        raise StackError(f"The pack has {total} tokens for a budget of {BUDGET}.")


def measure_and_stop(stack: TemporaryStack) -> tuple[float, int]:
    """The memory of the running stack, and how many processes outlive its stop."""
    if stack.process is None:
        raise StackError("The stack is not running.")
    family = [stack.process.pid, *descendants(stack.process.pid)]
    memory = memory_mb(family)
    known = [found for pid in family if (found := identify(pid))]
    stack.stop()
    note(f"stopped with code {stack.process.returncode}; {len(family)} processes took {memory} MB")
    if stack.process.returncode != 0:
        raise StackError(f"The stack stopped with code {stack.process.returncode}.")
    return memory, leftovers(stack, known)


def leftovers(stack: TemporaryStack, known: list[ProcessId]) -> int:
    """Members of the family that still live, and strangers that carry our folder's name."""
    living = {process.pid for process in known if is_alive(process)} | set(naming(str(stack.home.path)))
    for pid in living:
        note(f"left behind: process {pid}")
    return len(living)
