import { plural } from "./plural";

export const common = {
  product: "Continuity",
  brokenTitle: "This page stopped working",
  brokenDetail: "Your messages are stored. Load the page again to go on.",
  reload: "Load the page again",
  partMissing: (name: string) => `${name} could not be loaded. Everything else works on.`,
  parts: {
    drawer: "The Summary Drawer",
    palette: "The search",
    help: "The sheet of keys",
    tour: "The tour",
  },
  close: "Close",
  cancel: "Cancel",
  undo: "Undo",
  retry: "Try again",
  loading: "Loading",
  stillLoading: "This takes longer than usual. Nothing is lost.",
  offline: "No connection. You can read and write; what you send waits here.",
  unreachable: "The server does not answer",
  unreachableDetail:
    "Your messages are stored there, and what you wrote here is kept. It may be back in a moment.",
  notFoundTitle: "There is nothing here",
  notFoundDetail: "The address may be old, or the conversation is not shared with you.",
  toChats: "Back to the chats",
  noWorkspaceTitle: "You belong to no workspace",
  noWorkspaceDetail: "Somebody who runs one can add you. Or begin one of your own.",
  createWorkspace: "Create a workspace",
  workspaceOf: (name: string) => `${name}’s workspace`,
  notSentYet: (many: number) =>
    `${plural(many, "message")} ${many === 1 ? "is" : "are"} not sent yet, and would wait in this browser until you sign in again.`,
  leaveAnyway: "Sign out anyway",
  liveRefused:
    "The server refuses live updates, though you are signed in. You can read and write; replies come all the same.",
  look: "Colour scheme",
  lookLight: "Light",
  lookDark: "Dark",
  lookSystem: "As the system",
  toasts: "Notices",
  notReached: "The server does not answer. Nothing was changed; try again in a moment.",
  notDone: "That did not work. Nothing was changed.",
  sessionEnded: "Your session ended. Sign in to go on.",
  changedMeanwhile: "It was changed meanwhile. Look at it and try again.",
  tooMany: (seconds: number | null) =>
    seconds === null ? "Too many requests. Wait a moment." : `Too many requests. Wait ${seconds} s.`,
  failedHere: (code: string) => `The server failed; nothing was changed (${code}).`,
};
