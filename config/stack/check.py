"""The up-check: starts a stack as a newcomer would, uses it as a client would, stops it, and does so a second time."""

import signal
import sys
from typing import Any

from config.stack.client import Client, Json
from config.stack.errors import StackError
from config.stack.home import read_json
from config.stack.process import STOP
from config.stack.processes import ProcessId, descendants, identify, is_alive, memory_mb, naming
from config.stack.temporary import TemporaryStack, temporary_stack

BATCHES = 6
BATCH = 20
BUDGET = 6000
TOPICS = ("invoices", "the search page", "the import", "notifications", "the mobile layout")


def up_check() -> dict[str, Any]:
    """The whole check; raises when anything does not work."""
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, STOP.request)
    with temporary_stack() as stack:
        first = stack.start()
        note(f"first start: {first} s")
        use(stack)
        memory, left = measure_and_stop(stack)
        second = stack.start()
        note(f"second start: {second} s")
        left += measure_and_stop(stack)[1]
    if left:
        raise StackError(f"{left} processes were left behind.")
    return {"first_start_s": first, "second_start_s": second, "stack_pss_mb": memory, "leftover_processes": left}


def note(text: str) -> None:
    """Progress, for the person who waits."""
    print(text, file=sys.stderr, flush=True)


def use(stack: TemporaryStack) -> None:
    """Sign in, write a conversation, have it folded, fetch a pack."""
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
    note(f"compaction {operation['state']}")


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
