"""Screens of the memory page, and a person with memories."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from urllib.parse import urlencode

from playwright.sync_api import FilePayload, Page, expect

from config.stack.process import poll
from tests.browser.inboxes import decider, set_policy
from tests.browser.people import Person, sign_up
from tests.browser.visits import Visit
from tests.engine.agent_transcripts import SAMPLE, SESSION

EMBEDDING_S = 180
DAYS, HOURS = "mem://user/preferences/deploy-days", "mem://user/preferences/deploy-hours"
BATCHES = """\
Large tables move without a lock when the copy walks the primary key in short transactions.

- Take a high-water mark first; later rows arrive by dual-write.
- 5,000 parents per transaction held 1.2 s on `invoice_lines`.
"""
WRITTEN = {
    "mem://user/profile/communication": "Short answers, with numbers.",
    DAYS: "Deploys on Fridays at noon.\n\nNever in December.",
    HOURS: "Never before ten in the morning.",
    "mem://user/entities/billing-service/runs-on": "MySQL 5.7 until the switch, then PostgreSQL 18.",
    "mem://user/events/2026-11-09-schema-frozen": "The schema is frozen until the switch.",
    "mem://agent/patterns/backfill-in-keyed-batches": BATCHES,
    "mem://agent/cases/gapless-counter": "Gaps after rollbacks are closed by a locked counter row per tenant.",
}

TWO_QUESTIONS = "When do we deploy, and how do we move large tables?"
UNRELATED = "How many moons does Jupiter have?"

# Of these the first is new, the second is there already, and the third is not to be written over.
IMPORTED = f"""\
# mem://user/events/first-release

We released in May.

# {HOURS}

Never before ten in the morning.

# {DAYS}

Deploys on Mondays.
"""
# With a line that is cut off.
TRANSCRIPT = "\n".join(json.dumps(entry) for entry in SAMPLE) + '\n{"type": "user", "mess'
MEMORIES = [
    {"id": "1", "memory": "I prefer tea to coffee.", "categories": ["food"]},
    {"id": "2", "memory": "We decided to deploy on Fridays.", "metadata": {"category": "decision"}},
    {"id": "3", "memory": "The billing service runs on MySQL 5.7.", "metadata": {"category": "project"}},
    {"id": "4", "memory": "Alice lives in Rome.", "metadata": {"category": "user"}},
    {"id": "5", "memory": ""},
]
FILE: FilePayload = {"name": "memories.md", "mimeType": "text/markdown", "buffer": IMPORTED.encode()}


def rememberer(url: str) -> Person:
    """Sign up a person with a few memories."""
    person = sign_up(url, "Newcomer")
    for uri, content in WRITTEN.items():
        person.client.post("/api/memories", {"uri": uri, "content": content, "tags": ["sample"]})
    return person


def searcher(url: str) -> Person:
    """Sign up a person whose memories are embedded, in a workspace that calls no model."""
    person = rememberer(url)
    set_policy(person, model_calls_enabled=False)
    assert poll(lambda: is_embedded(person), EMBEDDING_S), "the memories were not embedded"
    return person


def is_embedded(person: Person) -> bool:
    state = person.client.get("/api/embeddings")
    return state["serving"] is not None and state["passages"] >= len(WRITTEN) and state["waiting"] == 0


def search_path(question: str) -> str:
    """Return the page's path of a search with intent."""
    return f"/memory/find?{urlencode({'q': question, 'mode': 'search'})}"


def memory_at(person: Person, uri: str) -> str:
    """Return the page's path of a memory."""
    return f"/memory/n/{person.client.get(f'/api/memories?uri={uri}')['id']}"


def memory_tree(visit: Visit) -> Page:
    page = visit.page_of(rememberer(visit.stack.url), "/memory")
    tree = page.get_by_role("tree", name="Memories")
    expect(tree.get_by_role("treeitem", name="preferences 2 memories")).to_be_visible()
    return page


def memory_node(visit: Visit) -> Page:
    """A memory that was edited, with the difference."""
    person = rememberer(visit.stack.url)
    page = visit.page_of(person, memory_at(person, "mem://agent/patterns/backfill-in-keyed-batches"))
    page.get_by_role("button", name="Edit").click()
    text = page.get_by_role("textbox", name="Text", exact=True)
    text.fill(BATCHES + "- Compare count and sum per tenant before going on.\n")
    page.get_by_role("textbox", name="Reason").fill("Added the comparison")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("button", name="Show changes r2").click()
    expect(page.get_by_role("region", name="From line")).to_be_visible()
    return page


def memory_folder(visit: Visit) -> Page:
    person = rememberer(visit.stack.url)
    page = visit.page_of(person, "/memory/at?uri=mem://user/entities/billing-service")
    expect(page.get_by_role("link", name="runs-on")).to_be_visible()
    return page


def memory_edit(visit: Visit) -> Page:
    person = rememberer(visit.stack.url)
    page = visit.page_of(person, memory_at(person, DAYS))
    page.get_by_role("button", name="Edit").click()
    expect(page.get_by_role("form", name="Edit memory")).to_be_visible()
    return page


def memory_merge(visit: Visit) -> Page:
    person = rememberer(visit.stack.url)
    page = visit.page_of(person, memory_at(person, DAYS))
    page.get_by_role("button", name="Merge…").click()
    page.get_by_role("checkbox", name="Deploy hours").check()
    expect(page.get_by_role("textbox", name="Text after the merge")).to_have_value(re.compile("Never before ten"))
    return page


