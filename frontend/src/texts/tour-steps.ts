/** The steps of the tour, which load with it. */

export const tourSteps = {
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
