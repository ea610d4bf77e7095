/** Syntax highlighting. Loaded on demand: it is larger than the rest of the chat. */

import bash from "highlight.js/lib/languages/bash";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import go from "highlight.js/lib/languages/go";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { createLowlight } from "lowlight";
import { createElement, type ReactNode } from "react";

const languages = { bash, css, diff, go, java, javascript, json, python, rust, sql, typescript, xml, yaml };
const lowlight = createLowlight(languages);

type Node = ReturnType<typeof lowlight.highlight>["children"][number];

/** Return null for an unsupported language. */
export function highlightCode(code: string, language: string): ReactNode {
  const name = language.toLowerCase();
  if (!lowlight.registered(name)) return null;
  return lowlight.highlight(name, code).children.map(element);
}

function element(node: Node, key: number): ReactNode {
  if (node.type === "text") return node.value;
  if (node.type !== "element") return null;
  const names = node.properties.className;
  const className = Array.isArray(names) ? names.join(" ") : "";
  return createElement("span", { key: key, className }, node.children.map(element));
}
