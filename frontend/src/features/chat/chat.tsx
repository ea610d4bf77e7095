/** The thread and the composer. */

import type { ReactNode } from "react";
import type { View } from "@/events/reducer";
import { NewChat } from "./new-chat";
import { OpenChat } from "./existing-chat";

/** A message to show; `asked` tells two wishes for the same one apart. */
export interface Place {
  index: number;
  asked: number;
}

export interface ChatProps {
  id: string | null;
  view: View | null;
  place?: Place | null;
  welcome?: ReactNode;
  /** Show what a compaction changed. */
  onCompare?: (runId: string) => void;
}

export function Chat({ id, view, place = null, welcome, onCompare }: ChatProps) {
  return id === null ? (
    <NewChat welcome={welcome} />
  ) : (
    <OpenChat key={id} id={id} view={view} place={place} onCompare={onCompare} />
  );
}
