/** Who said what. Messages name their author only where several people talk. */

import type { Conversation } from "@/api/conversations";
import type { Message } from "@/api/messages";
import type { Me } from "@/api/session";
import type { View } from "@/events/reducer";
import { texts } from "@/texts";

export function authorIn(conversation: Conversation, view: View | null, me: Me) {
  const own = me.user.name === "" ? me.user.email : me.user.name;
  const isMine = conversation.owner_id === me.user.id;
  const isShared = !isMine || (view?.state.conversation.share_count ?? 0) > 0;
  return {
    own,
    signature: isShared ? own : "",
    of: isMine ? namesFor(own) : namesFor(texts.chat.people.user),
  };
}

const known = new Map<string, (message: Message) => string>();

/** The same function for the same name: rows are drawn anew only when it changes. */
function namesFor(unnamed: string): (message: Message) => string {
  const names = known.get(unnamed) ?? ((message: Message) => nameOf(message, unnamed));
  known.set(unnamed, names);
  return names;
}

function nameOf({ name, role }: Message, unnamed: string): string {
  if (name !== "") return name;
  return role === "user" ? unnamed : texts.chat.people[role];
}
