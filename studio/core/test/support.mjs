// What the tests share: the package, the native program to compare with, real files where they are.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { load } from "../dist/index.js";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
const program = process.env.SINEW ?? join(root, "build/sinew");
const data = process.env.SINEW_DATA_DIR ?? join(root, "../shared/data");

export const core = await load();

export const native = existsSync(program) ? (...args) => execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }) : null;
export const needNative = native ? {} : { skip: "the program is not built: make" };
export const real = (path) => (existsSync(join(data, path)) ? new Uint8Array(readFileSync(join(data, path))) : null);
export const realPath = (path) => join(data, path);
export const needReal = (...paths) => (paths.every((path) => existsSync(join(data, path))) ? {} : { skip: `no ${paths.join(", ")} in SINEW_DATA_DIR` });

export async function inFolder(run) {
  const folder = mkdtempSync(join(tmpdir(), "sinew-"));
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// A document that is closed whatever happens.
export async function withDocument(name, run, { on = core, def = {} } = {}) {
  const document = on.sn_document_create({ tasks: on.tasks, ...def }, null);
  try {
    if (name instanceof Uint8Array) on.sn_document_open_memory(document, "model.glb", name, name.length, null);
    else if (name) on.sn_document_open(document, name, null);
    return await run(document);
  } finally {
    on.sn_document_destroy(document);
  }
}

export const bodyBytes = (vertices) => {
  const model = core.sn_builtin_body({ vertex_target: vertices }, null);
  const bytes = core.takeBytes(core.sn_model_write_memory(model, "body.glb", null, null));
  core.sn_model_destroy(model);
  return bytes;
};
