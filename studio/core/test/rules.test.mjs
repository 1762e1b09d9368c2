// The rules of README.md, one by one.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as sn from "../dist/index.js";
import { core, withDocument } from "./support.mjs";

const { SinewError } = sn;
const bytes = (text) => new TextEncoder().encode(text);

test("structs by value, given and returned", () => {
  const turn = core.sn_quat_axis_angle({ x: 0, y: 2, z: 0 }, Math.PI / 2);
  assert.ok(Math.abs(turn.y - Math.SQRT1_2) < 1e-6 && turn.x === 0);
  assert.deepEqual(core.sn_quat_axis_angle([0, 2, 0], Math.PI / 2), turn);
  assert.equal(core.sn_quat_normalize({ w: 2 }).w, 1);
});

test("defaults fill what a Def leaves out", () => {
  const def = core.sn_body_def();
  assert.equal(def.vertex_target, 28000);
  const model = core.sn_builtin_body({ quads: false, vertex_target: 1500 }, null);
  const part = core.readList("snPart", core.read("snModel", model).parts, 1)[0];
  const mesh = core.read("snMesh", part.mesh);
  assert.ok(Math.abs(mesh.vertex_count - 1500) < 150);
  const { names, joint_count } = core.read("snSkeleton", core.read("snModel", model).skeleton);
  assert.equal(core.strings(names, joint_count).length, 38);
  core.sn_model_destroy(model);
  assert.throws(() => core.sn_builtin_body({ vertices: 3 }, null), /snBodyDef has no field vertices/);
  assert.throws(() => core.sn_builtin_body({ vertex_target: "many" }, null), TypeError);
  assert.throws(() => core.sn_builtin_body({}, null, 1, 2), /takes 2 arguments: def, allocator/);
});

test("an error has its place", () => {
  assert.throws(
    () => withoutClosing("x.obj", bytes("v 1 2 3\nv 1 2 3\nf 1 2\nf 1 2 9\n")),
    (error) => error instanceof SinewError && error.code === sn.SN_RESULT_BAD_DATA && error.name === "bad data" && error.file === "x.obj" && error.line > 0 && error.message.startsWith(`x.obj:${error.line}: `) && error.offset === null,
  );
  // Without an error parameter too.
  assert.throws(() => core.sn_image_create(0xffffffff, 0xffffffff, null), (error) => error instanceof SinewError && error.code !== sn.SN_RESULT_OK);
});
function withoutClosing(name, data) {
  const model = core.sn_model_read_memory(name, data, data.length, null);
  core.sn_model_destroy(model);
}

test("several outputs are an object, words a string, hashes BigInt", async () => {
  await withDocument("builtin:cube", (document) => {
    const hit = core.sn_document_pick(document, { x: 0, y: 0, z: 5 }, { x: 0.01, y: 0.02, z: -1 });
    assert.equal(hit.met, true);
    assert.ok(Math.abs(hit.out.barycentrics.reduce((a, b) => a + b) - 1) < 1e-6);
    assert.equal(core.sn_document_pick(document, [0, 0, 5], [0, 0, 1]).met, false);
    assert.equal(typeof core.sn_document_hash(document), "bigint");
    assert.equal(core.sn_settings_format(core.sn_document_settings(document), core.sn_setting_find("flesh.delta")), "0.8");
    assert.equal(core.sn_document_undo_name(document, 99), null);
  });
  assert.equal(core.sn_hash_bytes(sn.SN_HASH_SEED, new Uint8Array(), 0), sn.SN_HASH_SEED);
});

test("buffers that a call fills come back, objects in Defs too", async () => {
  await withDocument("builtin:bar", (document) => {
    const { skeleton } = core.read("snModel", core.sn_document_model(document));
    const joints = core.read("snSkeleton", skeleton).joint_count;
    const world = new Float32Array(16 * joints);
    core.sn_skeleton_world(skeleton, null, world);
    assert.equal(world[15], 1);
    const notes = {};
    const obj = bytes("v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nf 1//1 2//1 3//1\nfoo 3\n");
    core.sn_document_open_memory(document, "a.obj", obj, obj.length, { notes });
    assert.equal(typeof notes.count, "number");
    assert.equal(notes.text.length, 16);
  });
});

test("files that lie beside one", async () => {
  const buffer = new Uint8Array(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]).buffer);
  const gltf = bytes(JSON.stringify({
    asset: { version: "2.0" }, scene: 0, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: "VEC3", min: [0, 0, 0], max: [1, 1, 0] }],
    bufferViews: [{ buffer: 0, byteLength: 36 }], buffers: [{ uri: "points.bin", byteLength: 36 }],
  }));
  await withDocument(null, (document) => {
    const files = core.files(new Map([["points.bin", buffer]]));
    core.sn_document_open_memory(document, "a.gltf", gltf, gltf.length, { files });
    assert.equal(core.read("snModel", core.sn_document_model(document)).part_count, 1);
    assert.throws(() => core.sn_document_open_memory(document, "a.gltf", gltf, gltf.length, { files: core.files([]) }), SinewError);
  });
});

test("progress is told, stops, and throws on", async () => {
  await withDocument("builtin:body", (document) => {
    const shares = [];
    const hash = core.sn_document_hash(document);
    assert.throws(() => core.sn_document_bind(document, {}, (stage, share) => (shares.push(share), share < 0.3)), (error) => error.code === sn.SN_RESULT_CANCELLED);
    assert.ok(shares.length > 3 && shares.every((share, i) => i === 0 || share >= shares[i - 1]));
    assert.throws(() => core.sn_document_bind(document, {}, () => { throw new RangeError("mine"); }), /mine/);
    assert.equal(core.sn_document_hash(document), hash);
  });
});

test("functions that this build has not say so", () => {
  assert.throws(() => core.sn_pool_create(2), (error) => error.code === sn.SN_RESULT_UNSUPPORTED);
});
