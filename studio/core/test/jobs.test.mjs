// Calls in slices: same results, progress, cancelling, and documents that belong to their job.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as sn from "../dist/index.js";
import { bodyBytes, core, withDocument } from "./support.mjs";

const { SinewError } = sn;

test("in slices as in one go, and the event loop turns", async () => {
  const bytes = bodyBytes(8000);
  const plain = await withDocument(bytes, (document) => {
    core.sn_bind_report_free(core.sn_document_bind(document, { cells: 20 }, null));
    return core.sn_document_hash(document);
  });
  await withDocument(null, async (document) => {
    const stages = new Set();
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await core.run("sn_document_open_memory", document, "model.glb", bytes, bytes.length, null, { progress: (stage) => void stages.add(stage), slice: 1 });
    const report = await core.run("sn_document_bind", document, { cells: 20 }, null, { progress: (stage) => void stages.add(stage), slice: 1 });
    clearInterval(timer);
    assert.ok(report.vertex_count > 7000);
    core.sn_bind_report_free(report);
    assert.equal(core.sn_document_hash(document), plain);
    assert.ok(stages.has("reading") && stages.size > 2, [...stages].join());
    assert.ok(turns > 3, `${turns} turns`);
  });
});

test("cancelled by a signal, the document is as it was", async () => {
  await withDocument("builtin:body", async (document) => {
    const hash = core.sn_document_hash(document);
    const edits = core.sn_document_undo_count(document);
    const stop = new AbortController();
    const job = core.run("sn_document_bind", document, {}, null, { signal: stop.signal, slice: 1, progress: (_, share) => { if (share > 0.2) stop.abort(); } });
    await assert.rejects(job, (error) => error instanceof SinewError && error.code === sn.SN_RESULT_CANCELLED);
    assert.equal(core.sn_document_hash(document), hash);
    assert.equal(core.sn_document_undo_count(document), edits);
    // Before it begins, and by its listener.
    await assert.rejects(core.run("sn_document_bind", document, {}, null, { signal: stop.signal }), (error) => error.code === sn.SN_RESULT_CANCELLED);
    await assert.rejects(core.run("sn_document_bind", document, {}, null, { progress: () => false }), (error) => error.code === sn.SN_RESULT_CANCELLED);
    await assert.rejects(core.run("sn_document_bind", document, {}, null, { progress: () => { throw new RangeError("mine"); } }), /mine/);
    assert.equal(core.sn_document_hash(document), hash);
  });
});

test("what a job works on is refused meanwhile, all else is not", async () => {
  await withDocument("builtin:body", (document) =>
    withDocument("builtin:bar", async (other) => {
      const source = core.sn_source_open(document, "builtin:bar", null);
      const job = core.run("sn_document_bind", document, {}, null, { slice: 1 });
      assert.throws(() => core.sn_document_hash(document), /sn_document_bind still works on this document/);
      assert.throws(() => core.sn_source_model(source), SinewError);
      assert.throws(() => core.sn_document_destroy(document), SinewError);
      const second = core.run("sn_document_make_lattice", other, null, { slice: 1 });
      core.sn_bind_report_free(await job);
      assert.equal(await second, true);
      assert.notEqual(core.sn_document_hash(document), 0n);
      core.sn_source_close(source);
    }),
  );
});

test("takes and checkups run in slices by what they keep", async () => {
  await withDocument("builtin:bar", async (document) => {
    const take = core.sn_take_create(document, { clip: 0, fps: 10 }, null);
    const def = { target: sn.SN_BAKE_MORPHS };
    const plain = core.takeBytes(core.sn_takes_write_memory([take], 1, "a.glb", def));
    let told = 0;
    const sliced = core.takeBytes(await core.run("sn_takes_write_memory", [take], 1, "a.glb", def, { slice: 0, progress: () => void told++ }));
    assert.deepEqual(sliced, plain);
    assert.ok(told > 2, `${told} times`);
    core.sn_take_destroy(take);
    const checkup = core.sn_checkup_create(document, {});
    told = 0;
    await core.run("sn_checkup_run", checkup, { slice: 0, progress: () => void told++ });
    assert.ok(told > 2, `${told} times`);
    assert.notEqual(core.read("snCheckup", checkup).methods[0].check, 0);
    core.sn_checkup_destroy(checkup);
  });
});

test("pictures pause within the library that reads them", async () => {
  const pixels = new Uint8Array(8 * 300 * 4).map((_, i) => (i * i) % 251);
  const png = core.takeBytes(core.sn_png_write_memory({ width: 8, height: 300, pixels }, null));
  let told = 0;
  const image = await core.run("sn_png_read_memory", "a.png", png, png.length, null, { slice: 0, progress: () => void told++ });
  assert.deepEqual(core.u8(core.read("snImage", image).pixels, pixels.length), pixels);
  assert.ok(told > 3);
  core.sn_image_destroy(image);
});

test("what cannot run in slices says so", async () => {
  await assert.rejects(core.run("sn_quat_axis_angle", [0, 1, 0], 1), /cannot run in slices/);
});
