// The same bits as the native program, in frames and in files, with threads too.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as sn from "../dist/index.js";
import { existsSync } from "node:fs";
import { bodyBytes, core, inFolder, native, needNative, needReal, real, realPath, withDocument } from "./support.mjs";

const needThreads = existsSync(new URL("../dist/sinew-threads.wasm", import.meta.url)) ? {} : { skip: "built without threads" };

function hashOf(on, document, clip) {
  const take = on.sn_take_create(document, { clip, fps: 30 }, null);
  on.sn_take_pose_all(take);
  const { hash } = on.read("snTakeReport", on.sn_take_report(take));
  on.sn_take_destroy(take);
  return hash.toString(16).padStart(16, "0");
}

test("frames with flesh are the native ones", needNative, () =>
  inFolder(async (folder) => {
    const bytes = bodyBytes(6000);
    const path = join(folder, "body.glb"), bound = join(folder, "bound.glb");
    writeFileSync(path, bytes);
    native("bind", path, "-o", bound, "-q");
    const file = new Uint8Array(readFileSync(bound));
    const said = JSON.parse(native("animate", bound, "--clip", "1", "-o", join(folder, "out.pc2"), "--json", "-q"));
    await withDocument(file, (document) => assert.equal(hashOf(core, document, 1), said.hash));
    // Bound here, the file is the native one too.
    await withDocument(bytes, async (document) => {
      core.sn_bind_report_free(core.sn_document_bind(document, {}, null));
      const written = core.takeBytes(core.sn_document_write_memory(document, "bound.glb", null, false));
      assert.equal(Buffer.compare(written, file), 0);
    });
  }));

test("a GLB of a take is the native one, byte for byte", needNative, () =>
  inFolder(async (folder) => {
    const bytes = bodyBytes(3000);
    const path = join(folder, "body.glb");
    writeFileSync(path, bytes);
    for (const [target, value] of [["skin", sn.SN_BAKE_SKIN], ["joints", sn.SN_BAKE_JOINTS], ["morph", sn.SN_BAKE_MORPHS]]) {
      const out = join(folder, `${target}.glb`);
      native("animate", path, "--clip", "2", "--skin", "dual", "--target", target, "-o", out, "-q");
      await withDocument(bytes, (document) => {
        core.sn_document_set(document, "skin", "dual");
        const take = core.sn_take_create(document, { clip: 2 }, null);
        const written = core.takeBytes(core.sn_takes_write_memory([take], 1, "a.glb", { target: value }));
        core.sn_take_destroy(take);
        assert.equal(Buffer.compare(written, readFileSync(out)), 0, target);
      });
    }
  }));

test("converted as the command line does", needNative, () =>
  inFolder(async (folder) => {
    for (const name of ["out.glb", "out.obj", "out.bvh"]) {
      const out = join(folder, name);
      native("convert", "builtin:body", "-o", out, "-q");
      await withDocument("builtin:body", (document) => {
        const written = core.takeBytes(core.sn_document_write_memory(document, name, null, false));
        assert.equal(Buffer.compare(written, readFileSync(out)), 0, name);
      });
    }
    const settings = core.sn_settings_create(null);
    const reference = native("settings");
    const written = new TextDecoder().decode(core.takeBytes(core.sn_settings_write_reference_memory(null)));
    core.sn_settings_destroy(settings);
    assert.equal(written.trim(), reference.trim());
  }));

for (const file of ["characters/bjs_HVGirl.glb", "characters/kaykit_Knight.glb"])
  test(`${file} moves as natively`, native ? needReal(file) : needNative, () =>
    inFolder(async (folder) => {
      const said = JSON.parse(native("animate", realPath(file), "--clip", "0", "-o", join(folder, "out.pc2"), "--join", "--json", "-q"));
      await withDocument(real(file), (document) => assert.equal(hashOf(core, document, 0), said.hash));
    }));

test("threads give the bits of one", needThreads, async () => {
  const threaded = await sn.load({ threads: true, workers: 3 });
  const bytes = bodyBytes(6000);
  const both = [];
  for (const on of [core, threaded])
    both.push(
      await withDocument(
        bytes,
        async (document) => {
          on.sn_bind_report_free(await on.run("sn_document_bind", document, {}, null, { slice: 5 }));
          return [on.sn_document_hash(document), hashOf(on, document, 0), hashOf(on, document, 1)];
        },
        { on },
      ),
    );
  assert.equal(threaded.tasks.workers, 3);
  assert.deepEqual(both[0], both[1]);
  threaded.close();
});
