/** Paired clients in the settings, and the page that confirms a pairing. */

import { count, plural } from "./plural";

export const agents = {
  connect: {
    title: "Connect a coding agent",
    hint: "Run this on the machine where the agent runs, in the folder of Continuity's source. The second line shows a code, which you confirm here in the browser.",
    lines: (server: string) => `pip install ./client\ncontinuity login ${server} &&\n  continuity install`,
    then: "Before it changes an agent's settings, the installer shows the difference and keeps a backup.",
    haveCode: "I have a code",
    readOnly: "Your role can only read, so you can't pair clients in this workspace.",
  },

  title: "Paired clients",
  emptyTitle: "No agent has called",
  empty:
    "Run the lines above on your machine. The client appears here, and this page changes when its first event comes.",
  by: (name: string) => `paired by ${name}`,
  paired: (when: string) => `paired ${when}`,
  noEvent: "No event yet",
  lastEvent: (event: string, when: string, many: number) =>
    `Last event: ${event}, ${when} · ${plural(many, "event")}`,
  revoked: "Revoked",
  revokedAt: (when: string) => `revoked ${when}`,

  test: "Test",
  testName: (name: string) => `Test ${name}`,
  testing: "Composing what a new session would get",
  ready: (memories: number, bytes: number, tokens: number, ms: number) =>
    `A session that starts now gets ${plural(memories, "memory", "memories")}: ${count(tokens)} tokens, ${count(bytes)} bytes, composed in ${count(ms)} ms.`,
  nothingKnown: (ms: number) =>
    `The key works. Nothing is known about you yet, so a session starts without memories. The server took ${count(ms)} ms.`,
  engineOff: "The key works, but the engine is off in this workspace, so a session gets nothing.",
  testFailed: "The test failed.",

  revoke: "Revoke",
  revokeName: (name: string) => `Revoke ${name}`,
  revokeTitle: (name: string) => `Revoke the key of ${name}?`,
  revokeDetail:
    "The client is refused from its next request on. What it recorded stays. To connect it again, pair it again.",
  revokedToast: (name: string) => `The key of ${name} was revoked`,
};

export const pairing = {
  pageTitle: "Pair a client",
  enterTitle: "Pair a client",
  enterHint: "Enter the code that the client shows in your terminal.",
  code: "Code",
  codeMissing: "Enter the code.",
  next: "Continue",

  title: (name: string) => `Pair ${name}?`,
  requests: (client: string, name: string) => `${client} on ${name} requests access to your memory.`,
  compare: "Approve only if your terminal shows the same code, and you started this yourself.",
  facts: { code: "Code", client: "Client", machine: "Machine", asked: "Requested", workspace: "Workspace" },
  client: (name: string, version: string) => (version === "" ? name : `${name} ${version}`),
  workspaceHint: "What the client records and reads is in this workspace.",
  grants: "It gets a key of yours that reads and writes. You can revoke it in the settings at any time.",
  account: (email: string) => `You're signed in as ${email}.`,
  approve: "Approve",
  deny: "Deny",

  approvedTitle: "Approved",
  approved: (name: string) => `Waiting until ${name} collects its key. Return to your terminal.`,
  withdraw: "Deny after all",
  usedTitle: (name: string) => `${name} is paired`,
  used: (workspace: string) =>
    `It has collected its key for ${workspace}. The code can't be used again. If it wasn't you, revoke the key.`,
  toAgents: "Paired clients",
  deniedTitle: "Denied",
  denied: (name: string) => `${name} gets no key. You can close this page.`,

  expiredTitle: "This code has expired",
  expired: "Codes work for 10 minutes. Start again in your terminal, then confirm the new code.",
  unknownTitle: "Code not found",
  unknown: "Check the code in your terminal. Somebody else may have used it, or it may have expired.",
  usedUpTitle: "This code was already used",
  usedUp: "Its key was collected. If it wasn't you, revoke it in the settings.",
  otherCode: "Enter another code",
  readOnlyTitle: "You can't pair clients here",
  readOnly: "Your role in this workspace can only read. Ask an admin, or choose another workspace.",
  noWorkspace:
    "You're not in a workspace yet. Create one or accept an invitation, then open this page again.",
  failedTitle: "Couldn't load the pairing",
};
