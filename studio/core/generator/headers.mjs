// The public headers as clang reads them: functions, structs, enums and constants, each with its comment.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

function emcc(args) {
  return execFileSync("emcc", args, { encoding: "utf8", maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "inherit"] });
}

// clang names a file only where it differs from that of the place before, so places are read in their order.
function placeFiles(node, state) {
  if (node === null || typeof node !== "object") return;
  if (Array.isArray(node)) return node.forEach((item) => placeFiles(item, state));
  if ("offset" in node) {
    if (node.file !== undefined) state.file = node.file;
    node.file = state.file;
    return;
  }
  for (const key in node) if (typeof node[key] === "object") placeFiles(node[key], state);
}

const plain = (place) => place?.expansionLoc ?? place;

// ------------------------------------------------------------------------------------------------ comments

const texts = new Map();
function linesOf(file) {
  if (!texts.has(file)) {
    const text = readFileSync(file, "utf8");
    const starts = [0];
    for (let i = 0; i < text.length; i++) if (text[i] === "\n") starts.push(i + 1);
    texts.set(file, { lines: text.split("\n"), starts });
  }
  return texts.get(file);
}
function lineAt(file, offset) {
  const { starts } = linesOf(file);
  let low = 0, high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
const bare = (line) => /^\s*\/\/( ?)(.*)$/.exec(line);
const rule = (text) => /^-{8,}/.test(text);

// What stands above a declaration, and behind it on its last line and on.
function commentOf(node) {
  const begin = plain(node.range.begin), end = plain(node.range.end);
  if (begin?.file === undefined || end?.file === undefined) return "";
  const { lines } = linesOf(begin.file);
  const first = lineAt(begin.file, begin.offset);
  const last = lineAt(end.file, end.offset);
  const above = [];
  for (let i = first - 1; i >= 0 && bare(lines[i]); i--) {
    const text = bare(lines[i])[2];
    if (rule(text)) break;
    above.unshift(text);
  }
  const behind = [];
  const trail = /[;,})]?[^/"]*\/\/ ?(.*)$/.exec(lines[last].slice(1));
  if (trail && !bare(lines[last])) {
    behind.push(trail[1]);
    const column = lines[last].indexOf("//");
    for (let i = last + 1; i < lines.length && bare(lines[i]) && lines[i].indexOf("//") === column; i++)
      behind.push(bare(lines[i])[2]);
  }
  // Lines above that belong to the declaration before, as its own continued comment.
  const owner = first - above.length - 1;
  if (above.length > 0 && owner >= 0 && lines[owner].includes("//") && !bare(lines[owner])) {
    const column = lines[owner].indexOf("//");
    if (lines[owner + 1].indexOf("//") === column) {
      let i = owner + 1;
      while (above.length > 0 && lines[i].indexOf("//") === column) above.shift(), i++;
    }
  }
  return [...above, ...behind].join("\n").trim();
}

// ------------------------------------------------------------------------------------------------ constants

// Macros with a value of their own, in JavaScript's words.
function constant(text) {
  const words = text
    .replace(/\(\s*(size_t|uint32_t|float|double|int)\s*\)/g, "")
    .replace(/UINT64_C\(([^)]*)\)/g, "$1n")
    .replace(/\bUINT32_MAX\b/g, "4294967295")
    .replace(/\bINFINITY\b/g, "Infinity")
    .replace(/\b(\d[\d.]*(?:e[-+]?\d+)?)f\b/g, "$1")
    .replace(/\b(\d+|0x[0-9a-f]+)u\b/gi, "$1");
  if (/^"[^"]*"$/.test(words)) return words;
  if (!/^[\s()<>+\-*/\dnxa-fA-F.eInfinity]+$/.test(words)) return null;
  try {
    const value = Function(`"use strict"; return (${words.replace(/(\S+) << (\S+)/g, "($1 * 2 ** $2)")});`)();
    return typeof value === "bigint" ? `${value}n` : String(value);
  } catch {
    return null;
  }
}

