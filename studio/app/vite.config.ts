import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

const own = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// Of the package's table of all functions and structs the page carries what its sources name, and what that needs. Lines of
// other functions become empty, for a function goes by the number of its line.
function usedTables(): Plugin {
  const words = new Set<string>();
  for (const [folder, kind] of [[own("src"), /\.tsx?$/], [own("../core/dist"), /^(?!tables|constants).*\.js$/]] as const)
    for (const name of readdirSync(folder, { recursive: true }) as string[])
      if (kind.test(name)) for (const [word] of readFileSync(join(folder, name), "utf8").matchAll(/\bsn(_[a-z]|[A-Z])\w+/g)) words.add(word);
  return {
    name: "used-tables",
    transform(code, id) {
      if (!/core\/dist\/tables\.js$/.test(id)) return null;
      const [functions, structs] = ["functions", "structs"].map((name) => (JSON.parse(code.match(new RegExp(`${name} = (".*");`))![1]) as string).split("\n"));
      const lines = new Map([...functions, ...structs].map((line) => [line.slice(0, line.indexOf(" ")), line]));
      const used = new Set<string>();
      const use = (word: string) => {
        if (used.has(word) || !lines.has(word)) return;
        used.add(word);
        for (const [other] of lines.get(word)!.matchAll(/\bsn(_[a-z]|[A-Z])\w+/g)) use(other);
      };
      words.forEach(use);
      const kept = (line: string) => (used.has(line.slice(0, line.indexOf(" "))) ? line : "");
      const texts = { functions: functions.map(kept).join("\n"), structs: structs.map(kept).filter(Boolean).join("\n") };
      return { code: Object.entries(texts).map(([name, text]) => `export const ${name} = ${JSON.stringify(text)};`).join("\n"), map: null };
    },
  };
}

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
    alias: { "@sinew/core": own("../core/dist/index.js") },
  },
  plugins: [usedTables()],
  worker: { format: "es", plugins: () => [usedTables()], rollupOptions: { output: modes } },
  build: { target: "es2022", outDir: "../dist", emptyOutDir: true, assetsInlineLimit: 0, modulePreload: false, rollupOptions: { output: modes } },
  server: { headers: isolation },
  preview: { headers: isolation },
});
