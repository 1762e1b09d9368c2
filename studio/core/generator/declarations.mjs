// The headers as TypeScript: structs as they are read and as they are given, enums, constants, functions.
import { rolesOf } from "./roles.mjs";

const VALUES = { v: "void", b: "boolean", c: "number", B: "number", h: "number", H: "number", i: "number", I: "number", q: "bigint", Q: "bigint", f: "number", d: "number" };
const VIEWS = { c: "Int8Array", b: "Uint8Array", B: "Uint8Array", h: "Int16Array", H: "Uint16Array", i: "Int32Array", I: "Uint32Array", q: "BigInt64Array", Q: "BigUint64Array", f: "Float32Array", d: "Float64Array" };
const RESERVED = new Set(["default", "function", "in", "var", "with", "new", "delete", "this"]);

function doc(comment, indent = "") {
  if (!comment) return "";
  const lines = comment.replaceAll("*/", "*\\/").split("\n");
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}

export class Declarations {
  constructor(headers, types, defaults) {
    Object.assign(this, { headers, types, defaults });
  }

  // The enum's own name where the C type is one.
  scalar(code, type) {
    const base = type?.replace(/\b(const|enum)\b|[*\s]/g, "");
    return code === "I" && this.headers.enums.has(base) ? base : VALUES[code];
  }

  pointerTo(code) {
    if (code[0] === "{") return `Ptr<"${code.slice(1, -1)}">`;
    if (code[0] === "*" || code[0] === "&") return `Ptr<"pointer">`;
    const names = { c: "char", v: "void", f: "float", d: "double", B: "uint8", H: "uint16", I: "uint32", i: "int32", b: "bool", Q: "uint64" };
    return `Ptr<"${names[code] ?? "array"}">`;
  }

  // As a call or core.read hands it out.
  read(code, type) {
    if (code === "F") return `Ptr<"function">`;
    if (code[0] === "*" || code[0] === "&") return this.pointerTo(code.slice(1));
    if (code[0] === "{") return code.slice(1, -1);
    if (code[0] === "[") {
      const inner = code.slice(code.indexOf("]") + 1);
      return inner === "c" ? "string" : `${this.read(inner, type)}[]`;
    }
    return this.scalar(code, type);
  }

  // As a call takes it.
  given(code, type) {
    if (code === "F") return `Ptr<"function"> | null`;
    if (code === "{snProgress}") return "Progress";
    if (code[0] === "{") return this.givenStruct(code.slice(1, -1));
    if (code[0] === "[") {
      const inner = code.slice(code.indexOf("]") + 1);
      return inner === "c" ? "string" : VALUES[inner] ? "ArrayLike<number>" : `${this.given(inner, type)}[]`;
    }
    if (code[0] === "*" || code[0] === "&") return this.givenPointer(code);
    if (code === "Q" || code === "q") return "bigint | number";
    return this.scalar(code, type);
  }

  // Structs of floats alone may be lists: vectors, matrices.
  givenStruct(name) {
    if (!this.types.isComplete(name)) return `Ptr<"${name}">`;
    const floats = this.types.layout(name).fields.every((field) => /^(\[\d+\])?f$/.test(field.code));
    return floats ? `${name}Input | readonly number[] | Float32Array` : `${name}Input`;
  }

  givenPointer(code) {
    const inner = code.slice(1);
    const pointer = `${this.pointerTo(inner)} | null`;
    if (code === "&c") return `string | ${pointer}`;
    if (inner === "{snProgress}") return `Progress | ${pointer}`;
    if (inner === "v") return `ArrayBufferView | ArrayBuffer | ${pointer}`;
    if (VIEWS[inner]) return `${VIEWS[inner]} | ${code[0] === "&" ? "readonly number[] | " : ""}${pointer}`;
    if (inner[0] === "{" && this.types.isComplete(inner.slice(1, -1))) {
      const struct = `${inner.slice(1, -1)}Input`;
      return `${struct} | ${struct}[] | ArrayBufferView | ${pointer}`;
    }
    if (inner[0] === "[") return `ArrayBufferView | ${pointer}`;
    if (inner === "&c" || inner === "*c") return `(string | null)[] | ${pointer}`;
    if (inner[0] === "*" || inner[0] === "&") return `number[] | Uint32Array | ${pointer}`;
    return pointer;
  }

  struct(name) {
    const { comment } = this.headers.structs.get(name);
    const { fields } = this.types.layout(name);
    const read = fields.map((field) => `${doc(field.comment, "  ")}  ${field.name}: ${this.read(field.code, field.type)};\n`).join("");
    const given = fields.map((field) => `  ${field.name}?: ${this.given(field.code, field.type)};\n`).join("");
    const from = this.defaults.get(name);
    const rest = from ? `What is left out is as ${from}() has it.` : "What is left out is zero.";
    return `${doc(comment)}export interface ${name} {\n${read}}\n/** {@link ${name}} as it is given. ${rest} */\nexport interface ${name}Input {\n${given}}\n`;
  }

  result(item, roles) {
    const outs = roles.filter((one) => one.role === "out");
    if (roles.some((one) => one.role === "text")) return "string";
    const own = item.result === "snResult" || item.result === "void" ? null : this.returned(item.result);
    if (outs.length === 0) return own ?? "void";
    const named = outs.map((one) => `${one.name.replace(/^out_/, "")}: ${this.read(one.code.slice(1), one.type)}`);
    const value = outs.length === 1 ? this.read(outs[0].code.slice(1), outs[0].type) : `{ ${named.join("; ")} }`;
    if (own === null) return value;
    if (own === "boolean") return `${value} | null`;
    return `{ result: ${own}; ${named.join("; ")} }`;
  }
  returned(type) {
    const code = this.types.code(type);
    return code === "&c" ? "string | null" : this.read(code, type);
  }

  method(item) {
    const roles = rolesOf(item, this.types);
    const parameters = roles
      .filter((one) => one.role === "in")
      .map((one) => `${RESERVED.has(one.name) ? `${one.name}_` : one.name}: ${this.given(one.code, one.type)}`);
    return `${doc(item.comment, "  ")}  ${item.name}(${parameters.join(", ")}): ${this.result(item, roles)};\n`;
  }

  all() {
    const out = [];
    for (const item of this.headers.enums.values()) {
      out.push(`${doc(item.comment)}export type ${item.name} = number;\n`);
      for (const one of item.values) out.push(`${doc(one.comment)}export declare const ${one.name} = ${one.value};\n`);
    }
    for (const one of this.headers.constants) {
      const type = one.value.endsWith("n") ? ": bigint" : one.value === "Infinity" ? ": number" : ` = ${one.value}`;
      out.push(`${doc(one.comment)}export declare const ${one.name}${type};\n`);
    }
    for (const name of this.headers.structs.keys()) out.push(this.struct(name));
    out.push("/** Structs by name. */\nexport interface Structs {\n");
    for (const name of this.headers.structs.keys()) out.push(`  ${name}: ${name};\n`);
    out.push("}\n");
    out.push("/** Every function of the headers, by its own name. */\nexport interface Functions {\n");
    for (const item of this.headers.functions.values()) out.push(this.method(item));
    out.push("}\n");
    return out.join("");
  }
}
