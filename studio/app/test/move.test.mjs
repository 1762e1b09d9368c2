// Move as a person uses it: strips on the timeline, joints posed by hand, the joint map, curves, contacts and volume.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { data, drop, launch, open, program, ready, serve, settle, state, until } from "./browser.mjs";

const run = promisify(execFile);
const sinew = async (...words) => (await run(program, words, { maxBuffer: 1 << 26 })).stdout;
let browser, server, folder;
before(async () => {
  browser = await launch();
  server = await serve();
  folder = await mkdtemp(join(tmpdir(), "studio-move-"));
});
after(async () => {
  await browser?.close();
  await server?.stop();
  if (folder) await rm(folder, { recursive: true });
});
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
});

// The demo with the fine body, standing at the beginning of a clip.
async function demo(clip) {
  const page = await open(browser, server.address, { width: 1440, height: 900 });
  await ready(page);
  await until(page, () => studio.model.parts[0]?.vertices > 20000 && studio.progress === null);
  await page.getByRole("button", { name: /Play with the demo/ }).click();
  await page.getByRole("toolbar", { name: "Tools" }).waitFor();
  if ((await state(page)).play.playing) await page.getByRole("button", { name: "Pause", exact: true }).first().click();
  await until(page, () => !studio.play.playing);
  await page.getByRole("treeitem", { name: clip }).click();
  await settle(page);
  return page;
}
const read = (page) => page.evaluate(() => studio.places());
const joint = async (page, name) => (await read(page)).joints.find((one) => one.name === name);
const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z);
const timeline = (page) => page.evaluate(() => studio.move.timeline);
// The same moment of the document, hash and all, one step of the history back.
async function undo(page) {
  const { undo: names } = await state(page);
  await page.locator("#viewport").focus();
  await page.keyboard.press("Control+z");
  await page.waitForFunction((count) => studio.undo.length === count - 1, names.length);
}
async function compose(page) {
  await page.getByRole("button", { name: "Edit as timeline" }).click();
  await until(page, () => studio.move.timeline?.clip === studio.play.clip);
}
// Drags something sideways by so many seconds of the timeline.
async function dragBy(page, locator, seconds, at = 0.5) {
  const box = await locator.boundingBox();
  const track = await page.locator(".ruler-lane .lane-track").boundingBox();
  const { play } = await state(page);
  const pixels = (seconds * track.width) / (play.duration * 1.06);
  const from = { x: box.x + box.width * at, y: box.y + box.height / 2 };
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  for (let i = 1; i <= 6; i++) await page.mouse.move(from.x + (pixels * i) / 6, from.y);
  await page.mouse.up();
  await settle(page);
}
async function download(page, act, name) {
  const [file] = await Promise.all([page.waitForEvent("download"), act()]);
  const path = join(folder, name);
  await file.saveAs(path);
  return path;
}
async function select(page, name) {
  const index = (await read(page)).joints.findIndex((one) => one.name === name);
  await page.getByLabel("Find parts").fill(name);
  await page.getByRole("treeitem", { name, exact: true }).click();
  await page.waitForFunction((i) => studio.selection.kind === "joint" && studio.selection.index === i, index);
  await page.getByLabel("Find parts").fill("");
  return index;
}

