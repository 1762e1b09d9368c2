#!/usr/bin/env node
// bench.mjs [threads]: what the core takes for the built-in body at 28,000 and 50,000 vertices, in milliseconds.
import { load, SN_WRAP_LOOP } from "./dist/index.js";

const threads = process.argv.includes("threads");
const core = await load({ threads });

function time(run) {
  const begin = performance.now();
  run();
  return performance.now() - begin;
}
// The best of several runs: what else the machine does is not ours.
function best(count, run) {
  return Math.min(...Array.from({ length: count }, (_, i) => time(() => run(i))));
}

// The body as a file, so that a document can open it at any size.
function bodyOf(vertices) {
  const model = core.sn_builtin_body({ vertex_target: vertices }, null);
  const bytes = core.takeBytes(core.sn_model_write_memory(model, "body.glb", null, null));
  core.sn_model_destroy(model);
  return bytes;
}

for (const vertices of [28000, 50000]) {
  const bytes = bodyOf(vertices);
  const document = core.sn_document_create({ tasks: core.tasks }, null);
  const open = best(3, () => core.sn_document_open_memory(document, "body.glb", bytes, bytes.length, null));
  const lattice = best(5, () => {
    core.sn_document_make_lattice(document, null);
    core.sn_document_undo(document);
  });
  const bind = best(5, () => core.sn_bind_report_free(core.sn_document_bind(document, {}, null)));
  for (const [key, text] of [["skin", "dual"], ["volume.method", "parts"], ["flesh.on", "on"]]) core.sn_document_set(document, key, text);
  core.sn_document_play(document, 0, 0, SN_WRAP_LOOP);
  const frame = best(61, (i) => core.sn_document_play(document, 0, (i + 1) / 30, SN_WRAP_LOOP));
  core.sn_document_set(document, "flesh.on", "off");
  core.sn_document_play(document, 0, 0, SN_WRAP_LOOP);
  const still = best(61, (i) => core.sn_document_play(document, 0, (i + 1) / 30, SN_WRAP_LOOP));
  const words = { open, lattice, bind, "frame with flesh": frame, "frame without": still };
  console.log(`${vertices} vertices, ${threads ? `${core.tasks.workers} threads` : "one thread"}: ` + Object.entries(words).map(([name, ms]) => `${name} ${ms.toFixed(1)}`).join(", "));
  core.sn_document_destroy(document);
}
core.close();
