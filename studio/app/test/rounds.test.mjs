// Memory does not grow over many rounds of opening and closing.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { drop, launch, open, program, ready, serve, state, until } from "./browser.mjs";

const ROUNDS = 200;

test(`memory after ${ROUNDS} rounds is what it was`, { timeout: 1_800_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "studio-"));
  const files = {};
  for (const name of ["tube", "bar"]) {
    const path = join(folder, `${name}.glb`);
    await promisify(execFile)(program, ["convert", `builtin:${name}`, "-o", path]);
    files[name] = await readFile(path);
  }
  const server = await serve();
  const browser = await launch();
  const page = await open(browser, server.address, { width: 640, height: 480 });
  await ready(page);
  const memory = [];
  for (let round = 0; round < ROUNDS; round++) {
    const name = round % 2 === 0 ? "tube" : "bar";
    await drop(page, [{ name: `${name}.glb`, bytes: files[name] }]);
    await page.waitForFunction((name) => studio.model.name === name && studio.model.lattice, name, { timeout: 60000 });
    await until(page, () => studio.stats.vertices > 0);
    memory.push((await state(page)).stats.memory);
  }
  console.log(`# heap after 10 rounds ${memory[9]}, after ${ROUNDS} ${memory.at(-1)}`);
  assert.equal(memory.at(-1), memory[19]);
  assert.deepEqual(page.faults, []);
  await browser.close();
  await server.stop();
  await rm(folder, { recursive: true });
});
