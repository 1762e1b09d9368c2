// The studio as a person uses it: mouse, keys and files, in a headless Chromium. Numbers and pixels are looked at, and
// what the page computes and writes is compared with the command line.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { boxOf, data, dist, drop, launch, open, program, ready, serve, servePlain, settle, state, until } from "./browser.mjs";
import { difference, pixels, variety } from "./pixels.mjs";
import { unzip } from "./zip.mjs";

const run = promisify(execFile);
const threads = existsSync(join(dist, "..", "core", "dist", "sinew-threads.wasm"));
const sinew = async (...words) => (await run(program, words, { maxBuffer: 1 << 26 })).stdout;
const bytesOf = async (...parts) => ({ name: parts.at(-1), bytes: await readFile(join(...parts)) });

let browser, server, folder;
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
});
before(async () => {
  browser = await launch();
  server = await serve();
  folder = await mkdtemp(join(tmpdir(), "studio-"));
});
after(async () => {
  await browser?.close();
  await server?.stop();
  if (folder) await rm(folder, { recursive: true });
});

// A page of its own, past the start screen, with the fine body.
async function demo(options) {
  const page = await open(browser, server.address, { width: 1366, height: 720, ...options });
  await ready(page);
  await until(page, () => studio.model.parts[0]?.vertices > 20000 && studio.progress === null);
  await page.getByRole("button", { name: /Play with the demo/ }).click();
  await page.getByRole("complementary", { name: "Settings" }).waitFor();
  return page;
}
const canvas = (page) => page.locator("#viewport");
const shot = async (page) => pixels(await canvas(page).screenshot());
async function paused(page) {
  if ((await state(page)).play.playing) {
    await canvas(page).focus();
    await page.keyboard.press("Space");
  }
  return until(page, () => !studio.play.playing);
}
// The picture once it stands still; the clip must, too.
async function settled(page) {
  await settle(page);
  return shot(page);
}
async function done(page) {
  assert.deepEqual(page.faults, []);
  await page.context().close();
}
async function download(page, act) {
  const [file] = await Promise.all([page.waitForEvent("download"), act()]);
  const path = join(folder, file.suggestedFilename());
  await file.saveAs(path);
  return path;
}
// Where the belly is: the middle of the body at rest in the middle of the picture.
async function middle(page) {
  const box = await boxOf(canvas(page));
  return { x: box.x + box.width / 2, y: box.y + box.height * 0.47 };
}

