// FBX in a module of its own: what the native importer's process reads, and what a broken file is.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { load, SN_RESULT_BAD_DATA, SN_RESULT_UNSUPPORTED } from "../dist/index.js";
import { core, inFolder, native, needNative, needReal, real, realPath, withDocument } from "./support.mjs";

const needFbx = existsSync(new URL("../dist/fbx.wasm", import.meta.url)) ? {} : { skip: "built without it: scripts/studio_fbx.sh" };
const FILES = ["ugly/ufbx_maya_dq_weights_7500_binary.fbx", "ugly/ufbx_max_transformed_skin_7500_binary.fbx"];
const TEXT = new TextEncoder();

for (const file of FILES)
  test(`${file} is what it is natively`, needFbx.skip ? needFbx : native ? needReal(file) : needNative, () =>
    inFolder(async (folder) => {
      const bytes = real(file);
      const out = join(folder, "out.glb");
      native("convert", realPath(file), "-o", out, "-q");
      await withDocument(null, async (document) => {
        await core.run("sn_document_open_memory", document, "a.FBX", bytes, bytes.length, null, {});
        const written = core.takeBytes(core.sn_document_write_memory(document, "a.glb", null, false));
        assert.equal(Buffer.compare(written, readFileSync(out)), 0);
        // A project keeps the FBX, and reads it again.
        const project = core.takeBytes(core.sn_document_save_memory(document));
        await withDocument(null, (again) => {
          core.sn_document_open_memory(again, "a.snproject", project, project.length, null);
          assert.equal(core.sn_document_hash(again), core.sn_document_hash(document));
        });
      });
    }));

test("a broken FBX is an error, and the next one is read", needFbx, async () => {
  await withDocument(null, async (document) => {
    for (const words of ["nonsense", "Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0 and then no more"]) {
      const bytes = TEXT.encode(words);
      await assert.rejects(core.run("sn_document_open_memory", document, "a.fbx", bytes, bytes.length, null, {}), (error) => error.code === SN_RESULT_BAD_DATA && error.file === "a.fbx");
    }
    const dae = TEXT.encode("<COLLADA/>");
    assert.throws(() => core.sn_document_open_memory(document, "a.dae", dae, dae.length, null), (error) => error.code === SN_RESULT_UNSUPPORTED);
  });
});

test("it is loaded where a call in slices needs it", needFbx, async () => {
  const own = await load();
  const bytes = TEXT.encode("nonsense");
  await withDocument(
    null,
    async (document) => {
      const open = ["sn_document_open_memory", document, "a.fbx", bytes, bytes.length, null];
      assert.throws(() => own[open[0]](...open.slice(1)), /not loaded yet/);
      await assert.rejects(own.run(...open, {}), (error) => error.code === SN_RESULT_BAD_DATA);
      assert.throws(() => own[open[0]](...open.slice(1)), (error) => error.code === SN_RESULT_BAD_DATA);
    },
    { on: own },
  );
});
