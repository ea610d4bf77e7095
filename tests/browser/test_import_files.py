"""Import of another tool's files in the browser: drop, preview, import, report, and the session that it became."""

from __future__ import annotations

import json
import re

from playwright.sync_api import FilePayload, Page, expect

from tests.browser.memory_screens import TRANSCRIPT
from tests.browser.pages import Opener, Troubles, check_accessible, check_fits
from tests.browser.people import Person
from tests.browser.whole import Whole
from tests.engine.agent_transcripts import SAMPLE, SESSION

# A drop that a script makes has files, but no entries of a file system, as in browsers without them.
DROP = """([zone, [name, content]]) => {
  const files = new DataTransfer();
  files.items.add(new File([content], name, { lastModified: 0 }));
  zone.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
}"""


def drop(page: Page, name: str, content: str) -> None:
    zone = page.get_by_role("group", name="Drop files or a folder here").element_handle()
    page.evaluate(DROP, [zone, [name, content]])


def test_a_dropped_transcript_is_previewed_and_becomes_a_session_once(page_of: Opener, newcomer: Person) -> None:
    page = page_of(newcomer, path="/memory")
    page.get_by_role("link", name="Import").click()
    expect(page.get_by_role("heading", name="Import from other tools")).to_be_visible()
    check_accessible(page)
    drop(page, f"{SESSION}.jsonl", TRANSCRIPT)
    expect(page.get_by_role("heading", name="Preview", exact=True)).to_be_focused()
    expect(page.get_by_label("Source")).to_have_value("transcripts")
    expect(page.get_by_role("row", name="Session transcripts 1 0 0 0")).to_be_visible()
    expect(page.get_by_text(f"line {len(SAMPLE) + 1}")).to_be_visible()
    check_accessible(page)
    assert newcomer.client.get("/api/sessions?kind=agent")["data"] == []

    page.get_by_role("button", name="Import as mine").click()
    expect(page.get_by_role("heading", name="1 item imported")).to_be_visible()
    check_accessible(page)
    page.get_by_role("list", name="Session transcripts").get_by_role("link").click()
    expect(page).to_have_url(re.compile("/sessions/"))
    expect(page.get_by_text("Claude Code", exact=True)).to_be_visible()

    page.goto("/memory/import")
    drop(page, f"{SESSION}.jsonl", TRANSCRIPT)
    expect(page.get_by_role("button", name="Nothing new to import")).to_be_disabled()
    expect(page.get_by_role("row", name="Session transcripts 0 1 0 0")).to_be_visible()


def test_several_files_are_chosen_on_a_phone_and_what_is_unreadable_is_explained(
    page_of: Opener, newcomer: Person
) -> None:
    page = page_of(newcomer, path="/memory/import", phone=True)
    memories = json.dumps({"results": [{"id": "1", "memory": "I prefer tea to coffee."}]})
    files: list[FilePayload] = [
        {"name": "mem0.json", "mimeType": "application/json", "buffer": memories.encode()},
        {"name": "notes.md", "mimeType": "text/markdown", "buffer": b"Use tabs in Makefiles."},
    ]
    page.get_by_label("Choose files").last.set_input_files(files)
    expect(page.get_by_text("These files also contain")).to_be_visible()
    page.get_by_label("Source").select_option("json")
    expect(page.get_by_role("list", name="Memories")).to_contain_text("I prefer tea to coffee.")
    expect(page.get_by_role("button", name="Import into the inbox")).to_be_visible()
    check_accessible(page)
    check_fits(page)
    page.get_by_label("Source").select_option("claude-mem")
    alert = page.get_by_role("alert").filter(has_text="There is no preview")
    expect(alert).to_contain_text("There is no claude-mem database among the files.")
    check_fits(page)


def upload_slowly(page: Page) -> None:
    """Choose a file of 6 MB where 300 kB a second can be sent, and wait until a part of it was sent."""
    devtools = page.context.new_cdp_session(page)
    network = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 300 * 1024}
    devtools.send("Network.emulateNetworkConditions", network)
    memories = {"results": [{"id": "1", "memory": "I prefer tea to coffee."}], "padding": "x" * 6 * 1024 * 1024}
    file: FilePayload = {"name": "mem0.json", "mimeType": "application/json", "buffer": json.dumps(memories).encode()}
    page.get_by_label("Choose files").last.set_input_files(file)
    uploading = re.compile(r"^Uploading: .* of 6.0 MB, [1-9]\d?%$")
    expect(page.get_by_role("progressbar", name="Uploading")).to_have_attribute("aria-valuetext", uploading)


def test_a_slow_upload_shows_how_much_was_sent_and_a_cancel_leaves_nothing(page_of: Opener, newcomer: Person) -> None:
    page = page_of(newcomer, path="/memory/import")
    upload_slowly(page)
    expect(page.get_by_text(re.compile(r"^Uploading: .* of 6.0 MB, \d+%$"))).to_be_visible()
    check_accessible(page)
    with page.expect_response(lambda answer: answer.url.endswith("/imports/files/cancel")):
        page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Canceled. Nothing was imported.")).to_be_visible()
    (record,) = newcomer.client.get("/api/operations")["data"]
    assert (record["state"], record["error"]["code"]) == ("failed", "canceled")
    assert newcomer.client.get("/api/tree?uri=mem://user/preferences")["data"] == []


def test_an_upload_that_lost_its_connection_is_repeated_with_the_same_file(
    page_of: Opener, newcomer: Person, troubles: Troubles, stack: Whole
) -> None:
    troubles.expect("net::ERR_|WebSocket")
    page = page_of(newcomer, path="/memory/import")
    upload_slowly(page)
    stack.restart("web")
    alert = page.get_by_role("alert").filter(has_text="The upload was interrupted")
    expect(alert).to_contain_text("Your file is still selected.")
    check_accessible(page)
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("list", name="Memories")).to_contain_text("I prefer tea to coffee.", timeout=60_000)