describe("opening", () => {
  test("the demo walks behind the start screen, and no request leaves the page", async () => {
    const page = await open(browser, server.address, { width: 1366, height: 720 });
    const first = (await ready(page)).firstFrame;
    console.log(`# first frame after ${Math.round(first)} ms`);
    const one = await shot(page);
    assert.ok(variety(one) > 50, "something is drawn");
    await until(page, () => studio.time > 0.3);
    assert.ok(difference(one, await shot(page)) > 0.002, "it moves");
    for (const url of page.requests) assert.equal(new URL(url).origin, new URL(server.address).origin);
    assert.equal(await page.evaluate(() => crossOriginIsolated), true);
    const now = await until(page, () => studio.stats.vertices > 0);
    if (threads && cpus().length > 1) assert.ok(now.stats.threads > 1, "it has threads");
    await done(page);
  });

  test("a plain host under a path, without isolation: one thread, the same", async () => {
    const plain = await servePlain();
    const page = await open(browser, plain.address, { width: 1366, height: 720 });
    await ready(page);
    assert.equal(await page.evaluate(() => crossOriginIsolated), false);
    assert.equal((await until(page, () => studio.stats.vertices > 0)).stats.threads, 1);
    assert.ok(variety(await shot(page)) > 50);
    await done(page);
    await plain.stop();
  });

  test("files that sinew studio was given are opened", async () => {
    const path = join(folder, "tube.glb");
    await sinew("convert", "builtin:tube", "-o", path);
    const own = await serve([path]);
    const page = await open(browser, own.address, { width: 1366, height: 720 });
    await until(page, () => globalThis.studio?.model.name === "tube");
    // A reload brings back the work, not the file.
    await page.getByRole("switch", { name: "Flesh", exact: true }).click();
    await until(page, () => studio.saved === "saved" && studio.undo.length === 1);
    await page.reload();
    const now = await until(page, () => globalThis.studio?.phase === "ready" && studio.model.name === "tube");
    assert.equal(now.settings["flesh.on"], false);
    assert.equal(now.undo.length, 1);
    await done(page);
    await own.stop();
  });

  test("a character and a motion, dropped together, dance", { skip: !existsSync(data) && "no shared data" }, async () => {
    const page = await demo();
    await drop(page, [await bytesOf(data, "characters", "quat_modular_men_Casual.glb"), await bytesOf(data, "motion", "cmu_02_01_walk.bvh")]);
    const now = await until(page, () => studio.retarget !== null && studio.play.playing, 120000);
    assert.equal(now.model.kind, "character");
    assert.equal(now.model.clips.at(-1).from, "cmu_02_01_walk.bvh");
    assert.equal(now.play.clip, now.model.clips.length - 1);
    assert.ok(now.retarget.confidence > 0.8);
    assert.ok(now.model.lattice);
    await done(page);
  });

  test("a bare mesh is placed; a motion dropped on it fits its skeleton, one step to undo", { skip: !existsSync(data) && "no shared data" }, async () => {
    const page = await demo();
    await drop(page, [await bytesOf(data, "meshes", "human_man_smpl.obj")]);
    let now = await until(page, () => studio.model.kind === "mesh");
    assert.equal(now.model.joints.length, 0);
    await page.getByText("This mesh has no skeleton yet").waitFor();
    await drop(page, [await bytesOf(data, "motion", "cmu_02_01_walk.bvh")]);
    now = await until(page, () => studio.model.kind === "character" && studio.play.playing, 180000);
    assert.deepEqual(now.undo, ["Add cmu_02_01_walk.bvh"]);
    await page.keyboard.press("Control+z");
    now = await until(page, () => studio.model.kind === "mesh");
    assert.deepEqual(now.redo, ["Add cmu_02_01_walk.bvh"]);
    await done(page);
  });

  test("a broken file says what, where and what next, and nothing is lost", async () => {
    const page = await demo();
    await drop(page, [{ name: "broken.obj", bytes: "v 0 0 0\nv 1 0 0\nf 1 2 9\n" }]);
    const now = await until(page, () => studio.failure !== null);
    assert.match(now.failure.detail, /broken\.obj:3: /);
    assert.match(now.failure.next, /not changed/);
    assert.equal(now.model.kind, "demo");
    await page.getByRole("alert").getByText("broken.obj:3").waitFor();
    await drop(page, [{ name: "notes.docx", bytes: "hello" }]);
    assert.match((await until(page, () => studio.failure?.what === "Nothing to open.")).failure.next, /GLB/);
    await done(page);
  });

  test("FBX, by an importer that comes when it is needed", { skip: (!existsSync(data) && "no shared data") || (!existsSync(join(dist, "..", "core", "dist", "fbx.wasm")) && "built without FBX") }, async () => {
    const page = await demo();
    await drop(page, [await bytesOf(data, "ugly", "ufbx_maya_dq_weights_7500_binary.fbx")]);
    const now = await until(page, () => studio.model.name === "ufbx_maya_dq_weights_7500_binary", 120000);
    assert.ok(now.model.joints.length > 0);
    await done(page);
  });

  test("glTF with its files, and a motion of two", { skip: !existsSync(data) && "no shared data" }, async () => {
    const page = await demo();
    await drop(page, [await bytesOf(data, "characters", "bjs_Elf.gltf"), await bytesOf(data, "characters", "Elf.bin"), await bytesOf(data, "motion", "cmu_02_01_walk.amc"), await bytesOf(data, "motion", "cmu_02.asf")]);
    const now = await until(page, () => studio.failure !== null || (studio.model.name === "bjs_Elf" && studio.retarget !== null), 120000);
    assert.equal(now.failure, null);
    assert.equal(now.retarget.file, "cmu_02_01_walk.amc");
    await done(page);
  });

  test("settings dropped on a character are one step", async () => {
    const page = await demo();
    await drop(page, [{ name: "soft.json", bytes: '{"flesh": {"delta": 0.95, "damping": 3}}' }]);
    const now = await until(page, () => studio.settings["flesh.damping"] === 3);
    assert.equal(now.undo.length, 1);
    assert.ok(Math.abs(now.settings["flesh.delta"] - 0.95) < 1e-6);
    await done(page);
  });
});

