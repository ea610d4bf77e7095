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
  back: "Back",
  next: "Next",
  skip: "Skip the tour",
  end: "Done",
  step: (current: number, total: number) => `${current} of ${total}`,
  steps: {
    line: {
      title: "Nothing is lost",
      text: "The line next to a message shows what happens to it. Solid: sent as is. Dashed: compacted into the summary. Dotted: excluded by you.",
    },
    pill: {
      title: "How full the context is",
      text: "This label shows how much of the budget is used and what happens next. Click it to open or close the Summary Drawer.",
    },
    bar: {
      title: "What the model sees",
      text: "Everything in the next request, in order. The marker shows where compaction starts; the hatched bar shows the size afterward.",
    },
    source: {
      title: "Every line has a source",
      text: "The number opens the source message. You can edit any line, and your edits are never overwritten.",
    },
    compact: {
      title: "Compact, and undo",
      text: "Chats are compacted automatically between messages. You can also start it here, and undo it from History.",
    },
  },
};
