/** Whether an agent's session is running or has ended; nothing for a chat. */

import type { Session } from "@/api/sessions";
import { Tag } from "@/components/ui/tag";
import { sessions } from "@/texts/sessions";

export function SessionState({ agent }: { agent: Session["agent"] }) {
  if (agent === null) return null;
  return agent.ended_at === null ? <Tag tone="live">{sessions.running}</Tag> : <Tag>{sessions.ended}</Tag>;
}
