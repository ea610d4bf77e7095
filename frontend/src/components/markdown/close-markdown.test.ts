import { expect, test } from "vitest";
import { closeMarkdown } from "./close-markdown";

test.each([
  ["a finished line stays the same", "One line.\n", "One line.\n"],
  ["half of a closing fence is not shown as code", "```sql\nSELECT 1\n``", "```sql\nSELECT 1\n"],
  ["half of an opening fence is not shown", "Look:\n\n``", "Look:\n\n"],
  ["nothing is closed inside a code block", "```sql\nSELECT `a", "```sql\nSELECT `a"],
  ["code spans after a code block are closed", "```\ncode\n```\nUse `max", "```\ncode\n```\nUse `max`"],
  ["bold text is bold before its end", "This is **imp", "This is **imp**"],
  [
    "bold text with a trailing space stays bold",
    "The first one **locks the ",
    "The first one **locks the** ",
  ],
  ["finished bold text stays the same", "This is **important**", "This is **important**"],
  ["half of a closing mark changes nothing", "This is **important*", "This is **important**"],
  ["bold text may contain code", "Use **the `max_id", "Use **the `max_id`**"],
  ["asterisks between numbers are not marks", "So 2 ** 3 is 8", "So 2 ** 3 is 8"],
  ["a mark without content is not shown", "This is **", "This is "],
  ["a code span without content is not shown", "Call `", "Call "],
  ["a code span with two backticks is closed by two", "Call ``a`b", "Call ``a`b``"],
  ["half of a link shows its text", "See [the docs](https://exa", "See the docs"],
  ["half of an image shows its alternative text", "See ![a map](https://exa", "See a map"],
  ["a bracket alone hides nothing", "The interval [0, 1) is half-", "The interval [0, 1) is half-"],
  ["a bracket in code hides nothing", "Take `list[0](` and", "Take `list[0](` and"],
  ["a bracket in unfinished code hides nothing", "Take `rows[0](x", "Take `rows[0](x`"],
])("%s", (_, text, shown) => expect(closeMarkdown(text)).toBe(shown));
