// Plays files with morph targets or helper joints in three.js in a headless Chromium: node tests/io/three.mjs FOLDER
// The folder holds one JSON a file: which GLB, which clip, and the positions at several times.
// Exit code 0: all within their tolerance; 1: not; 77: three.js, playwright-core or Chromium is not installed.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { askPage, openBrowser } from "./three_browser.mjs";

function judge(name, expected, result) {
  const mm = (metres) => `${(metres * 1e3).toPrecision(3)} mm`;
  console.log(
    `${name}: ${result.targets} targets or helpers, off by ${mm(result.cpu)} (CPU) and ${mm(result.gpu)} (GPU) of ` +
      `${mm(expected.tolerance)} allowed; ${mm(result.plain)} without`,
  );
  // A comparison that does not notice missing targets would prove nothing.
  const sees = result.plain > 2 * expected.tolerance;
  return result.targets > 0 && sees && result.cpu <= expected.tolerance && result.gpu <= expected.tolerance;
}

const folder = process.argv[2];
const names = existsSync(folder ?? "") ? readdirSync(folder).filter((name) => name.endsWith(".json")) : [];
if (names.length === 0) {
  console.error("usage: node tests/io/three.mjs FOLDER (with .json files)");
  process.exit(1);
}
const { browser, missing } = await openBrowser();
if (missing) {
  console.log(`skipped: ${missing}`);
  process.exit(77);
}
let right = true;
for (const name of names.sort()) {
  const expected = JSON.parse(readFileSync(path.join(folder, name), "utf8"));
  try {
    right = judge(name, expected, await askPage(browser, "compare", expected.file, expected)) && right;
  } catch (error) {
    console.error(`${name}: ${error.message}`);
    right = false;
  }
}
await browser.close();
console.log(right ? `${names.length} files, all within their tolerance` : "not all within their tolerance");
process.exit(right ? 0 : 1);
