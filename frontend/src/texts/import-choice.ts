/** The choice after the preview of an import: is it one's own? */

import { plural } from "./plural";

export const importChoice = {
  whose: "How to import",
  mine: {
    deed: "Import as mine",
    means: "These are your own memories: they are in use at once, in every chat and for every agent.",
  },
  inbox: {
    deed: "Import into the inbox",
    means:
      "From somebody else, or you are not sure: memories wait in your inbox, and no chat or agent is told of them before you approve them.",
  },
  waiting: (many: number) =>
    `${plural(many, "memory", "memories")} ${many === 1 ? "waits" : "wait"} in your inbox.`,
  wait: "Its memories wait in your inbox.",
};