def memory_erase(visit: Visit) -> Page:
    person = rememberer(visit.stack.url)
    page = visit.page_of(person, memory_at(person, DAYS))
    page.get_by_role("button", name="Delete permanently…").click()
    expect(page.get_by_text("This can't be undone, not even by import.")).to_be_visible()
    return page


def memory_find(visit: Visit) -> Page:
    """Providers, one of it with the reasons."""
    page = visit.page_of(rememberer(visit.stack.url), "/memory/find?q=when+do+we+deploy")
    page.get_by_role("button", name="Why Deploy days").click()
    expect(page.get_by_role("table", name="Parts of the score")).to_be_visible()
    return page


def memory_search(visit: Visit) -> Page:
    """A search with intent: its sub-queries, the reasons of one result, and the rounds."""
    page = visit.page_of(searcher(visit.stack.url), search_path(TWO_QUESTIONS))
    page.get_by_role("button", name="Why Deploy days").click()
    page.get_by_text(re.compile(r"^\d rounds?$")).click()
    expect(page.get_by_text("Looked into").first).to_be_visible()
    return page


def memory_nothing_relevant(visit: Visit) -> Page:
    """A search that abstains."""
    page = visit.page_of(searcher(visit.stack.url), search_path(UNRELATED))
    expect(page.get_by_role("button", name="Show the nearest anyway")).to_be_visible()
    return page


def memory_new(visit: Visit) -> Page:
    page = visit.page_of(sign_up(visit.stack.url, "Newcomer"), "/memory/new?uri=mem://agent/cases")
    page.get_by_role("textbox", name="Name").fill("Gapless counter")
    expect(page.get_by_text("mem://agent/cases/gapless-counter")).to_be_visible()
    return page


def memory_import(visit: Visit) -> Page:
    """A file that was chosen, and what would become of it."""
    page = visit.page_of(rememberer(visit.stack.url), "/memory/import?uri=mem://user")
    page.get_by_label("File").set_input_files(FILE)
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("Result: 1 new, 1 unchanged, 1 refused.")).to_be_visible()
    return page


def memory_imported(visit: Visit) -> Page:
    """What became of each."""
    page = memory_import(visit)
    page.get_by_role("button", name="Import as mine").click()
    page.get_by_role("region", name="Result").get_by_text("All entries (3)").click()
    expect(page.get_by_role("link", name="mem://user/events/first-release")).to_be_visible()
    return page


def import_files(visit: Visit) -> Page:
    """The choice of files from another tool."""
    page = visit.page_of(sign_up(visit.stack.url, "Newcomer"), "/memory/import")
    expect(page.get_by_role("button", name="Choose files")).to_be_visible()
    return page


def import_files_preview(visit: Visit) -> Page:
    """What would become of a transcript with a damaged line."""
    return _previewed(import_files(visit), f"{SESSION}.jsonl", TRANSCRIPT)


def import_files_report(visit: Visit) -> Page:
    """What became of another store's memories."""
    page = _previewed(import_files(visit), "mem0.json", json.dumps({"results": MEMORIES}))
    page.get_by_role("button", name="Import as mine").click()
    expect(page.get_by_role("heading", name="4 items imported")).to_be_visible()
    return page


def _previewed(page: Page, name: str, content: str) -> Page:
    file: FilePayload = {"name": name, "mimeType": "application/json", "buffer": content.encode()}
    page.get_by_label("Choose files").last.set_input_files(file)
    expect(page.get_by_role("heading", name="Preview", exact=True)).to_be_visible()
    return page


def memory_inbox(visit: Visit) -> Page:
    """An item that contradicts a memory in use."""
    page = visit.page_of(decider(visit.stack.url), "/memory/inbox")
    expect(page.get_by_role("complementary", name="What waits").get_by_role("listitem")).to_have_count(4)
    return page


def memory_inbox_item(visit: Visit) -> Page:
    """The same with the form to edit it."""
    page = memory_inbox(visit)
    page.get_by_role("complementary", name="What waits").get_by_role("link", name=re.compile("Oslo")).click()
    page.get_by_role("button", name="Edit").click()
    expect(page.get_by_role("form", name="Edit and approve")).to_be_visible()
    return page


def memory_inbox_source(visit: Visit) -> Page:
    """What taking a source out of use would change."""
    page = memory_inbox(visit)
    page.get_by_role("complementary", name="What waits").get_by_role("link", name=re.compile("treasurer")).click()
    page.get_by_role("button", name="Everything from this source…").click()
    page.get_by_role("button", name="Take out of use…").click()
    expect(page.get_by_text("No memory in use comes from this source.")).to_be_visible()
    return page


MEMORY_SCREENS: dict[str, Callable[[Visit], Page]] = {
    "memory-tree": memory_tree,
    "memory-node": memory_node,
    "memory-folder": memory_folder,
    "memory-edit": memory_edit,
    "memory-merge": memory_merge,
    "memory-erase": memory_erase,
    "memory-find": memory_find,
    "memory-search": memory_search,
    "memory-nothing-relevant": memory_nothing_relevant,
    "memory-new": memory_new,
    "memory-import": memory_import,
    "memory-imported": memory_imported,
    "import-files": import_files,
    "import-files-preview": import_files_preview,
    "import-files-report": import_files_report,
    "memory-inbox": memory_inbox,
    "memory-inbox-item": memory_inbox_item,
    "memory-inbox-source": memory_inbox_source,
}
