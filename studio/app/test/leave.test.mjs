// Leave as a person uses it: sizes and errors before anything is written, files that are the command line's, films, and the
// whole way from a rigged character to helper joints.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { data, drop, launch, open, program, ready, serve, settle, state, until } from "./browser.mjs";
import { difference, pixels } from "./pixels.mjs";

const run = promisify(execFile);
const sinew = async (...words) => (await run(program, words, { maxBuffer: 1 << 26 })).stdout;
let browser, server, folder;
before(async () => {
  browser = await launch();
  server = await serve();
  folder = await mkdtemp(join(tmpdir(), "studio-leave-"));
});
after(async () => {
  await browser?.close();
  await server?.stop();
  if (folder) await rm(folder, { recursive: true });
});
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
});

async function demo(clip) {
  const page = await open(browser, server.address, { width: 1440, height: 900 });
  await ready(page);
  await until(page, () => studio.model.parts[0]?.vertices > 20000 && studio.progress === null);
  await page.getByRole("button", { name: /Play with the demo/ }).click();
  await page.getByRole("toolbar", { name: "Tools" }).waitFor();
  if ((await state(page)).play.playing) await page.getByRole("button", { name: "Pause", exact: true }).first().click();
  await page.getByRole("treeitem", { name: clip }).click();
  await settle(page);
  return page;
}
async function download(page, act, name) {
  const [file] = await Promise.all([page.waitForEvent("download", { timeout: 120000 }), act()]);
  const path = join(folder, name);
  await file.saveAs(path);
  return { path, bytes: await readFile(path), suggested: file.suggestedFilename() };
}
const write = (page) => page.getByRole("button", { name: /^Write / });
const choose = (page, name) => page.getByRole("radio", { name }).click();
const measured = (page, format) => page.waitForFunction((format) => studio.leave.offers[format]?.measured && studio.progress === null, format, { timeout: 120000 });
async function dialog(page) {
  await page.getByRole("button", { name: "Export", exact: true }).click();
  await page.getByRole("dialog", { name: "Export" }).waitFor();
  await measured(page, "joints");
}

