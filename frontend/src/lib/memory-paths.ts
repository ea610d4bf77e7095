/** Paths of the parts of the memory page. */

export const TREE = "/memory";
export const FIND = "/memory/find";
export const INBOX = "/memory/inbox";
export const IMPORT = "/memory/import";
export const SESSIONS = "/sessions";