describe("looking", () => {
  test("orbit, pan, zoom to the cursor, frame, views and the axes in the corner", async () => {
    const page = await demo();
    await paused(page);
    const start = await settled(page);
    const box = await boxOf(canvas(page));
    const corner = { x: box.x + 60, y: box.y + box.height - 60 };
    const drag = async (button, keys) => {
      if (keys) await page.keyboard.down(keys);
      await page.mouse.move(corner.x, corner.y);
      await page.mouse.down({ button });
      await page.mouse.move(corner.x + 80, corner.y - 20, { steps: 4 });
      await page.mouse.up({ button });
      if (keys) await page.keyboard.up(keys);
    };
    await drag("left");
    const turned = await settled(page);
    assert.ok(difference(start, turned) > 0.001, "a drag where nothing is orbits");
    await drag("middle");
    const more = await settled(page);
    assert.ok(difference(turned, more) > 0.001, "the middle button orbits");
    await drag("right");
    assert.ok(difference(more, await settled(page)) > 0.001, "the right button pans");
    await page.keyboard.press("f");
    await settled(page);
    const at = await middle(page);
    await page.mouse.move(at.x, at.y);
    const before = await page.evaluate(({ x, y }) => studio.probe(x, y), { x: at.x - box.x, y: at.y - box.y });
    await page.mouse.wheel(0, -300);
    await settled(page);
    const behind = await page.evaluate(({ x, y }) => studio.probe(x, y), { x: at.x - box.x, y: at.y - box.y });
    const way = Math.hypot(...["x", "y", "z"].map((axis) => before.position[axis] - behind.position[axis]));
    assert.ok(behind.distance < before.distance * 0.9, "nearer");
    assert.ok(way < 0.01, `what is under the cursor stays there (${way} m)`);
    await page.keyboard.press("Numpad3");
    const side = await settled(page);
    await page.keyboard.press("Numpad1");
    assert.ok(difference(side, await settled(page)) > 0.001, "front and side differ");
    await page.mouse.click(box.x + box.width - 56, box.y + 56 - 34); // the upper end of the axes
    const clicked = await settled(page);
    await page.keyboard.press("Numpad7");
    assert.ok(difference(clicked, await settled(page)) < 0.02, "the axis and the key show the same");
    await done(page);
  });

  test("everything that can be shown, each with its legend", async () => {
    const page = await demo();
    await paused(page);
    const seen = [];
    for (const show of ["surface", "normals", "weights", "all-weights", "lattice", "parts", "moves"]) {
      await page.getByLabel("Show", { exact: true }).selectOption(show);
      const picture = await settled(page);
      for (const other of seen) assert.ok(difference(picture, other.picture) > 0.001, `${show} differs from ${other.show}`);
      const { legend } = await state(page);
      assert.equal(legend !== null, show === "weights" || show === "moves", `legend of ${show}`);
      if (show === "moves") assert.equal(legend.unit, "mm");
      seen.push({ show, picture });
    }
    await page.getByLabel("Show", { exact: true }).selectOption("surface");
    const plain = await settled(page);
    await page.keyboard.press("z");
    assert.ok(difference(plain, await settled(page)) > 0.001, "wireframe");
    await page.keyboard.press("z");
    await page.keyboard.press("j");
    assert.ok(difference(plain, await settled(page)) > 0.0005, "joints");
    await done(page);
  });

  test("the outliner selects, folds and finds by keyboard", async () => {
    const page = await demo();
    await page.getByRole("treeitem", { name: /Body/ }).click();
    await until(page, () => studio.selection.kind === "part" && studio.selection.index === 0);
    await page.getByLabel("Find parts, joints and clips").fill("LeftHand");
    const row = page.getByRole("treeitem", { name: "LeftHand", exact: true });
    await row.focus();
    await page.keyboard.press("Enter");
    const now = await until(page, () => studio.selection.kind === "joint");
    assert.equal(now.model.joints[now.selection.index].name, "LeftHand");
    await done(page);
  });
});

