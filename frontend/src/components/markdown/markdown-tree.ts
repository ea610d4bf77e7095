/** Parse Markdown into a sanitized tree. It uses the parser's parts directly; the usual wrapper is twice as large. */

import type { Nodes } from "hast";
import { sanitize } from "hast-util-sanitize";
import type { Nodes as MarkdownNode, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { toHast } from "mdast-util-to-hast";
import { gfm } from "micromark-extension-gfm";

/** Parsing time grows with the square of the depth, and recursion would exhaust the stack. */
const MAX_DEPTH = 100;
const QUOTE_OR_LIST = String.raw`[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))`;
const TOO_DEEP = new RegExp(`^(?:${QUOTE_OR_LIST}){${MAX_DEPTH}}`, "m");

/** Return null if the text is nested too deeply to parse. */
export function markdownTree(text: string): Nodes | null {
  if (TOO_DEEP.test(text)) return null;
  try {
    const tree = fromMarkdown(text, {
      extensions: [gfm({ singleTilde: false })],
      mdastExtensions: [gfmFromMarkdown()],
    });
    return isTooDeep(tree) ? null : sanitize(toHast(tree));
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Breadth first: a recursive walk would exhaust the stack. */
function isTooDeep(tree: Root): boolean {
  let level: readonly MarkdownNode[] = [tree];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > 2 * MAX_DEPTH) return true;
    level = level.flatMap((one) => ("children" in one ? one.children : []));
  }
  return false;
}
