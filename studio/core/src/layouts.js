// Structs and functions by name, read from the table's lines when they are first asked for.
import { functions, structs } from "./tables.js";

function lines(text) {
  const map = new Map();
  text.split("\n").forEach((line, index) => map.set(line.slice(0, line.indexOf(" ")), { line, index }));
  return map;
}

export class Layouts {
  constructor() {
    this.structs = lines(structs);
    this.functions = lines(functions);
  }

  // { name, size, align, defaults, fields: [{ name, offset, code }], byName }; undefined: it is opaque.
  struct(name) {
    const entry = this.structs.get(name);
    if (entry && !entry.value) {
      const [, size, align, defaults, ...words] = entry.line.split(" ");
      const fields = words.map((word) => {
        const [field, offset, code] = word.split(":");
        return { name: field, offset: Number(offset), code };
      });
      entry.value = { name, size: Number(size), align: Number(align), defaults: defaults === "-" ? null : defaults, fields, byName: new Map(fields.map((field) => [field.name, field])) };
    }
    return entry?.value;
  }

  // { name, index, result, parameters: [{ name, code, role }] }
  function(name) {
    const entry = this.functions.get(name);
    if (!entry) throw new TypeError(`there is no function ${name}`);
    if (!entry.value) {
      const [, result, ...words] = entry.line.split(" ");
      entry.value = { name, index: entry.index, result, parameters: words.map(parameter) };
    }
    return entry.value;
  }

  size(code) {
    if (code[0] === "{") return this.struct(code.slice(1, -1)).size;
    if (code[0] === "[") {
      const end = code.indexOf("]");
      return Number(code.slice(1, end)) * this.size(code.slice(end + 1));
    }
    return { v: 1, b: 1, c: 1, B: 1, h: 2, H: 2, q: 8, Q: 8, d: 8 }[code[0]] ?? 4;
  }

  // The one scalar that a struct is, which is then passed as such; null: it has more.
  single(name) {
    const { fields } = this.struct(name);
    if (fields.length !== 1) return null;
    const { code } = fields[0];
    if (code[0] === "{") return this.single(code.slice(1, -1));
    return code[0] === "[" ? null : code;
  }
}

const ROLES = { ">": "out", "~": "text", "#": "capacity", "!": "error" };
function parameter(word) {
  const role = ROLES[word[0]] ?? "in";
  const [name, code] = (role === "in" ? word : word.slice(1)).split(":");
  return { name, code, role };
}
