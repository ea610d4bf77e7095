import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const server = process.env.CONTINUITY_URL ?? "http://127.0.0.1:37777";

const STYLESHEET = /<link rel="stylesheet"[^>]*>/g;

/** Load the stylesheets behind the splash, so that they do not delay its first paint. */
const splashFirst: Plugin = {
  name: "splash-first",
  transformIndexHtml: {
    order: "post",
    handler: (html) => {
      const links = html.match(STYLESHEET) ?? [];
      return html.replace(STYLESHEET, "").replace("</body>", `${links.join("")}</body>`);
    },
  },
};

export default defineConfig({
  plugins: [react(), splashFirst],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    manifest: true,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      output: {
        // The libraries of every page in one chunk: many small ones compress worse.
        codeSplitting: {
          groups: [
            {
              name: "vendor",
              test: /node_modules[\\/](react|react-dom|scheduler|react-router|@tanstack|openapi-fetch|clsx|get-nonce|cookie|set-cookie-parser)[\\/]/,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { "/api": { target: server }, "/ws": { target: server, ws: true } } },
  test: {
    environment: "jsdom",
    maxWorkers: "100%",
    // Loading Mantine anew for every file took longer than the tests, which therefore mock no modules.
    isolate: false,
    testTimeout: 90_000,
    setupFiles: ["src/testing/setup.ts"],
    restoreMocks: true,
  },
});
