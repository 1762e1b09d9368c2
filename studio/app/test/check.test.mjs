// Check, as a person uses it: what breaks, where, and what helps.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { after, afterEach, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { launch, open, program, ready, serve, settle, state, until } from "./browser.mjs";

const run = promisify(execFile);
let browser, server;
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
});
before(async () => {
  browser = await launch();
  server = await serve();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

// The demo's body in Check, with one of its clips chosen.
async function demo(clip) {
  const page = await open(browser, server.address, { width: 1440, height: 900, colorScheme: "dark" });
  await ready(page);
  await until(page, () => studio.model.parts[0]?.vertices > 20000 && studio.progress === null);
  await page.getByRole("button", { name: /Play with the demo/ }).click();
  await page.getByRole("tab", { name: /Check/ }).click();
  const button = page.getByRole("button", { name: "Check the range of motion" });
  await button.waitFor();
  const [view, card] = [await page.locator("#viewport").boundingBox(), await button.boundingBox()];
  assert.ok(view.height > 600 && card.x > view.x && card.x + card.width < view.x + view.width && card.y > view.y && card.y + card.height < view.y + view.height, "what belongs here is said over the picture");
  await page.getByRole("radio", { name: "Clip", exact: true }).click();
  await page.getByRole("combobox", { name: "Clip to check" }).selectOption({ label: clip });
  return page;
}
const checked = (page) => until(page, () => studio.check.result !== null && studio.progress === null && !studio.check.busy, 120000);
// Exits with 1 where something fails, which is no failure here.
const told = async (...words) => {
  const out = await run(program, words, { maxBuffer: 1 << 26 }).catch((error) => error);
  return JSON.parse(out.stdout);
};

describe("check", () => {
  test("a clip in two methods: the numbers of the command line, the worst moment, its joints and its pictures", async () => {
    const page = await demo("twist");
    for (const method of ["linear", "dual"]) await page.getByRole("button", { name: method, exact: true }).click();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await until(page, () => studio.check.busy);
    let now = await checked(page);
    const { result } = now.check;
    const native = await told("check", "builtin:body", "--clip", "twist", "--compare", "linear,dual", "--json", "--quiet");
    assert.equal(result.frames, native.frames);
    assert.equal(result.verdict, native.verdict);
    for (const measure of result.measures)
      measure.methods.forEach((method, i) => {
        const other = native.methods[i].measures[measure.name];
        assert.ok(Math.abs(method.value - other.value) <= 1e-6 * Math.max(1, other.value), `${measure.name} ${i}: ${method.value}, natively ${other.value}`);
      });
    // Worst first, and its joints in their order.
    assert.ok(now.check.joints.length > 3);
    for (let i = 1; i < now.check.joints.length; i++) assert.ok(now.check.joints[i].value <= now.check.joints[i - 1].value);
    assert.equal(now.check.chosen, 0);
    assert.equal(now.check.lines.length, 2);
    assert.equal(Math.max(...now.check.lines[0]), result.measures[0].methods[0].value);
    assert.ok(now.check.film.length >= 5, `${now.check.film.length} pictures`);
    assert.equal(await page.locator(".check-frame img").evaluateAll((all) => all.filter((one) => one.naturalWidth === 176).length), now.check.film.length);
    // A click on another joint shows the body there.
    const other = now.check.joints[1];
    await page.getByRole("list", { name: "Worst joints" }).getByRole("button").nth(1).click();
    now = await until(page, () => studio.check.chosen === 1);
    assert.deepEqual(now.selection, { kind: "joint", index: other.joint });
    assert.equal(now.check.moment, other.time);
    await settle(page);
    assert.equal((await state(page)).legend.unit, "of what fails");
    // Nothing of the character was changed.
    assert.equal(now.undo.length, 0);
    console.log(`  ${result.frames} frames in two methods in ${result.took.toFixed(1)} s`);
    assert.deepEqual(page.faults, []);
  });

  test("what helps is measured where it fails; Apply is one step and keeps what it said", async () => {
    const page = await demo("twist");
    await page.getByRole("button", { name: "linear", exact: true }).click();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await until(page, () => studio.check.busy);
    let now = await checked(page);
    const { remedies, joints } = now.check;
    assert.ok(remedies.length > 0, "something helps");
    for (const one of remedies) assert.ok(one.after < one.before);
    for (let i = 1; i < remedies.length; i++) assert.ok(remedies[i].after >= remedies[i - 1].after);
    const best = remedies[0];
    console.log(`  ${joints[0].name}: ${(100 * best.before).toFixed(0)} % -> ${(100 * best.after).toFixed(1)} % by ${best.name}`);
    await page.getByRole("button", { name: `Apply ${best.name}`, exact: true }).click();
    now = await until(page, () => studio.undo.length === 1 && studio.progress === null);
    assert.equal(now.undo[0], `Apply ${best.name}`);
    await page.getByText("The character has changed since. Run again.").waitFor();
    await page.getByRole("button", { name: "linear", exact: true }).click(); // as the settings say, now
    await page.getByRole("button", { name: "Run again" }).click();
    await until(page, () => studio.check.busy);
    now = await checked(page);
    const measure = now.check.result.measures.find(({ name }) => name === "section" || name === "cross-section") ?? now.check.result.measures[0];
    assert.ok(now.check.result.measures.some((one) => one.methods[0].value <= best.after + 0.05), `${measure.name} ${measure.methods[0].value}`);
    await page.locator("#viewport").focus();
    await page.keyboard.press("Control+z");
    now = await until(page, () => studio.undo.length === 0);
    assert.deepEqual(page.faults, []);
  });

  test("the report is the page that the command line writes, but for its pictures", async () => {
    const page = await demo("bend");
    await page.getByRole("button", { name: "linear", exact: true }).click();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await checked(page);
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save report as HTML" }).click()]);
    const here = await readFile(await download.path(), "utf8");
    const file = `${await download.path()}.native.html`;
    await run(program, ["check", "builtin:body", "--clip", "bend", "--compare", "linear", "--html", file, "--quiet"]).catch(() => undefined);
    const plain = (html) =>
      html
        .replace(/<br>without pictures: [^<]*/, "")
        .replace(/<div class="pics">.*?<\/figure><\/div>/gs, "")
        .replace(/<div class="one">(.*?<\/table><\/div>)<\/div>/gs, "$1");
    assert.match(here, /without pictures/);
    assert.equal(plain(here), plain(await readFile(file, "utf8")));
    assert.deepEqual(page.faults, []);
  });

  test("a run that is cancelled leaves everything as it was; limits hold from the next run on", async () => {
    const page = await demo("twist");
    await page.getByRole("radio", { name: "Range", exact: true }).click();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await until(page, () => studio.progress?.share > 0.01);
    await page.getByRole("button", { name: "Cancel" }).click();
    let now = await until(page, () => studio.progress === null);
    assert.equal(now.check.result, null);
    await page.getByRole("radio", { name: "Clip", exact: true }).click();
    await page.getByRole("button", { name: "linear", exact: true }).click();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    now = await checked(page);
    const worst = now.check.result.measures[0];
    const fails = page.getByRole("textbox", { name: "Fails at, percent" });
    await fails.fill("900");
    await fails.press("Enter");
    await page.getByText("They hold from the next run on.").waitFor();
    await page.getByRole("button", { name: "Run again" }).click();
    await until(page, () => studio.check.result.measures.some((one) => one.fail === 9));
    now = await checked(page);
    const same = now.check.result.measures.find(({ name }) => name === worst.name);
    assert.equal(same.fail, 9);
    assert.equal(same.methods[0].value, worst.methods[0].value);
    assert.notEqual(same.methods[0].verdict, "fail");
    assert.deepEqual(page.faults, []);
  });
});