describe("the timeline", () => {
  test("a clip becomes a strip, another comes into it, and both are one clip", async () => {
    const page = await demo(/jump/);
    const before = (await read(page)).hash;
    await compose(page);
    let now = await timeline(page);
    assert.equal(now.strips.length, 1);
    assert.ok(Math.abs(now.strips[0].length - 1.6) < 1e-4);
    await page.getByLabel("Add a clip to the timeline").selectOption({ label: "twist" });
    await until(page, () => studio.move.timeline.strips.length === 2);
    now = await timeline(page);
    assert.ok(Math.abs(now.strips[1].start - 1.3) < 1e-4, "it comes in over 0.3 s");
    assert.ok(Math.abs((await state(page)).play.duration - 3.3) < 1e-4);
    assert.equal(await page.locator(".blend").count(), 1);
    const after = (await read(page)).hash;
    await undo(page);
    await undo(page);
    assert.equal((await read(page)).hash, before);
    await page.keyboard.press("Control+Shift+z");
    await page.keyboard.press("Control+Shift+z");
    await until(page, () => studio.move.timeline?.strips.length === 2);
    assert.equal((await read(page)).hash, after);
    assert.deepEqual(page.faults, []);
  });

  test("strips are dragged, trimmed and looped, each one step of the history", async () => {
    const page = await demo(/bend/);
    await compose(page);
    const bar = page.getByRole("button", { name: /^Strip bend/ });
    await dragBy(page, bar, 0.5);
    let [strip] = (await timeline(page)).strips;
    assert.ok(Math.abs(strip.start - 0.5) < 0.05, `begins at ${strip.start}`);
    assert.equal((await state(page)).undo.length, 2);
    await dragBy(page, bar.locator(".right-grip"), -0.8);
    [strip] = (await timeline(page)).strips;
    assert.ok(Math.abs(strip.to - 1.2) < 0.1, `plays to ${strip.to}`);
    assert.equal(strip.rounds, 1);
    await dragBy(page, bar.locator(".left-grip"), 0.4);
    [strip] = (await timeline(page)).strips;
    assert.ok(Math.abs(strip.from - 0.4) < 0.1 && Math.abs(strip.start - 0.9) < 0.1, `plays from ${strip.from} at ${strip.start}`);
    assert.equal((await state(page)).undo.length, 4);
    // By numbers, three rounds of it.
    await page.getByLabel("Rounds").fill("3");
    await page.getByLabel("Rounds").press("Enter");
    await until(page, () => studio.move.timeline.strips[0].rounds === 3);
    [strip] = (await timeline(page)).strips;
    assert.ok(Math.abs(strip.length - 3 * (strip.to - strip.from)) < 1e-3);
    assert.ok(Math.abs((await state(page)).play.duration - (strip.start + strip.length)) < 1e-3);
    for (let i = 0; i < 5; i++) await undo(page);
    assert.equal(await timeline(page), null);
    assert.deepEqual(page.faults, []);
  });

  test("a strip is cut at the playhead, by keys alone, and the motion stays the same", async () => {
    const page = await demo(/jump/);
    await compose(page);
    const clip = (await state(page)).play.clip;
    const whole = await page.evaluate((clip) => studio.hash(clip, 30), clip);
    await page.getByRole("button", { name: /^Strip jump/ }).focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Time in seconds").fill("0.8");
    await page.getByLabel("Time in seconds").press("Enter");
    await until(page, () => Math.abs(studio.time - 0.8) < 1e-3);
    await page.locator("#viewport").focus();
    await page.keyboard.press("c");
    await until(page, () => studio.move.timeline.strips.length === 2);
    const { strips } = await timeline(page);
    assert.ok(Math.abs(strips[0].to - 0.8) < 1e-3 && Math.abs(strips[1].from - 0.8) < 1e-3);
    assert.ok(Math.abs((await state(page)).play.duration - 1.6) < 1e-3);
    assert.ok(whole.length === 16);
    await page.getByRole("button", { name: /^Strip jump/ }).last().focus();
    await page.keyboard.press("Delete");
    await until(page, () => studio.move.timeline.strips.length === 1);
    assert.ok(Math.abs((await state(page)).play.duration - 0.8) < 1e-3);
    assert.deepEqual(page.faults, []);
  });

  test("the command line plays a saved timeline with the same bits", async () => {
    const page = await demo(/walk/);
    await compose(page);
    await page.getByLabel("Add a clip to the timeline").selectOption({ label: "jump" });
    await until(page, () => studio.move.timeline.strips.length === 2);
    const { clip } = await timeline(page);
    const shown = await page.evaluate((clip) => studio.hash(clip, 24), clip);
    const project = await download(page, () => page.keyboard.press("Control+s"), "mix.snproject");
    const native = JSON.parse(await sinew("animate", project, "--clip", "walk timeline", "--fps", "24", "--json", "-o", join(folder, "mix.pc2")));
    assert.equal(native.hash ?? native.surface_hash, shown);
    assert.deepEqual(page.faults, []);
  });
});