describe("the export dialog", () => {
  test("says size and error first, and writes the command line's bytes", async () => {
    const page = await demo(/jump/);
    await dialog(page);
    await choose(page, /morph targets/);
    await page.getByRole("button", { name: /Measure size/ }).click();
    await measured(page, "morph");
    const { offers, stages } = (await state(page)).leave;
    const mm = (error) => (1000 * error).toFixed(2);
    for (const [format, offer] of Object.entries(offers)) console.log(`# ${format}: ${offer.size ?? "?"} bytes, ${offer.error === null ? "?" : mm(offer.error)} mm`);
    assert.ok(offers.skin.error > offers.joints.error && offers.joints.error > offers.morph.error && offers.cache.error === 0);
    assert.ok(stages.joints.length >= 4 && stages.morph.length >= 6);
    const formats = { skin: [/plain skin/, "skin"], joints: [/helper joints/, "joints"], morph: [/morph targets/, "morph"] };
    for (const [format, [name, target]] of Object.entries(formats)) {
      await choose(page, name);
      const file = await download(page, () => write(page).click(), `${format}.glb`);
      assert.equal(file.bytes.length, offers[format].size, "the size that was said");
      const native = join(folder, `native-${format}.glb`);
      await sinew("animate", "builtin:body", "--flesh", "on", "--clip", "jump", "--target", target, "-o", native, "-q");
      assert.ok(file.bytes.equals(await readFile(native)), `${format} is the command line's`);
    }
    await choose(page, /Point cache/);
    const cache = await download(page, () => write(page).click(), "page.pc2");
    assert.equal(cache.bytes.length, offers.cache.size);
    await sinew("animate", "builtin:body", "--flesh", "on", "--clip", "jump", "-o", join(folder, "native.pc2"), "-q");
    assert.ok(cache.bytes.equals(await readFile(join(folder, "native.pc2"))));
    await choose(page, "MDD");
    await until(page, () => studio.leave.options.join === "mdd");
    await settle(page);
    const { size } = (await state(page)).leave.offers.cache;
    const other = await download(page, () => write(page).click(), "page.mdd");
    assert.equal(other.bytes.length, size);
    await sinew("animate", "builtin:body", "--flesh", "on", "--clip", "jump", "-o", join(folder, "native.mdd"), "-q");
    assert.ok(other.bytes.equals(await readFile(join(folder, "native.mdd"))));
    assert.deepEqual(page.faults, []);
  });

  test("a character without motion leaves as it is; what only motion needs is not offered", { skip: !existsSync(data) && "no shared data" }, async () => {
    const page = await open(browser, server.address, { width: 1440, height: 900 });
    await ready(page);
    await drop(page, [{ name: "hero.glb", bytes: await readFile(join(data, "characters", "quat_modular_men_Casual.glb")) }]);
    await until(page, () => studio.model.name === "hero" && studio.progress === null, 120000);
    await page.locator("#viewport").focus();
    await page.keyboard.press("e");
    await measured(page, "skin");
    const { leave, failure } = await state(page);
    assert.equal(failure, null);
    assert.equal(leave.offers.skin.error, 0);
    assert.ok(await page.getByRole("radio", { name: /plain skin/ }).isChecked());
    const file = await download(page, () => write(page).click(), "still.glb");
    assert.equal(file.bytes.length, leave.offers.skin.size);
    await choose(page, /helper joints/);
    assert.ok(await write(page).isDisabled());
    assert.deepEqual(page.faults, []);
  });

  test("the handle on the curve chooses, and the file has what it says", async () => {
    const page = await demo(/jump/);
    await dialog(page);
    const before = (await state(page)).leave.offers.joints;
    await page.getByRole("slider", { name: /Size against error/ }).focus();
    await page.keyboard.press("ArrowRight");
    await until(page, () => studio.leave.options.helpers > 0);
    const { options, offers } = (await state(page)).leave;
    assert.ok(options.helpers < before.count && offers.joints.about && offers.joints.size < before.size && offers.joints.error > before.error);
    const file = await download(page, () => write(page).click(), "fewer.glb");
    const native = join(folder, "native-fewer.glb");
    await sinew("animate", "builtin:body", "--flesh", "on", "--clip", "jump", "--helpers", String(options.helpers), "-o", native, "-q");
    assert.ok(file.bytes.equals(await readFile(native)));
    assert.ok(Math.abs(file.bytes.length / offers.joints.size - 1) < 0.05, `about ${offers.joints.size}, ${file.bytes.length}`);
    assert.deepEqual(page.faults, []);
  });

  test("what was written plays beside the original", async () => {
    const page = await demo(/jump/);
    await dialog(page);
    await download(page, () => write(page).click(), "compare.glb");
    await page.getByRole("button", { name: "Compare with the original" }).click();
    await until(page, () => studio.view.split && studio.view.right === "file");
    await page.getByLabel("Time in seconds").fill("0.9");
    await page.getByLabel("Time in seconds").press("Enter");
    await until(page, () => Math.abs(studio.time - 0.9) < 1e-3 && !studio.play.scrubbing);
    await settle(page);
    const file = pixels(await page.locator("#viewport").screenshot());
    assert.equal(await page.getByLabel("Right side").locator("option:checked").textContent(), "Written: Demo character.glb");
    // Another character stands there, in the same pose.
    await page.getByLabel("Right side").selectOption("");
    await settle(page);
    const own = pixels(await page.locator("#viewport").screenshot());
    await page.getByLabel("Time in seconds").fill("0.3");
    await page.getByLabel("Time in seconds").press("Enter");
    await until(page, () => Math.abs(studio.time - 0.3) < 1e-3 && !studio.play.scrubbing);
    await settle(page);
    const other = pixels(await page.locator("#viewport").screenshot());
    console.log(`# pixels unlike the original: written ${difference(own, file).toFixed(5)}, another moment ${difference(own, other).toFixed(5)}`);
    assert.ok(difference(own, file) > 0 && difference(own, file) < difference(own, other) / 5);
    assert.deepEqual(page.faults, []);
  });
});

