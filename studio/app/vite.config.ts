import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

// A static folder that works from any host under any path. The isolation headers let threads run while developing;
// `sinew studio` sends the same ones.
const isolation = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

export default defineConfig({
  base: "./",
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  resolve: {
    alias: { "@sinew/core": fileURLToPath(new URL("../core/dist/index.js", import.meta.url)) },
  },
  worker: { format: "es" },
  build: { target: "es2022", outDir: "../dist", emptyOutDir: true, assetsInlineLimit: 0, modulePreload: false },
  server: { headers: isolation },
  preview: { headers: isolation },
});
