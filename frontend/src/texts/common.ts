import { plural } from "./plural";

export const common = {
  product: "Continuity",
  brokenTitle: "This page stopped working",
  brokenDetail: "Your messages are saved. Reload the page to continue.",
  reload: "Reload",
  partMissing: (name: string) => `${name} couldn't be loaded. Everything else still works.`,
  parts: {
    drawer: "The Summary Drawer",
    palette: "Search",
    help: "The list of keyboard shortcuts",
    tour: "The tour",
  },
  close: "Close",
  cancel: "Cancel",
  undo: "Undo",
  retry: "Try again",
  loading: "Loading",
  stillLoading: "Taking longer than usual…",
  offline: "No connection. You can keep reading and writing. Messages send when you're back online.",
  unreachable: "Can't reach the server",
  unreachableDetail:
    "Your messages are safe on the server, and your draft is saved on this device. Try again in a moment.",
  notFoundTitle: "Page not found",
  notFoundDetail: "The link may be old, or it isn't shared with you.",
  toChats: "Back to chats",
  noWorkspaceTitle: "You're not in a workspace yet",
  noWorkspaceDetail: "Ask an admin to invite you, or create one.",
  createWorkspace: "Create a workspace",
  workspaceOf: (name: string) => `${name}'s workspace`,
  notSentYet: (many: number) =>
    `${plural(many, "message")} ${many === 1 ? "hasn't" : "haven't"} been sent. ${many === 1 ? "It stays" : "They stay"} in this browser until you sign in again.`,
  leaveAnyway: "Sign out anyway",
  liveRefused: "Live updates are unavailable. You can keep reading and writing, and replies still arrive.",
  look: "Theme",
  lookLight: "Light",
  lookDark: "Dark",
  lookSystem: "System",
  toasts: "Notifications",
  notReached: "Can't reach the server. Nothing was changed. Try again in a moment.",
  notDone: "That didn't work. Nothing was changed.",
  sessionEnded: "Your session ended. Sign in to continue.",
  changedElsewhere: "This was changed elsewhere. Review it, then try again.",
  tooMany: (seconds: number | null) =>
    seconds === null
      ? "Too many requests. Wait a moment."
      : `Too many requests. Wait ${plural(seconds, "second")}.`,
  failedHere: (code: string) => `Something went wrong on the server (${code}). Nothing was changed.`,
};
