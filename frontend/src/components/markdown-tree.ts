/**
 * Markdown as a tree of what may be shown. Only the parts of the parser that a page needs: its usual wrapping brings
 * twice as much.
 */

import type { Nodes } from "hast";
import { sanitize } from "hast-util-sanitize";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { toHast } from "mdast-util-to-hast";
import { gfm } from "micromark-extension-gfm";

export function markdownTree(text: string): Nodes {
  const tree = fromMarkdown(text, {
    extensions: [gfm({ singleTilde: false })],
    mdastExtensions: [gfmFromMarkdown()],
  });
  return sanitize(toHast(tree));
}