describe("playing", () => {
  test("play, scrub, loop, speed and clips; a moment reached by scrubbing is the one that is played", async () => {
    const page = await demo();
    await page.getByRole("treeitem", { name: /jump/ }).click();
    await until(page, () => studio.play.clip === 1 && studio.time > 0);
    await paused(page);
    const ruler = page.getByRole("slider", { name: "Time" });
    const box = await boxOf(ruler);
    await page.mouse.move(box.x + box.width * 0.8, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, box.y + 40, { steps: 3 });
    await page.mouse.up();
    await until(page, () => !studio.play.scrubbing && Math.abs(studio.time - studio.play.duration / 2) < 0.02);
    const once = await settled(page);
    await page.keyboard.press("Home");
    await until(page, () => studio.time === 0 && !studio.play.scrubbing);
    await page.mouse.click(box.x + box.width * 0.5, box.y + 40);
    await until(page, () => !studio.play.scrubbing && studio.time > 0.5);
    assert.ok(difference(once, await settled(page)) < 1e-4, "the same flesh at the same moment");
    await page.getByRole("button", { name: "Loop" }).click();
    await page.getByRole("textbox", { name: "Speed" }).fill("4");
    await page.keyboard.press("Enter");
    await canvas(page).focus();
    await page.keyboard.press("Space");
    await until(page, () => !studio.play.playing && Math.abs(studio.time - studio.play.duration) < 1e-3); // it stops at the end
    await done(page);
  });

  test("a drag of a slider is one step; undo, redo, history; typed numbers keep to their limits", async () => {
    const page = await demo();
    const slider = page.getByRole("slider", { name: "Swing", exact: true });
    const box = await boxOf(slider);
    await page.mouse.move(box.x + box.width * 0.8, box.y + 12);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.3, box.y + 12, { steps: 5 });
    await page.mouse.up();
    let now = await until(page, () => studio.undo.length === 1);
    assert.ok(Math.abs(now.settings["flesh.delta"] - 0.3) < 0.02);
    await page.keyboard.press("Control+z");
    now = await until(page, () => studio.redo.length === 1);
    assert.ok(Math.abs(now.settings["flesh.delta"] - 0.8) < 1e-6);
    await page.keyboard.press("Control+Shift+z");
    await until(page, () => studio.undo.length === 1);
    await slider.focus();
    await page.keyboard.press("ArrowRight");
    await until(page, () => studio.undo.length === 2);
    await slider.dblclick();
    now = await until(page, () => studio.settings["flesh.delta"] > 0.79);
    const field = page.getByRole("textbox", { name: "Damping, number", exact: true });
    await field.fill("2*3+1");
    await page.keyboard.press("Enter");
    await until(page, () => studio.settings["flesh.damping"] === 7);
    await field.fill("5000");
    await page.keyboard.press("Enter");
    await until(page, () => studio.settings["flesh.damping"] === 1000);
    await page.getByText("Damping is kept at its limit").waitFor();
    await page.getByRole("button", { name: "History" }).click();
    await page.getByRole("dialog", { name: "History" }).getByText("As it was opened").click();
    now = await until(page, () => studio.undo.length === 0);
    assert.equal(now.settings["flesh.damping"], 14);
    await done(page);
  });

  test("a clip that is removed takes no other with it", { skip: !existsSync(data) && "no shared data" }, async () => {
    const page = await demo();
    await drop(page, [await bytesOf(data, "motion", "cmu_02_01_walk.bvh")]);
    await until(page, () => studio.model.clips.length === 5 && studio.play.clip === 4, 120000);
    await page.getByRole("treeitem", { name: /jump/ }).click();
    await until(page, () => studio.play.clip === 1);
    await page.getByRole("button", { name: "Remove cmu_02_01_walk" }).focus();
    await page.keyboard.press("Enter");
    const now = await until(page, () => studio.model.clips.length === 4);
    assert.equal(now.model.clips[now.play.clip].name, "jump");
    await page.keyboard.press("Control+z");
    await until(page, () => studio.model.clips.length === 5);
    await done(page);
  });

  test("every setting of the library has a control", async () => {
    const page = await demo();
    await page.getByLabel("Skin", { exact: true }).first().selectOption("spline");
    await until(page, () => studio.settings.skin === "spline");
    const folded = page.locator(".section-head button[aria-expanded=false]");
    while ((await folded.count()) > 0) await folded.first().click();
    const keys = new Set(await page.locator("[data-key]").evaluateAll((rows) => rows.map((row) => row.dataset.key)));
    await page.getByLabel("Skin", { exact: true }).first().selectOption("lattice");
    await until(page, () => studio.settings.skin === "lattice");
    while ((await folded.count()) > 0) await folded.first().click();
    for (const key of await page.locator("[data-key]").evaluateAll((rows) => rows.map((row) => row.dataset.key))) keys.add(key);
    const all = Object.keys((await state(page)).settings);
    assert.deepEqual(all.filter((key) => !keys.has(key)), []);
    await done(page);
  });

  test("flesh that is pulled follows the hand, while the clip stands, and comes back", async () => {
    const page = await demo();
    await paused(page);
    await settled(page);
    const at = await middle(page);
    const box = await boxOf(canvas(page));
    const skin = () => page.evaluate(({ x, y }) => studio.probe(x, y), { x: at.x - box.x, y: at.y - box.y });
    const near = (a, b) => a.vertex === b.vertex && a.barycentrics.every((share, i) => Math.abs(share - b.barycentrics[i]) < 0.05);
    // The walk was stopped in the middle of a swing: a touch lets its flesh come to rest first.
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.mouse.move(at.x + 6, at.y);
    await page.mouse.up();
    await settled(page);
    const rest = await skin();
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.mouse.move(at.x + 120, at.y, { steps: 6 });
    await page.waitForTimeout(3000); // it never stands still while it is held
    assert.ok(!near(rest, await skin()), "another place of the skin is where the hand began");
    await page.mouse.up();
    await settled(page);
    assert.ok(near(rest, await skin()), "it came back");
    await done(page);
  });

  test("two ways side by side, with a divider", async () => {
    const page = await demo();
    await page.getByRole("treeitem", { name: /twist/ }).click();
    await paused(page);
    await page.keyboard.press("v");
    await until(page, () => studio.view.split);
    await page.getByLabel("Left side").selectOption("linear");
    await page.getByLabel("Right side").selectOption("");
    const ruler = await boxOf(page.getByRole("slider", { name: "Time" }));
    await page.mouse.click(ruler.x + ruler.width * 0.5, ruler.y + 40);
    await until(page, () => !studio.play.scrubbing && studio.time > 0.5);
    const both = await settled(page);
    assert.ok(variety(both.slice(0, 0.5)) > 30 && variety(both.slice(0.5, 1)) > 30, "both halves show something");
    assert.ok(difference(both.slice(0, 0.5), both.slice(0.5, 1)) > 0.0005, "and not the same");
    await canvas(page).focus();
    await page.keyboard.down("\\");
    await until(page, () => studio.view.without);
    await page.keyboard.up("\\");
    await until(page, () => !studio.view.without);
    await page.getByRole("separator", { name: "Divide the view" }).focus();
    await page.keyboard.press("ArrowRight");
    assert.ok((await until(page, () => studio.view.divide > 0.5)).view.divide < 0.6);
    await done(page);
  });
});

