// How long hands wait: from a move of the pointer to the new surface of the 28,060-vertex body in WebAssembly, for every tool
// (its drawing, which is the GPU's, is not in it). Prints a table; node times.mjs.
import { launch, open, ready, serve, state, until } from "./browser.mjs";

const server = await serve();
const browser = await launch();
const rows = [];
const settle = (page) => page.evaluate(() => studio.settle());
const waits = (page) => page.evaluate(() => studio.waits());
const places = (page) => page.evaluate(() => studio.places());

async function demo(mode) {
  const page = await open(browser, server.address, { width: 1366, height: 640, colorScheme: "dark" });
  await ready(page);
  await until(page, () => studio.model.parts[0]?.vertices > 20000 && studio.progress === null);
  await page.getByRole("button", { name: /Play with the demo/ }).click();
  if (mode === "Bind") {
    await page.getByRole("tab", { name: /Bind/ }).click();
    await until(page, () => studio.play.clip === -1 && studio.bind.sure.length > 0);
    await page.locator("#viewport").focus();
    await page.keyboard.press("Numpad1");
  } else {
    if ((await state(page)).play.playing) await page.getByRole("button", { name: "Pause", exact: true }).first().click();
    await page.getByRole("treeitem", { name: /jump/ }).click();
    await page.getByRole("button", { name: "No tour" }).click();
  }
  await settle(page);
  return page;
}
async function choose(page, name) {
  await page.getByLabel(/^Find/).fill(name);
  await page.getByRole("treeitem", { name: new RegExp(`^${name}`) }).first().click();
  await page.waitForFunction((name) => studio.model.joints[studio.selection.index]?.name === name, name);
  await page.getByLabel(/^Find/).fill("");
  await page.locator("#viewport").focus();
  await settle(page);
}
async function pixel(page, find) {
  const box = await page.locator("#viewport").boundingBox();
  const found = find(await places(page));
  return { x: box.x + found.pixel.x, y: box.y + found.pixel.y };
}
const joint = (name) => ({ joints }) => joints.find((one) => one.name === name);
const handle = (name) => ({ handles }) => handles.find((one) => one.name === name);

// Each move is drawn before the next one comes, as with a mouse that is not faster than the screen.
async function drag(page, from, dx, dy, steps = 16) {
  await page.mouse.move(from.x, from.y);
  await settle(page);
  await page.mouse.down();
  await settle(page);
  await waits(page);
  for (let i = 1; i <= steps; i++) {
    await page.mouse.move(from.x + (dx * i) / steps, from.y + (dy * i) / steps);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  }
  const times = await waits(page);
  await page.mouse.up();
  await settle(page);
  return times;
}
function note(tool, times, says = "") {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  if (sorted.length < 3) throw new Error(`${tool}: ${sorted.length} moves reached the surface`);
  rows.push(`| ${tool} | ${at(0.5).toFixed(1)} | ${at(0.9).toFixed(1)} | ${says} |`);
  console.error(`${tool}: ${sorted.length} moves, median ${at(0.5).toFixed(1)} ms`);
}

let page = await demo("Bind");
await choose(page, "LeftLowerArm");
await page.keyboard.press("g");
note("joint drag, weights stay", await drag(page, await pixel(page, joint("LeftLowerArm")), 30, 8), "bones alone, and says so: the skin stays");
await page.getByRole("switch", { name: "Bind anew as joints change" }).click();
note("joint drag, binds anew", await drag(page, await pixel(page, joint("LeftLowerArm")), -30, -8), "coarse while you drag, and says so; fine when the hand rests");
await choose(page, "LeftUpperLeg");
await page.keyboard.press("b");
await settle(page);
const leg = async () => {
  const { x, y } = await pixel(page, joint("LeftUpperLeg"));
  return { x, y: y + 30 };
};
await drag(page, await leg(), 10, 30, 3); // the first stroke makes a model of its own
const colors = "colors first; in a bend the body follows when the hand rests, and says so";
note("weight brush", await drag(page, await leg(), 30, 200), colors);
await page.getByRole("radio", { name: "Softness" }).click();
note("softness brush", await drag(page, await leg(), 30, 200));
await page.getByRole("radio", { name: "Rigidity" }).click();
note("rigidity brush", await drag(page, await leg(), 30, 200), colors);
await choose(page, "LeftLowerLeg");
const slider = async (name, dx, steps) => {
  const target = page.getByRole("slider", { name, exact: true });
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  return drag(page, { x: box.x + box.width * 0.3, y: box.y + box.height / 2 }, dx ?? box.width * 0.4, 0, steps);
};
note("try a bend", await slider(await page.locator(".bind-dock .slider").getAttribute("aria-label")));
await page.context().close();

page = await demo("Move");
await page.getByRole("button", { name: "Edit as timeline" }).click();
await until(page, () => studio.move.timeline !== null);
await choose(page, "LeftHand");
await page.keyboard.press("g");
await settle(page);
note("hand dragged (two bones)", await drag(page, await pixel(page, joint("LeftHand")), 60, -60));
await choose(page, "LeftUpperArm");
await page.keyboard.press("r");
await settle(page);
const middle = await pixel(page, joint("LeftUpperArm"));
const ring = await pixel(page, ({ gizmo }) => ({ pixel: gizmo }));
note("joint turned by a ring", await drag(page, ring, 0.6 * (middle.y - ring.y), 0.6 * (ring.x - middle.x)));
note("softness of a joint", await slider("Softness of the joint"));
await page.locator("#viewport").focus();
await page.keyboard.press("w");
await until(page, () => studio.move.forces !== null);
await settle(page);
note("gravity", await drag(page, await pixel(page, handle("gravity")), 60, -10));
note("wind", await drag(page, await pixel(page, handle("wind")), -60, -10));
await page.getByRole("button", { name: /^Add a collider/ }).click();
await until(page, () => studio.move.forces.colliders.length === 1);
await settle(page);
note("collider", await drag(page, await pixel(page, handle("middle 0")), 40, -20));
await page.keyboard.press("h");
await page.getByRole("button", { name: /Always as set/ }).first().click();
await until(page, () => studio.move.curves[0].points.length === 2);
const point = await page.getByRole("button", { name: /Swing, point 2/ }).boundingBox();
note("curve of swing", await drag(page, { x: point.x + 5, y: point.y + 5 }, -20, 10));
const strip = await page.getByRole("button", { name: /^Strip/ }).boundingBox();
note("strip on the timeline", await drag(page, { x: strip.x + strip.width / 2, y: strip.y + strip.height / 2 }, 80, 0));
// Every slider of the panel: the slowest one stands for all.
await page.evaluate(() => [...document.querySelectorAll(".move-right .section-head [aria-expanded=false]")].forEach((one) => one.click()));
const names = await page.locator(".move-right .slider").evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
const all = [];
for (const name of new Set(names)) {
  if (/Softness of the joint/.test(name)) continue;
  const times = (await slider(name, 20, 5)).sort((a, b) => a - b);
  if (times.length >= 3) all.push({ name, times, middle: times[Math.floor(times.length / 2)] });
}
all.sort((a, b) => b.middle - a.middle);
note(`slider of a setting, slowest of ${all.length}: ${all[0].name}`, all[0].times);
note(`slider of a setting, the middle one: ${all[Math.floor(all.length / 2)].name}`, all[Math.floor(all.length / 2)].times);
await browser.close();
await server.stop();
console.log(["| tool | median ms | nine of ten within | |", "|---|---|---|---|", ...rows].join("\n"));
