/** Render untrusted Markdown: no HTML, no external images, and links without a referrer. */

import type { Element, Nodes, Properties } from "hast";
import { createElement, memo, type ReactNode, useMemo } from "react";
import { Link } from "react-router";
import { texts } from "@/texts";
import { CodeBlock } from "./code-block";
import { markdownTree } from "./markdown-tree";
import classes from "./markdown.module.css";
import { closeMarkdown } from "./close-markdown";

interface Props {
  text: string;
  /** More text is coming: close what is open. */
  isStreaming?: boolean;
}

export const Markdown = memo(function Markdown({ text, isStreaming = false }: Props) {
  const source = useMemo(() => renderTree(isStreaming ? closeMarkdown(text) : text), [text, isStreaming]);
  return <div className={classes.markdown}>{source}</div>;
});

/** Text that cannot be parsed is shown as it is. */
function renderTree(text: string): ReactNode {
  const tree = markdownTree(text);
  return tree === null ? <p className={classes.raw}>{text}</p> : renderNode(tree, 0);
}

const COMPONENTS: Record<string, ((element: Element, key: number) => ReactNode) | undefined> = {
  a: anchor,
  img: picture,
  pre: code,
  table: (element, key) => (
    <div key={key} className={classes.wide}>
      <table>{children(element)}</table>
    </div>
  ),
  input: ({ properties: { checked } }, key) => (
    <span
      key={key}
      role="img"
      aria-label={checked ? texts.chat.done : texts.chat.open}
      className={classes.box}
      data-checked={checked === true}
    />
  ),
};

function renderNode(one: Nodes, key: number): ReactNode {
  if (one.type === "text") return one.value;
  if (one.type === "root") return children(one);
  if (one.type !== "element") return null;
  const ours = COMPONENTS[one.tagName];
  return ours === undefined
    ? createElement(one.tagName, { key, ...attributes(one.properties) }, ...children(one))
    : ours(one, key);
}

function children(parent: { children: Nodes[] }): ReactNode[] {
  return parent.children.map(renderNode);
}

/** Property names in React's spelling. */
function attributes(properties: Properties): Record<string, unknown> {
  const named = Object.entries(properties).map(([name, value]) => [
    name.replace(/^(aria|data)(?=[A-Z])/, "$1-").replace(/(?<=^aria-).*/, (rest) => rest.toLowerCase()),
    Array.isArray(value) ? value.join(" ") : value,
  ]);
  return Object.fromEntries(named) as Record<string, unknown>;
}

function anchor(element: Element, key: number): ReactNode {
  const { href } = element.properties;
  return link(typeof href === "string" ? href : undefined, children(element), key);
}

/** Fetching an external image would reveal the reader to its server. */
function picture({ properties: { src, alt } }: Element, key: number): ReactNode {
  if (typeof src !== "string") return null;
  return link(src, texts.chat.image(typeof alt === "string" ? alt : ""), key);
}

/** Pages of the app; the API's docs and the console are pages of their own. */
const IN_APP = /^\/(?![/\\]|(?:api|admin)(?:\/|$))/;

function link(href: string | undefined, label: ReactNode, key: number): ReactNode {
  if (href !== undefined && IN_APP.test(href))
    return (
      <Link key={key} to={href}>
        {label}
      </Link>
    );
  const elsewhere = href?.startsWith("#") ? {} : { target: "_blank", rel: "noopener noreferrer nofollow" };
  return (
    <a key={key} href={href} {...elsewhere}>
      {label}
    </a>
  );
}

function code(element: Element, key: number): ReactNode {
  const inner = element.children.find((child) => child.type === "element");
  const names = inner?.properties.className;
  const language = /language-(\S+)/.exec(Array.isArray(names) ? names.join(" ") : "")?.[1] ?? "";
  return <CodeBlock key={key} code={textIn(element).replace(/\n$/, "")} language={language} />;
}

function textIn(one: Nodes): string {
  if (one.type === "text") return one.value;
  return "children" in one ? one.children.map(textIn).join("") : "";
}