describe("touch", () => {
  test("one finger orbits where nothing is, two turn and zoom, two tap undo", async () => {
    const page = await demo({ hasTouch: true });
    await paused(page);
    const start = await settled(page);
    const box = await boxOf(canvas(page));
    // Fingers at places, as shares of the canvas.
    const session = await page.context().newCDPSession(page);
    const fingers = (type, ...places) => session.send("Input.dispatchTouchEvent", { type, touchPoints: places.map(([x, y], id) => ({ x: box.x + x * box.width, y: box.y + y * box.height, id })) });
    await fingers("touchStart", [0.1, 0.8]);
    await fingers("touchMove", [0.25, 0.75]);
    await fingers("touchEnd");
    const turned = await settled(page);
    assert.ok(difference(start, turned) > 0.001, "one finger orbits");
    await fingers("touchStart", [0.4, 0.5], [0.6, 0.5]);
    for (let i = 1; i <= 4; i++) await fingers("touchMove", [0.4 - 0.03 * i, 0.5], [0.6 + 0.03 * i, 0.5]);
    await fingers("touchEnd");
    assert.ok(difference(turned, await settled(page)) > 0.001, "two fingers that part zoom");
    await page.getByRole("switch", { name: "Flesh", exact: true }).click();
    await until(page, () => studio.undo.length === 1);
    // A tap is short, however busy the machine is: both ends are given their times.
    const places = [[0.4, 0.5], [0.6, 0.5]].map(([x, y], id) => ({ x: box.x + x * box.width, y: box.y + y * box.height, id }));
    const time = Date.now() / 1000;
    await Promise.all([
      session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: places, timestamp: time }),
      session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [], timestamp: time + 0.05 }),
    ]);
    await until(page, () => studio.undo.length === 0);
    await done(page);
  });
});

