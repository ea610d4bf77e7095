/** Render a conversation of 120 messages for tests. */

import { screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { useShell } from "@/components/hooks/shell-context";
import { clearToasts } from "@/components/feedback/toast";
import { reloadOutbox } from "@/lib/outbox";
import { mockLayout } from "@/testing/layout";
import { fakeSockets, InLive } from "@/testing/live";
import { userMessage } from "@/testing/messages";
import { json, renderInApp } from "@/testing/render";
import { chat, page } from "@/testing/samples";
import { InShell } from "@/testing/shell";
import { Chat, type ChatProps } from "../chat";
import { forgetTurn } from "../sending/reply-streams";
import { useOutboxWorker } from "../sending/use-sender";

export const C1 = "/api/conversations/c1";
export const COUNT = 120;

export function messages(request: Request): Response {
  const from = Number(new URL(request.url).searchParams.get("from_index"));
  const rows = Array.from({ length: Math.min(50, COUNT - from) }, (_, offset) => {
    const index = from + offset;
    return userMessage({
      id: `m${index}`,
      index,
      role: index % 2 ? "assistant" : "user",
      content: `Text ${index}`,
    });
  });
  return json(page(rows));
}

/** Default answers of the server. */
export const DEFAULT_ANSWERS = {
  [`GET ${C1}`]: () => json(chat("c1", { message_count: COUNT })),
  [`GET ${C1}/messages`]: messages,
  [`GET ${C1}/compactions`]: () => json(page([])),
  [`GET ${C1}/memories`]: () => json(page([])),
};

function Sender() {
  useOutboxWorker(useShell().me);
  return null;
}

export function openChat(props: Partial<ChatProps> = {}, element?: ReactNode) {
  return renderInApp(
    <InShell>
      <InLive>
        <Sender />
        {element ?? <Chat id="c1" view={null} {...props} />}
      </InLive>
    </InShell>,
  );
}

/** Call it before each test. */
export function resetChat(): void {
  fakeSockets();
  reloadOutbox();
  forgetTurn("c1");
  clearToasts();
  mockLayout();
}

export const message = (index: number) =>
  screen.findByRole("article", { name: new RegExp(`^Message ${index + 1},`) });

export const focused = () => (document.activeElement as HTMLElement).dataset.messageIndex;

export function liveState() {
  return {
    conversation: {
      title: "Chat",
      archived_at: null,
      edited: 1,
      share_count: 0,
      private_memory_when_shared: false,
    },
    counts: { message_count: 0 },
    compaction: null,
    turn: { reply_id: "r1", index: 1, since: "2026-11-20T10:00:00Z" },
    summary: { version: 0, tokens: 0, compaction_count: 0 },
    pins: [],
    messages: [],
  };
}