describe("what was written before", () => {
  test("is dropped on the dialog and plays beside the original", async () => {
    const page = await demo(/jump/);
    await sinew("animate", "builtin:body", "--flesh", "on", "--clip", "jump", "--target", "skin", "-o", join(folder, "before.glb"), "-q");
    await page.keyboard.press("e");
    await page.getByRole("dialog", { name: "Export" }).waitFor();
    await drop(page, [{ name: "before.glb", bytes: await readFile(join(folder, "before.glb")) }]);
    await until(page, () => studio.view.split && studio.view.right === "file");
    assert.equal(await page.getByLabel("Right side").locator("option:checked").textContent(), "Written: before.glb");
    assert.equal((await state(page)).model.name, "Demo character", "the character stays");
    assert.equal(await page.getByRole("dialog", { name: "Export" }).count(), 0);
    assert.deepEqual(page.faults, []);
  });
});

describe("films and pictures", () => {
  test("a turntable is recorded, and a browser plays it", async () => {
    const page = await demo(/jump/);
    await page.keyboard.press("e");
    await page.getByRole("dialog", { name: "Export" }).waitFor();
    await choose(page, /Film/);
    await until(page, () => studio.leave.ready);
    if ((await state(page)).leave.codecs.length === 0) return; // it says so, and Write is not there to press
    await page.getByLabel("Size of the picture").selectOption("640x480");
    await choose(page, "24");
    await page.getByLabel("To second").fill("0.5");
    await page.getByLabel("To second").press("Enter");
    await choose(page, "Turntable");
    const file = await download(page, () => write(page).click(), "film.webm");
    assert.equal(file.suggested, "Demo character.webm");
    const player = await page.context().newPage(); // the studio's own page may load no film
    const film = await player.evaluate(async (text) => {
      const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
      const video = document.createElement("video");
      video.src = URL.createObjectURL(new Blob([bytes], { type: "video/webm" }));
      await new Promise((done, fail) => ((video.onloadeddata = done), (video.onerror = () => fail(new Error("it does not play")))));
      return { width: video.videoWidth, height: video.videoHeight, duration: video.duration };
    }, file.bytes.toString("base64"));
    assert.deepEqual([film.width, film.height], [640, 480]);
    assert.ok(Math.abs(film.duration - 13 / 24) < 0.05, `${film.duration} s`);
    assert.deepEqual(page.faults, []);
  });

  test("a film without a background is transparent beside the body and opaque on it", async () => {
    const page = await demo(/walk/);
    await page.keyboard.press("e");
    await page.getByRole("dialog", { name: "Export" }).waitFor();
    await choose(page, /Film/);
    await until(page, () => studio.leave.ready);
    if ((await state(page)).leave.codecs.length === 0) return;
    await page.getByLabel("Size of the picture").selectOption("640x480");
    await page.getByLabel("To second").fill("0.2");
    await page.getByLabel("To second").press("Enter");
    await page.getByRole("switch", { name: "Transparent background" }).click();
    await until(page, () => studio.leave.options.alpha);
    const file = await download(page, () => write(page).click(), "cut.webm");
    const player = await page.context().newPage();
    const seen = await player.evaluate(async (text) => {
      const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
      const video = document.createElement("video");
      video.src = URL.createObjectURL(new Blob([bytes], { type: "video/webm" }));
      await new Promise((done, fail) => ((video.onloadeddata = done), (video.onerror = () => fail(new Error("it does not play")))));
      video.currentTime = 0.1;
      const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
      const context = canvas.getContext("2d");
      let alpha = [];
      // Its picture comes some time after the player says that it has one.
      for (let i = 0; i < 200 && !alpha.some((a) => a > 0); i++) {
        await new Promise((done) => setTimeout(done, 50));
        context.drawImage(video, 0, 0);
        alpha = context.getImageData(0, 0, canvas.width, canvas.height).data.filter((_, i) => i % 4 === 3);
      }
      return { corner: alpha[0], clear: alpha.filter((a) => a < 8).length / alpha.length, full: alpha.filter((a) => a > 247).length / alpha.length };
    }, file.bytes.toString("base64"));
    console.log(`# of a transparent film ${(100 * seen.clear).toFixed(0)} % are clear and ${(100 * seen.full).toFixed(0)} % opaque`);
    assert.ok(seen.corner < 8 && seen.clear > 0.5 && seen.full > 0.04, JSON.stringify(seen));
    assert.deepEqual(page.faults, []);
  });

  test("the camera goes from key to key", async () => {
    const page = await demo(/walk/);
    await page.getByRole("button", { name: "Loop", exact: true }).click(); // so that the clip has an end
    const at = async (key, view) => {
      await page.locator("#viewport").focus();
      await page.keyboard.press(key);
      await page.keyboard.press(view);
      await page.waitForTimeout(300); // the camera glides
      await settle(page);
      await page.keyboard.press("Shift+K");
    };
    await at("Home", "Numpad1");
    await until(page, () => studio.leave.keys.length === 1);
    await at("End", "Numpad3");
    const { leave } = await until(page, () => studio.leave.keys.length === 2);
    assert.ok(leave.keys[0].time === 0 && leave.keys[1].time > 1);
    const sheet = async (camera) => {
      await page.keyboard.press("e");
      await page.getByRole("dialog", { name: "Export" }).waitFor();
      await choose(page, /Contact sheet/);
      await page.getByLabel("Size of the picture").selectOption("640x480");
      await choose(page, camera);
      const { bytes } = await download(page, () => write(page).click(), `${camera}.png`);
      await page.getByRole("button", { name: "Close", exact: true }).last().click();
      return pixels(bytes);
    };
    const keyed = await sheet("Keys");
    const side = await sheet("Follow"); // from where the camera is now: the last key
    const [first, last] = [[0, 1 / 4, 0, 1 / 3], [3 / 4, 1, 2 / 3, 1]].map((cell) => difference(keyed.slice(...cell), side.slice(...cell)));
    console.log(`# a sheet by keys of the camera against one from the last key: first picture ${first.toFixed(4)} off, last ${last.toFixed(4)}`);
    assert.ok(last < 0.2 * first);
    assert.deepEqual(page.faults, []);
  });

  test("recording is stopped, and nothing is written", async () => {
    const page = await demo(/walk/);
    await page.keyboard.press("e");
    await page.getByRole("dialog", { name: "Export" }).waitFor();
    await measured(page, "skin");
    await page.getByRole("button", { name: "Stop" }).click().catch(() => {});
    await choose(page, /Film/);
    await until(page, () => studio.leave.ready && studio.progress === null, 60000);
    if ((await state(page)).leave.codecs.length === 0) return;
    let written = 0;
    page.on("download", () => written++);
    await write(page).click();
    await until(page, () => studio.progress?.what === "Recording" && studio.progress.share > 0.05, 60000);
    await page.getByRole("button", { name: "Stop" }).click();
    await until(page, () => studio.progress === null);
    await page.getByText("Recording was cancelled").waitFor();
    assert.equal(written, 0);
    assert.equal((await state(page)).leave.written, null);
    assert.deepEqual(page.faults, []);
  });

  test("a contact sheet is a picture of its size", async () => {
    const page = await demo(/jump/);
    await page.keyboard.press("e");
    await page.getByRole("dialog", { name: "Export" }).waitFor();
    await choose(page, /Contact sheet/);
    await page.getByLabel("Size of the picture").selectOption("640x480");
    const file = await download(page, () => write(page).click(), "sheet.png");
    assert.equal(file.bytes.readUInt32BE(16), 640);
    assert.ok(file.bytes.readUInt32BE(20) > 400);
    assert.deepEqual(page.faults, []);
  });
});

