/** Author names. Messages store their author only in shared conversations. */

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
    of: isMine
      ? namesFor(own)
      : namesFor(conversation.owner_name === "" ? texts.chat.people.user : conversation.owner_name),
  };
}

const cache = new Map<string, (message: Message) => string>();

/** Cache by name, so that memoized rows rerender only when the name changes. */
function namesFor(unnamed: string): (message: Message) => string {
  const names = cache.get(unnamed) ?? ((message: Message) => nameOf(message, unnamed));
  cache.set(unnamed, names);
  return names;
}

function nameOf({ name, role }: Message, unnamed: string): string {
  if (name !== "") return name;
  return role === "user" ? unnamed : texts.chat.people[role];
}
