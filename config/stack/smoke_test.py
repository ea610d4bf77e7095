"""Smoke test (`make up-check`): start a new stack, use it as a client, stop it, and start and stop it again."""

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

# On two cores: 11 s, 3 s and 990 MB, of which 410 are those of the models' process.
LIMITS = {"first_start_s": 15, "second_start_s": 8, "stack_pss_mb": 1050, "leftover_processes": 0}
FRAME_SECONDS = 15
BATCHES = 6
BATCH = 20
BUDGET = 6000
TOPICS = ("invoices", "the search page", "the import", "notifications", "the mobile layout")


def up_check() -> dict[str, Any]:
    """Run the test; raise `StackError` if anything fails."""
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, STOP.request)
    # Make no paid calls to models.
    with temporary_stack({"CONTINUITY_MODEL_PROVIDER": "offline"}) as stack:
        first = stack.start()
        note(f"first start: {first} s")
        path = use(stack)
        stream_reply(stack, path)
        written = stack.client.get(path)["message_count"]
        memory, left = measure_and_stop(stack)
        second = stack.start()
        note(f"second start: {second} s")
        check_message_count(stack.client.get(path)["message_count"], written)
        left += measure_and_stop(stack)[1]
    result = {"first_start_s": first, "second_start_s": second, "stack_pss_mb": memory, "leftover_processes": left}
    over = {name: limit for name, limit in LIMITS.items() if result[name] > limit}
    if over:
        raise StackError(f"{result} exceeds the limits {over}.")
    return result


def note(text: str) -> None:
    """Print progress to stderr."""
    print(text, file=sys.stderr, flush=True)


def use(stack: TemporaryStack) -> str:
    """Sign in, write a conversation, compact it, fetch a pack; return the conversation's path."""
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
    request_compaction(client, path)
    check_pack(client.get(f"{path}/context?token_budget={BUDGET}"))
    return path


def stream_reply(stack: TemporaryStack, path: str) -> None:
    """Stream a reply, and receive its live events."""
    ticket = stack.client.post("/api/ws-ticket")["ticket"]
    with connect(stack.client.base.replace("http", "ws", 1) + "/ws", proxy=None) as socket:
        socket.send(json.dumps({"type": "authenticate", "ticket": ticket}))
        socket.send(json.dumps({"type": "subscribe", "conversation_id": path.rpartition("/")[2]}))
        await_frame(socket, "snapshot")
        events = stack.client.stream(f"{path}/turns", {"content": "What did we decide about the import?"})
        check_reply(events)
        frames = [await_frame(socket, "TurnStarted"), await_frame(socket, "TurnFinished")]
    note(f"a reply was streamed in {len(events)} events, and received live at version {frames[-1]['version']}")


def await_frame(socket: ClientConnection, name: str) -> Json:
    """Return the next frame of this name; skip others."""
    deadline = time.monotonic() + FRAME_SECONDS
    while (left := deadline - time.monotonic()) > 0:
        try:
            frame: Json = json.loads(socket.recv(timeout=left))
        except TimeoutError:
            break
        if name in (frame["type"], frame.get("name")):
            return frame
    raise StackError(f"No {name} was received within {FRAME_SECONDS} s.")


def check_reply(events: list[tuple[str, Json]]) -> None:
    """Check that the reply started, has text, and is complete."""
    names = [name for name, _ in events]
    status = events[-1][1].get("reply", {}).get("status") if events else None
    if names[:1] != ["started"] or "delta" not in names or (names[-1], status) != ("finished", "complete"):
        raise StackError(f"The reply is incomplete: {events}")


def check_message_count(messages: int, written: int) -> None:
    """Check that all messages survived the restart."""
    if messages != written:
        raise StackError(f"{written} messages were written, {messages} are there after a restart.")


def messages(number: int) -> list[Json]:
    """Return one batch of a plausible conversation; all of them are long enough for a compaction."""
    topic = TOPICS[number % len(TOPICS)]
    batch = []
    for turn in range(BATCH // 2):
        batch.append({"role": "user", "content": QUESTION.format(topic=topic, turn=turn, number=number)})
        batch.append({"role": "assistant", "content": ANSWER.format(topic=topic, turn=turn, number=number)})
    return batch


QUESTION = (
    "Step {number}.{turn}: our goal is to finish {topic} before the release. We must keep the response time of {topic}"
    " below {turn}00 milliseconds, and the old addresses have to keep working. What should we do about the failing"
    " test number {number}{turn}, and who looks at the log of last night? " + "Here is some more background. " * 4
)
ANSWER = (
    "For {topic} we decided to use a queue because the work may take up to {turn} minutes. The next step is to write"
    " the migration for table {number}{turn}, then to measure it again. The open question is whether the archive"
    " should be kept for {number} years. " + "The details stand in the design document. " * 4
)


def request_compaction(client: Client, path: str) -> None:
    """Request a compaction and wait until it has succeeded."""
    answer = client.post(f"{path}/compactions")
    operation = client.await_operation(answer["operation"])
    note(f"compaction {operation['state']}, {operation['result']['compacted_count']} messages compacted")
    if not operation["result"]["compacted_count"]:
        raise StackError("The compaction compacted no messages.")


def check_pack(pack: Json) -> None:
    """Check that the pack is not empty and within its budget."""
    total = pack["metadata"]["tokens"]["total"]
    note(f"pack of {total} tokens for a budget of {BUDGET}")
    if not 0 < total <= BUDGET:
        raise StackError(f"The pack has {total} tokens for a budget of {BUDGET}.")


def measure_and_stop(stack: TemporaryStack) -> tuple[float, int]:
    """Return the memory of the running stack in MB, and the number of processes that outlive its stop."""
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
    """Count descendants that are still alive, and processes that mention our folder."""
    living = {process.pid for process in known if is_alive(process)} | set(naming(str(stack.home.path)))
    for pid in living:
        note(f"left behind: process {pid}")
    return len(living)
