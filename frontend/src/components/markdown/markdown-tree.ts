/**
 * Markdown as a tree of what may be shown. Only the parts of the parser that a page needs: its usual wrapping brings
 * twice as much.
 */

import type { Nodes } from "hast";
import { sanitize } from "hast-util-sanitize";
import type { Nodes as MarkdownNode, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { toHast } from "mdast-util-to-hast";
import { gfm } from "micromark-extension-gfm";

/** Deeper than anybody writes; reading it takes time that grows with the square, and more stack than there is. */
const DEEPEST = 100;
const QUOTE_OR_LIST = String.raw`[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))`;
const TOO_DEEP = new RegExp(`^(?:${QUOTE_OR_LIST}){${DEEPEST}}`, "m");

/** null where the text nests too deep to be read. */
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

/** Level by level: a walk that calls itself would meet the end of the stack. */
function isTooDeep(tree: Root): boolean {
  let level: readonly MarkdownNode[] = [tree];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > 2 * DEEPEST) return true;
    level = level.flatMap((one) => ("children" in one ? one.children : []));
  }
  return false;
}