describe("the whole way", () => {
  test("flesh on a rigged character, out as helper joints", { skip: !existsSync(data) && "no shared data" }, async () => {
    const page = await open(browser, server.address, { width: 1440, height: 900 });
    await ready(page);
    let clicks = 0;
    const click = async (target) => {
      clicks++;
      await target.click();
    };
    const bytes = (...path) => readFile(join(data, ...path));
    await drop(page, [
      { name: "hero.glb", bytes: await bytes("characters", "quat_modular_men_Casual.glb") },
      { name: "walk.bvh", bytes: await bytes("motion", "cmu_02_01_walk.bvh") },
    ]);
    await until(page, () => studio.model.name === "hero" && studio.retarget !== null && studio.progress === null, 120000);
    if (!(await state(page)).settings["flesh.on"]) await click(page.getByRole("switch", { name: "Flesh", exact: true }));
    await until(page, () => studio.settings["flesh.on"] === true);
    await click(page.getByRole("button", { name: "Export", exact: true }));
    await measured(page, "joints");
    const { offers } = (await state(page)).leave;
    const file = await download(page, () => click(write(page)), "hero.glb");
    console.log(`# flesh on a rigged character, out as helper joints: 2 files dropped, ${clicks} clicks; ${file.bytes.length} bytes, ${(1000 * offers.joints.error).toFixed(1)} mm off where the plain skin is ${(1000 * offers.skin.error).toFixed(1)} mm`);
    assert.ok(clicks <= 3);
    assert.ok(offers.joints.error < offers.skin.error);
    const json = JSON.parse(file.bytes.subarray(20, 20 + file.bytes.readUInt32LE(12)).toString());
    assert.ok(json.nodes.some((node) => node.name?.startsWith("sinew_")), "it has helper joints");
    assert.deepEqual(page.faults, []);
  });
});

