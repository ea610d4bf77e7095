/** What a part of a message other than text is, as its heading. */

import { texts } from "@/texts";

type Part = { kind: string; name?: string; tokens?: number };

export function partLabel({ kind, name = "", tokens = 0 }: Part): string {
  switch (kind) {
    case "reasoning":
      return texts.chat.reasoning(tokens);
    case "tool_call":
      return texts.chat.toolCall(name);
    case "image":
      return texts.chat.imagePart(name);
    case "file":
      return texts.chat.filePart(name);
    default:
      return texts.chat.toolResult(name);
  }
}
