import { describe, expect, test } from "vitest";
import histories from "./fixtures/histories.json";
import { seen, type View } from "./reducer";
import type { Frame, LiveState, SnapshotFrame } from "./types";

interface History {
  snapshots: SnapshotFrame[];
  frames: Frame[];
  /** Frames as they arrive, each with the snapshot that one gets who is stale then and asks. */
  deliveries: [frame: number, snapshot: number | null][][];
}

const recorded = histories as unknown as History[];

function begun(version = 5, state: Partial<LiveState> = {}): View {
  const snapshot = recorded[0]?.snapshots[0];
  if (snapshot === undefined) throw new Error("nothing is recorded");
  return applied(null, { ...snapshot, version, state: { ...snapshot.state, ...state } });
}

function applied(view: View | null, ...frames: Frame[]): View {
  const last = frames.reduce(seen, view);
  if (last === null) throw new Error("nothing is seen");
  return last;
}

/** With the parts that matter to a test alone. */
function event(name: string, version: number | undefined, data: object): Frame {
  const frame = { type: "event", name, conversation_id: "c", data };
  return { ...frame, ...(version === undefined ? {} : { version }) } as Frame;
}

type Mark = LiveState["messages"][number];

function message(id: string, index: number, state: Mark["state"] = "live"): Mark {
  return {
    id,
    index,
    role: "user",
    status: "complete",
    state,
    token_count: 4,
    error_code: "",
    used_count: 0,
  };
}

function snapshot(version: number, state: LiveState): SnapshotFrame {
  return { type: "snapshot", conversation_id: "c", version, state };
}

const version = (of: number): Frame => ({ type: "version", conversation_id: "c", version: of });
const counts = { message_count: 9, token_total: 90, excluded_tokens: 0, live_count: 9, live_tokens: 90 };

describe("what the server told", () => {
  const deliveries = recorded.flatMap((history) =>
    history.deliveries.map((delivery) => ({ history, delivery })),
  );

  test.each(deliveries)("ends as a fresh fetch, in delivery %#", ({ history, delivery }) => {
    let view = applied(null, ...history.snapshots.slice(0, 1));
    for (const [frame, asked] of delivery) {
      const before = view.version;
      view = applied(view, ...history.frames.slice(frame, frame + 1));
      if (view.stale && asked !== null) view = applied(view, ...history.snapshots.slice(asked, asked + 1));
      expect(view.version).toBeGreaterThanOrEqual(before);
    }
    expect(view.stale).toBe(false);
    expect(view.state).toEqual(history.snapshots.at(-1)?.state);
  });

  test("is more than a handful", () => expect(deliveries.length).toBeGreaterThan(30));
});

describe("a snapshot", () => {
  test("comes before anything else is seen", () => {
    expect(seen(null, event("PinsChanged", 1, { pins: [] }))).toBeNull();
    expect(seen(null, version(3))).toBeNull();
  });

  test("replaces everything and makes up for what was missed", () => {
    const stale = applied(begun(5), event("PinsChanged", 9, { pins: [] }));
    const view = applied(stale, snapshot(9, { ...stale.state, counts }));
    expect(view).toMatchObject({ version: 9, healthVersion: 9, stale: false, state: { counts } });
  });

  test("that is older than what is seen changes nothing", () => {
    const view = begun(5);
    expect(seen(view, snapshot(4, { ...view.state, counts }))).toBe(view);
  });
});

describe("an event", () => {
  test("that is the next one replaces the parts that it carries, and no others", () => {
    const before = begun(5);
    const view = applied(before, event("MessageUpdated", 6, { counts }));
    expect(view).toMatchObject({ version: 6, stale: false, state: { ...before.state, counts } });
  });

  test("that was seen before changes nothing", () => {
    const view = begun(5);
    expect(seen(view, event("MessageUpdated", 5, { counts }))).toBe(view);
  });

  test("that leaves a gap is not applied but asks for a snapshot", () => {
    const before = begun(5);
    const view = applied(before, event("MessageUpdated", 7, { counts }));
    expect(view).toMatchObject({ version: 5, stale: true, state: before.state });
  });

  test("puts its messages in by id, in order, and keeps the newest fifty", () => {
    const fifty = Array.from({ length: 50 }, (_, index) => message(`m${index}`, index));
    const before = begun(5, { messages: fifty });
    const news = [message("m49", 49, "compacted"), message("m51", 51), message("m50", 50)];
    const { messages } = applied(before, event("MessagesStored", 6, { messages: news })).state;
    expect(messages.map(({ index }) => index)).toEqual(fifty.map(({ index }) => index + 2));
    expect(messages.find(({ id }) => id === "m49")?.state).toBe("compacted");
  });

  test("never changes the view that was there before", () => {
    const before = begun(5);
    const copy = structuredClone(before);
    applied(before, event("MessagesStored", 6, { messages: [message("m", 0)], counts }));
    expect(before).toEqual(copy);
  });
});

describe("health", () => {
  const health = { ...begun().state.health, reason: "another" };

  test("of the present version is taken", () => {
    const view = applied(begun(5), event("HealthChanged", 5, { health }));
    expect(view).toMatchObject({ stale: false, state: { health } });
  });

  test("of a version ahead is shown, and asks for a snapshot", () => {
    const view = applied(begun(5), event("HealthChanged", 7, { health }));
    expect(view).toMatchObject({ version: 5, healthVersion: 7, stale: true, state: { health } });
  });

  test("of an older version is not taken", () => {
    const view = applied(begun(5), event("HealthChanged", 4, { health }));
    expect(view.state.health.reason).not.toBe("another");
  });
});

test("what is revoked stays as it was seen last", () => {
  const view = begun(5);
  expect(seen(view, { type: "revoked", conversation_id: "c", code: 4403 })).toBe(view);
});

describe("a version", () => {
  test("that one has says nothing new", () => expect(applied(begun(5), version(5)).stale).toBe(false));

  test("ahead asks for a snapshot", () => expect(applied(begun(5), version(6)).stale).toBe(true));

  test("whose health was missed asks for a snapshot", () => {
    const view = applied(begun(5), event("MessageUpdated", 6, { counts }));
    expect(applied(view, version(6)).stale).toBe(true);
  });
});

describe("the stage of a compaction", () => {
  const run = (changes: object) => ({ ...compaction, ...changes }) as NonNullable<LiveState["compaction"]>;
  const writing = run({ state: "running", stage: "writing", progress: 35 });

  test("is there from the first snapshot on", () => {
    const { stage } = begun(5, { compaction: writing });
    expect(stage).toEqual({ runId: "r1", stage: "writing", progress: 35 });
  });

  test("goes on with every event that tells of it", () => {
    const saving = { ...writing, stage: "saving", progress: 90 };
    const staged = event("CompactionStaged", 6, { compaction: saving });
    expect(applied(begun(5, { compaction: writing }), staged).stage).toMatchObject({ progress: 90 });
  });

  test("is gone when the run ends", () => {
    const ended = event("ContextCompacted", 6, { compaction: run({ state: "succeeded" }) });
    expect(applied(begun(5, { compaction: writing }), ended).stage).toBeNull();
  });

  test("stays while something else happens", () => {
    const view = applied(begun(5, { compaction: writing }), event("PinsChanged", 6, { pins: [] }));
    expect(view.stage?.progress).toBe(35);
  });
});

const compaction = {
  run_id: "r1",
  trigger: "manual",
  level: "light",
  stage: "",
  progress: 0,
  version: null,
  compacted_from: null,
  compacted_through: null,
  compacted_count: 0,
  tokens_before: null,
  tokens_after: null,
  error_code: "",
  retry_at: null,
};
