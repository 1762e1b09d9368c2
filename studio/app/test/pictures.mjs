// The studio in every state, for people to look at: node pictures.mjs FOLDER [NAMES, as a pattern]
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
const fine = (page) => until(page, () => studio.phase === "ready" && studio.model.parts[0]?.vertices > 20000 && studio.progress === null);
async function pause(page) {
  if (await page.evaluate(() => studio.play.playing)) await page.keyboard.press("Space");
  await until(page, () => !studio.play.playing);
}
async function moment(page, share) {
  const box = await page.getByRole("slider", { name: "Time" }).boundingBox();
  await page.mouse.click(box.x + box.width * share, box.y + 12);
  await until(page, () => !studio.play.scrubbing);
}
async function visit(names, options, run) {
  if (!names.split(" ").some((name) => only.test(name))) return;
  const page = await open(browser, server.address, { width: 1440, height: 900, colorScheme: "dark", ...options });
  await ready(page);
  await fine(page);
  await run(page);
  await page.context().close();
}
async function enter(page) {
  await page.getByRole("button", { name: /Play with the demo/ }).click();
  await page.locator("#viewport").focus();
  await pause(page);
  await page.evaluate(() => document.activeElement.blur());
}
const file = async (...parts) => ({ name: parts.at(-1), bytes: await readFile(join(data, ...parts)) });
const choose = (page, name) => page.getByRole("treeitem", { name }).click();

await visit("start", {}, async (page) => {
  await until(page, () => studio.time > 0.2);
  await page.keyboard.press("Space");
  await shoot(page, "start");
});
await visit("demo moves weights lattice split keys", {}, async (page) => {
  await enter(page);
  await choose(page, /jump/);
  await pause(page);
  await moment(page, 0.62);
  await shoot(page, "demo");
  await page.getByLabel("Show", { exact: true }).selectOption("moves");
  await shoot(page, "moves");
  await page.getByLabel("Show", { exact: true }).selectOption("weights");
  await shoot(page, "weights");
  await page.getByLabel("Show", { exact: true }).selectOption("lattice");
  await shoot(page, "lattice");
  await page.getByLabel("Show", { exact: true }).selectOption("surface");
  await choose(page, /twist/);
  await pause(page);
  await page.keyboard.press("v");
  await until(page, () => studio.view.split);
  await moment(page, 0.5);
  await shoot(page, "split");
  await page.keyboard.press("v");
  await page.keyboard.press("?");
  await shoot(page, "keys");
});
await visit("light error", { width: 1280, height: 720, colorScheme: "light" }, async (page) => {
  await enter(page);
  await page.keyboard.press("j");
  await shoot(page, "light");
  await drop(page, [{ name: "broken.obj", bytes: "v 0 0 0\nv 1 0 0\nf 1 2 9\n" }]);
  await until(page, () => studio.failure !== null);
  await shoot(page, "error");
});
await visit("tablet-start tablet", { width: 820, height: 1180, hasTouch: true }, async (page) => {
  await page.keyboard.press("Space");
  await shoot(page, "tablet-start");
  await enter(page);
  await shoot(page, "tablet");
});
if (existsSync(data))
  await visit("character mesh", {}, async (page) => {
    await drop(page, [await file("characters", "quat_modular_women_Witch.glb"), await file("motion", "cmu_05_02_dance.bvh")]);
    await until(page, () => studio.retarget !== null, 180000);
    await page.locator("#viewport").focus();
    await pause(page);
    await moment(page, 0.5);
    await shoot(page, "character");
    await drop(page, [await file("meshes", "human_man_smpl.obj")]);
    await until(page, () => studio.model.kind === "mesh", 60000);
    await shoot(page, "mesh");
  });

