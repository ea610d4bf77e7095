import { expect, test } from "vitest";
import { closed } from "./unfinished";

test.each([
  ["a finished line stays", "One line.\n", "One line.\n"],
  ["half of a closing fence is not shown as code", "```sql\nSELECT 1\n``", "```sql\nSELECT 1\n"],
  ["half of an opening fence is not shown", "Look:\n\n``", "Look:\n\n"],
  ["inside a code block nothing is closed", "```sql\nSELECT `a", "```sql\nSELECT `a"],
  ["after a code block it is", "```\ncode\n```\nUse `max", "```\ncode\n```\nUse `max`"],
  ["bold text is bold before its end", "This is **imp", "This is **imp**"],
  ["a mark that only begins is not shown", "This is **", "This is "],
  ["half of a link is not shown", "See [the docs](https://exa", "See "],
])("%s", (_, text, shown) => expect(closed(text)).toBe(shown));
