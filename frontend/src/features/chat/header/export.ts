/** Export the whole conversation as a Markdown file. */

import type { QueryClient } from "@tanstack/react-query";
import type { Conversation } from "@/api/conversations";
import { type Message, messagesQuery, PAGE_SIZE } from "@/api/messages";
import { texts } from "@/texts";

export async function exportMarkdown(
  client: QueryClient,
  conversation: Conversation,
  count: number,
): Promise<void> {
  const messages: Message[] = [];
  for (let page = 0; page * PAGE_SIZE < count; page += 1) {
    messages.push(...(await client.query({ ...messagesQuery(conversation.id, page), gcTime: 0 })));
  }
  const title = conversation.title === "" ? texts.chat.header.untitled : conversation.title;
  download(`${title.replace(/[^\p{L}\p{N} _-]/gu, "").slice(0, 60)}.md`, asMarkdown(title, messages));
}

export function asMarkdown(title: string, messages: readonly Message[]): string {
  const parts = messages.map(
    ({ index, role, name, content, created_at }) =>
      `## ${texts.chat.number(index)} ${name === "" ? texts.chat.people[role] : name}, ${created_at}\n\n${content}`,
  );
  return `${[`# ${title}`, ...parts].join("\n\n")}\n`;
}

function download(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/markdown" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