describe("learning", () => {
  test("a bare mesh has a tour of its own", async () => {
    const page = await open(browser, server.address, { width: 1440, height: 900 });
    await ready(page);
    await drop(page, [{ name: "box.obj", bytes: "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n" }]);
    await until(page, () => studio.model.kind === "mesh" && studio.progress === null);
    await page.getByRole("button", { name: /Take the tour/ }).click();
    const card = page.getByRole("dialog", { name: /^Tour/ });
    for (const title of ["A mesh with no rig", "Give it a motion", "See what is unsure", "Make it soft", "Leave with a file"]) {
      await card.getByText(title, { exact: true }).waitFor();
      await page.keyboard.press("ArrowRight");
    }
    await card.waitFor({ state: "detached" });
    assert.deepEqual(page.faults, []);
  });

  test("every tool says on hover what it does, and its key, which takes it", async () => {
    const page = await demo(/jump/);
    for (const mode of ["Bind", "Move"]) {
      await page.getByRole("tab", { name: mode }).click();
      const tools = page.getByRole("toolbar", { name: "Tools" });
      await page.waitForFunction((mode) => studio.mode === mode, mode.toLowerCase());
      await page.waitForFunction((own) => document.querySelector('[role=toolbar][aria-label="Tools"]')?.textContent !== undefined && document.querySelectorAll("[role=toolbar] button").length >= own, mode === "Bind" ? 5 : 6);
      const titles = await tools.getByRole("button").evaluateAll((all) => all.map((one) => one.title));
      for (const title of titles) assert.match(title, /^[A-Z].{8,} \(([A-Z]|Delete)\)$/, title);
      for (const title of titles.filter((one) => !/Key/.test(one))) {
        const button = page.getByTitle(title, { exact: true });
        const before = await button.getAttribute("aria-pressed");
        await page.locator("#viewport").focus();
        await page.keyboard.press(title.match(/\((.)\)$/)[1].toLowerCase());
        if (/Mirror|snap/.test(title)) await page.waitForFunction(([title, before]) => document.querySelector(`[title="${title}"]`).getAttribute("aria-pressed") !== before, [title, before]);
        else await page.waitForFunction((title) => document.querySelector(`[title="${title}"]`).getAttribute("aria-pressed") === "true", title);
      }
    }
    assert.deepEqual(page.faults, []);
  });

  test("the tour is offered once, goes step by step, and is left at any moment", async () => {
    const page = await demo(/jump/);
    await page.getByRole("button", { name: /Take the tour/ }).click();
    const card = page.getByRole("dialog", { name: /^Tour/ });
    await card.getByText("Pull it", { exact: true }).waitFor();
    await page.keyboard.press("ArrowRight");
    await card.getByText("Make it move", { exact: true }).waitFor();
    const total = Number((await card.getByText(/of \d+$/).textContent()).split(" of ")[1]);
    for (let i = 2; i < total; i++) await card.getByRole("button", { name: "Next" }).click();
    await card.getByText("Leave with a file", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await card.waitFor({ state: "detached" });
    assert.equal(await page.getByRole("button", { name: /Take the tour/ }).count(), 0);
    await page.reload();
    await ready(page);
    await page.getByRole("button", { name: /Play with the demo/ }).click();
    assert.equal(await page.getByRole("button", { name: /Take the tour/ }).count(), 0);
    assert.deepEqual(page.faults, []);
  });
});
