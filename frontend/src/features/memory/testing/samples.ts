/** Sample memories, revisions and search results in the API's format. */

import type { Hit, TreeHit, TreeSearchResult } from "@/api/find";
import type { MemoryNode, Revision } from "@/api/memories";
import type { Category } from "@/api/policy";
import type { NodeLine } from "@/api/tree";

const DAY_MS = 86_400_000;

export function daysAgo(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString();
}

const DECAY: MemoryNode["decay"] = {
  half_life_days: 90,
  floor: 0.1,
  exempt: false,
  age_days: 90,
  curve: [
    { day: -90, relevance: 1 },
    { day: 0, relevance: 0.5 },
    { day: 90, relevance: 0.25 },
    { day: 180, relevance: 0.125 },
  ],
};

function category(name: Category["name"], root: string, changes: Partial<Category> = {}): Category {
  const owner = root === "mem://agent" ? "agent" : "user";
  const uri = `${root}/${name}`;
  const directories = [root, uri];
  return { name, uri, owner, directories, names: 1, merging: "never", rewritten_by: ["person"], ...changes };
}

const SESSIONS = "mem://sessions";
export const CATEGORIES: readonly Category[] = [
  category("profile", "mem://user"),
  category("preferences", "mem://user"),
  category("entities", "mem://user", { names: 2 }),
  category("events", "mem://user"),
  category("patterns", "mem://agent"),
  category("cases", "mem://agent"),
  category("session", SESSIONS, { uri: SESSIONS, owner: "session", names: 2, directories: [SESSIONS] }),
];

export function node(changes: Partial<MemoryNode> = {}): MemoryNode {
  return {
    id: "n1",
    uri: "mem://user/preferences/deploy-days",
    name: "deploy-days",
    tier: "full",
    node_type: "leaf",
    fixed: false,
    category: "preferences",
    owner_id: "u1",
    shared: false,
    abstract: "Deploys on Fridays.",
    overview: "Deploys on Fridays at noon.",
    content: "Deploys on Fridays at noon.\n\n- Never in December.",
    tokens: { abstract: 5, overview: 7, content: 12 },
    tags: ["deploys"],
    trust: "direct_user",
    inferred: false,
    arrival: "accepted",
    author_id: "u1",
    occurred_at: daysAgo(90),
    subject: "",
    attribute: "",
    value: "",
    many_values: false,
    valid_from: null,
    valid_to: null,
    superseded_by: null,
    supersedes: [],
    archived_at: null,
    merged_into: null,
    merged_from: [],
    relevance: 0.5,
    base_relevance: 1,
    last_access: null,
    access_count: 0,
    decay: DECAY,
    tiers_by: "engine",
    tiers_stale: false,
    sources: [],
    child_count: 0,
    version: 3,
    created_at: "2026-11-01T10:00:00Z",
    updated_at: "2026-11-20T10:00:00Z",
    ...changes,
  };
}

export function line(uri: string, changes: Partial<NodeLine> = {}): NodeLine {
  return {
    id: uri,
    uri,
    name: uri.split("/").at(-1) ?? "",
    node_type: "leaf",
    category: "preferences",
    abstract: "",
    owner_id: "u1",
    shared: false,
    trust: "direct_user",
    arrival: "accepted",
    relevance: 1,
    archived_at: null,
    valid_to: null,
    child_count: 0,
    depth: 1,
    version: 1,
    updated_at: "2026-11-20T10:00:00Z",
    ...changes,
  };
}

export function folder(uri: string, changes: Partial<NodeLine> = {}): NodeLine {
  return line(uri, { node_type: "dir", ...changes });
}

export function revision(number: number, changes: Partial<Revision> = {}): Revision {
  return {
    id: `r${number}`,
    change_id: `change-${number}`,
    number,
    operation: number === 1 ? "create" : "edit",
    actor_id: "u1",
    actor_name: "Alice",
    made_by: "",
    reason: "",
    undoes: null,
    undone: false,
    created_at: "2026-11-20T10:00:00Z",
    before: {},
    after: {},
    fields: [],
    hunks: [],
    cut: [],
    ...changes,
  };
}

const PARTS = {
  lexical: 0.2,
  similarity: 0.5,
  actor: 0,
  date: 0.1,
  short_question: 0,
  window: 0,
};

export function hit(changes: Partial<Hit> = {}): Hit {
  return {
    kind: "memory",
    id: "n1",
    score: 0.4,
    parts: PARTS,
    similarity: 0.7,
    relevance: 0.5,
    chance: null,
    valid_from: null,
    valid_to: null,
    replaced_by: "",
    replaced_at: null,
    disputed_by: "",
    uri: "mem://user/preferences/deploy-days",
    abstract: "Deploys on Fridays.",
    category: "preferences",
    trust: "direct_user",
    tags: [],
    conversation_id: null,
    conversation_title: "",
    message_id: null,
    index: null,
    role: "",
    name: "",
    type: "",
    key: "",
    owner_id: "u1",
    version: 3,
    snippet: "Deploys on Fridays at noon.",
    occurred_at: "2026-11-20T10:00:00Z",
    ...changes,
  };
}

/** A result of a search in the tree. */
export function treeHit(changes: Partial<TreeHit> = {}): TreeHit {
  return {
    ...hit(),
    score: 0.85,
    tree_score: { similarity: 1, relevance: 0.5, parent_score: 1 },
    overview: "Deploys on Fridays at noon.",
    more: "",
    ...changes,
  };
}

export function treeSearch(changes: Partial<TreeSearchResult> = {}): TreeSearchResult {
  return {
    hits: [],
    intent: { by: "rules", sub_queries: [{ kind: "MEMORY", text: "deploys" }] },
    abstained: "",
    degraded: [],
    rounds: [],
    end: null,
    weights: { similarity: 0.5, relevance: 0.3, parent_score: 0.2 },
    ...changes,
  };
}