// Move: a timeline with a blend, a pose and a curve, and volume as it was measured.
async function timeline(page) {
  const drawer = !(await page.getByRole("treeitem", { name: /jump/ }).isVisible());
  if (drawer) await page.keyboard.press("t");
  await page.getByRole("treeitem", { name: /jump/ }).click();
  if (drawer) await page.keyboard.press("t");
  await page.getByRole("button", { name: "Edit as timeline" }).click();
  await until(page, () => studio.move.timeline !== null);
  await page.getByLabel("Add a clip to the timeline").selectOption({ label: "twist" });
  await until(page, () => studio.move.timeline.strips.length === 2);
  await moment(page, 0.17);
  await page.locator("#viewport").focus();
  await page.keyboard.press("g");
  await page.waitForTimeout(400); // the camera glides
  await settle(page);
  const { joints } = await page.evaluate(() => studio.places());
  const { pixel } = joints.find((one) => one.name === "LeftHand");
  const box = await page.locator("#viewport").boundingBox();
  await page.mouse.move(box.x + pixel.x, box.y + pixel.y);
  await page.mouse.down();
  await page.mouse.move(box.x + pixel.x + 60, box.y + pixel.y - 130, { steps: 8 });
  await page.mouse.up();
  await until(page, () => studio.move.timeline.keys.length > 0);
}
const offer = (page, format) => page.waitForFunction((format) => studio.leave.offers[format]?.measured && studio.progress === null, format, { timeout: 120000 });
await visit("move export", {}, async (page) => {
  await enter(page);
  await page.getByRole("button", { name: "No tour" }).click();
  await timeline(page);
  await page.getByRole("button", { name: /Always as set/ }).first().click();
  await page.getByRole("button", { name: "Measure this clip" }).click();
  await until(page, () => studio.move.volume !== null && studio.progress === null, 120000);
  await shoot(page, "move");
  await page.keyboard.press("r");
  await page.keyboard.press("e");
  await offer(page, "joints");
  await page.getByRole("radio", { name: /morph targets/ }).click();
  await page.getByRole("button", { name: /Measure size/ }).click();
  await offer(page, "morph");
  await shoot(page, "export");
});
await visit("move-light export-light tour", { width: 1280, height: 720, colorScheme: "light" }, async (page) => {
  await enter(page);
  await timeline(page);
  await shoot(page, "move-light");
  await page.keyboard.press("e");
  await offer(page, "joints");
  await shoot(page, "export-light");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /Take the tour/ }).click();
  await page.getByRole("dialog", { name: /^Tour/ }).waitFor();
  await shoot(page, "tour");
});
await visit("forces", {}, async (page) => {
  await enter(page);
  await page.getByRole("button", { name: "No tour" }).click();
  await choose(page, /walk/);
  await pause(page);
  await page.keyboard.press("w");
  await until(page, () => studio.move.forces !== null);
  await page.waitForTimeout(400); // the camera glides
  await settle(page);
  const { handles } = await page.evaluate(() => studio.places());
  const box = await page.locator("#viewport").boundingBox();
  const wind = handles.find((one) => one.name === "wind").pixel;
  await page.mouse.move(box.x + wind.x, box.y + wind.y);
  await page.mouse.down();
  await page.mouse.move(box.x + wind.x - 90, box.y + wind.y - 10, { steps: 4 });
  await page.mouse.up();
  await page.getByRole("button", { name: "Add a collider", exact: true }).click();
  await until(page, () => studio.move.forces.colliders.length === 1);
  await shoot(page, "forces");
});
await visit("move-tablet", { width: 820, height: 1180, hasTouch: true }, async (page) => {
  await enter(page);
  await timeline(page);
  await shoot(page, "move-tablet");
});
if (existsSync(data))
  await visit("map", {}, async (page) => {
    await enter(page);
    await page.getByRole("button", { name: "No tour" }).click();
    await drop(page, [await file("motion", "cmu_05_02_dance.bvh")]);
    await until(page, () => studio.move.map !== null && studio.progress === null, 180000);
    await page.locator("#viewport").focus();
    await pause(page);
    await moment(page, 0.4);
    await page.locator(".map-target").nth(2).click();
    await shoot(page, "map");
  });
await browser.close();
await server.stop();
