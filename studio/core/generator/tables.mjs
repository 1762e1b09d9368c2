// What the runtime reads: functions and structs as lines, one each; and the C file that holds the functions' addresses
// and checks that the compiler puts fields where the lines say.
import { rolesOf } from "./roles.mjs";

const MARKS = { in: "", out: ">", text: "~", capacity: "#", error: "!" };

// What not every build has.
function guardOf(name, header) {
  if (name.startsWith("sn_pool_")) return "SINEW_HAVE_POOL";
  if (name === "sn_sparse_cholmod") return "SINEW_HAVE_SPARSE";
  return header === "render" ? "SINEW_HAVE_RENDER" : null;
}

// "sn_document_undo R document:*{snDocument} !error:*{snError}"; R is snResult.
function functionLine(item, types) {
  const parameters = rolesOf(item, types).map((one) => `${MARKS[one.role]}${one.name}:${one.code}`);
  const result = item.result === "snResult" ? "R" : types.code(item.result);
  return [item.name, result, ...parameters].join(" ");
}

// "snPick 64 4 - part:0:I face:4:I ..."; the fourth word is the function of its defaults.
function structLine(name, types, defaults) {
  const { size, align, fields } = types.layout(name);
  const words = fields.map((field) => `${field.name}:${field.offset}:${field.code}`);
  return [name, size, align, defaults.get(name) ?? "-", ...words].join(" ");
}

export function makeTables(headers, types, defaults) {
  const functions = [...headers.functions.values()].map((item) => functionLine(item, types));
  const structs = [...headers.structs.keys()].map((name) => structLine(name, types, defaults));
  return (
    "// Made by generate.mjs from the headers.\n" +
    `export const functions = ${JSON.stringify(functions.join("\n"))};\n` +
    `export const structs = ${JSON.stringify(structs.join("\n"))};\n`
  );
}

export function makeAddresses(headers, types, includes, ofRender) {
  const out = ["// Made by generate.mjs from the headers.", "#include <stddef.h>", ""];
  for (const { path, guard } of includes) {
    if (guard) out.push(`#ifdef ${guard}`);
    out.push(`#include "${path}"`);
    if (guard) out.push("#endif");
  }
  out.push("", "const void* const sinew_functions[] = {");
  for (const { name } of headers.functions.values()) {
    const guard = guardOf(name, ofRender.has(name) ? "render" : "");
    if (guard) out.push(`#ifdef ${guard}`, `    (const void*)${name},`, "#else", "    0,", "#endif");
    else out.push(`    (const void*)${name},`);
  }
  out.push("};", "");
  for (const name of headers.structs.keys()) {
    if (ofRender.has(name)) out.push("#ifdef SINEW_HAVE_RENDER");
    const { size, fields } = types.layout(name);
    out.push(`_Static_assert(sizeof(${name}) == ${size}, "${name}");`);
    for (const field of fields) out.push(`_Static_assert(offsetof(${name}, ${field.name}) == ${field.offset}, "${name}.${field.name}");`);
    if (ofRender.has(name)) out.push("#endif");
  }
  return out.join("\n") + "\n";
}

export function makeConstants(headers) {
  const out = ["// Made by generate.mjs from the headers."];
  for (const item of headers.enums.values()) for (const { name, value } of item.values) out.push(`export const ${name} = ${value};`);
  for (const { name, value } of headers.constants) out.push(`export const ${name} = ${value};`);
  return out.join("\n") + "\n";
}
