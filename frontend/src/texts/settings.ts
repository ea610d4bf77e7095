/** The settings: which models answer, what they may cost, and what they took. */

import { count, plural } from "./plural";

const PURPOSES: Record<string, string> = {
  chat: "Replies",
  compaction: "Compactions",
  extraction: "Finding memories",
  merge: "Merging memories",
  intent: "Understanding searches",
  embedding: "Search by meaning",
  unknown: "Unknown",
};

const REFUSED: Record<string, string> = {
  ceiling: "Not asked today: the limit",
  no_price: "Not asked: no price known",
  recall_only: "Not asked: recall only",
};

export const settings = {
  title: "Settings",
  tabs: { models: "Models", limits: "Limits", usage: "Usage" },
  parts: "Parts of the settings",
  notLoaded: "This part could not be loaded. Nothing was changed.",
  purposes: PURPOSES,

  models: {
    now: "What answers now",
    purpose: "For",
    model: "Model",
    because: "Why",
    offline: "Without a model",
    refused: REFUSED,
    choose: "Choose",
    mayNotChoose: "An owner or admin of this workspace chooses the models and enters their keys.",
    backend: "Provider",
    backendIs:
      "Automatic takes the first that is ready. What the server’s environment names comes before this.",
    automatic: "Automatic",
    modelFor: (purpose: string) => `Model for ${purpose.toLowerCase()}`,
    names: "Models by purpose",
    namesAre: "A name by which the provider knows it. Empty: its usual one.",
    usual: "The usual one",
    save: "Save choice",
    saved: "From the next call on these models are asked",
    meanwhile:
      "Somebody changed this meanwhile. What you chose is still here; look at what holds now, then save.",
  },

  found: {
    title: "What was found",
    localOff: "Programs on the server itself are not allowed here. Who runs the server can allow them.",
    states: {
      ready: "ready",
      no_key: "no key",
      not_found: "not found",
      not_allowed: "not allowed",
      unreachable: "does not answer",
      unreadable_key: "key cannot be read",
    },
    many: (many: number) => plural(many, "model"),
    showModels: (many: number, backend: string) => `Show ${plural(many, "model")} of ${backend}`,
    hideModels: (many: number, backend: string) => `Hide ${plural(many, "model")} of ${backend}`,
    keyEnds: (lastFour: string) => (lastFour === "" ? "A short key" : `Key ends in ${lastFour}`),
    from: {
      workspace: "entered in this workspace",
      environment: "from the server’s environment",
      file: "from the server’s settings file",
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
    removeDetail:
      "It is erased here and stays valid at the provider. Running calls end; later ones are not made.",
    removed: (backend: string) => `The key for ${backend} was removed`,
  },

  key: {
    field: (backend: string) => `Key for ${backend}`,
    fieldIs: "Stored sealed. After saving only its last four characters are shown.",
    show: "Show the key",
    address: "Address",
    addressIs: "Of the API, as in https://models.example.org/v1.",
    save: "Test and save",
    saved: (backend: string) => `${backend} accepted the key; it is saved`,
    works: (ms: number, models: number) =>
      `It answered in ${count(ms)} ms${models > 0 ? ` and has ${plural(models, "model")}` : ""}. Nothing was saved yet.`,
    worksStored: (ms: number, models: number) =>
      `It answered in ${count(ms)} ms${models > 0 ? ` and has ${plural(models, "model")}` : ""}.`,
    fails: "The test failed; nothing was saved.",
    failsStored: "The test failed; the key stays as it is.",
    notSaved: "The key was not saved.",
  },

  limits: {
    today: "Today",
    resets: (when: string) => `Counted anew from ${when}`,
    states: {
      open: "Open",
      warning: "Near the limit",
      background_stopped: "Replies only",
      stopped: "Limit reached",
      no_price: "No price known",
      recall_only: "Recall only",
    },
    tokens: "Tokens",
    cost: "Dollars",
    spent: (spent: string, ceiling: string) => `${spent} of ${ceiling}`,
    noCeiling: (spent: string) => `${spent}, no limit`,
    meter: (spent: string, ceiling: string, warning: number, background: number) =>
      `${spent} of ${ceiling} today; warning from ${warning} %, background work stops at ${background} %`,
    warningAt: (percent: number) => `warning from ${percent} %`,
    backgroundAt: (percent: number) => `background work stops at ${percent} %`,
    source:
      "As providers reported them; a call under way counts with the most it may take. Dollars by the price list.",
    daily: "Limits of a day",
    mayNotChange: "An owner or admin of this workspace sets the limits.",
    hidden: "What was spent is shown to owners, admins, curators and auditors.",
    tokenCeiling: "Tokens a day",
    costCeiling: "Dollars a day",
    empty: "Empty: no limit.",
    emptyOf: (value: string) => `This installation says ${value}. Empty: no limit.`,
    notWhole: "A whole number of tokens, or nothing.",
    notMoney: "Dollars with at most two decimals, or nothing.",
    costNeedsPrices: "With a limit in dollars, models without a known price are not asked.",
    save: "Save limits",
    saved: "The limits hold from now on",
    meanwhile:
      "Somebody changed the limits meanwhile. What you typed is still here; look at it, then save again.",
    recall: "Recall only",
    recallSwitch: "Send nothing to a model",
    recallIs: "Replies are put together from this chat and your memory. Nothing is sent to a model.",
    recallOff: "This installation calls no models at all; only who runs it can change that.",
    recallTitle: "Send nothing to a model any more?",
    recallConfirm: "Recall only",
    recallOn: "From now on nothing is sent to a model",
    recallEnded: "Models are asked again",
  },

  usage: {
    title: "By day",
    range: "Range",
    days: { 7: "7 days", 30: "30 days", 90: "90 days" },
    measure: "Measure",
    measures: { tokens: "Tokens", cost: "Dollars" },
    parts: { input: "Input", cached: "Cached input", output: "Output" },
    cost: "Dollars",
    chart: (from: string, to: string, total: string) => `${total} from ${from} to ${to}, by day`,
    highest: (value: string, day: string) => `Most on one day: ${value}, ${day}`,
    nothing: "No model was called in these days.",
    ceiling: (value: string) => `Today’s limit: ${value}`,
    asTable: "As a table",
    asPlot: "Hide the table",
    day: "Day",
    calls: "Calls",
    failed: "Failed",
    tokens: "Tokens",
    byPurpose: "By purpose",
    byModel: "By model",
    purpose: "Purpose",
    model: "Model",
    total: "Together",
    estimated: (many: number) => `≈ ${plural(many, "call")} estimated`,
    unpriced: (many: number) => `${plural(many, "call")} without a known price`,
    noPrice: "no price known",
    source: (asOf: string) =>
      `Days of UTC. Tokens as providers reported them; where an answer broke off they are estimated (≈). Dollars by the prices of ${asOf}.`,
    unpricedTold: (many: number) =>
      `${plural(many, "call")} ${many === 1 ? "is" : "are"} not in the dollars: no price is known.`,
    hiddenTitle: "Usage is not shown to members",
    hidden: "Owners, admins, curators and auditors of this workspace see what models took and cost.",
  },
};
