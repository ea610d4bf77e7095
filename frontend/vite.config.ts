import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const server = process.env.CONTINUITY_URL ?? "http://127.0.0.1:37777";

export default defineConfig({
  plugins: [react()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    manifest: true,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
  },
  server: { proxy: { "/api": { target: server }, "/ws": { target: server, ws: true } } },
  test: {
    environment: "jsdom",
    maxWorkers: "100%",
    // Loading Mantine anew for every file took longer than the tests, which therefore mock no modules.
    isolate: false,
    setupFiles: ["src/testing/setup.ts"],
    restoreMocks: true,
  },
});