describe("keeping", () => {
  test("a saved project opens again as it was", async () => {
    const page = await demo();
    await page.getByRole("switch", { name: "Flesh", exact: true }).click();
    await until(page, () => studio.settings["flesh.on"] === false);
    await canvas(page).focus();
    const path = await download(page, () => page.keyboard.press("Control+s"));
    await page.keyboard.press("Control+z");
    await until(page, () => studio.settings["flesh.on"] === true);
    await drop(page, [{ name: "mine.snproject", bytes: await readFile(path) }]);
    const now = await until(page, () => studio.model.name === "mine");
    assert.equal(now.settings["flesh.on"], false);
    assert.equal(now.undo.length, 0);
    await done(page);
  });

  test("work survives a reload, undo included", async () => {
    const page = await demo();
    await page.getByRole("switch", { name: "Flesh", exact: true }).click();
    await until(page, () => studio.settings["flesh.on"] === false);
    await page.getByRole("radio", { name: "Exact" }).click();
    await until(page, () => studio.saved === "saved" && studio.undo.length === 2);
    await page.reload();
    const now = await until(page, () => globalThis.studio?.phase === "ready" && studio.undo.length === 2);
    assert.equal(now.settings["flesh.on"], false);
    assert.equal(now.settings["volume.method"], "exact");
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    assert.equal((await until(page, () => studio.undo.length === 0)).settings["flesh.on"], true);
    await done(page);
  });

  test("long work shows progress, and a cancel leaves everything as it was", async () => {
    const page = await demo();
    const path = join(folder, "large.glb");
    await sinew("convert", "builtin:body:400000", "-o", path);
    await drop(page, [{ name: "large.glb", bytes: await readFile(path) }]);
    await until(page, () => studio.progress?.seconds > 0.3);
    await page.getByRole("button", { name: "Cancel" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("was cancelled. Nothing was changed.").waitFor({ timeout: 30000 });
    assert.equal((await state(page)).model.kind, "demo");
    await done(page);
  });

  test("a picture of the viewport", async () => {
    const page = await demo();
    const path = await download(page, () => page.getByRole("button", { name: "Picture of the viewport" }).click());
    assert.ok(variety(await pixels(await readFile(path))) > 50);
    await done(page);
  });
});

describe("the same as the command line", () => {
  test("frames have the same bits", async () => {
    const page = await demo();
    for (const [clip, name] of [[0, "walk"], [1, "jump"]]) {
      const own = await page.evaluate((clip) => studio.hash(clip, 24), clip);
      const native = JSON.parse(await sinew("animate", "builtin:body", "--flesh", "on", "--clip", name, "--fps", "24", "--json", "-o", join(folder, "a.pc2")));
      assert.equal(own, native.hash, name);
    }
    await done(page);
  });

  test("a mesh, its settings and its project are the same bytes", { skip: !existsSync(data) && "no shared data" }, async () => {
    const page = await demo();
    const mesh = join(data, "meshes", "spot_quadrangulated.obj");
    await drop(page, [{ name: "spot.obj", bytes: await readFile(mesh) }]);
    await until(page, () => studio.model.name === "spot", 120000);
    const menu = (name) => async () => {
      await canvas(page).focus();
      await page.keyboard.press("Shift+F10");
      await page.getByRole("menuitem", { name }).click();
    };
    const own = { glb: await download(page, menu("Save character")), project: await download(page, menu("Save project")), settings: await download(page, menu("Save settings")) };
    const native = { glb: join(folder, "native.glb"), project: join(folder, "native.snproject"), settings: join(folder, "native.json") };
    const here = join(folder, "spot.obj"); // projects remember the names of their files
    await copyFile(mesh, here);
    await run(program, ["convert", "spot.obj", "-o", native.glb], { cwd: folder });
    await run(program, ["convert", "spot.obj", "-o", native.project], { cwd: folder });
    await run(program, ["settings", "native.snproject", "-o", native.settings], { cwd: folder });
    for (const kind of ["glb", "settings"]) assert.ok((await readFile(own[kind])).equals(await readFile(native[kind])), kind);
    // The page reads pictures, which convert has no use for; a project remembers that. All else is the same.
    const [mine, theirs] = [unzip(await readFile(own.project)), unzip(await readFile(native.project))];
    assert.deepEqual([...mine.keys()], [...theirs.keys()]);
    const plain = (bytes) => bytes.toString("latin1").replace('"images": "all"', '"images": "none"');
    for (const [name, bytes] of mine) assert.equal(plain(bytes), plain(theirs.get(name)), name);
    await done(page);
  });
});

// Every mode in turn, then the export dialog, as they are before anything is done in them.
async function everywhere(page, look) {
  for (const mode of ["Move", "Bind", "Check"]) {
    await page.getByRole("tab", { name: mode }).click();
    await page.waitForFunction((mode) => studio.mode === mode && document.querySelector(`[role=tab][aria-selected=true]`)?.textContent.toLowerCase().includes(mode), mode.toLowerCase());
    await settled(page);
    await look(mode);
  }
  await canvas(page).focus();
  await page.keyboard.press("e");
  await page.getByRole("dialog", { name: "Export" }).waitFor();
  await until(page, () => studio.leave.ready);
  await look("Export");
}

describe("for everybody", () => {
  test("every step of a slider arrives; how long the page's own thread was busy at most is printed", async () => {
    const context = await browser.newContext({ viewport: { width: 1366, height: 720 } });
    const page = await context.newPage();
    await page.addInitScript(() => {
      globalThis.longest = 0;
      new PerformanceObserver((list) => list.getEntries().forEach((entry) => (longest = Math.max(longest, entry.duration)))).observe({ type: "longtask", buffered: true });
    });
    page.faults = [];
    await page.goto(server.address);
    await ready(page);
    await until(page, () => studio.model.parts[0]?.vertices > 20000);
    await page.evaluate(() => (longest = 0)); // loading and the first frame
    await page.getByRole("button", { name: /Play with the demo/ }).click();
    const slider = page.getByRole("slider", { name: "Swing", exact: true });
    await slider.focus();
    for (let i = 0; i < 10; i++) await page.keyboard.press("ArrowLeft");
    const now = await until(page, () => studio.undo.length === 10);
    assert.ok(Math.abs(now.settings["flesh.delta"] - 0.7) < 1e-5);
    await page.getByLabel("Show", { exact: true }).selectOption("moves");
    await page.waitForTimeout(2000);
    const longest = async (where) => {
      console.log(`# longest task in ${where}: ${Math.round(await page.evaluate(() => longest))} ms`);
      await page.evaluate(() => (globalThis.longest = 0));
    };
    await longest("a slider and another view");
    if ((await state(page)).play.playing) await page.getByRole("button", { name: "Pause", exact: true }).first().click();
    await everywhere(page, longest);
  });

  test("every control has a name, and Tab reaches it", async () => {
    const page = await demo();
    const reached = new Set();
    const open = () => ["Open", "Save", "Swing", "Pause", "Time", "Viewport", "walk", "Show"].filter((name) => ![...reached].some((one) => one?.includes(name)));
    // Once around the page, wherever it begins.
    for (let i = 0; i < 300 && open().length > 0; i++) {
      await page.keyboard.press("Tab");
      reached.add(await page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent));
    }
    assert.deepEqual(open(), [], "reached by Tab");
    await canvas(page).focus();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await paused(page);
    await everywhere(page, async (where) => {
      const controls = page.locator("button, input, select, [role=slider], [role=switch], [role=treeitem], [tabindex]");
      const nameless = await controls.evaluateAll((all) => all.filter((one) => !(one.getAttribute("aria-label") || one.closest("label") || one.textContent.trim() || one.getAttribute("title"))).map((one) => one.outerHTML.slice(0, 100)));
      assert.deepEqual(nameless, [], where);
      // Tabs and radios are reached by arrows within their group, of which one is reached by Tab.
      const lost = await controls.evaluateAll((all) => all.filter((one) => one.tabIndex < 0 && !one.matches("[role=dialog]") && !one.closest("[role=tablist], [role=radiogroup], [role=tree]") && !one.matches(":disabled") && one.checkVisibility()).map((one) => one.outerHTML.slice(0, 100)));
      assert.deepEqual(lost, [], where);
    });
    await done(page);
  });

  test("text has enough contrast, dark and light", async () => {
    for (const colorScheme of ["dark", "light"]) {
      const page = await demo({ colorScheme });
      await paused(page);
      const poor = () => page.evaluate(() => {
        const numbers = (text) => text.match(/[\d.]+/g).map(Number);
        const light = ([r, g, b]) => [r, g, b].map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
        const back = (one) => {
          for (let at = one; at; at = at.parentElement) {
            const color = numbers(getComputedStyle(at).backgroundColor);
            if ((color[3] ?? 1) > 0.5) return color;
          }
          return [0, 0, 0];
        };
        const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        return [...document.querySelectorAll("button, span, b, h2, p, option, kbd")]
          .filter((one) => one.checkVisibility() && !one.closest(":disabled") && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
          .map((one) => ({ text: one.textContent.slice(0, 30), ratio: ratio(light(numbers(getComputedStyle(one).color)), light(back(one))) }))
          .filter((one) => one.ratio < 4.5);
      });
      await everywhere(page, async (where) => assert.deepEqual(await poor(), [], `${where}, ${colorScheme}`));
      await done(page);
    }
  });

  test("a tablet and a small laptop: nothing important is cut off", async () => {
    for (const [width, height] of [[1280, 720], [820, 1180]]) {
      const page = await open(browser, server.address, { width, height, hasTouch: width < 1000 });
      await ready(page);
      await page.getByRole("button", { name: /Play with the demo/ }).click();
      for (const name of ["Pause", "Save"]) {
        const button = page.getByRole("button", { name, exact: true }).first();
        const lies = async () => {
          const box = await button.boundingBox();
          return box !== null && box.x >= 0 && box.x + box.width <= width && box.y + box.height <= height;
        };
        let fits = await lies();
        for (let tries = 0; tries < 50 && !fits; tries++) {
          await page.waitForTimeout(100); // the start screen gives way to panels that slide in
          fits = await lies();
        }
        assert.ok(fits, `${name} at ${width}`);
      }
      await done(page);
    }
  });

  test("with reduced motion nothing plays by itself", async () => {
    const page = await open(browser, server.address, { width: 1366, height: 720, reducedMotion: "reduce" });
    await ready(page);
    await page.waitForTimeout(1000);
    const now = await state(page);
    assert.equal(now.play.playing, false);
    assert.equal(now.time, 0);
    await done(page);
  });

  test("panels are made wider by hand and by keys, and closed by keys", async () => {
    const page = await demo();
    const edge = page.getByRole("separator", { name: "Width of the settings" });
    await edge.focus();
    await page.keyboard.press("ArrowLeft");
    assert.equal(await edge.getAttribute("aria-valuenow"), "336");
    await canvas(page).focus();
    await page.keyboard.press("n");
    await page.getByRole("complementary", { name: "Settings" }).waitFor({ state: "detached" });
    await done(page);
  });

  test("a browser without WebGL 2 is told so kindly", async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.addInitScript(() => {
      const own = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return kind === "webgl2" ? null : own.call(this, kind, ...rest);
      };
    });
    await page.goto(server.address);
    await page.getByRole("alert").getByText("no WebGL 2").waitFor();
  });
});
