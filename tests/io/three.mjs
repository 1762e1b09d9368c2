// Plays files with morph targets or helper joints in three.js in a headless Chromium: node tests/io/three.mjs FOLDER
// The folder holds one JSON a file: which GLB, which clip, and the positions at several times.
// Exit code 0: all within their tolerance; 1: not; 77: three.js, playwright-core or Chromium is not installed.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const three = path.join(here, "../../node_modules/three");
const origin = "http://sinew.test/";

function skip(reason) {
  console.log(`skipped: ${reason}`);
  process.exit(77);
}

async function loadPlaywright() {
  try {
    return await import("playwright-core");
  } catch {
    return skip("no playwright-core: run npm ci");
  }
}

function findChromium() {
  const places = [
    process.env.CHROMIUM,
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
  ];
  return places.find((place) => place && existsSync(place)) ?? skip("no Chromium");
}

const page = `<!doctype html><script type="importmap">
{"imports": {"three": "${origin}three/build/three.module.js", "three/addons/": "${origin}three/examples/jsm/"}}
</script><script type="module" src="${origin}page.mjs"></script>`;

// Everything the page asks for comes from this machine's files.
function answer(route, glb) {
  const name = new URL(route.request().url()).pathname.slice(1);
  if (name === "") return route.fulfill({ contentType: "text/html", body: page });
  if (name === "page.mjs") return route.fulfill({ path: path.join(here, "three_page.mjs") });
  if (name === "file.glb") return route.fulfill({ contentType: "model/gltf-binary", body: readFileSync(glb) });
  if (name.startsWith("three/")) return route.fulfill({ path: path.join(three, name.slice(6)) });
  return route.fulfill({ status: 404 });
}

async function play(browser, expected) {
  const tab = await browser.newPage();
  const problems = [];
  tab.on("pageerror", (error) => problems.push(error.message));
  tab.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  await tab.route("**/*", (route) => answer(route, expected.file));
  await tab.goto(origin);
  await tab.waitForFunction("window.compare !== undefined", null, { timeout: 60000 });
  const result = await tab.evaluate(([url, data]) => window.compare(url, data), [`${origin}file.glb`, expected]);
  await tab.close();
  const relevant = problems.filter((text) => !text.includes("favicon"));
  if (relevant.length > 0) throw new Error(relevant.join("; "));
  return result;
}

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
const { chromium } = await loadPlaywright();
if (!existsSync(three)) skip("no three.js: run npm ci");
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
let right = true;
for (const name of names.sort()) {
  const expected = JSON.parse(readFileSync(path.join(folder, name), "utf8"));
  try {
    right = judge(name, expected, await play(browser, expected)) && right;
  } catch (error) {
    console.error(`${name}: ${error.message}`);
    right = false;
  }
}
await browser.close();
console.log(right ? `${names.length} files, all within their tolerance` : "not all within their tolerance");
process.exit(right ? 0 : 1);
