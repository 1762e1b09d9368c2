// What a page does with documents: files, motions, undo, projects, memory.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load, SN_WRAP_LOOP } from "../dist/index.js";
import { bodyBytes, core, needReal, real, withDocument } from "./support.mjs";

test("OBJ and BVH from memory", async () => {
  const obj = new TextEncoder().encode("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
  const bvh = new TextEncoder().encode(
    "HIERARCHY\nROOT hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\nJOINT spine\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n}\n" +
      "MOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0 0 0 0 0 0 0\n0 1 0 0 0 0 10 0 0\n",
  );
  await withDocument(null, (document) => {
    core.sn_document_open_memory(document, "a.obj", obj, obj.length, null);
    assert.equal(core.sn_document_has_skeleton(document), false);
    const source = core.sn_source_open_memory(document, "a.bvh", bvh, bvh.length, null);
    assert.equal(core.sn_source_has_skeleton(source), true);
    const { clips } = core.read("snModel", core.sn_source_model(source));
    assert.ok(Math.abs(core.read("snClip", core.u32(clips, 1)[0]).duration - 0.1) < 1e-6);
    core.sn_source_close(source);
  });
});

test("a motion of another body, undone and done again", async () => {
  const bytes = bodyBytes(3000);
  await withDocument("builtin:body", (document) => {
    const source = core.sn_source_open_memory(document, "other.glb", bytes, bytes.length, null);
    const before = core.sn_document_hash(document);
    const report = core.sn_document_add_motion(document, source, { clip: 1, name: "hop" });
    assert.equal(report.unmatched + report.matched > 30, true);
    assert.equal(core.read("snModel", core.sn_document_model(document)).clip_count, 5);
    const after = core.sn_document_hash(document);
    core.sn_document_undo(document);
    assert.equal(core.sn_document_hash(document), before);
    core.sn_document_redo(document);
    assert.equal(core.sn_document_hash(document), after);
    core.sn_source_close(source);
  });
});

test("a project opens again as it was, with its history", async () => {
  await withDocument(bodyBytes(3000), async (document) => {
    core.sn_document_make_lattice(document, null);
    core.sn_document_set(document, "flesh.delta", "0.7");
    const hash = core.sn_document_hash(document);
    const project = core.takeBytes(await core.run("sn_document_save_memory", document, {}));
    const history = core.takeBytes(core.sn_document_history_write_memory(document));
    await withDocument(null, (again) => {
      core.sn_document_open_memory(again, "a.snproject", project, project.length, null);
      assert.equal(core.sn_document_hash(again), hash);
      core.sn_document_history_read_memory(again, "a.history", history, history.length);
      core.sn_document_undo(again);
      core.sn_document_undo(document);
      assert.equal(core.sn_document_hash(again), core.sn_document_hash(document));
      assert.deepEqual(core.takeBytes(core.sn_document_save_memory(again)), core.takeBytes(core.sn_document_save_memory(document)));
    });
  });
});

const MOTIONS = ["cmu_02_01_walk.bvh", "cmu_02_01_walk.amc", "cmu_02.asf"].map((name) => `motion/${name}`);
test("a real character, and a real motion with the file it needs", needReal("characters/kaykit_Knight.glb", ...MOTIONS), async () => {
  await withDocument(real("characters/kaykit_Knight.glb"), async (document) => {
    const [bvh, amc, asf] = MOTIONS.map(real);
    const files = core.files(new Map([["cmu_02.asf", asf]]));
    for (const [name, bytes, def] of [["walk.bvh", bvh, null], ["walk.amc", amc, { files, companion: "cmu_02.asf" }]]) {
      const source = await core.run("sn_source_open_memory", document, name, bytes, bytes.length, def, {});
      const shares = [];
      const report = await core.run("sn_document_add_motion", document, source, { name }, { progress: (_, share) => void shares.push(share) });
      assert.ok(report.matched > 10 && report.confidence > 0.5 && shares.length > 0);
      core.sn_source_close(source);
    }
    core.sn_document_play(document, core.sn_model_find_clip(core.sn_document_model(document), "walk.bvh"), 1, SN_WRAP_LOOP);
  });
});

test("memory does not grow over 200 rounds", async () => {
  const own = await load();
  const bytes = bodyBytes(2000);
  const round = async () => {
    const document = own.sn_document_create({}, null);
    own.sn_document_open_memory(document, "a.glb", bytes, bytes.length, null);
    await own.run("sn_document_make_lattice", document, null, { slice: 100 });
    own.sn_document_play(document, 0, 0.5, SN_WRAP_LOOP);
    assert.throws(() => own.sn_document_set(document, "nonsense", "1"));
    own.takeBytes(own.sn_document_save_memory(document));
    own.sn_document_destroy(document);
  };
  for (let i = 0; i < 5; i++) await round();
  const size = own.memorySize;
  for (let i = 0; i < 200; i++) await round();
  assert.equal(own.memorySize, size);
  assert.equal(own.scratch.used, 0);
  assert.equal(own.listeners.size + own.jobs.size + own.owners.size, 0);
});
