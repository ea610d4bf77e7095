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
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
