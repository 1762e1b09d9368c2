#!/usr/bin/env node
// What a first visit loads, compressed as hosts do it. Fails above the 800 kB that a page may take.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const LIMIT = 800_000;
const dist = fileURLToPath(new URL("../studio/dist", import.meta.url));
const files = ["index.html", "icon.svg", ...readdirSync(join(dist, "assets")).map((name) => join("assets", name))];
// With threads the other build of the core is loaded instead, not as well; importers and modes come when they are asked for.
const later = /thread|handles|fbx|mode-/;
let sum = 0;
for (const name of files) {
  const bytes = readFileSync(join(dist, name));
  const packed = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;
  if (!later.test(name)) sum += packed;
  console.log(`${name.padEnd(44)} ${String(bytes.length).padStart(9)} bytes, gzip ${String(gzipSync(bytes, { level: 9 }).length).padStart(8)}, brotli ${String(packed).padStart(8)}${later.test(name) ? "  (later, or instead)" : ""}`);
}
console.log(`first load: ${sum} bytes by brotli, at most ${LIMIT}`);
if (sum > LIMIT) process.exit(1);
