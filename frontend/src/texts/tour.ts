export const tour = {
  claim: "Write as long as you like. Older messages become a summary you can read and correct.",
  promise:
    "See what the model sees, what was omitted, and where every summary line comes from. You can undo everything.",
  hello: (name: string) => `Hello, ${name}`,
  helloAgain: "Start a new chat, or pick one from the list.",
  sampleTitle: "See a finished chat",
  sampleText: (messages: string) => `${messages} with a summary, pins and a full drawer.`,
  openSample: "Open the sample",
  modelTitle: "Add a model",
  modelText: "Paste an API key, or use a model on this server.",
  openModels: "Add a key",
  modelByOthers: "An owner or admin of this workspace can add one.",
  noModelTitle: "No model is connected yet.",
  noModel: "Until you add a key, replies only quote this chat and your memory.",
  starters: "Suggestions",
  starterTexts: ["What can you do?", "Help me plan a project", "Explain something step by step"],
};
