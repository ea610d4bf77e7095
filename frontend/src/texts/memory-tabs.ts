/** The header of the memory page. */

export const memoryTabs = {
  title: "Memory",
  parts: "Memory sections",
  tree: "Browse",
  find: "Search",
  inbox: "Inbox",
  sessions: "Sessions",
};
