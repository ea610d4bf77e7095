/** The settings: models, limits and usage. */

import { count, plural } from "./plural";

const PURPOSES: Record<string, string> = {
  chat: "Replies",
  compaction: "Compactions",
  extraction: "Memory extraction",
  merge: "Memory merging",
  intent: "Search intent",
  embedding: "Embeddings",
  unknown: "Unknown",
};

const REFUSED: Record<string, string> = {
  ceiling: "Not used today: limit reached",
  no_price: "Not used: price unknown",
  recall_only: "Not used: models are off",
};

export const settings = {
  title: "Settings",
  tabs: { models: "Models", memory: "Memory", limits: "Limits", usage: "Usage", members: "Members" },
  parts: "Settings sections",
  notLoaded: "Couldn't load this part. Nothing was changed.",
  purposes: PURPOSES,

  models: {
    now: "Models in use",
    purpose: "Task",
    model: "Model",
    because: "Why",
    offline: "None",
    refused: REFUSED,
    choose: "Choose",
    mayNotChoose: "Only owners and admins of this workspace can choose models and add keys.",
    backend: "Provider",
    backendIs: "Automatic uses the first available provider. Server settings take precedence.",
    automatic: "Automatic",
    modelFor: (purpose: string) => `Model for ${purpose.toLowerCase()}`,
    names: "Models by task",
    namesAre: "Model ID. Leave empty for the default.",
    usual: "Default",
    save: "Save choice",
    saved: "Saved. Used from the next call.",
    conflict: "Someone else changed this. Your choices are still here; review the current ones, then save.",
  },

  found: {
    title: "Providers",
    localOff: "Local models are off in this workspace. Only the server operator can allow them.",
    states: {
      ready: "ready",
      no_key: "no key",
      not_found: "not found",
      not_allowed: "not allowed",
      unreachable: "unreachable",
      unreadable_key: "key unreadable",
    },
    many: (many: number) => plural(many, "model"),
    showModels: (many: number, backend: string) => `Show ${plural(many, "model")} from ${backend}`,
    hideModels: (many: number, backend: string) => `Hide ${plural(many, "model")} from ${backend}`,
    keyEnds: (lastFour: string) => (lastFour === "" ? "A short key" : `Key ends in ${lastFour}`),
    from: {
      workspace: "entered in this workspace",
      environment: "from the server's environment",
      file: "from the server's settings file",
    },
    tested: (when: string) => `accepted ${when}`,
    test: "Test",
    testing: "Testing",
    testName: (deed: string, backend: string) => `${deed} ${backend}`,
    addKey: "Add key",
    addKeyName: (backend: string) => `Add key for ${backend}`,
    replaceKey: "Replace key",
    replaceKeyName: (backend: string) => `Replace key for ${backend}`,
    removeKey: "Remove key",
    removeKeyName: (backend: string) => `Remove key for ${backend}`,
    removeTitle: (backend: string, lastFour: string) =>
      lastFour === ""
        ? `Remove the key for ${backend}?`
        : `Remove the key for ${backend} that ends in ${lastFour}?`,
    removeDetail: "Removes it here. Revoke it at the provider too.",
    removed: (backend: string) => `The key for ${backend} was removed`,
  },

  key: {
    field: (backend: string) => `Key for ${backend}`,
    fieldIs: "Stored encrypted. Only the last four characters are shown.",
    show: "Show the key",
    address: "Base URL",
    addressIs: "For example https://models.example.org/v1.",
    save: "Test and save",
    saved: (backend: string) => `${backend} accepted the key. Key saved`,
    works: (ms: number, models: number) =>
      `The provider responded in ${count(ms)} ms${models > 0 ? ` and offers ${plural(models, "model")}` : ""}. Nothing is saved yet.`,
    worksStored: (ms: number, models: number) =>
      `The provider responded in ${count(ms)} ms${models > 0 ? ` and offers ${plural(models, "model")}` : ""}.`,
    fails: "The test failed; nothing was saved.",
    failsStored: "The test failed; the key is unchanged.",
    notSaved: "The key was not saved.",
  },

  learning: {
    title: "Learning from chats",
    own: "Learn from my chats",
    ownIs:
      "What you say about yourself and your work becomes memories. A single chat can be left out in its menu.",
    workspace: "Learn from chats in this workspace",
    workspaceIs: "For everybody. Off, nobody's chats are read, and nobody can ask for it.",
    fixed: "This server learns from no chat. Only the server operator can change this.",
    later: "What is said while it is off is not learned later either. Memories you have stay.",
    saved: "Saved. It counts from the next message.",
  },

  pastChats: {
    title: "Other chats",
    workspace: "Chats may quote your other chats",
    workspaceIs:
      "For everybody. What you said in another chat of yours is found when a message asks for it. Shared and temporary chats quote none.",
    fixed: "On this server no chat quotes another one. Only the server operator can change this.",
  },

  memory: {
    title: "What goes in and what waits",
    mode: "What goes in without asking",
    modes: { trusted: "Trusted words", confident: "Confident findings", nothing: "Nothing" },
    means: {
      trusted: "What people say about themselves and what follows from it goes in at once.",
      confident: "Only what was found with a confidence of 0.7 or more goes in; the rest waits in the inbox.",
      nothing: "Everything waits in the inbox until a person approves it.",
    },
    always:
      "What tools, assistants, files and other people say always waits, and so does what contradicts a more trusted memory.",
    mayNotChange: "Only owners and admins of this workspace can change this.",
    saved: "Saved. It counts for new memories.",
  },

  limits: {
    today: "Today",
    resets: (when: string) => `Resets ${when}`,
    states: {
      open: "OK",
      warning: "Near the limit",
      background_stopped: "Replies only",
      stopped: "Limit reached",
      no_price: "Price unknown",
      recall_only: "Models are off",
    },
    tokens: "Tokens",
    cost: "USD",
    spent: (spent: string, ceiling: string) => `${spent} of ${ceiling}`,
    noCeiling: (spent: string) => `${spent}, no limit`,
    meter: (spent: string, ceiling: string, warning: number, background: number) =>
      `${spent} of ${ceiling} today; warning at ${warning}%, background work stops at ${background}%`,
    warningAt: (percent: number) => `warning at ${percent}%`,
    backgroundAt: (percent: number) => `background work stops at ${percent}%`,
    source: "As reported by providers. Running calls count at their maximum. USD by the price list.",
    daily: "Daily limits",
    mayNotChange: "Only owners and admins of this workspace can change the limits.",
    hidden: "Only owners, admins, curators and auditors can see spending.",
    tokenCeiling: "Tokens per day",
    costCeiling: "USD per day",
    empty: "Leave empty for no limit.",
    emptyOf: (value: string) => `Server default: ${value}. Leave empty for no limit.`,
    notWhole: "Enter a whole number, or leave empty.",
    notMoney: "Enter an amount with up to two decimals, or leave empty.",
    costNeedsPrices: "With a USD limit, models without a known price aren't used.",
    save: "Save limits",
    saved: "Limits saved",
    conflict: "Someone else changed the limits. Your values are still here; review them, then save again.",
    recall: "No-model mode",
    recallSwitch: "Don't call any model",
    recallIs: "Replies only quote this chat and your memory. Nothing is sent to a model.",
    recallOff: "This server calls no models. Only the server operator can change this.",
    recallTitle: "Turn models off?",
    recallConfirm: "Turn off",
    recallOn: "Models are off",
    recallEnded: "Models are on",
  },

  usage: {
    title: "Daily usage",
    range: "Range",
    days: { 7: "7 days", 30: "30 days", 90: "90 days" },
    measure: "Measure",
    measures: { tokens: "Tokens", cost: "USD" },
    parts: { input: "Input", cached: "Cached input", output: "Output" },
    cost: "USD",
    chart: (from: string, to: string, total: string) => `${total} from ${from} to ${to}, by day`,
    highest: (value: string, day: string) => `Highest day: ${value}, ${day}`,
    nothing: "No model calls in this period.",
    ceiling: (value: string) => `Today's limit: ${value}`,
    asTable: "Show table",
    asPlot: "Hide table",
    day: "Day",
    calls: "Calls",
    failed: "Failed",
    tokens: "Tokens",
    byPurpose: "By task",
    byModel: "By model",
    purpose: "Task",
    model: "Model",
    total: "Total",
    estimated: (many: number) => `≈ ${plural(many, "call")} estimated`,
    unpriced: (many: number) => `${plural(many, "call")} without a known price`,
    noPrice: "price unknown",
    source: (asOf: string) =>
      `Days in UTC. Tokens as reported by providers; estimated (≈) where a reply was cut off. USD by the prices of ${asOf}.`,
    unpricedTold: (many: number) => `${plural(many, "call")} not included in USD: price unknown.`,
    hiddenTitle: "You can't see usage",
    hidden: "Only owners, admins, curators and auditors of this workspace can see model usage and cost.",
  },
};