describe("posing by hand", () => {
  test("a hand is dragged by itself: it goes where the mouse is, its skin with it, and undo brings the hash back", async () => {
    const page = await demo(/jump/);
    const before = (await read(page)).hash;
    await select(page, "LeftHand");
    await page.locator("#viewport").focus();
    await page.keyboard.press("g");
    await settle(page);
    const hand = await joint(page, "LeftHand");
    const chest = await joint(page, "Chest");
    const box = await page.locator("#viewport").boundingBox();
    const goal = { x: hand.pixel.x + 40, y: hand.pixel.y - 70 };
    await page.mouse.move(box.x + hand.pixel.x, box.y + hand.pixel.y);
    await page.mouse.down();
    for (let i = 1; i <= 12; i++) {
      await page.mouse.move(box.x + hand.pixel.x + (40 * i) / 12, box.y + hand.pixel.y - (70 * i) / 12);
      await page.waitForTimeout(16);
    }
    await page.mouse.up();
    await until(page, () => studio.move.timeline !== null && studio.move.timeline.keys.length === 3);
    await settle(page);
    const now = await state(page);
    const there = await joint(page, "LeftHand");
    assert.ok(Math.hypot(there.pixel.x - goal.x, there.pixel.y - goal.y) < 4, `at ${there.pixel.x}, ${there.pixel.y}`);
    assert.ok(distance(there.at, hand.at) > 0.1);
    assert.ok(distance((await joint(page, "Chest")).at, chest.at) < 1e-4, "what is above the limb stays");
    const met = await page.evaluate(({ x, y }) => studio.probe(x, y), there.pixel);
    const names = now.model.joints.map((one) => one.name);
    assert.match(names[met.joint], /^Left(Hand|LowerArm|Thumb|Index|Middle|Ring|Little)/, "the skin of the hand is there");
    assert.ok(distance(met.position, there.at) < 0.08);
    assert.equal(now.undo.length, 1);
    assert.equal(now.undo[0], "Pose LeftHand");
    await undo(page);
    assert.equal((await read(page)).hash, before);
    assert.deepEqual(page.faults, []);
  });

  test("a ring turns a joint, numbers do too, and keys are moved and removed", async () => {
    const page = await demo(/twist/);
    await compose(page);
    const index = await select(page, "LeftUpperArm");
    await page.locator("#viewport").focus();
    await page.keyboard.press("r");
    await settle(page);
    const upper = await joint(page, "LeftUpperArm");
    const elbow = await joint(page, "LeftLowerArm");
    await page.getByLabel("Turn by Z, degrees").fill("40");
    await page.getByLabel("Turn by Z, degrees").press("Enter");
    await until(page, () => studio.move.timeline.keys.length === 1);
    await settle(page);
    const turned = await joint(page, "LeftLowerArm");
    assert.ok(Math.abs(distance(turned.at, upper.at) - distance(elbow.at, upper.at)) < 1e-3, "bones keep their length");
    assert.ok(distance(turned.at, elbow.at) > 0.02);
    // The ring: pressed where it is drawn, around the joint.
    const box = await page.locator("#viewport").boundingBox();
    const { gizmo, hash: typed } = await read(page);
    await page.mouse.move(box.x + gizmo.x, box.y + gizmo.y);
    await page.mouse.down();
    // Around the joint, and out of the ring's plane where it is seen from its side.
    const { pixel } = await joint(page, "LeftUpperArm");
    await page.mouse.move(box.x + gizmo.x - 0.6 * (gizmo.y - pixel.y), box.y + gizmo.y + 0.6 * (gizmo.x - pixel.x), { steps: 4 });
    await page.mouse.up();
    await settle(page);
    assert.notEqual((await read(page)).hash, typed, "the ring was taken");
    let now = await timeline(page);
    assert.equal(now.keys.length, 1, "the same moment keeps one key");
    const mark = page.getByRole("button", { name: /^Key of LeftUpperArm/ });
    await mark.focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => Math.abs(studio.move.timeline.keys[0].time - 1 / 30) < 1e-3);
    now = await timeline(page);
    assert.equal(now.keys[0].joint, index);
    await mark.focus();
    await page.keyboard.press("Delete");
    await until(page, () => studio.move.timeline.keys.length === 0);
    assert.deepEqual(page.faults, []);
  });
});

