#!/usr/bin/env node
// generate.mjs OUT: reads the public headers and writes into OUT
//   tables.js       functions and structs for the runtime
//   constants.js    enums and constants
//   headers.d.ts    all of it as TypeScript, with the headers' comments
//   addresses.c     the functions' addresses, in the order of the table
// The renderer's headers are taken where they are there.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Declarations } from "./generator/declarations.mjs";
import { readHeaders } from "./generator/headers.mjs";
import { defaultsOf } from "./generator/roles.mjs";
import { makeAddresses, makeConstants, makeTables } from "./generator/tables.mjs";
import { Types } from "./generator/types.mjs";

const out = resolve(process.argv[2] ?? "generated");
const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const folder = join(root, "include/sinew");
const library = readdirSync(folder).filter((name) => name.endsWith(".h")).sort();
const render = ["render/orbit.h", "render/viewport.h"].filter((name) => existsSync(join(root, name.replace(/h$/, "c"))));

const folders = [join(root, "include"), root];
const headers = readHeaders([...library.map((name) => join(folder, name)), ...render.map((name) => join(root, name))], folders);
const types = new Types(headers);
const defaults = defaultsOf(headers);
const alone = render.length > 0 ? readHeaders(library.map((name) => join(folder, name)), folders) : headers;
const ofRender = new Set([...headers.functions.keys(), ...headers.structs.keys()].filter((name) => !alone.functions.has(name) && !alone.structs.has(name)));
const includes = [...library.map((name) => ({ path: `sinew/${name}` })), ...render.map((path) => ({ path, guard: "SINEW_HAVE_RENDER" }))];

mkdirSync(out, { recursive: true });
writeFileSync(join(out, "tables.js"), makeTables(headers, types, defaults));
writeFileSync(join(out, "constants.js"), makeConstants(headers));
writeFileSync(join(out, "headers.d.ts"), `// Made by generate.mjs from the headers.\nimport type { Progress, Ptr } from "./index.js";\n${new Declarations(headers, types, defaults).all()}`);
writeFileSync(join(out, "addresses.c"), makeAddresses(headers, types, includes, ofRender));
