/** Sample reports of imports, for tests. */

import type { FileReport } from "@/api/import-files";

export function report(changes: Partial<FileReport> = {}): FileReport {
  return {
    source: "transcripts",
    recognized: ["transcripts", "claude-memory"],
    import_id: "i1",
    dry_run: true,
    files: 2,
    items: 4,
    done: 4,
    messages: 31,
    updated: 0,
    waiting: 0,
    counts: { memory: { created: 2, refused: 1 }, transcript: { created: 1, existing: 1 } },
    folders: { "mem://user/preferences": 2 },
    first: {
      transcript: [
        {
          title: "Limit the bookings",
          status: "created",
          address: "",
          node_id: null,
          conversation_id: "c1",
          is_session: true,
        },
      ],
      memory: [
        {
          title: "Likes tea",
          status: "created",
          address: "mem://user/preferences/tea",
          node_id: "n1",
          conversation_id: null,
          is_session: false,
        },
      ],
    },
    problems: [
      {
        kind: "transcript",
        title: "Limit the bookings",
        line: 12,
        status: "damaged",
        reason: "truncated",
        detail: "the file ends in the middle of it",
      },
      { kind: "memory", title: "Secret", line: null, status: "skipped", reason: "private", detail: "" },
    ],
    problem_count: 2,
    ...changes,
  };
}