describe("what is measured and set over time", () => {
  test("feet stand when they do", async () => {
    const page = await demo(/jump/);
    const { move, model, play } = await until(page, () => studio.move.contacts.length > 0);
    const feet = new Set(move.contacts.map((span) => model.joints[span.joint].name));
    assert.deepEqual([...feet].sort(), ["LeftFoot", "RightFoot"]);
    for (const span of move.contacts) assert.ok(span.from >= 0 && span.to <= play.duration + 1e-3 && span.to > span.from);
    const air = move.contacts.some((span) => span.from < 0.8 && span.to > 0.8);
    assert.ok(!air || move.contacts.length > 2, "in the middle of the jump nobody stands on both feet throughout");
    assert.ok((await page.locator(".contact").count()) === move.contacts.length);
    assert.deepEqual(page.faults, []);
  });

  test("swing over time is a curve: at nothing the flesh stands still", async () => {
    const page = await demo(/jump/);
    const before = (await read(page)).hash;
    const free = await page.evaluate(() => studio.hash(1, 24));
    await page.getByRole("button", { name: /Always as set/ }).first().click();
    await until(page, () => studio.move.curves[0].points.length === 2);
    assert.equal(await page.evaluate(() => studio.hash(1, 24)), free, "a curve at 1 changes nothing");
    for (const i of [1, 2]) {
      await page.getByRole("button", { name: new RegExp(`Swing, point ${i}`) }).focus();
      for (let k = 0; k < 20; k++) {
        await page.keyboard.press("ArrowDown");
        await settle(page);
      }
    }
    const { move } = await state(page);
    for (const point of move.curves[0].points) assert.ok(point.value < 1e-6, `at ${point.value}`);
    const still = await page.evaluate(() => studio.hash(1, 24));
    assert.notEqual(still, free);
    while ((await state(page)).undo.length > 0) await undo(page);
    assert.equal((await read(page)).hash, before);
    assert.deepEqual(page.faults, []);
  });

  test("the volume of a joint over time is a curve of its own, repeats, and is the command line's", async () => {
    const page = await demo(/walk/);
    const before = (await read(page)).hash;
    await page.getByRole("radiogroup", { name: "Keep" }).getByRole("radio", { name: "Exact" }).click();
    await until(page, () => studio.settings["volume.method"] === "exact");
    await select(page, "Chest");
    // From the front the surface moves along the view. The joint's pixel moves as lanes take room from the picture.
    await page.locator("#viewport").focus();
    await page.keyboard.press("Numpad1");
    await page.waitForTimeout(600);
    const front = async () => {
      await settle(page);
      const { x, y } = (await joint(page, "Chest")).pixel;
      return (await page.evaluate(({ x, y }) => studio.probe(x, y), { x, y })).position;
    };
    const flat = await front();
    const lane = page.locator(".lane", { hasText: "Chest volume" });
    await lane.getByRole("button", { name: /Always as set/ }).click();
    await until(page, () => studio.move.curves.some((one) => one.key === "size:Chest" && one.points.length === 2));
    for (const i of [1, 2]) {
      await page.getByRole("button", { name: new RegExp(`^Chest, point ${i}`) }).click();
      await page.getByLabel("Chest: value of the point").fill("1.2");
      await page.getByLabel("Chest: value of the point").press("Enter");
      await page.waitForFunction((i) => Math.abs(studio.move.curves.find((one) => one.key === "size:Chest").points[i - 1].value - 1.2) < 1e-5, i);
    }
    const full = await front();
    console.log(`# the chest at 1.2 times its volume: ${(1000 * distance(full, flat)).toFixed(1)} mm further out`);
    assert.ok(distance(full, flat) > 0.003 && distance(full, flat) < 0.03);
    // Where it repeats, both ends have one height.
    await page.getByRole("button", { name: "Repeat the curve of Chest" }).click();
    await until(page, () => studio.move.curves.find((one) => one.key === "size:Chest").loop);
    await page.getByLabel("Chest: value of the point").fill("1.1");
    await page.getByLabel("Chest: value of the point").press("Enter");
    await until(page, () => studio.move.curves.find((one) => one.key === "size:Chest").points.every((one) => Math.abs(one.value - 1.1) < 1e-5));
    // The whole body's curve stands beside it.
    await page.locator(".lane", { hasText: "Volume over time" }).getByRole("button", { name: /Always as set/ }).click();
    await until(page, () => studio.move.curves.filter((one) => one.points.length > 0).length === 2);
    const shown = await page.evaluate(() => studio.hash(studio.play.clip, 24));
    const project = await download(page, () => page.keyboard.press("Control+s"), "breath.snproject");
    const native = JSON.parse(await sinew("animate", project, "--clip", "walk", "--fps", "24", "--json", "-o", join(folder, "breath.pc2")));
    assert.equal(native.hash ?? native.surface_hash, shown);
    while ((await state(page)).undo.length > 0) await undo(page);
    assert.equal((await read(page)).hash, before);
    assert.deepEqual(page.faults, []);
  });

  test("volume by joint: bars, a plot with its limit, and what is set does better than the skin alone", async () => {
    const page = await demo(/twist/);
    await page.getByRole("button", { name: "Measure this clip" }).click();
    const { move } = await until(page, () => studio.move.volume !== null, 120000);
    const [linear, own] = move.volume.methods;
    const worst = (way) => Math.max(...way.worst.map((one) => one.value));
    console.log(`# worst joint of twist: linear ${(100 * worst(linear)).toFixed(0)} %, as set ${(100 * worst(own)).toFixed(0)} %`);
    assert.ok(worst(linear) > worst(own));
    assert.equal(linear.series.length, move.volume.times.length);
    assert.ok((await page.locator(".volume-row").count()) > 3);
    assert.equal(await page.locator(".volume-plot path").count(), 3);
    await page.locator(".volume-row").first().click();
    await until(page, () => studio.selection.kind === "joint");
    assert.deepEqual(page.faults, []);
  });

  test("gravity and wind are arrows that are dragged, one step each", async () => {
    const page = await demo(/walk/);
    const before = (await read(page)).hash;
    await page.locator("#viewport").focus();
    await page.keyboard.press("w");
    await until(page, () => studio.move.forces !== null);
    const box = await page.locator("#viewport").boundingBox();
    for (const [arrow, key] of [["gravity", "forces.gravity"], ["wind", "forces.wind"]]) {
      const was = (await state(page)).settings[key];
      const { pixel } = (await read(page)).handles.find((one) => one.name === arrow);
      await page.mouse.move(box.x + pixel.x, box.y + pixel.y);
      await page.mouse.down();
      for (let i = 1; i <= 8; i++) await page.mouse.move(box.x + pixel.x + 10 * i, box.y + pixel.y - 2 * i);
      await page.mouse.up();
      await settle(page);
      const now = await state(page);
      assert.ok(Math.hypot(...now.settings[key].map((value, i) => value - was[i])) > 1, arrow);
      assert.equal(now.undo[0], `Set ${arrow}`);
      const there = (await read(page)).handles.find((one) => one.name === arrow);
      assert.ok(Math.hypot(there.pixel.x - pixel.x - 80, there.pixel.y - pixel.y + 16) < 3, "the arrow ends where the mouse is");
    }
    assert.ok((await state(page)).settings["forces.drag"] > 0, "the wind is felt");
    await undo(page);
    await undo(page);
    assert.equal((await read(page)).hash, before);
    assert.deepEqual(page.faults, []);
  });

  test("a collider on a joint is dragged into the flesh, which gives way; numbers and undo", async () => {
    const page = await demo(/walk/);
    const before = (await read(page)).hash;
    await select(page, "Hips");
    await page.locator("#viewport").focus();
    await page.keyboard.press("w");
    await until(page, () => studio.move.forces !== null);
    await page.getByRole("button", { name: "Add a collider on Hips" }).click();
    await until(page, () => studio.move.forces.colliders.length === 1);
    assert.equal((await state(page)).move.forces.colliders[0].joint, "Hips");
    const handle = async (name) => (await read(page)).handles.find((one) => one.name === name).pixel;
    const box = await page.locator("#viewport").boundingBox();
    const drag = async (name, dx, dy) => {
      const from = await handle(name);
      await page.mouse.move(box.x + from.x, box.y + from.y);
      await page.mouse.down();
      for (let i = 1; i <= 8; i++) await page.mouse.move(box.x + from.x + (dx * i) / 8, box.y + from.y + (dy * i) / 8);
      await page.mouse.up();
      await settle(page);
      const to = await handle(name);
      assert.ok(Math.hypot(to.x - from.x - dx, to.y - from.y - dy) < 3, `${name} goes where the mouse is`);
    };
    await drag("middle 0", 30, -20);
    await drag("to 0", 24, 6);
    const { radius } = (await state(page)).move.forces.colliders[0];
    const rim = await handle("radius 0");
    const middle = await handle("middle 0");
    const out = 20 / Math.hypot(rim.x - middle.x, rim.y - middle.y);
    await drag("radius 0", (rim.x - middle.x) * out, (rim.y - middle.y) * out);
    const { colliders } = (await state(page)).move.forces;
    assert.ok(colliders[0].radius > radius * 1.1);
    // The same place, whatever it moves with.
    const at = await handle("middle 0");
    await page.getByLabel("What the collider moves with").selectOption({ label: "Nothing: it stands" });
    await until(page, () => studio.move.forces.colliders[0].joint === "");
    const world = await handle("middle 0");
    assert.ok(Math.hypot(world.x - at.x, world.y - at.y) < 1);
    for (let i = 0; i < 5; i++) await undo(page);
    assert.equal((await read(page)).hash, before);
    assert.deepEqual(page.faults, []);
  });

  test("flesh of a joint is made softer, and painted softer, one step each", async () => {
    const page = await demo(/jump/);
    const before = (await read(page)).hash;
    await select(page, "LeftUpperLeg");
    await page.getByLabel("Softness of the joint, number").fill("3");
    await page.getByLabel("Softness of the joint, number").press("Enter");
    await until(page, () => studio.undo.length === 1);
    const soft = page.getByRole("slider", { name: "Softness of the joint" });
    assert.equal(await soft.getAttribute("aria-valuenow"), "3");
    await select(page, "RightUpperLeg");
    assert.equal(await soft.getAttribute("aria-valuenow"), "1", "each joint has its own");
    await select(page, "LeftUpperLeg");
    assert.equal(await soft.getAttribute("aria-valuenow"), "3");
    await page.locator("#viewport").focus();
    await page.keyboard.press("b");
    const belly = (await joint(page, "Spine")).pixel;
    const box = await page.locator("#viewport").boundingBox();
    await page.mouse.move(box.x + belly.x, box.y + belly.y);
    await page.mouse.down();
    await page.mouse.move(box.x + belly.x + 6, box.y + belly.y + 6, { steps: 3 });
    await page.mouse.up();
    const now = await until(page, () => studio.undo.length === 2);
    assert.equal(now.undo[0], "Paint softness");
    await undo(page);
    await undo(page);
    assert.equal((await read(page)).hash, before);
    assert.deepEqual(page.faults, []);
  });
});

