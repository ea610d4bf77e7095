/** Who reads a chat, and what that means for private memories. */

import { count } from "./plural";

const MOST_COUNTED = 1000;

export const audience = {
  readers: (names: readonly string[], hasMore: boolean) => `Read by ${people(names, hasMore)}`,
  used: "your memories are used in replies to you",
  notUsed: "your memories are not used here",
  omitted: "Others read this chat: no private memories and no other chats are sent",
  switch: "Use my memories",
  switchIs: "Everyone who reads this chat can read what replies quote from your memories and other chats.",
  privateReplies: (many: number) => {
    const replies = `${count(many)}${many >= MOST_COUNTED ? "+" : ""} ${many === 1 ? "reply" : "replies"}`;
    return `${replies} used private memories; the people you share with can read ${many === 1 ? "it" : "them"}.`;
  },
};

/** "Bob", "Bob and Carol", "Bob and 2 others"; the server names so many at most. */
function people(names: readonly string[], hasMore: boolean): string {
  const [first = "", second = ""] = names;
  const others = names.length - 1;
  if (hasMore) return `${first} and more than ${count(others)} others`;
  if (others > 1) return `${first} and ${count(others)} others`;
  return others === 1 ? `${first} and ${second}` : first;
}
