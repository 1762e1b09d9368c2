import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

// A static folder that works from any host under any path. The isolation headers let threads run while developing;
// `sinew studio` sends the same ones.
const isolation = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

// What a mode needs comes when it is chosen; scripts/studio_size.mjs tells it by its name.
const modes = {
  chunkFileNames: (chunk: { facadeModuleId: string | null }) => {
    const mode = chunk.facadeModuleId?.match(/\/(bind|move|check|leave)\/(?:parts|bench|dialog|Export|Tour)\.tsx?$/);
    return mode ? `assets/mode-${mode[1]}-[hash].js` : "assets/[name]-[hash].js";
  },
  assetFileNames: (asset: { names?: string[]; name?: string }) => (/^(bind|move|check|leave|parts|dialog)\b.*css$/.test(asset.names?.[0] ?? asset.name ?? "") ? "assets/mode-[name]-[hash][extname]" : "assets/[name]-[hash][extname]"),
};

export default defineConfig({
  base: "./",
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  resolve: {
    alias: { "@sinew/core": fileURLToPath(new URL("../core/dist/index.js", import.meta.url)) },
  },
  worker: { format: "es", rollupOptions: { output: modes } },
  build: { target: "es2022", outDir: "../dist", emptyOutDir: true, assetsInlineLimit: 0, modulePreload: false, rollupOptions: { output: modes } },
  server: { headers: isolation },
  preview: { headers: isolation },
});
