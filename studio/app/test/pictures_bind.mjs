// Bind and Check in their states, for people to look at: node pictures_bind.mjs FOLDER [NAMES]
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { data, drop, launch, open, ready, serve, settle, until } from "./browser.mjs";

const folder = process.argv[2];
const only = new RegExp(process.argv[3] ?? "");
await mkdir(folder, { recursive: true });
const server = await serve();
const browser = await launch();

async function shoot(page, name) {
  await settle(page);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  console.log(`${name}.png`);
}
async function visit(name, options, run) {
  if (!only.test(name)) return;
  const page = await open(browser, server.address, { width: 1440, height: 900, colorScheme: "dark", ...options });
  await ready(page);
  await run(page, name);
  await page.context().close();
}
const tab = (page, name) => page.getByRole("tab", { name: new RegExp(name) }).click();
async function demo(page) {
  await until(page, () => studio.model.parts[0]?.vertices > 20000 && studio.progress === null);
  await page.getByRole("button", { name: /Play with the demo/ }).click();
  await page.locator("#viewport").focus();
  if (await page.evaluate(() => studio.play.playing)) await page.keyboard.press("Space");
  await until(page, () => !studio.play.playing);
}
async function choose(page, name) {
  await page.getByRole("treeitem", { name: new RegExp(`^${name}`) }).first().click();
  await page.waitForFunction((name) => studio.model.joints[studio.selection.index]?.name === name && studio.bind.place, name);
}
async function scan(page) {
  await drop(page, [{ name: "scan.obj", bytes: await readFile(join(data, "meshes", "human_man_smpl.obj")) }]);
  await until(page, () => studio.model.kind === "mesh" && studio.progress === null);
  await tab(page, "Bind");
}
async function fitted(page) {
  await scan(page);
  await page.getByRole("button", { name: /Fit the built-in skeleton/ }).click();
  await until(page, () => studio.model.kind === "character" && studio.progress === null && studio.bind.sure.some(Boolean));
}
async function brush(page) {
  await choose(page, "LeftUpperLeg");
  await page.keyboard.press("b");
  await until(page, () => studio.view.show === "weights" && studio.legend !== null);
  await page.locator("#viewport").hover({ position: { x: 480, y: 430 } });
  await page.waitForTimeout(400);
}
async function check(page, clip) {
  await tab(page, "Check");
  await page.getByRole("button", { name: "Check the range of motion" }).waitFor();
  if (!(await page.getByRole("button", { name: "linear", exact: true }).isVisible())) await page.getByRole("button", { name: "Outliner" }).click();
  if (clip) {
    await page.getByRole("radio", { name: "Clip", exact: true }).click();
    await page.getByRole("combobox", { name: "Clip to check" }).selectOption({ label: clip });
  }
  for (const way of ["linear", "dual"]) await page.getByRole("button", { name: way, exact: true }).click();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await until(page, () => studio.check.busy);
  await until(page, () => !studio.check.busy && studio.check.result !== null, 300000);
  await page.waitForTimeout(600);
}

if (existsSync(data)) {
  await visit("bind-empty", {}, async (page, name) => {
    await scan(page);
    await shoot(page, name);
  });
  await visit("bind", {}, async (page, name) => {
    await fitted(page);
    await page.getByRole("button", { name: "Dismiss" }).click();
    await page.getByRole("button", { name: "No tour" }).click();
    await brush(page);
    await shoot(page, name);
  });
  await visit("bind-light", { width: 1280, height: 720, colorScheme: "light" }, async (page, name) => {
    await fitted(page);
    await page.keyboard.press("g");
    await choose(page, "LeftHand").catch(() => undefined);
    await shoot(page, name);
  });
  await visit("bind-tablet", { width: 820, height: 1180, hasTouch: true }, async (page, name) => {
    await fitted(page);
    await shoot(page, name);
  });
}
await visit("check-empty", {}, async (page, name) => {
  await demo(page);
  await tab(page, "Check");
  await page.getByRole("button", { name: "Check the range of motion" }).waitFor();
  await shoot(page, name);
});
await visit("check", {}, async (page, name) => {
  await demo(page);
  await page.getByRole("button", { name: "No tour" }).click();
  await check(page, "twist");
  await shoot(page, name);
});
await visit("check-light", { width: 1280, height: 720, colorScheme: "light" }, async (page, name) => {
  await demo(page);
  await check(page, "twist");
  await shoot(page, name);
});
await browser.close();
await server.stop();
