// The same in a browser: a module worker of a page that is cross-origin isolated, with one thread and with several.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { core, withDocument } from "./support.mjs";

const chromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);
const playwright = await import(process.env.PLAYWRIGHT ?? "playwright-core").catch(() => null);
const dist = fileURLToPath(new URL("../dist/", import.meta.url));
const kinds = existsSync(join(dist, "sinew-threads.wasm")) ? [false, true] : [false];

const TYPES = { js: "text/javascript", mjs: "text/javascript", wasm: "application/wasm", html: "text/html" };
const WORKER = `import { load } from "/dist/index.js";
onmessage = async ({ data: threads }) => {
  try {
    const core = await load({ threads, workers: 3 });
    const document = core.sn_document_create({ tasks: core.tasks }, null);
    core.sn_document_open(document, "builtin:bar", null);
    let told = 0;
    core.sn_bind_report_free(await core.run("sn_document_bind", document, {}, null, { slice: 1, progress: () => void told++ }));
    core.sn_document_play(document, 0, 0.4, 0);
    postMessage({ told, workers: core.tasks.workers ?? 1, hash: String(core.sn_character_hash(core.sn_document_character(document))) });
  } catch (error) {
    postMessage({ error: String(error) });
  }
};`;

function serve(request, response) {
  const path = new URL(request.url, "http://localhost").pathname;
  const body = path === "/" ? "<!doctype html>" : path === "/worker.js" ? WORKER : path.startsWith("/dist/") && existsSync(join(dist, path.slice(6))) ? readFileSync(join(dist, path.slice(6))) : null;
  const type = path === "/" ? "text/html" : TYPES[path.split(".").at(-1)];
  response.writeHead(body === null ? 404 : 200, { "Content-Type": type ?? "text/plain", "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" });
  response.end(body ?? "");
}

test("a worker of a page", chromium && playwright ? {} : { skip: "no Chromium, or no playwright-core (npm ci)" }, async () => {
  const expected = await withDocument("builtin:bar", (document) => {
    core.sn_bind_report_free(core.sn_document_bind(document, {}, null));
    core.sn_document_play(document, 0, 0.4, 0);
    return String(core.sn_character_hash(core.sn_document_character(document)));
  });
  const server = createServer(serve).listen(0);
  const browser = await (playwright.default ?? playwright).chromium.launch({ executablePath: chromium, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    await page.goto(`http://localhost:${server.address().port}/`);
    for (const threads of kinds) {
      const said = await page.evaluate(
        (threads) =>
          new Promise((resolve, reject) => {
            const worker = new Worker("/worker.js", { type: "module" });
            worker.onmessage = ({ data }) => resolve(data);
            worker.onerror = (error) => reject(new Error(error.message));
            worker.postMessage(threads);
          }),
        threads,
      );
      assert.equal(said.error, undefined);
      assert.equal(said.hash, expected);
      assert.equal(said.workers, threads ? 3 : 1);
      assert.ok(said.told > 2);
    }
  } finally {
    await browser.close();
    server.close();
  }
});
