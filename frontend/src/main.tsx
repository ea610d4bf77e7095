import "@fontsource-variable/hanken-grotesk/wght.css";
import "@fontsource-variable/geist-mono/wght.css";
import "./styles/mantine.css";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/controls.css";

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app";
import { shareNonce } from "./lib/nonce";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
shareNonce();
void moveStylesheets().then(() =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);

/**
 * Move the stylesheets from the end of the document, where they do not delay the splash, to its head:
 * those of panels are added there later and must override them.
 */
async function moveStylesheets(): Promise<void> {
  const links = [...document.querySelectorAll<HTMLLinkElement>("body > link[rel=stylesheet]")];
  const loaded = links.map(
    (link) =>
      new Promise((resolve) => ["load", "error"].forEach((end) => link.addEventListener(end, resolve))),
  );
  document.head.append(...links);
  await Promise.all(loaded);
}
