"""The console's sidebar, grouped by subject; lists without permission are hidden."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.urls import reverse

Item = tuple[str, str, str]

GROUPS: tuple[tuple[str, tuple[Item, ...]], ...] = (
    (
        "People",
        (
            ("accounts.workspace", "Workspaces", "domain"),
            ("accounts.user", "People", "person"),
            ("accounts.membership", "Memberships", "group"),
            ("accounts.enduser", "End users", "badge"),
            ("accounts.invitation", "Invitations", "mail"),
            ("accounts.workspacepolicy", "Policies", "tune"),
            ("accounts.contextsettings", "Context settings", "manage_accounts"),
            ("accounts.apikey", "API keys", "key"),
            ("accounts.pairedclient", "Paired clients", "terminal"),
            ("accounts.pairing", "Pairings", "link"),
            ("auth.group", "Operator groups", "admin_panel_settings"),
        ),
    ),
    (
        "Conversations",
        (
            ("conversations.conversation", "Conversations", "forum"),
            ("conversations.message", "Messages", "chat_bubble"),
            ("conversations.conversationshare", "Shares", "share"),
            ("hooks.agentsession", "Agent sessions", "terminal"),
            ("hooks.observation", "Observations", "build"),
            ("transfer.importrun", "Imports", "download"),
            ("transfer.importeditem", "Imported items", "inventory_2"),
            ("compaction.conversationcontext", "Contexts", "segment"),
            ("compaction.summaryversion", "Summary versions", "history"),
            ("compaction.segmentsummary", "Segment summaries", "stacks"),
            ("context.packepoch", "Pack epochs", "layers"),
            ("context.useditems", "Used items", "manage_search"),
        ),
    ),
    (
        "Memory",
        (
            ("memory.pinnedmemory", "Pins", "push_pin"),
            ("extraction.extractioncandidate", "Candidates", "manage_search"),
            ("extraction.readposition", "Read positions", "bookmark"),
            ("extraction.relationalevidence", "Relational evidence", "handshake"),
            ("memory.usermemory", "User memory", "badge"),
            ("memory.proposal", "Inbox", "inbox"),
            ("memory.memconflict", "Contradictions", "compare_arrows"),
            ("memory.memnode", "Memory tree", "account_tree"),
            ("memory.memrevision", "Revisions", "history_edu"),
            ("memory.memsource", "Sources", "link"),
            ("memory.memaccess", "Accesses to count", "ads_click"),
            ("memory.memtombstone", "Tombstones", "delete_forever"),
            ("memory.embeddingspace", "Embedding spaces", "hub"),
            ("memory.embeddingbatch", "Embedding batches", "stacks"),
            ("memory.memsweep", "Index reconciliation", "sync"),
            ("memory.passage", "Passages", "short_text"),
            ("memory.embedding", "Embeddings", "scatter_plot"),
        ),
    ),
    (
        "Work",
        (
            ("jobs.duejob", "Jobs", "pending_actions"),
            ("compaction.compactionrun", "Compaction runs", "compress"),
            ("llm.modelsettings", "Model settings", "psychology"),
            ("llm.providerkey", "Provider keys", "vpn_key"),
            ("llm.modelusage", "Model usage", "payments"),
            ("llm.spendday", "Spending", "savings"),
            ("llm.rejectedanswer", "Rejected answers", "unpublished"),
            ("llm.modelcalibration", "Model calibrations", "tune"),
            ("jobs.operation", "Operations", "progress_activity"),
            ("jobs.schedule", "Schedules", "schedule"),
            ("jobs.runcount", "Run counts", "history"),
            ("accounts.idempotencykey", "Idempotency keys", "repeat_one"),
        ),
    ),
    (
        "Oversight",
        (
            ("accounts.operatoraccess", "Operator accesses", "visibility"),
            ("accounts.installation", "Installation", "dns"),
            ("admin.logentry", "Changes", "edit_note"),
        ),
    ),
)


def sidebar(request: HttpRequest) -> list[dict[str, Any]]:
    """The groups as unfold takes them."""
    overview = {"title": "Overview", "icon": "space_dashboard", "link": reverse("admin:index")}
    groups = [{"title": title, "items": _items(request, items)} for title, items in GROUPS]
    return [{"items": [overview]}, *(group for group in groups if group["items"])]


def _items(request: HttpRequest, items: tuple[Item, ...]) -> list[dict[str, str]]:
    return [
        {"title": title, "icon": icon, "link": reverse(f"admin:{label.replace('.', '_')}_changelist")}
        for label, title, icon in items
        if request.user.has_perm(label.replace(".", ".view_"))
    ]
