import { expect, test } from "vitest";
import { closed } from "./close-markdown";

test.each([
  ["a finished line stays", "One line.\n", "One line.\n"],
  ["half of a closing fence is not shown as code", "```sql\nSELECT 1\n``", "```sql\nSELECT 1\n"],
  ["half of an opening fence is not shown", "Look:\n\n``", "Look:\n\n"],
  ["inside a code block nothing is closed", "```sql\nSELECT `a", "```sql\nSELECT `a"],
  ["after a code block it is", "```\ncode\n```\nUse `max", "```\ncode\n```\nUse `max`"],
  ["bold text is bold before its end", "This is **imp", "This is **imp**"],
  ["bold text between two words stays bold", "The first one **locks the ", "The first one **locks the** "],
  ["bold text that ends stays as it is", "This is **important**", "This is **important**"],
  ["half of its end changes nothing", "This is **important*", "This is **important**"],
  ["what is bold may hold code", "Use **the `max_id", "Use **the `max_id`**"],
  ["stars between numbers are no marks", "So 2 ** 3 is 8", "So 2 ** 3 is 8"],
  ["a mark that only begins is not shown", "This is **", "This is "],
  ["code that only begins is not shown", "Call `", "Call "],
  ["code in two ticks is closed by two", "Call ``a`b", "Call ``a`b``"],
  ["half of a link is its words", "See [the docs](https://exa", "See the docs"],
  ["half of an image is its name", "See ![a map](https://exa", "See a map"],
  ["a bracket alone hides nothing", "The interval [0, 1) is half-", "The interval [0, 1) is half-"],
  ["nor does one in code", "Take `list[0](` and", "Take `list[0](` and"],
  ["nor in code that is being written", "Take `rows[0](x", "Take `rows[0](x`"],
])("%s", (_, text, shown) => expect(closed(text)).toBe(shown));
