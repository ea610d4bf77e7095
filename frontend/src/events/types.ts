/** The frames of the socket: names for the types that the server's dataclasses give (`make types`). */

import type { Schemas } from "@/api/client";

export type LiveState = Schemas["LiveState"];
export type ServerFrame = Schemas["ServerFrame"];
export type ClientFrame = Schemas["ClientFrame"];
export type SnapshotFrame = Schemas["SnapshotFrame"];
export type ErrorFrame = Schemas["ErrorFrame"];

/** Every event, told apart by its `name`. Only those of a conversation have a `conversation_id`. */
export type EventFrame = Schemas["EventFrame"];
export type EventName = EventFrame["name"];
export type EventOf<Name extends EventName> = Extract<EventFrame, { name: Name }>;

/** What the view of a conversation follows from. */
export type Frame = Extract<
  SnapshotFrame | Schemas["VersionFrame"] | Schemas["RevokedFrame"] | EventFrame,
  { conversation_id: string }
>;