describe("the joint map", () => {
  test("says what leads which joint, is changed, and goes back to what was found", { skip: !existsSync(data) && "no shared data" }, async () => {
    const page = await demo(/walk/);
    await drop(page, [{ name: "dance.bvh", bytes: await readFile(join(data, "motion", "cmu_05_02_dance.bvh")) }]);
    let now = await until(page, () => studio.move.map !== null && studio.progress === null, 120000);
    const { map } = now.move;
    assert.ok(map.confidence > 0.8 && map.matched > 20, `${map.confidence}, ${map.matched} joints`);
    assert.equal(map.pairs.length, now.model.joints.length);
    const arm = now.model.joints.findIndex((one) => one.name === "LeftLowerArm");
    assert.match(map.sources[map.pairs[arm].source], /Left.*Arm/i);
    await page.getByRole("button", { name: "Pause", exact: true }).first().click();
    const hash = (await read(page)).hash;
    await page.getByLabel("What leads LeftLowerArm").selectOption({ label: "None" });
    await page.waitForFunction((i) => studio.move.map?.pairs[i].source === -1 && studio.progress === null, arm, { timeout: 60000 });
    assert.notEqual((await read(page)).hash, hash);
    await undo(page);
    assert.equal((await read(page)).hash, hash);
    await page.getByRole("button", { name: "LeftLowerArm", exact: true }).click();
    await until(page, () => studio.move.picture !== null);
    assert.equal(await page.locator(".map-pictures svg circle").count(), 2, "both skeletons, the pair marked");
    assert.deepEqual(page.faults, []);
  });
});
