/** The members of a workspace, their invitations, and the page that an invitation's link opens. */

const ROLES = {
  owner: "Owner",
  admin: "Admin",
  curator: "Curator",
  auditor: "Auditor",
  member: "Member",
  viewer: "Viewer",
};

type Role = keyof typeof ROLES;

const ROLE_HINTS: Record<Role, string> = {
  owner: "Everything, including other owners.",
  admin: "Everything except owners.",
  curator: "Writes, curates the team's memory, and sees usage.",
  auditor: "Reads, and sees usage.",
  member: "Reads and writes.",
  viewer: "Reads only.",
};

const AS_ROLE: Record<Role, string> = {
  owner: "an owner",
  admin: "an admin",
  curator: "a curator",
  auditor: "an auditor",
  member: "a member",
  viewer: "a viewer",
};

export const members = {
  title: "Members",
  roles: ROLES,
  roleHints: ROLE_HINTS,
  you: "You",
  joined: (when: string) => `Joined ${when}`,
  roleOf: (name: string) => `Role of ${name}`,
  roleChanged: (name: string, role: Role) => `${name} is now ${AS_ROLE[role]}`,
  remove: "Remove",
  removeName: (name: string) => `Remove ${name}`,
  removeTitle: (name: string) => `Remove ${name} from this workspace?`,
  removeDetail: "They lose access immediately, and their API keys stop working. You can invite them again.",
  removed: (name: string) => `${name} was removed`,
  leave: {
    title: "Leave this workspace",
    hint: "Your chats and private memories stay here. You'll see them again if you're invited back.",
    action: "Leave workspace",
    confirmTitle: (workspace: string) => `Leave ${workspace}?`,
    confirmDetail: "You lose access immediately, and your API keys for this workspace stop working.",
    left: (workspace: string) => `You left ${workspace}`,
    lastOwner: "You're the only owner. Make another member an owner, then leave.",
  },
  mayNotManage: "Only owners and admins of this workspace can invite people and change roles.",

  invite: {
    title: "Invite people",
    hint: "Creates a link for one person. We don't send an email; share the link yourself. It works for 7 days.",
    email: "Email",
    emailHint: "They must sign in with this address.",
    emailMissing: "Enter an email address.",
    role: "Role",
    create: "Create invitation link",
    failed: "No invitation was created.",
    linkTitle: (email: string) => `Invitation link for ${email}`,
    linkHint: "Copy it now. You won't see it again.",
    copy: "Copy link",
    copied: "Link copied",
    notCopied: "Couldn't copy the link. Select and copy it yourself.",
    done: "Done",
  },

  pending: {
    title: "Pending invitations",
    none: "No pending invitations.",
    facts: (role: Role, invitedBy: string, expires: string) =>
      `${ROLES[role]} · invited by ${invitedBy} · expires ${expires}`,
    revoke: "Revoke",
    revokeName: (email: string) => `Revoke the invitation for ${email}`,
    revoked: (email: string) => `The invitation for ${email} was revoked`,
  },

  join: {
    title: (workspace: string) => `Join ${workspace}`,
    pageTitle: "Invitation",
    invited: (by: string, workspace: string, role: Role) =>
      `${by} invited you to ${workspace} as ${AS_ROLE[role]}.`,
    account: (email: string) => `You're signed in as ${email}.`,
    expires: (when: string) => `The invitation expires ${when}.`,
    accept: "Accept",
    decline: "Decline",
    accepted: (workspace: string) => `You joined ${workspace}`,
    declined: "Invitation declined",
    notFoundTitle: "Invitation not found",
    notFound:
      "It isn't for this account. Check the link, or sign in with the email address that was invited.",
    overTitle: "This invitation is no longer valid",
    over: "It was already used or revoked, or it has expired. Ask for a new one.",
    failedTitle: "Couldn't load the invitation",
  },
};
