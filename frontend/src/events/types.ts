/** What the socket says, as its own description has it. */

import type { Schemas } from "@/api/client";

export type LiveState = Omit<Schemas["Live"], "conversation_id" | "version">;
type Parts = Partial<LiveState>;

export interface SnapshotFrame {
  type: "snapshot";
  conversation_id: string;
  version: number;
  state: LiveState;
}

export interface VersionFrame {
  type: "version";
  conversation_id: string;
  version: number;
}

/** Events without a version may be lost; those that concern a person alone name no conversation. */
export interface EventFrame {
  type: "event";
  name: string;
  conversation_id: string;
  version?: number;
  data: Parts & EventData;
}

/** What single events carry beside parts of the state. */
interface EventData {
  first_index?: number;
  last_index?: number;
  message_ids?: string[];
  reply_id?: string;
  characters?: number;
  run_id?: string;
  /** Why a reply ended, if not by its own end. */
  error_code?: string;
}

/** One may not read the conversation any more. */
export interface RevokedFrame {
  type: "revoked";
  conversation_id: string;
}

/** What was asked for cannot be given; `unavailable` means: not just now. */
export interface ErrorFrame {
  type: "error";
  code: string;
  conversation_id?: string;
}

export type Frame = SnapshotFrame | VersionFrame | EventFrame | RevokedFrame;
