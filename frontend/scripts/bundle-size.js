/** What the first page of the chat loads, gzipped and without fonts; more than its limits is a failed build. */

import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const LIMITS_KB = { js: 250, css: 45 };
const DIST = new URL("../dist/", import.meta.url);

const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", DIST), "utf8"));

function chunksFrom(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const next of manifest[name].imports ?? []) chunksFrom(next, found);
  return found;
}

function kilobytes(files) {
  const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(new URL(file, DIST))).length, 0);
  return Math.round(bytes / 100) / 10;
}

const first = [...chunksFrom("index.html")].map((name) => manifest[name]);
const sizes = {
  js: kilobytes(first.map((chunk) => chunk.file)),
  css: kilobytes(first.flatMap((chunk) => chunk.css ?? [])),
};
console.log(
  JSON.stringify({
    bench: "bundle",
    first_load_js_kb: sizes.js,
    first_load_css_kb: sizes.css,
    limits: LIMITS_KB,
  }),
);
for (const kind of ["js", "css"]) {
  if (sizes[kind] > LIMITS_KB[kind]) {
    console.error(`The first load has ${sizes[kind]} kB of ${kind}; ${LIMITS_KB[kind]} kB are allowed.`);
    process.exitCode = 1;
  }
}