function readConstants(file, include, names) {
  const constants = [];
  for (const line of emcc(["-E", "-dM", ...include, file]).split("\n")) {
    const match = /^#define (SN_[A-Z0-9_]+) (.+)$/.exec(line);
    if (!match || match[1] === "SN_API") continue;
    const value = constant(match[2]);
    if (value !== null) constants.push({ name: match[1], value });
  }
  for (const item of constants) item.comment = commentOfMacro(names, item.name);
  return constants.sort((a, b) => (a.name < b.name ? -1 : 1));
}
function commentOfMacro(files, name) {
  for (const file of files) {
    const { lines } = linesOf(file);
    const at = lines.findIndex((line) => new RegExp(`^#define ${name}\\b`).test(line));
    if (at < 0) continue;
    const behind = /\/\/ ?(.*)$/.exec(lines[at]);
    const above = [];
    for (let i = at - 1; i >= 0 && bare(lines[i]) && !rule(bare(lines[i])[2]); i--) above.unshift(bare(lines[i])[2]);
    return [...above, ...(behind ? [behind[1]] : [])].join("\n");
  }
  return "";
}

// ------------------------------------------------------------------------------------------------- reading

function readStruct(node, name) {
  const fields = node.inner
    .filter((item) => item.kind === "FieldDecl")
    .map((item) => ({ name: item.name, type: item.type.qualType, comment: commentOf(item) }));
  return { name, fields, comment: commentOf(node) };
}

function readEnum(node, name) {
  let next = 0;
  const values = [];
  for (const item of node.inner.filter((one) => one.kind === "EnumConstantDecl")) {
    const given = findValue(item);
    const value = given === null ? next : given;
    values.push({ name: item.name, value, comment: commentOf(item) });
    next = value + 1;
  }
  return { name, values, comment: commentOf(node) };
}
function findValue(node) {
  for (const item of node.inner ?? []) {
    if (item.value !== undefined) return Number(item.value);
    const inside = findValue(item);
    if (inside !== null) return inside;
  }
  return null;
}

function readFunction(node) {
  const parameters = (node.inner ?? [])
    .filter((item) => item.kind === "ParmVarDecl")
    .map((item) => ({ name: item.name, type: item.type.qualType }));
  return { name: node.name, result: node.type.qualType.split("(")[0].trim(), parameters, comment: commentOf(node) };
}

// `files`: the headers, `include`: the folders that they are included from.
export function readHeaders(files, folders) {
  const work = mkdtempSync(join(tmpdir(), "sinew-"));
  try {
    const all = join(work, "all.c");
    writeFileSync(all, files.map((file) => `#include "${resolve(file)}"\n`).join(""));
    const include = folders.map((folder) => `-I${folder}`);
    const tree = JSON.parse(emcc(["-Xclang", "-ast-dump=json", "-fsyntax-only", ...include, all]));
    placeFiles(tree, { file: undefined });
    const structs = new Map(), enums = new Map(), functions = new Map(), callbacks = new Map();
    for (const node of tree.inner) {
      const ours = node.name?.startsWith("sn");
      if (node.kind === "RecordDecl" && ours && node.completeDefinition) structs.set(node.name, readStruct(node, node.name));
      else if (node.kind === "EnumDecl" && ours) enums.set(node.name, readEnum(node, node.name));
      else if (node.kind === "TypedefDecl" && ours && node.type.qualType.includes("("))
        callbacks.set(node.name, { type: node.type.qualType, comment: commentOf(node) });
      else if (node.kind === "FunctionDecl" && node.name.startsWith("sn_") && node.storageClass !== "static")
        functions.set(node.name, readFunction(node));
    }
    return { structs, enums, functions, callbacks, constants: readConstants(all, include, files.map((file) => resolve(file))) };
  } finally {
    rmSync(work, { recursive: true });
  }
}
