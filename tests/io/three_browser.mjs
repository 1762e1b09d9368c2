// A headless Chromium that runs three_page.mjs; shared by tests/io/three.mjs and scripts/judges.mjs.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const three = path.join(here, "../../node_modules/three");
const origin = "http://sinew.test/";
const page = `<!doctype html><script type="importmap">
{"imports": {"three": "${origin}three/build/three.module.js", "three/addons/": "${origin}three/examples/jsm/"}}
</script><script type="module" src="${origin}page.mjs"></script>`;

function findChromium() {
  const places = [
    process.env.CHROMIUM,
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
  ];
  return places.find((place) => place && existsSync(place));
}

// { browser } or { missing: why there is none }.
export async function openBrowser() {
  let playwright = null;
  try {
    playwright = await import("playwright-core");
  } catch {
    return { missing: "no playwright-core: run npm ci" };
  }
  if (!existsSync(three)) return { missing: "no three.js: run npm ci" };
  const executablePath = findChromium();
  if (!executablePath) return { missing: "no Chromium" };
  const args = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
  return { browser: await playwright.chromium.launch({ executablePath, args }) };
}

// Everything the page asks for comes from this machine's files.
function answer(route, glb) {
  const name = new URL(route.request().url()).pathname.slice(1);
  if (name === "") return route.fulfill({ contentType: "text/html", body: page });
  if (name === "page.mjs") return route.fulfill({ path: path.join(here, "three_page.mjs") });
  if (name === "file.glb") return route.fulfill({ contentType: "model/gltf-binary", body: readFileSync(glb) });
  if (name.startsWith("three/")) return route.fulfill({ path: path.join(three, name.slice(6)) });
  return route.fulfill({ status: 404 });
}

// What window[name](url of the file, data) of the page says.
export async function askPage(browser, name, file, data) {
  const tab = await browser.newPage({ viewport: { width: 960, height: 720 } });
  const problems = [];
  tab.on("pageerror", (error) => problems.push(error.message));
  tab.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  await tab.route("**/*", (route) => answer(route, file));
  await tab.goto(origin);
  await tab.waitForFunction(`window.${name} !== undefined`, null, { timeout: 60000 });
  const result = await tab.evaluate(([call, url, given]) => window[call](url, given), [
    name,
    `${origin}file.glb`,
    data,
  ]);
  await tab.close();
  const relevant = problems.filter((text) => !text.includes("favicon"));
  if (relevant.length > 0) throw new Error(relevant.join("; "));
  return result;
}
