// A browser with the studio open, as a person would have it: `sinew studio` serves the page, Chromium shows it.
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const root = resolve(fileURLToPath(new URL("../../..", import.meta.url)));
export const program = process.env.SINEW ?? join(root, "build/sinew");
export const dist = process.env.SINEW_STUDIO ?? join(root, "studio/dist");
export const data = process.env.SINEW_DATA_DIR ?? resolve(root, "../shared/data");

// As `sinew studio` serves it: isolated, so that threads run.
export async function serve(files = []) {
  const child = spawn(program, ["studio", "--no-browser", "--folder", dist, ...files], { stdio: ["ignore", "pipe", "ignore"] });
  const address = await new Promise((done, fail) => {
    child.once("error", fail);
    child.once("exit", (code) => fail(new Error(`sinew studio ended with ${code}`)));
    child.stdout.once("data", (text) => done(String(text).trim()));
  });
  return { address, stop: () => new Promise((done) => (child.once("exit", done), child.kill("SIGINT"))) };
}

// As any host serves a folder, under a path, without isolation: one thread.
export async function servePlain(path = "/some/where/") {
  const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml" };
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const name = pathname.startsWith(path) ? decodeURIComponent(pathname.slice(path.length)) || "index.html" : null;
    try {
      const body = await readFile(join(dist, name));
      response.writeHead(200, { "Content-Type": types[extname(name)] ?? "application/octet-stream" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { address: `http://127.0.0.1:${server.address().port}${path}`, stop: () => new Promise((done) => server.close(done)) };
}

export async function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
  });
}

// A page, with what went wrong in it collected.
export async function open(browser, address, { width = 1440, height = 900, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  page.faults = [];
  page.requests = [];
  page.on("pageerror", (error) => page.faults.push(String(error)));
  page.on("console", (message) => message.type() === "error" && page.faults.push(message.text()));
  page.on("request", (request) => page.requests.push(request.url()));
  await page.goto(address);
  return page;
}

export const state = (page) => page.evaluate(() => JSON.parse(JSON.stringify(globalThis.studio)));
export async function until(page, what, ms = 60000) {
  await page.waitForFunction(what, null, { timeout: ms, polling: 50 });
  return state(page);
}
// What was done by hand has reached the core, and what came of it is in the page: moves of the pointer wait for a frame first.
export const settle = (page) =>
  page.evaluate(async () => {
    const frames = async (count) => {
      for (let i = 0; i < count; i++) await new Promise(requestAnimationFrame);
    };
    await frames(2);
    await studio.settle();
    await frames(3);
  });
export const ready = (page) => until(page, () => globalThis.studio?.phase === "ready" && globalThis.studio.firstFrame !== null);

// Where an element is on the page. A panel that is drawn anew at this very moment takes it away and brings it back.
export async function boxOf(locator) {
  for (;;) {
    await locator.waitFor();
    const box = await locator.boundingBox();
    if (box) return box;
  }
}

// Files dropped onto the page, with their bytes.
export async function drop(page, files) {
  const list = files.map(({ name, bytes }) => ({ name, text: Buffer.from(bytes).toString("base64") }));
  const transfer = await page.evaluateHandle((list) => {
    const transfer = new DataTransfer();
    for (const { name, text } of list) transfer.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
    return transfer;
  }, list);
  await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
}
